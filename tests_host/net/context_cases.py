"""A long conversation with the scripted server: condensed, learned from, never too long."""

from extract_cases import Chat

from claw_memory import session_archive

WORDS = " ".join(["word"] * 90)


def said(chat):
    agent = chat.agent
    session_id = agent.memory.names.current(agent.memory.names.chat_key("serial", "0"))
    memory = agent.memory.sessions
    found = list(session_archive.said(memory, session_id))
    users = [content for _, role, content in found if role == "user"]
    return [text.split(" ")[1] for text in users if text.startswith("message ")]


async def long(url, **settings):
    chat = Chat(url, context_window=4096, context_reserve=256, **settings)
    lines = []
    for n in range(45):
        await chat.say("message %d %s" % (n, WORDS))
        assert not chat.channel.of("error"), chat.channel.shown
        lines += [text for text in chat.channel.of("info") if "became a summary" in text]
    assert 1 <= len(lines) <= 6, lines
    assert said(chat) == [str(n) for n in range(45)]
    await chat.settled()
    return chat


async def case_openai(url):
    await long(url)


async def case_anthropic(url):
    await long(url, model_provider="anthropic")


async def case_refused(url):
    # the server finds the fourth request too long, then the condensed one fits
    chat = Chat(url)
    for n in range(6):
        await chat.say("message %d" % n)
        assert not chat.channel.of("error"), chat.channel.shown
    assert said(chat) == [str(n) for n in range(6)]
    await chat.say("/status")
    assert [text for text in chat.channel.of("info") if text.startswith("context: about ")]


async def case_compact_fails(url):
    chat = Chat(url)
    for n in range(5):
        await chat.say("message %d" % n)
    await chat.say("/compact")
    assert "not condensed" in chat.channel.of("info")[0], chat.channel.shown
    assert said(chat) == [str(n) for n in range(5)]
    await chat.say("/compact all of it")
    assert "3 turns became a summary" in chat.channel.of("info")[0], chat.channel.shown
    assert said(chat) == [str(n) for n in range(5)]
