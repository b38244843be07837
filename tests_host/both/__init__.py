"""Tests that run unchanged on CPython (pytest) and in the MicroPython binary (the runner)."""
