"""Access checks of the preview's requests, the headers of its answers, and the policies of its views."""

import secrets
from collections.abc import Callable, Mapping

import attrs

from genui_adapters.host.http.exchange import Answering, Exchange, Refused

Endpoint = Callable[[Exchange], Answering]
"""Answers the requests to a path."""

ON_EVERY_ANSWER = {
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def page_headers(sandbox_port: int) -> dict[str, str]:
    """Return the headers of the page's origin: it may frame the sandbox, and load only its own files."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        f"frame-src {' '.join(origins_at(sandbox_port))}; base-uri 'none'; form-action 'none'; "
        # Parsing a string as HTML becomes an error, since texts of tools may be hostile.
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return {
        **ON_EVERY_ANSWER,
        "content-security-policy": policy,
        "cross-origin-opener-policy": "same-origin",
        "x-frame-options": "DENY",
    }


TOKEN_HEADER = "x-preview-token"  # noqa: S105 - a header's name
PROGRAM_PATHS = ("/state", "/wait")
LOOPBACK_NAMES = ("127.0.0.1", "localhost")


def origins_at(port: int) -> tuple[str, ...]:
    """Return the two loopback origins of `port`."""
    return tuple(f"http://{name}:{port}" for name in LOOPBACK_NAMES)


ENTRANCE = "/open"


@attrs.frozen(kw_only=True)
class Guard:
    """Refuses requests for other host names, and API requests without `token` or from another origin.

    With `cookie`, the cookie of that name holds the token, and every path except the entrance needs it.
    """

    port: int
    token: str
    cookie: str = ""

    def refusal(self, method: str, path: str, headers: Mapping[str, str]) -> str | None:
        """Return why a request is refused, or None if it is accepted. Header names are in lower case."""
        if f"http://{headers.get('host', '')}" not in origins_at(self.port):
            return "This address answers to loopback names only."
        if self.cookie:
            return None if path == ENTRANCE else self._refusal_of_cookie(method, path, headers)
        if not path.startswith("/api/") and path not in PROGRAM_PATHS:
            return None
        # Programs may send the usual header in place of `x-preview-token`.
        offered = headers.get(TOKEN_HEADER) or headers.get("authorization", "").removeprefix("Bearer ")
        if not self._is_token(offered):
            return "The token is missing or wrong: open the address that the terminal shows."
        return self._refusal_of_origin(method, headers)

    def _refusal_of_cookie(self, method: str, path: str, headers: Mapping[str, str]) -> str | None:
        pairs = (each.strip().partition("=") for each in headers.get("cookie", "").split(";"))
        offered = next((value for name, _, value in pairs if name == self.cookie), "")
        if not self._is_token(offered):
            return "This page needs a new address: ask the agent to call _ui_open, and open what it returns."
        # Cookies ignore ports: a page of another local server is same-site, but not same-origin.
        is_elsewhere = headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
        if is_elsewhere or (path.startswith("/api/") and TOKEN_HEADER not in headers):
            return "The request comes from another origin."
        return self._refusal_of_origin(method, headers)

    def _refusal_of_origin(self, method: str, headers: Mapping[str, str]) -> str | None:
        # Browsers leave the origin out of a page's own GET requests, never out of a POST.
        default = f"http://{headers['host']}" if method == "GET" else None
        if headers.get("origin", default) != f"http://{headers['host']}":
            return "The request comes from another origin."
        if method == "POST" and headers.get("content-type", "").split(";")[0] != "application/json":
            return "Only application/json is taken."
        return None

    def _is_token(self, offered: str) -> bool:
        return secrets.compare_digest(offered.encode(), self.token.encode())


@attrs.frozen
class GuardedOrigin:
    """The application of one origin: passes requests that its guard accepts to the endpoint of their path.

    Attributes:
        endpoints: The endpoints by method and path; `*` stands for any last part of a path.
        headers: The headers of every answer.
    """

    guard: Guard
    headers: Mapping[str, str]
    endpoints: Mapping[str, Endpoint]

    def __call__(self, exchange: Exchange) -> Answering:
        """Return the coroutine that answers a request; raise `Refused` if the guard does not accept it."""
        exchange.added = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        asked, path = exchange.head.method, exchange.head.path
        refusal = self.guard.refusal(asked, path, exchange.headers)
        method = "GET" if asked == "HEAD" else asked
        known = (f"{method} {each}" for each in (path, f"{path.rpartition('/')[0]}/*"))
        endpoint = next((self.endpoints[each] for each in known if each in self.endpoints), None)
        if refusal is not None:
            raise Refused(403, refusal)
        if endpoint is None:
            raise Refused(404, "Not Found")
        return endpoint(exchange)


_NOT_IN_A_SOURCE = frozenset(";,'\"<> ")
_INLINE = "'unsafe-inline'"
_NOTHING = ["'none'"]

Declared = Mapping[str, object]
Directives = dict[str, list[str]]
_FIXED: Directives = {
    "default-src": ["'self'"],
    "script-src": ["'self'", _INLINE, "'unsafe-eval'", "blob:", "data:"],
    "style-src": ["'self'", _INLINE],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'", "data:"],
    "connect-src": ["'self'"],
    "worker-src": ["'self'", "blob:"],
    "frame-src": _NOTHING,
    "object-src": _NOTHING,
    "base-uri": ["'self'"],
}
"""The policy of a host that ignores the declarations of views."""
PROFILES = ("spec", "strict", "claude", "vscode", "chatgpt")


def view_policy(declared: Declared, profile: str = "spec") -> str:
    """Return a view's policy: undeclared domains are blocked. An unknown profile counts as ``spec``."""
    directives = _FIXED if profile == "claude" else _directives(declared, profile)
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


def _directives(declared: Declared, profile: str) -> Directives:
    resources, connected = _sources(declared, "resourceDomains"), _sources(declared, "connectDomains")
    spec = {
        "default-src": _NOTHING,
        "script-src": ["'self'", _INLINE, *resources],
        "style-src": ["'self'", _INLINE, *resources],
        "img-src": ["'self'", "data:", *resources],
        "media-src": ["'self'", "data:", *resources],
        "font-src": resources or _NOTHING,
        "connect-src": connected or _NOTHING,
        # The view's own frame needs no source: it is written into about:blank, which inherits this policy.
        "frame-src": _sources(declared, "frameDomains") or _NOTHING,
        "object-src": _NOTHING,
        "base-uri": _sources(declared, "baseUriDomains") or ["'self'"],
    }
    pictures = resources or _NOTHING
    changes: dict[str, Directives] = {
        # The strictest host blocks even inline pictures. 'self' allows the script of our sandbox proxy, and
        # nothing for the view, whose origin is opaque.
        "strict": {
            "img-src": pictures,
            "media-src": pictures,
            "form-action": _NOTHING,
            "worker-src": _NOTHING,
        },
        "vscode": {"font-src": ["'self'", *resources], "connect-src": ["'self'", *connected]},
        "chatgpt": {
            **{name: [*spec[name], "blob:"] for name in ("script-src", "style-src", "img-src", "media-src")},
            "worker-src": ["blob:"],
        },
    }
    return {**spec, **changes.get(profile, {})}


def _sources(declared: Declared, key: str) -> list[str]:
    """Return the sources declared under `key`, without those that could end a directive or the header."""
    domains = declared.get(key)
    texts = [each for each in domains if isinstance(each, str)] if isinstance(domains, list) else []
    plain = [each for each in texts if each and each.isascii() and each.isprintable()]
    return [each for each in plain if not _NOT_IN_A_SOURCE & set(each)]
