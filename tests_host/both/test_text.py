"""claw_memory.text: cutting, normalising and splitting text by bytes and characters."""

from claw_memory import text, text_odd


def test_trim_strips_c_white_space_only():
    assert text.bare(" \t\v\f\r\n a b \n") == "a b"
    assert text.bare("\u3000a\u00a0") == "\u3000a\u00a0"


def test_normalize_keeps_letters_and_digits_in_lower_case():
    assert text.normalize("MiXeD CaSe 42!!") == b"mixedcase42"
    assert text.normalize("我，讨厌「吃辣」！…") == "我讨厌吃辣".encode()
    assert text.normalize("ÀÉ ßẞ") == "ÀÉßẞ".encode()
    assert text.normalize("full－width　space．") == b"fullwidthspace"
    assert text.normalize(b"a\xff\xe6\xb1b") == b"ab"


def test_normalize_stops_at_the_first_character_that_does_not_fit():
    assert text.normalize("汉汉汉", 8) == "汉汉".encode()
    assert text.normalize("ab汉c", 4) == b"ab"
    assert text.normalize("abc", 2) == b"ab"


def test_utf8_prefix_counts_bytes_and_characters():
    assert text_odd.utf8_prefix("汉字abc", 100, 3) == "汉字a"
    assert text_odd.utf8_prefix("汉字abc", 5, 9) == "汉"
    assert text_odd.utf8_prefix(b"\xffa\xe6\xb1", 9, 9) == "a"


def test_cut_keeps_whole_characters():
    assert text.cut("汉汉汉", 8) == "汉汉"
    assert text.cut("汉汉汉", 9) == "汉汉汉"
    assert text.cut("abc", 0) == ""
    assert text.cut("汉汉".encode(), 5) == "汉".encode()


def test_csv_splits_at_half_and_full_width_separators():
    assert text.csv(" a ;；b、c，，d||e/ /f") == ["a", "b", "c", "d", "e", "f"]
    assert text.csv(" , ;") == []


def test_fnv1a_runs_over_bytes():
    assert text.fnv1a(b"") == 2166136261
    assert text.fnv1a(b"a") == 0xE40C292C
    assert text.fnv1a("汉".encode()) == text.fnv1a(b"\xe6\xb1\x89")


def test_clean_bytes_drops_what_is_no_character():
    assert text.clean_bytes(b'a\xe6\xb1"\xff\xed\xa0\x80z') == 'a"\ufffdz'
    assert text.clean_bytes(b"\xc0\x80\xf5\x80\x80\x80") == "\ufffd\ufffd"
    assert text.clean_bytes("汉字😀é".encode()) == "汉字😀é"
    assert text.clean_bytes(b"") == ""


def test_session_text_counts_characters_and_holds_the_buffer():
    assert text.session_text("汉字abc", 3) == "汉字a".encode()
    assert text.session_text(b"a\xe6\xb1b\0c", 9) == b"abc"
    assert text.session_text("", 5) == b""
    # Above 4096 characters the buffer of 16384 bytes decides: a character that does not fit is
    # passed over, a shorter one still enters.
    long = "a" + "汉" * 5461 + "b" + "😀"
    assert text.session_text(long, 6000) == ("a" + "汉" * 5461).encode()
    assert (
        text.session_text("ab" + "汉" * 5461 + "éz", 6000) == ("ab" + "汉" * 5460 + "é").encode()
    )
    assert len(text.session_text("x" * 9000, 8000)) == 8000
