"""A socket to serve on, or a clear word why there is none."""

import errno
import socket
import sys


class CannotListen(Exception):
    """An address cannot be served on; the text says which and why."""


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket on an address.

    Raises:
        CannotListen: It cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only of a socket that says it is TCP the event loop sends small writes at once, 40 ms sooner.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":  # there it would let two servers share the port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        reason = "it is in use" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
        raise CannotListen(f"cannot serve on {host} port {port}: {reason}") from error
    return listening
