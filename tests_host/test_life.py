"""A short life, and whether the check of its logs notices what it is there for."""

import json
import re

import pytest

from tests_host.life.__main__ import main
from tests_host.life.check import Check


@pytest.fixture(scope="module")
def life(tmp_path_factory):
    folder = tmp_path_factory.mktemp("life")
    code = main(["--turns", "110", "--seed", "5", "--logs", str(folder)])
    return folder, code


def test_a_short_life(life):
    folder, code = life
    check = Check(folder).run()
    said = "\n".join(check.report())
    assert code == 0 and not check.problems, said
    assert check.counts["flush"] and check.counts["summary"] and check.counts["start"], said
    for state in ("current", "superseded", "forgotten"):
        assert check.counts[state] > 5, said


class Logs:
    """A copy of the logs of a life in which something is changed."""

    def __init__(self, source, folder):
        self.folder = folder
        self.prompts, self.ledger = [
            [json.loads(line) for line in open(source / name)]
            for name in ("prompts.jsonl", "ledger.jsonl")
        ]

    def gone(self, state):
        """(token, line after which it is in this state) of a fact that stays so."""
        last = {}
        for event in self.ledger:
            if event["what"] == "fact":
                last[event["token"]] = event
        return [(t, e["seq"]) for t, e in last.items() if e["state"] == state][0]

    def chat(self, after=0, wanted=lambda messages: True):
        """(entry, body) of the first prompt of a conversation behind that line that is wanted."""
        for entry in self.prompts:
            body = json.loads(entry["body"])
            if entry["seq"] > after and "tools" in body and wanted(body["messages"]):
                return entry, body
        raise AssertionError("no such prompt")

    def problems(self):
        """The kinds of problems that are found in the changed logs."""
        for name, lines in (("prompts", self.prompts), ("ledger", self.ledger)):
            with open(self.folder / (name + ".jsonl"), "w") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)
        return sorted(Check(self.folder).run().problems)


@pytest.fixture
def logs(life, tmp_path):
    return Logs(life[0], tmp_path)


def has_tool(messages):
    return any(message["role"] == "tool" for message in messages)


@pytest.mark.parametrize("state", ["superseded", "forgotten"])
def test_an_outdated_word_in_the_system_part(logs, state):
    token, seq = logs.gone(state)
    entry, body = logs.chat(seq)
    body["messages"][0]["content"] += "\n> - 12:00 the user told of %s\n" % token
    entry["body"] = json.dumps(body)
    assert logs.problems() == ["the system part tells what is outdated"]


def test_an_outdated_word_in_a_list(logs):
    token, _ = logs.gone("forgotten")
    listed = [event for event in logs.ledger if event["what"] == "listed"][-1]
    listed["contents"].append("something with %s in it" % token)
    assert logs.problems() == ["a list shows what is outdated"]


@pytest.mark.parametrize("late", [True, False])
def test_an_outdated_word_in_a_summary(logs, late):
    # A summary may be shown long after it was made; only what was outdated then is wrong.
    token, seq = logs.gone("forgotten")
    entry, body = logs.chat(seq + 60)
    made = entry["seq"] - 0.5 if late else seq - 1.5
    logs.ledger.append({"seq": made, "turn": 0, "what": "summary"})
    lead = "Summary of our conversation so far: it was about %s" % token
    body["messages"].insert(1, {"role": "user", "content": lead})
    entry["body"] = json.dumps(body)
    found = "a new summary tells what is outdated" in logs.problems()
    assert found == late


def test_an_outdated_word_in_a_search(logs):
    token, seq = logs.gone("superseded")

    def changed(text):
        return re.sub('"snippet":"', '"snippet":"%s ' % token, text, count=1)

    for entry in logs.prompts:
        body = json.loads(entry["body"])
        if entry["seq"] > seq:
            for message in body["messages"]:
                if message["role"] == "tool" and int(message["tool_call_id"][5:]) > 60:
                    message["content"] = changed(message["content"])
            entry["body"] = json.dumps(body)
    assert "memory_search tells what is outdated" in logs.problems()


def test_a_prompt_over_the_window(logs):
    entry, body = logs.chat()
    body["messages"][0]["content"] += "seven words that do not fit there " * 1000
    entry["body"] = json.dumps(body)
    assert logs.problems() == ["larger than the window"]


def test_a_split_pair(logs):
    entry, body = logs.chat(0, has_tool)
    at = [m["role"] for m in body["messages"]].index("tool")
    del body["messages"][at]
    entry["body"] = json.dumps(body)
    assert "a call without its result" in logs.problems()


def test_a_result_alone(logs):
    entry, body = logs.chat(0, has_tool)
    at = [m["role"] for m in body["messages"]].index("tool")
    while body["messages"][at]["role"] == "tool":
        at -= 1
    del body["messages"][at]
    entry["body"] = json.dumps(body)
    assert "a result without its call" in logs.problems()


def users(messages):
    return [n for n, message in enumerate(messages) if message["role"] == "user"]


def test_a_turn_left_out_in_between(logs):
    entry, body = logs.chat(0, lambda m: len(users(m)) > 4)
    first, second = users(body["messages"])[2:4]
    del body["messages"][first:second]
    entry["body"] = json.dumps(body)
    assert logs.problems() == ["turns are left out in between"]


def test_an_answer_left_out(logs):
    entry, body = logs.chat(0, lambda m: len(users(m)) > 4)
    messages = body["messages"]
    at = users(messages)[3] - 1
    assert messages[at]["role"] == "assistant"
    messages[at]["content"] = messages[at]["content"][:-1]
    entry["body"] = json.dumps(body)
    assert logs.problems() == ["a turn without its answer"]


def test_half_a_character(logs):
    entry, body = logs.chat()
    body["messages"][0]["content"] += "\ud83d"
    entry["body"] = json.dumps(body)
    assert logs.problems() == ["half characters or no JSON"]


def test_a_missing_fact(logs):
    lost = {
        "what": "fact",
        "fact": "f0",
        "text": "The sky of Nobody is Grubonk",
        "token": "Grubonk",
    }
    lost.update(seq=0, turn=0, asked="The sky of Nobody is", state="current")
    logs.ledger.insert(0, lost)
    assert "a current fact is not found" in logs.problems()


def test_a_life_that_ended_early(logs):
    logs.ledger = [event for event in logs.ledger if event["what"] != "export"]
    assert "the life did not come to its end" in logs.problems()
