"""The offline model's calls of tools as they stand in a conversation, in OpenAI's format."""

from claw_memory import jsonio


def message(calls):
    """The message (dict) of an assistant that makes these calls, (id, tool, arguments) each."""
    made = []
    for call_id, name, arguments in calls:
        function = jsonio.obj("name", name, "arguments", arguments)
        made.append(jsonio.obj("id", call_id, "type", "function", "function", function))
    return jsonio.obj("role", "assistant", "content", "", "tool_calls", made)


def results(request):
    """Results of this turn's calls by id: what follows the last message of the user."""
    found = {}
    for line in request.messages():
        if b'"role":"user"' in line[:64]:
            found = {}
        elif b'"off_lose"' in line and b'"role":"assistant"' in line[:64]:
            args = jsonio.loads(jsonio.loads(line)["tool_calls"][0]["function"]["arguments"])
            found["lost"] = jsonio.get(args, "content", "") or jsonio.get(args, "old", "")[2:]
        elif b'"role":"tool"' in line[:64]:
            value = jsonio.loads(line)
            call_id = jsonio.get(value, "tool_call_id", "")
            if call_id.startswith("off_"):
                try:
                    found[call_id] = jsonio.loads_prefix(jsonio.get(value, "content", "").encode())
                except ValueError:
                    found[call_id] = {"ok": False, "error": "unreadable result"}
    return found
