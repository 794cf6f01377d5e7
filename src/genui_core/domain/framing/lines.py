"""Lines out of a byte stream, in time linear in its length whatever the chunks are."""


class LineBuffer:
    """Collects chunks and gives whole lines back, each with its newline.

    Attributes:
        size: How many bytes of an unfinished line are held.
    """

    __slots__ = ("_chunks", "size")

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self.size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Take a chunk and return the lines that it completes."""
        end = data.rfind(b"\n") + 1
        if not end:
            self._keep(data)
            return []
        complete = (self._chunks and b"".join((*self._chunks, data[:end]))) or data[:end]
        self._chunks.clear()
        self.size = 0
        self._keep(data[end:])
        if complete.find(b"\n") == len(complete) - 1:
            return [complete]
        return [line + b"\n" for line in complete[:-1].split(b"\n")]

    def take(self) -> bytes:
        """Give up the unfinished line as far as it has come."""
        held = b"".join(self._chunks)
        self._chunks.clear()
        self.size = 0
        return held

    def peek(self, most: int) -> bytes:
        """Return how the unfinished line begins, which stays held."""
        start = b""
        for chunk in self._chunks:
            start += chunk[:most]
            if len(start) >= most:
                break
        return start[:most]

    def _keep(self, data: bytes) -> None:
        if data:
            self._chunks.append(data)
            self.size += len(data)
