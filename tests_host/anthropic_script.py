"""Answers in the format of Anthropic's messages API, for the scripted model server."""

import json

from tests_host.model_server import Answer


def event(kind, **fields):
    """One server-sent event with its name, as the API sends it."""
    data = json.dumps({"type": kind, **fields}, ensure_ascii=False).encode()
    return b"event: " + kind.encode() + b"\ndata: " + data + b"\n\n"


def start(tokens=12):
    """The first event of a stream."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
    message["usage"] = {"input_tokens": tokens, "output_tokens": 1}
    return event("message_start", message=message) + event("ping")


def stop(reason, tokens=34):
    """The last events of a stream."""
    usage = {"output_tokens": tokens}
    delta = {"stop_reason": reason, "stop_sequence": None}
    return event("message_delta", delta=delta, usage=usage) + event("message_stop")


def text_block(index, content, piece=5):
    """The events of one block of text."""
    block = {"type": "text", "text": ""}
    events = [event("content_block_start", index=index, content_block=block)]
    for at in range(0, len(content), piece):
        delta = {"type": "text_delta", "text": content[at : at + piece]}
        events.append(event("content_block_delta", index=index, delta=delta))
    return b"".join(events) + event("content_block_stop", index=index)


def thinking_block(index, content):
    """The events of one block of reasoning, signature included."""
    block = {"type": "thinking", "thinking": "", "signature": ""}
    events = event("content_block_start", index=index, content_block=block)
    delta = {"type": "thinking_delta", "thinking": content}
    events += event("content_block_delta", index=index, delta=delta)
    delta = {"type": "signature_delta", "signature": "c2lnbmF0dXJl"}
    events += event("content_block_delta", index=index, delta=delta)
    return events + event("content_block_stop", index=index)


def tool_block(index, name, arguments, piece=7):
    """The events of one tool call, its arguments in pieces."""
    block = {"type": "tool_use", "id": "toolu_%s_%d" % (name, index), "name": name, "input": {}}
    events = [event("content_block_start", index=index, content_block=block)]
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    for at in range(0, len(arguments), piece):
        delta = {"type": "input_json_delta", "partial_json": arguments[at : at + piece]}
        events.append(event("content_block_delta", index=index, delta=delta))
    return b"".join(events) + event("content_block_stop", index=index)


def text(content, piece=5, reason="end_turn", **options):
    """A streamed text answer."""
    return Answer([start(), text_block(0, content, piece), stop(reason)], **options)


def calls(*wanted, content="", **options):
    """Streamed tool calls (name, arguments), after a few words if content is given."""
    events = [start()]
    if content:
        events.append(text_block(0, content))
    for index, (name, arguments) in enumerate(wanted, 1 if content else 0):
        events.append(tool_block(index, name, arguments))
    return Answer([*events, stop("tool_use")], **options)


def plain(blocks, reason="end_turn", **options):
    """An answer that is not streamed, with these content blocks."""
    body = {"type": "message", "role": "assistant", "content": blocks, "stop_reason": reason}
    body["usage"] = {"input_tokens": 5, "output_tokens": 6}
    options.setdefault("framing", "length")
    return Answer(json.dumps(body).encode(), content_type="application/json", **options)


def error(status, kind, message, headers=(), **options):
    """An error answer in the form of Anthropic."""
    body = {"type": "error", "error": {"type": kind, "message": message}}
    options.setdefault("framing", "length")
    data = json.dumps(body).encode()
    return Answer(data, status, headers, content_type="application/json", **options)
