"""The baseline: a proxy that copies bytes between a host and an upstream without reading them."""

import os
import select
import subprocess
import sys


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def main() -> None:
    """Start the upstream that the command line names, and move bytes until it ends."""
    upstream = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    to_upstream, from_upstream = upstream.stdin, upstream.stdout
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(from_upstream, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll():
            data = os.read(descriptor, 1 << 16)
            if descriptor == 0 and data:
                write_all(to_upstream.fileno(), data)
            elif descriptor == 0:
                poll.unregister(0)
                to_upstream.close()
            elif data:
                write_all(1, data)
            else:
                upstream.wait()
                return


main()
