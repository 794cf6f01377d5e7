"""Lines out of chunks of bytes, however the chunks fall."""

from collections.abc import Iterator

from genui_cli.preview.errors import LineTooLong

LONGEST_LINE_BYTES = 128 * 1024 * 1024


class LineSplitter:
    r"""Cuts a stream of bytes at `\n`; what is not yet a whole line waits for the next chunk."""

    def __init__(self, longest_bytes: int = LONGEST_LINE_BYTES) -> None:
        self._longest_bytes = longest_bytes
        # A list, joined once per line: appending to one bytes object would be quadratic for large lines.
        self._pieces: list[bytes] = []
        self._waiting_bytes = 0

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield every line that `chunk` completes, without its line end.

        Raises:
            LineTooLong: A line grows beyond the limit.
        """
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield self._completed(end)
        self._keep(rest)

    def _completed(self, end: bytes) -> bytes:
        self._keep(end)
        line = b"".join(self._pieces)
        self._pieces.clear()
        self._waiting_bytes = 0
        return line

    def _keep(self, piece: bytes) -> None:
        self._waiting_bytes += len(piece)
        if self._waiting_bytes > self._longest_bytes:
            raise LineTooLong(f"The server wrote a line of more than {self._longest_bytes} bytes.")
        self._pieces.append(piece)
