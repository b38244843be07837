"""The wizard's steps for the model: where it runs, its name, the key, and a test request."""

import asyncio
import gc

from claw_core import http, provider as providers
from claw_core.config_edit import address
from claw_core.model import ModelError, Sink
from claw_memory import limits, platform
from claw_memory.errors import InvalidArg

# what is shown, model.provider, how an address begins, an example of one
_PLACES = (
    (
        "a server with OpenAI's API (OpenAI, OpenRouter, DeepSeek, Qwen and others)",
        "openai",
        "https://",
        "https://api.openai.com/v1",
    ),
    ("Anthropic", "anthropic", "https://", "https://api.anthropic.com/v1"),
    ("a server in your own network (Ollama, llama.cpp)", "openai", "http://", ""),
    ("nowhere: the offline model of the board answers", "offline", "", ""),
)
_QUESTION = "Say hello in one short sentence."


async def provider(dialog):
    """Choose where the model runs, and the address."""
    config = dialog.config
    dialog.rows([row[0] for row in _PLACES])
    while True:
        answer = await dialog.ask("The model runs at (now: %s): a number." % _place(config))
        if not answer:
            return
        if answer == "-":
            answer = str(len(_PLACES))
        if answer.isdigit() and 1 <= int(answer) <= len(_PLACES):
            break
        dialog.sorry("Choose a number from 1 to %d." % len(_PLACES))
    _, kind, scheme, example = _PLACES[int(answer) - 1]
    if kind == "offline":
        dialog.keep("model.provider", kind)
    elif await _address(dialog, kind, scheme, example):
        dialog.keep("model.provider", kind)


async def _address(dialog, kind, scheme, example):
    # Ask for model.base_url; False when none was given.
    config = dialog.config
    now = config.get("model.base_url")
    if not now.startswith(scheme) or kind != (_kind(config) if now else ""):
        now = ""
    default = now or example
    question = "Its address up to /v1, such as %s." % (example or "http://192.168.1.5:11434/v1")
    if default:
        question += " Enter takes %s." % address(default)
    while True:
        url = await dialog.ask(question) or default
        if not url or url == "-":
            dialog.say("[nothing changed]")
            return False
        if "://" not in url:
            url = scheme + url
        try:
            http.split_url(url)
            dialog.keep("model.base_url", url)
        except (http.HttpError, InvalidArg) as e:
            dialog.sorry(str(e))
            continue
        if url.startswith("http:"):
            dialog.say("http is not encrypted: use it only inside your own network.")
        return True


async def name(dialog):
    """Name the model."""
    if _kind(dialog.config) != "offline":
        question = "Name of the model, as the server calls it (%s)." % dialog.now("model.name")
        await dialog.setting("model.name", question)


async def key(dialog):
    """Type the key, unseen."""
    config = dialog.config
    if _kind(config) != "offline":
        question = "Key for %s; it is not shown. Enter " % _host(config)
        question += "keeps the present one." if config.get("model.key") else "when it needs none."
        await dialog.setting("model.key", question, None, True)


async def test(dialog):
    """Ask the model something; the name of the step to go back to when it must be corrected."""
    config = dialog.config
    if _kind(config) == "offline":
        return None
    answer = await dialog.ask("Enter asks the model for one sentence as a test, - leaves it out.")
    while answer != "-":
        if await _answers(dialog):
            return None
        answer = await dialog.ask("1 corrects the settings, 2 asks again, Enter goes on.") or "-"
        if answer == "1":
            return "provider"
    return None


async def _answers(dialog):
    # True when the model gives a usable answer.
    config = dialog.config
    if config.get("model.base_url").startswith("https:") and config.get("wifi.ssid"):
        await _clock(dialog)
    dialog.say("Asking %s at %s…" % (config.get("model.name") or "the model", _host(config)))
    gc.collect()
    sink = Sink(dialog.emit, 0, bytearray(1))
    try:
        model = providers.make(config, dialog.agent.offline, dialog.say)
        reply = await model.ask(_Request(config.get("model.max_tokens")), sink)
    except ModelError as e:
        dialog.agent.report(dialog, str(e))
        return False
    if reply.text and not sink.total:
        sink.text(reply.text)
    if reply.cut:
        dialog.sorry(reply.cut)
    elif not sink.total:
        dialog.sorry("The model gave an empty answer.")
    else:
        dialog.say("The model answers.")
        return True
    return False


async def _clock(dialog):
    # A certificate can be checked only when the time is known; it comes soon after Wi-Fi.
    if not platform.unix_time():
        dialog.say("Waiting for the time from %s…" % dialog.config.get("time.server"))
    start = platform.ticks_ms()
    while not platform.unix_time():
        if platform.ticks_diff(platform.ticks_ms(), start) > limits.SETUP_CLOCK_SECONDS * 1000:
            return
        await asyncio.sleep_ms(100)


class _Request:
    """What claw_core.model says a request offers: one question and nothing of the user's."""

    stream = True
    user_text = _QUESTION

    def __init__(self, max_tokens):
        self.max_tokens = max_tokens

    def system(self):
        """Yield the system prompt."""
        yield "Answer briefly."

    def messages(self):
        """Yield the question."""
        yield b'{"role":"user","content":"%s"}' % _QUESTION.encode()

    def tools(self):
        """No tools."""
        return iter(())

    def tool_rows(self):
        """No tools."""
        return iter(())


def _kind(config):
    kind = config.get("model.provider")
    if kind == "auto":
        kind = "openai" if config.get("model.base_url") else "offline"
    return kind


def _place(config):
    if _kind(config) == "offline":
        return "nowhere"
    return address(config.get("model.base_url")) or "not set"


def _host(config):
    try:
        return http.split_url(config.get("model.base_url"))[1]
    except http.HttpError:
        return "the model's server"
