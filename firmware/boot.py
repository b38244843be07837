"""Runs at every start before main.py. Nothing happens here that could fail."""
