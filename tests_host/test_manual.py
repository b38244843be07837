"""README.md as a manual: what it says about settings, sentences, boards and privacy is so."""

import ast
import pathlib
import re

import mpremote
from bothlib import tmpdir

from claw_core import setup, setup_model
from claw_core.config import Config
from tests_host.flash_kit import REPO

import flash_image  # isort: skip - flash_kit makes it importable

README = (REPO / "README.md").read_text("utf-8")


def section(title):
    """The text below a heading, up to the next one of the same level."""
    found = re.search(r"^## %s\n(.*?)(?=^## |\Z)" % re.escape(title), README, re.S | re.M)
    assert found, title
    return found.group(1)


def rows(title):
    """The cells of the tables of a section, without their heads."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells[1:] if not set(row[0]) <= set("-|")]


def sentences(folder):
    """All string constants of the Python files of a folder."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return found


def is_said(quoted, constants):
    """True when one constant holds the quoted sentence, … standing for what is filled in."""
    parts = [re.escape(part) for part in quoted.split("…")]
    pattern = re.compile(r"%[sd]".join(parts))
    return any(pattern.search(text) for text in constants)


def test_the_settings_are_those_of_the_board_with_their_defaults():
    shown = []
    for line in Config(tmpdir("manual") + "/config.json").show():
        key, _, rest = line.partition(" = ")
        shown.append(("`%s`" % key, rest.replace("  (default)", "")))
    assert [(row[0], row[1]) for row in rows("Settings")] == shown


def test_the_choices_of_a_setting_are_named():
    for row in rows("Settings"):
        assert len(row) == 3 and len(row[2]) > 10, row
    text = section("Settings")
    for choice in ("openai", "anthropic", "offline", "lightweight", "done"):
        assert "`%s`" % choice in text, choice


def test_each_sentence_of_the_trouble_list_is_one_that_is_said():
    constants = sentences(REPO / "firmware") + sentences(REPO / "tools")
    constants += sentences(pathlib.Path(mpremote.__file__).parent)
    table = rows("When something is wrong")
    assert len(table) > 20
    for row in table:
        quoted = re.fullmatch(r"`([^`]+)`(?: \(mpremote\))?", row[0])
        assert quoted, row[0]
        assert is_said(quoted.group(1), constants), row[0]
        assert row[1], row


def test_a_sentence_that_nobody_says_is_found():
    constants = ["The key was refused by %s; set it.", "50 % of it"]
    assert is_said("The key was refused by …", constants)
    assert not is_said("The key is refused by …", constants)
    assert not is_said("The key was … by %s", constants)


def test_only_the_named_modules_reach_the_network():
    reach = {}
    for path in sorted((REPO / "firmware").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        used = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                used |= {name.name.split(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                used.add((node.module or "").split(".")[0])
            elif isinstance(node, ast.Attribute):
                used.add(node.attr)
        used &= {
            "socket",
            "ssl",
            "network",
            "ntptime",
            "open_connection",
            "start_server",
            "requests",
            "urequests",
        }
        if used:
            reach[path.relative_to(REPO / "firmware").as_posix()] = used
    assert "start_server" not in set().union(*reach.values())
    # to the model's server: the conversation, and the learning in the background
    names = ("http", "tls", "blocking_https", "extract_thread", "background")
    to_the_model = {"claw_core/%s.py" % name for name in names}
    # the time, and Wi-Fi itself
    others = {"claw_core/clock.py", "claw_core/wifi.py", "claw_core/setup_wifi.py"}
    assert set(reach) <= to_the_model | others, reach
    assert reach["claw_core/clock.py"] == {"ntptime"}
    for name in ("claw_core/wifi.py", "claw_core/setup_wifi.py"):
        assert reach[name] == {"network"}


def test_the_steps_of_the_wizard_are_named():
    text = section("On a board")
    for name, _ in setup._STEPS:
        assert re.search("`(/setup )?%s`" % name, text), name


def test_the_address_of_each_known_server_is_the_wizards():
    for _, kind, _, address in setup_model._PLACES:
        if kind == "anthropic":
            assert "`%s`" % address in section("With a model")


def test_the_boards_are_those_of_the_flash_tool():
    s3, plain = flash_image.CHIPS
    names = {s3.firmware_file(8, 8), s3.firmware_file(8, 0), s3.firmware_file(4, 0)}
    names |= {plain.firmware_file(4, 2), plain.firmware_file(4, 0)}
    assert {row[1].strip("`") for row in rows("Which boards")} == {
        name.rpartition("-")[0].rpartition("-")[0] for name in names
    }
    text = section("On a board")
    assert "FIRMWARE=" + s3.firmware_file(8, 8) in text and s3.firmware_page() in text + "/"


def test_links_and_files_exist():
    headings = {
        re.sub(r"[^\w\- ]", "", line[3:]).strip().lower().replace(" ", "-")
        for line in README.splitlines()
        if line.startswith("## ")
    }
    links = re.findall(r"\]\(#([^)]+)\)", README)
    assert links and set(links) <= headings, set(links) - headings
    for path in re.findall(r"(?:docs|tools)/\w+\.(?:md|py)", README):
        assert (REPO / path).exists(), path


def test_make_targets_exist():
    makefile = (REPO / "Makefile").read_text("utf-8")
    for target in re.findall(r"make ((?!-)[a-z-]+)", README):
        assert re.search(r"^%s:" % target, makefile, re.M), target
