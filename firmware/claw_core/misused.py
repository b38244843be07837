"""What is wrong with a call of a tool, for the model that made it."""

from claw_core.capability import fits

NO_JSON = "the arguments are not valid JSON"


def unknown(name, names):
    """The tool name is none of names."""
    return "there is no tool %s; there are: %s" % (name, ", ".join(names) or "none")


def problem(value, schema, where):
    """Return what is wrong with value, or "" when it fits schema; where names it in the answer."""
    kinds = schema.get("type")
    if kinds and not fits(value, {"type": kinds}):
        kinds = kinds if isinstance(kinds, list) else [kinds]
        return "%s must be of type %s" % (where, " or ".join(kinds))
    if "enum" in schema and value not in schema["enum"]:
        return "%s must be one of %s" % (where, ", ".join([str(v) for v in schema["enum"]]))
    found = ""
    if isinstance(value, dict):
        for key in schema.get("required", ()):
            if value.get(key) is None:
                return "%s is required" % key
        for key, part in schema.get("properties", {}).items():
            if value.get(key) is not None:
                found = found or problem(value[key], part, key)
    elif isinstance(value, list) and "items" in schema:
        for item in value:
            found = found or problem(item, schema["items"], "every entry of " + where)
    return found
