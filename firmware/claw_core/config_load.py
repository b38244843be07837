"""How the settings get from the file into a Config, and what becomes of those that are wrong."""

from claw_core import config
from claw_memory import durable, jsonio, limits, platform


def load(settings, overrides):
    """Fill the Config settings from its file and from overrides."""
    settings.values = values = _values(settings)
    bad = [k for k in values if config.row_of(k) and config.problem(config.row_of(k), values[k])]
    _refuse(settings, settings.path, bad)
    if overrides:
        from claw_core import config_edit

        settings.overrides, bad = config_edit.usable(overrides)
        _refuse(settings, "the environment", bad)


def _values(settings):
    path = settings.path
    folder, _, own = path.rpartition("/")
    # others may keep files beside this one
    stem = own.partition(".")[0]
    for sentence in durable.recover(folder or "/", lambda name: name.startswith(stem)):
        settings.notice(sentence)
    size = platform.size(path)
    if not platform.exists(path):
        return {}
    try:
        if size <= limits.CONFIG_BYTES:
            with open(path, "rb") as file:
                values = jsonio.loads(file.read())
            if isinstance(values, dict):
                return values
    except (OSError, ValueError):
        pass
    from claw_core import config_edit

    settings.notice(config_edit.keep_aside(path))
    return {}


def _refuse(settings, where, keys):
    if keys:
        text = "In %s these values cannot be used and are ignored: %s."
        settings.notice(text % (where, ", ".join(sorted(keys))))
