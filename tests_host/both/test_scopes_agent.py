"""Three users at once: nothing that one of them gets holds what another one told."""

# heap: 2M

import asyncio

from bothlib import Channel, exists, read, run, tmpdir

import claw_caps
from claw_core import provider
from claw_core.agent import Agent
from claw_core.capability import Capabilities
from claw_core.config import Config
from claw_core.events import Event
from claw_core.extractor import Extractor
from claw_core.model import ModelError, Reply
from claw_memory import jsonio
from claw_memory.memory import Memory

WHO = ("owner", "ann", "bob")
PETS = {"owner": "quetzal", "ann": "ocelot", "bob": "narwhal"}
CHATS = {"owner": ("serial", "0"), "ann": ("tg", "ann"), "bob": ("tg", "bob")}


def secret(who):
    """A word that only this user ever says."""
    return "hid" + who


class Model:
    """Makes the calls that the message asks for as JSON, then answers with their results."""

    name = "scripted"
    backend = 1

    def __init__(self, prompts):
        self.prompts = prompts

    async def ask(self, request, sink):
        who, _, rest = request.user_text.partition(" ")
        messages = [jsonio.loads(m) for m in request.messages()]
        prompt = "".join(request.system()) + jsonio.dumps(messages)
        for piece in request.tools():
            prompt += piece.decode()
        self.prompts.append((who, prompt))
        await asyncio.sleep(0)
        if rest.startswith("offline"):
            raise ModelError("No way.")
        calls = jsonio.loads(rest) if rest.startswith("[") else []
        if not calls or messages[-1]["role"] == "tool":
            said = [m["content"] for m in messages[-len(calls) :]] if calls else ["hello"]
            sink.text("\n".join(said))
            return Reply()
        made = [("c%d" % i, name, jsonio.dumps(args)) for i, (name, args) in enumerate(calls)]
        stored = []
        for call_id, name, args in made:
            function = jsonio.obj("name", name, "arguments", args)
            stored.append(jsonio.obj("id", call_id, "type", "function", "function", function))
        return Reply(
            "", made, jsonio.obj("role", "assistant", "content", "", "tool_calls", stored)
        )


class Bench:
    """An agent with the capabilities of the board and three users on two channels."""

    def __init__(self, name, mode="full", **settings):
        self.root = tmpdir(name)
        self.memory = Memory(self.root, lambda: 1795988618, mode=mode)
        self.config = Config(self.root + "/config.json", settings)
        self.prompts = []
        self.questions = []
        self.channels = [Channel("serial"), Channel("tg")]
        caps = Capabilities()
        claw_caps.register_all(caps, self.memory, self.config)
        self.agent = Agent(
            self.memory, caps, Model(self.prompts), provider.Offline(), self.channels, self.config
        )
        self.got = {"owner": [], "ann": [], "bob": []}
        self.turn = asyncio.Event()

    async def say(self, who, text):
        """Send a line as a user; returns what came back, as one text."""
        channel, chat_id = CHATS[who]
        said = text if text.startswith("/") else who + " " + text
        while not self.agent.inbox.put(Event(channel, chat_id, said)):
            await asyncio.sleep(0)
        done = asyncio.Event()
        self.got[who].append(done)
        await done.wait()
        return self.got[who][-1]

    async def tools(self, who, *calls):
        """Have the model make these calls [(name, args), ...]; returns the results."""
        said = await self.say(who, jsonio.dumps([list(call) for call in calls]))
        return [jsonio.loads(line) for line in said.split("\n") if line.startswith("{")]

    def _deliver(self, event, channel):
        # What was shown while this event was handled goes to its user only.
        for who in WHO:
            if CHATS[who] == (event.channel, event.chat_id):
                shown = "".join([text for kind, text in channel.shown if kind == "text"])
                others = [text for kind, text in channel.shown if kind != "text"]
                waiting = self.got[who].pop()
                self.got[who] += ["\n".join([shown] + others)]
                channel.shown = []
                waiting.set()

    async def scene(self, talk):
        """Let all three go through talk(bench, who) at once."""
        handle = self.agent.handle

        async def handled(event):
            await handle(event)
            self._deliver(event, self.channels[0 if event.channel == "serial" else 1])

        self.agent.handle = handled
        loop = asyncio.create_task(self.agent.run())
        await asyncio.sleep(0)
        if self.memory.longterm is not None:
            self.config.values["extract.enabled"] = True
            self.agent.extractor = Extractor(self.memory, self.config, self.asked, print)
            self.agent._learning = asyncio.create_task(self.agent.extractor.run())
        ended = []

        async def guarded(who):
            try:
                await talk(self, who)
                ended.append(None)
            except Exception as e:
                ended.append(e)

        tasks = [asyncio.create_task(guarded(who)) for who in WHO]
        while len(ended) < len(tasks) and not any(ended):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        for error in ended:
            if error:
                raise error
        loop.cancel()
        try:
            await loop
        except asyncio.CancelledError:
            pass

    async def asked(self, request):
        """The background question about a message; answers with the fact that it states."""
        who = request.user_text.split(" ")[0]
        question = "".join(request.system()) + "".join([m.decode() for m in request.messages()])
        self.questions.append((who, question))
        await asyncio.sleep(0)
        if "I play" not in request.user_text:
            return '{"intent":"none","memories":[]}'
        content = "I play the organ, " + secret(who) + " " + who
        fact = jsonio.obj("content", content, "tags", ["music"], "keywords", ["organ"])
        return jsonio.dumps(jsonio.obj("intent", "replace", "memories", [fact]))

    def check(self):
        """Nobody got, and no model was told for anybody, what another one said."""
        for who in WHO:
            for other in WHO:
                if other != who:
                    told = self.prompts + self.questions
                    for asker, text in told + [(who, text) for text in self.got[who]]:
                        if asker == who:
                            at = text.find(secret(other))
                            assert at < 0, (who, text[max(0, at - 300) : at + 60])


