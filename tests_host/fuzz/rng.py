"""Random numbers that are the same in both runtimes for the same seed."""


class Rng:
    """A small generator; seeds are any two integers."""

    def __init__(self, seed, number=0):
        self._state = (seed * 1000003 + number * 7919 + 12345) & 0x7FFFFFFF
        for _ in range(4):
            self.below(2)

    def below(self, n):
        """A number from 0 to n - 1."""
        value = 0
        for _ in range(2):
            self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
            value = value << 12 | self._state >> 17 & 0xFFF
        return value % n

    def chance(self, percent):
        """True in so many of a hundred cases."""
        return self.below(100) < percent

    def pick(self, choices):
        """One of a sequence."""
        return choices[self.below(len(choices))]

    def bytes(self, count):
        """So many bytes of any value."""
        return bytes([self.below(256) for _ in range(count)])
