"""Simulated neopixel: what was last written is in `shown` of each strip."""


class NeoPixel:
    """A strip of n pixels; write() copies the colours to `shown`."""

    def __init__(self, pin, n, bpp=3, timing=1):
        self.pin = pin
        self.n = n
        self._pixels = [(0,) * bpp for _ in range(n)]
        self.shown = list(self._pixels)

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        return self._pixels[index]

    def __setitem__(self, index, colour):
        self._pixels[index] = tuple(colour)

    def fill(self, colour):
        """Give all pixels this colour."""
        self._pixels = [tuple(colour) for _ in range(self.n)]

    def write(self):
        """Show the colours."""
        self.shown = list(self._pixels)