def test_three_users_at_once_learn_nothing_of_each_other():
    bench = Bench("three")
    ids = {}
    met = []

    async def together(count):
        # everyone has come as far as this
        met.append(1)
        while len(met) < count * len(WHO):
            await asyncio.sleep(0)

    async def talk(bench, who):
        hidden = secret(who)
        pet = PETS[who]
        fact = {"content": "My pet is a %s, %s" % (pet, hidden), "tags": [pet, hidden]}
        same = {"content": "The wedding is on Sunday", "tags": ["wedding"]}
        first, second = await bench.tools(who, ("memory_store", fact), ("memory_store", same))
        assert first["ok"] and second["changed"] is True
        assert "Memory update: [%s;%s;wedding]" % (pet, hidden) in bench.got[who][-1]
        ids[who] = first["memory_id"]
        (again,) = await bench.tools(who, ("memory_store", same))
        assert again["changed"] is False and again["memory_id"] == second["memory_id"]
        await bench.tools(who, ("files_edit", {"path": "user.md", "content": "I am " + hidden}))
        await bench.tools(
            who, ("files_edit", {"path": "files/diary.txt", "append": "Dear diary: " + hidden})
        )
        await bench.tools(who, ("memory_note", {"text": "Today I met " + hidden}))
        await bench.tools(who, ("session_command", {"command": "new " + hidden}))
        await bench.say(who, "I play the organ")
        await together(1)
        (listed,) = await bench.tools(who, ("memory_list", {}))
        assert len(listed["items"]) == 3
        for other in WHO:
            if other == who:
                continue
            label = PETS[other]
            id = ids[other]
            tried = await bench.tools(
                who,
                ("memory_recall", {"summary_labels": [label]}),
                ("memory_recall", {}),
                ("memory_search", {"query": "pet " + label + " wedding organ"}),
                ("memory_get", {"id": id}),
                ("memory_update", {"memory_id": id, "content": "nothing"}),
                ("memory_forget", {"memory_id": id}),
                ("memory_store", {"content": "x", "memory_id": id, "scope": other}),
            )
            assert tried[0]["error"] == "invalid_summary_labels"
            assert tried[2]["ok"] and len(tried[2]["results"]) == 3
            # A plain id in a user's chat is one of her own; the owner's is not touched by it.
            failed = tried[3:6] if other == "owner" else tried[3:]
            assert [result["ok"] for result in failed] == [False] * len(failed)
            folder = "memory/u_%s/" % id[-16:]
            paths = ("MEMORY.md", folder + "user.md", "files/../" + folder + "user.md", "files/x")
            calls = [("files_read", {"path": path}) for path in paths]
            for result in (await bench.tools(who, *calls))[1:]:
                assert result["ok"] is False
        (mine, profile, diary) = await bench.tools(
            who,
            ("files_list", {}),
            ("files_read", {"path": "memory/user.md"}),
            ("files_read", {"path": "files/diary.txt"}),
        )
        assert profile["text"] == "I am " + hidden and hidden in diary["text"]
        listing = [entry["path"] for entry in mine["files"]]
        assert ("MEMORY.md" in listing) <= (who == "owner") and "files/diary.txt" in listing
        edits = [("files_edit", {"path": "soul.md", "append": "Be kind."})]
        (edit,) = await bench.tools(who, *edits)
        assert edit["ok"] is (who == "owner")
        for line in ("/session list", "/session show", "/memory", "/memory find wedding"):
            said = await bench.say(who, line)
            assert hidden in said or line == "/memory find wedding", (who, line, said)
        exported = await bench.say(who, "/memory export")
        assert exported.count('"id"') >= 3 and hidden in exported
        lines = ("/status", "/config show", "/nothing", "/memory forget " + ids["owner"])
        for line in lines + ("/memory forget --hard",):
            if who == "owner" and line.endswith("--hard"):
                continue  # it asks back, and goes over everything
            said = await bench.say(who, line)
            refused = who != "owner" and (line[1] in "sc" or line.endswith("--hard"))
            assert ("is the owner's" in said) is refused, (line, said)
        await together(2)
        said = await bench.say(who, "offline what do you know about me?")
        assert hidden in said and "offline" in said
        said = await bench.say(who, "offline what is my pet?")
        for other in WHO:
            assert (PETS[other] in said) <= (other == who), said

    run(bench.scene(talk))
    bench.check()
    assert len(bench.prompts) > 60 and len(bench.questions) > 20
    for who in WHO:
        assert any([asker == who and secret(who) in text for asker, text in bench.prompts])
    memory = bench.memory
    memory.close()
    files = read(memory.longterm.markdown).decode()
    assert secret("ann") not in files and secret("bob") not in files
    # The owner had forgotten the pet, and only the owner's.
    assert "quetzal" not in files and "wedding" in files
    again = Memory(bench.root, lambda: 1795988618)
    for who in ("ann", "bob"):
        seen = again.of_chat(*CHATS[who])
        assert PETS[who] in [item.tags.split(",")[0] for item in seen.longterm.list()]


