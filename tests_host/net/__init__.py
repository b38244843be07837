"""Cases over real sockets, run by tests_host/test_net_*.py on CPython and in MicroPython."""
