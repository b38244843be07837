"""Benchmarks on the real MicroPython binary; `make bench` prints their table."""