def test_what_the_owner_shares_does_not_tell_where_it_was_said():
    bench = Bench("told")
    done = []

    async def talk(bench, who):
        if who == "owner":
            fact = {"content": "The gate is locked at ten", "tags": ["gate"]}
            await bench.tools(who, ("memory_store", fact))
            await bench.say(who, "/memory list")
            assert "in session" in await bench.say(who, "/memory why 1")
            assert "all users read it now" in await bench.say(who, "/memory share 1")
            done.append(who)
        while not done:
            await asyncio.sleep(0)
        if who == "owner":
            return
        # A number counts in the list of the chat that asked for it.
        assert "type /memory list first" in await bench.say(who, "/memory why 1")
        listed = await bench.say(who, "/memory list")
        assert "locked at ten" in listed
        id = listed.split("  ")[1]
        assert "is not known" in await bench.say(who, "/memory why " + id)
        assert "origin" not in await bench.say(who, "/memory export")
        for verb in ("pin", "unpin", "share", "unshare", "stats"):
            assert "is the owner's" in await bench.say(who, "/memory %s %s" % (verb, id))
        assert "only its owner" in await bench.say(who, "/memory forget " + id)

    run(bench.scene(talk))
    bench.check()


def test_in_lightweight_mode_the_file_is_the_owners():
    bench = Bench("light", "lightweight")

    async def talk(bench, who):
        hidden = secret(who)
        calls = [("files_edit", {"path": "MEMORY.md", "append": "- My pet is " + hidden})]
        (edit,) = await bench.tools(who, *calls)
        assert edit["ok"] is (who == "owner")
        await bench.say(who, "hello")
        (seen,) = await bench.tools(who, ("files_read", {"path": "MEMORY.md"}))
        assert seen["ok"] is (who == "owner")
        said = await bench.say(who, "offline what is my pet?")
        assert (hidden in said) is (who == "owner")
        await bench.say(who, "/memory list")

    run(bench.scene(talk))
    bench.check()
    assert secret("owner") in bench.prompts[-1][1] or len(bench.prompts) > 6


def test_the_owners_files_are_shared_when_the_settings_say_so():
    bench = Bench("shared", **{"files.shared": True})
    order = []

    async def talk(bench, who):
        path = {"path": "files/plan.txt"}
        if who == "owner":
            await bench.tools(who, ("files_edit", {"path": "files/plan.txt", "content": "Plan A"}))
            order.append(who)
        while not order:
            await asyncio.sleep(0)
        (plan,) = await bench.tools(who, ("files_read", path))
        assert plan["text"] == "Plan A"
        calls = [("files_edit", {"path": "files/" + who, "content": "me"})]
        (edit,) = await bench.tools(who, *calls)
        assert edit["ok"] is (who == "owner")

    run(bench.scene(talk))
    assert not exists(bench.root + "/files/ann") and exists(bench.root + "/files/owner")
