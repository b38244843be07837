"""Where work for the agent comes from: events, and the short queue in which they wait."""

import asyncio

from claw_memory import limits


class Event:
    """One message for the agent: text that came in over channel (a name) in chat chat_id."""

    def __init__(self, channel, chat_id, text):
        self.channel = channel
        self.chat_id = chat_id
        self.text = text

    def place(self, memory, config):
        """(memory as the user of this chat sees it, id of the chat's current session).

        Nothing else decides whose memories a message may reach.
        """
        names = memory.names
        session_id = names.current(names.chat_key(self.channel, self.chat_id))
        owner = "serial," + config.get("memory.owner")
        return memory.of_chat(self.channel, self.chat_id, session_id, owner), session_id


class Inbox:
    """Events that wait for the agent. Any task may put; an interrupt or a thread may not."""

    def __init__(self):
        self._waiting = []
        self._ready = asyncio.Event()

    def __len__(self):
        return len(self._waiting)

    def put(self, event):
        """Queue event; False when limits.INBOX events wait already and it was not taken."""
        if len(self._waiting) >= limits.INBOX:
            return False
        self._waiting.append(event)
        self._ready.set()
        return True

    async def get(self):
        """Wait for the next event and take it out."""
        while not self._waiting:
            self._ready.clear()
            await self._ready.wait()
        return self._waiting.pop(0)
