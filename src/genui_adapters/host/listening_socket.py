"""Opens a socket to serve on, or explains why it cannot."""

import errno
import socket
import sys


class CannotListen(Exception):
    """An address cannot be served on; the text says which and why.

    Attributes:
        hint: What to do about it.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


_PORT_ERRORS = (errno.EADDRINUSE, errno.EACCES)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    if host in ("127.0.0.1", "localhost"):
        return True
    from ipaddress import ip_address  # noqa: PLC0415 -- not for the usual address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address, or raise `CannotListen`."""
    listening = _bind(host, port)
    try:
        listening.listen()
    except OSError as error:
        listening.close()
        raise _refusal(host, port, error) from error
    return listening


def reason_against(host: str, port: int) -> CannotListen | None:
    """Return why an address cannot be served on, or None. Binds it for a moment, but does not listen."""
    try:
        _bind(host, port).close()
    except CannotListen as reason:
        return reason
    return None


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The event loop sends small writes at once, 40 ms sooner, only if the socket names TCP.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":  # there it would let two servers share the port
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except (OSError, UnicodeError) as error:  # a name that cannot be encoded is no address either
        bound.close()
        raise _refusal(host, port, error) from error
    return bound


def _refusal(host: str, port: int, error: OSError | UnicodeError) -> CannotListen:
    code, reason = getattr(error, "errno", None), getattr(error, "strerror", None) or str(error)
    text = "it is in use" if code == errno.EADDRINUSE else reason
    hint = (
        "choose another with --port, or take a free one with --port 0"
        if code in _PORT_ERRORS
        else "--host takes an address of this machine, such as 127.0.0.1"
    )
    return CannotListen(f"cannot serve on {host} port {port}: {text}", hint)
