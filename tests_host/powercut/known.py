"""What came of an image comes of every other one that differs only where nothing was read."""

import struct
from hashlib import sha256

_STEP = 10  # bytes: the number of a block, and so many of the SHA-256 of what it holds
_FORM = "<H8s"


def _step(view, n, block):
    return struct.pack(_FORM, n, sha256(view[n * block : (n + 1) * block]).digest())


class Trail:
    """The blocks of an image that were read before they were overwritten, in this order.

    path: bytes, for each of them its number and a digest of what it held.
    """

    def __init__(self, image, block):
        self.path = b""
        self._view = memoryview(image)
        self._block = block
        self._met = bytearray(len(image) // block)

    def read(self, n):
        """Block number n is read."""
        if not self._met[n]:
            self._met[n] = 1
            self.path += _step(self._view, n, self._block)

    def overwritten(self, n):
        """All of block number n is written; what it held does not matter from now on."""
        self._met[n] = 1


class Known:
    """A tree of trails with what came of each: whatever is read decides what is read next.

    A node is {None: number of the block, its step in a path: next node}, or at the end (path,
    what came of it).
    """

    def __init__(self, block):
        self._block = block
        self._tree = {None: None}

    def find(self, image):
        """What came of an image that looked the same, or None."""
        view = memoryview(image)
        node = self._tree[None]
        at = 0
        while isinstance(node, dict):
            node = node.get(_step(view, node[None], self._block))
            at += _STEP
        if node is None:
            return None
        path, outcome = node
        while at < len(path):
            step = path[at : at + _STEP]
            if step != _step(view, struct.unpack_from(_FORM, step)[0], self._block):
                return None
            at += _STEP
        return outcome

    def add(self, path, outcome):
        """Note what came of a Trail's path. Raises ValueError when that cannot be relied on."""
        place = self._tree
        key = None
        at = 0
        while True:
            node = place.get(key)
            if node is None or (isinstance(node, tuple) and node[0] == path):
                place[key] = (path, outcome)
                return
            step = path[at : at + _STEP]
            if isinstance(node, tuple):
                other = node[0][at : at + _STEP]
                node = place[key] = {None: _number(other), other: node}
            if node[None] != _number(step):
                raise ValueError("what was read alike went on differently")
            place = node
            key = step
            at += _STEP


def _number(step):
    return struct.unpack_from(_FORM, step)[0] if step else -1
