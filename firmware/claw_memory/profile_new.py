"""The texts that a new board puts into the profile files."""

from claw_memory import durable

# Used where no folder with factory texts exists, for example when claw_memory is used alone.
_BUILT_IN = {
    "user.md": "# User\n\nWrite here what the agent should always know about its user.\n",
    "soul.md": "# Soul\n\nWrite here what the agent values and how it talks.\n",
    "identity.md": "# Identity Card\n\n- Name:\n- Role:\n- Personality:\n- Strengths:\n",
}


def write(directory, name, defaults):
    """Write the profile file name, from the folder defaults if it has one. Raises as durable."""
    durable.replace(directory + "/" + name, (_factory_text(name, defaults),))


def _factory_text(name, defaults):
    if defaults:
        try:
            with open(defaults + "/" + name, "rb") as file:
                return file.read()
        except OSError:
            pass
    return _BUILT_IN[name].encode()
