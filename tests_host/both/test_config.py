"""The settings: types, ranges, secrets, damaged files, values from outside."""

from bothlib import exists, raises, read, tmpdir, write

from claw_core.config import Config, is_secret
from claw_memory.errors import InvalidArg


def make(name, content=None, overrides=None):
    """A Config in a fresh directory, its path, and the list of its notices."""
    path = tmpdir(name) + "/config.json"
    if content is not None:
        write(path, content)
    notices = []
    return Config(path, overrides, notices.append), path, notices


def test_defaults_without_a_file():
    config, path, notices = make("defaults")
    assert config.get("model.provider") == "auto"
    assert config.get("memory.max_message_chars") == 4096
    assert config.get("sd.cs") == -1
    assert notices == [] and not exists(path)
    raises(KeyError, config.get, "no.such")


def test_set_is_kept_and_unset_goes_back():
    config, path, notices = make("kept")
    version = config.version
    assert config.set("model.name", "qwen3") == "model.name is now qwen3."
    assert config.version == version + 1
    config.set("model.max_tokens", " 300 ")
    again = Config(path, None, notices.append)
    assert again.get("model.name") == "qwen3" and again.get("model.max_tokens") == 300
    assert "default" in again.unset("model.name")
    assert Config(path, None, notices.append).get("model.name") == ""
    assert "was not set" in again.unset("model.name")
    assert notices == []


def test_types_and_ranges_name_the_key():
    config, path, _ = make("ranges")
    for key, text in (
        ("model.max_tokens", "many"),
        ("model.max_tokens", "-1"),
        ("model.max_tokens", "12.5"),
        ("model.timeout", "0"),
        ("sd.cs", "49"),
        ("watchdog.seconds", "9"),
        ("model.provider", "other"),
        ("memory.mode", ""),
        ("model.name", "x" * 501),
    ):
        e = raises(InvalidArg, config.set, key, text)
        assert key in str(e), e
    e = raises(InvalidArg, config.set, "model.nam", "x")
    assert "model.nam" in str(e)
    raises(InvalidArg, config.unset, "model.nam")
    assert not exists(path)


def test_secrets_are_masked():
    config, path, _ = make("secrets")
    assert is_secret("model.key") and not is_secret("model.name") and not is_secret("x")
    said = config.set("model.key", "sk-very-secret")
    shown = "\n".join(config.show())
    assert "sk-very" not in said and "sk-very" not in shown
    assert "model.key = ****" in shown
    assert config.redact("401 for sk-very-secret!") == "401 for ****!"
    config.set("model.key", "x12345")
    assert config.redact("401 for x12345!") == "401 for ****!"
    for key in ("e", "x1234"):  # what is typed where a server takes any key
        said = config.set("model.key", key)
        assert "****" in said and key + "\n" not in "\n".join(config.show()) + "\n"
        assert config.redact("The server refused the key x1234.") == (
            "The server refused the key x1234."
        )
    assert "sk-very-secret" not in "\n".join(make("none")[0].show())


def test_an_address_is_shown_without_what_may_be_a_key():
    for url, shown in (
        ("http://user:pa55word@host:80/v1", "http://****@host:80/v1"),
        ("https://host/v1?api_key=pa55word", "https://host/v1?****"),
        ("https://host?key=pa55word@x", "https://****@x"),
        ("user:pa55word@host/v1", "****@host/v1"),
        ("https://host/@own/v1", "https://host/@own/v1"),
    ):
        config, _, _ = make("address")
        assert config.set("model.base_url", url) == "model.base_url is now %s." % shown
        assert "model.base_url = %s\n" % shown in "\n".join(config.show())
        assert config.get("model.base_url") == url


def test_unreadable_files_are_kept_aside():
    for content in (b"{", b"[1]", b"\xff\xfe\x00", b"", b'{"a":1,}', b"x" * 9000, b"null"):
        config, path, notices = make("bad", content)
        assert config.get("model.provider") == "auto"
        assert len(notices) == 1 and "config.bad" in notices[0], notices
        assert not exists(path)
        assert read(path[:-4] + "bad") == content
        config.set("model.name", "m")
        assert Config(path, None, notices.append).get("model.name") == "m"
        assert len(notices) == 1


def test_unusable_values_give_one_notice_and_the_default():
    config, path, notices = make("values", b'{"sd.cs":"x","model.timeout":true,"model.name":5}')
    assert config.get("sd.cs") == -1 and config.get("model.timeout") == 90
    assert config.get("model.name") == ""
    assert len(notices) == 1
    for key in ("sd.cs", "model.timeout", "model.name"):
        assert key in notices[0]


def test_unknown_keys_are_kept():
    config, path, notices = make("unknown", b'{"other.key":{"deep":[1,"x"]},"model.name":"m"}')
    assert notices == []
    assert any("other.key" in line for line in config.show())
    config.set("model.name", "n")
    assert b'"other.key":{"deep":[1,"x"]}' in read(path)
    config.unset("other.key")
    assert b"other" not in read(path)


def test_overrides_win_and_are_never_written():
    values = {"model.key": "sk-from-outside", "model.timeout": "7", "x.y": "1", "model.name": ""}
    config, path, notices = make("overrides", b'{"model.name":"m"}', values)
    assert config.get("model.key") == "sk-from-outside" and config.get("model.timeout") == 7
    assert config.get("model.name") == "m"
    said = config.set("model.timeout", "9")
    assert "environment" in said and config.get("model.timeout") == 7
    assert b"sk-from" not in read(path) and b"9" in read(path)
    assert "sk-from" not in "\n".join(config.show())
    assert config.redact("x sk-from-outside") == "x ****"
    assert notices == []
    _, _, notices = make("overrides", None, {"model.timeout": "soon"})
    assert len(notices) == 1 and "model.timeout" in notices[0]


def test_what_the_file_says_wrong_is_shown_as_a_default():
    values = b'{"model.timeout":"soon","watchdog.seconds":99999,"model.name":"m","tls.verify":1}'
    config, _, notices = make("wrong", values)
    shown = "\n".join(config.show())
    for line in ("model.timeout = 90", "watchdog.seconds = 0", "tls.verify = true"):
        assert line + "  (default; what the file says cannot be used)" in shown, shown
    assert "model.name = m\n" in shown and "time.zone = UTC  (default)\n" in shown
    assert len(notices) == 1 and "watchdog.seconds" in notices[0]


def test_what_must_not_be_set_is_refused():
    config, path, _ = make("checks")

    def check(text):
        if text == "26":
            raise InvalidArg("pin 26 belongs to the flash")

    config.checks["gpio.pins"] = check
    assert "26" in str(raises(InvalidArg, config.set, "gpio.pins", " 26 "))
    assert not exists(path)
    config.set("gpio.pins", "4-6")
    assert config.get("gpio.pins") == "4-6"
