"""claw_memory: sessions, long-term memory and profile of an agent, as plain files."""

__version__ = "0.1.0"
