"""Reading descriptors that may have nothing to read yet."""

import os

READ_BYTES = 65536


def read_some(fd: int) -> bytes | None:
    """Return what can be read, nothing at the end, or None where there is nothing to read yet."""
    try:
        return os.read(fd, READ_BYTES)
    except BlockingIOError:
        return None
    except OSError:
        return b""
