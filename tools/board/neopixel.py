"""`neopixel` of the simulated board: write() leaves the colours in board_sim.pixels."""

import board_sim


class NeoPixel:
    """A strip of n lights on a pin."""

    def __init__(self, pin, n, bpp=3, timing=1):
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self._colours = [(0,) * bpp] * n

    def __len__(self):
        return self.n

    def __setitem__(self, i, colour):
        if len(colour) < self.bpp:
            raise ValueError("colour needs %d values" % self.bpp)
        self._colours[i] = tuple(colour[: self.bpp])

    def __getitem__(self, i):
        return self._colours[i]

    def fill(self, colour):
        """Set all lights."""
        for i in range(self.n):
            self[i] = colour

    def write(self):
        """Show the colours."""
        board_sim.pixels[self.pin.id] = list(self._colours)
