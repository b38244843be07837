"""Tests that run on the computer: pytest suites, the shim and the runner for two runtimes."""
