"""Who may speak to us over HTTP: the checks before anything is read (SPEC §14).

A page in a browser on this machine can send requests to loopback. The ``Host`` header tells
when it got here under a name of its own (DNS rebinding), the ``Origin`` header whose page it is.
A page of another server on this machine is a page like any other: it needs to be configured.
"""

from collections.abc import Collection, Mapping
from hmac import compare_digest
from ipaddress import ip_address

from attrs import field, frozen

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def is_loopback(host: str) -> bool:
    """Whether an address to serve on can be reached from this machine only."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _normal_origins(origins: Collection[str]) -> tuple[str, ...]:
    return tuple(each.lower().rstrip("/") for each in origins)


@frozen
class Refusal:
    """The answer to a request that is not let in.

    Attributes:
        status: Its HTTP status.
        text: What it says to a person.
        headers: Its headers.
    """

    status: int
    text: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


@frozen
class Admission:
    """Who is let in.

    Attributes:
        hosts: The names we may be called by in ``Host``, with a port or for any port.
        origins: The origins whose pages may send requests; a page of the server's own origin may anyway.
        token: What ``Authorization`` must carry, or None.
        is_local: Whether we can be reached from this machine only; then its own names are let in.
    """

    hosts: Collection[str] = ()
    origins: Collection[str] = field(default=(), converter=_normal_origins)
    token: str | None = None
    is_local: bool = True

    def refusal(self, headers: Mapping[str, str]) -> Refusal | None:
        """Return the answer to a request that is not let in, or None for one that is.

        Args:
            headers: Of the request, with names in lower case.
        """
        host = headers.get("host", "").lower()
        if not self._knows(host):
            return Refusal(421, "This server is not known by that Host.")
        if not self._trusts(headers.get("origin"), host):
            return Refusal(403, "Pages of this Origin are not served.")
        if not self._admits(headers.get("authorization", "")):
            return Refusal(401, "A bearer token is needed.", ((b"www-authenticate", b"Bearer"),))
        return None

    def _knows(self, host: str) -> bool:
        names = {host, _without_port(host)}
        return (self.is_local and not names.isdisjoint(_LOOPBACK)) or not names.isdisjoint(
            map(str.lower, self.hosts)
        )

    def _trusts(self, origin: str | None, host: str) -> bool:
        """A request without an origin is from a program: browsers name theirs."""
        if origin is None or origin.lower() in self.origins:
            return True
        return origin.lower() in self._own_origins(host)

    def _own_origins(self, host: str) -> Collection[str]:
        """Return the origins of this server's own pages, by the name that a request calls it by."""
        if not self.is_local:  # TLS ends at the reverse proxy before it
            return f"http://{host}", f"https://{host}"
        port = host.removeprefix(_without_port(host))
        return tuple(f"http://{name}{port}" for name in _LOOPBACK)

    def _admits(self, authorization: str) -> bool:
        if self.token is None:
            return True
        scheme, _, given = authorization.partition(" ")
        return compare_digest(given.strip().encode(), self.token.encode()) and scheme.lower() == "bearer"


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host
