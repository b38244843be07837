"""Power cuts, enumerated: every operation of the store, cut at every write of the device.

The driver (__main__.py) runs on CPython and starts the real MicroPython binary, in which board.py
carries out an operation (ops_*.py) on a file system in RAM (device.py), cuts it (cuts.py), boots
again and compares (engine.py). planted.py breaks the firmware on purpose, to test the harness.
"""
