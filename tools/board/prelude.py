"""First program of the simulated board; all it does is in rom.py, to leave no names behind."""

import rom

rom.start(globals())
