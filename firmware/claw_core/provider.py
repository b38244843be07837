"""Which provider answers, by the settings. Only the one in use is imported."""


class Offline:
    """The offline model over a Memory, imported when it is asked for the first time."""

    name = "offline"
    backend = 1

    def __init__(self, memory):
        self._memory = memory
        self._model = None

    async def ask(self, request, sink):
        """See claw_core.model."""
        if self._model is None:
            from claw_core import model_offline

            def find(text, limit=8):
                return model_offline.search(self._memory, text, limit)

            self._model = model_offline.OfflineModel(find)
        return await self._model.ask(request, sink)


def make(config, offline, say=print, model=""):
    """The provider that config asks for; offline is the one that needs no server.

    say: function that gets a sentence when a connection is not verified. model: name of another
    model than model.name.

    "auto" means a server when model.base_url is set.
    """
    kind = config.get("model.provider")
    if kind == "auto":
        kind = "openai" if config.get("model.base_url") else "offline"
    if kind == "offline":
        return offline
    if kind == "anthropic":
        from claw_core.model_anthropic import AnthropicModel as Model
    else:
        from claw_core.model_openai import OpenAIModel as Model
    return Model(
        config.get("model.base_url"),
        model or config.get("model.name"),
        config.get("model.key"),
        config.get("model.timeout"),
        _trust(config, say),
    )


def _trust(config, say):
    # ssl takes RAM: it is imported when a request needs it.
    if config.get("model.base_url").startswith("https:"):
        from claw_core.tls import Trust

        return Trust(config, say)
    return None
