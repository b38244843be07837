"""Recorded behaviour of ESP-Claw's memory, replayed here."""
