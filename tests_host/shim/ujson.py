"""The old name of json."""

from json import dump, dumps, load, loads  # noqa: F401
