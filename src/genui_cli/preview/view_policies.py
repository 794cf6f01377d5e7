"""The content security policies under which hosts show views.

Each is what was seen of a kind of host; none is a copy of one host's text. What a view declares is the `csp` of
its UI resource: `connectDomains`, `resourceDomains`, `frameDomains`, `baseUriDomains`.
"""

from collections.abc import Callable, Mapping

_NOT_IN_A_SOURCE = frozenset(";,'\"<> ")
_INLINE = "'unsafe-inline'"

Declared = Mapping[str, object]


def view_policy(declared: Declared, profile: str = "spec") -> str:
    """Return the policy of a view.

    Args:
        declared: What the view declares; nothing gives it no network at all.
        profile: The kind of host; one that is not known is the specification's.
    """
    directives = _POLICIES.get(profile, _spec)(declared)
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


Directives = dict[str, list[str]]


def _spec(declared: Declared) -> Directives:
    resources = _sources(declared, "resourceDomains")
    return {
        "default-src": ["'none'"],
        "script-src": ["'self'", _INLINE, *resources],
        "style-src": ["'self'", _INLINE, *resources],
        "img-src": ["'self'", "data:", *resources],
        "media-src": ["'self'", "data:", *resources],
        "font-src": resources or ["'none'"],
        "connect-src": _sources(declared, "connectDomains") or ["'none'"],
        # The view's own frame needs no source: it is written into about:blank, which takes on this policy.
        "frame-src": _sources(declared, "frameDomains") or ["'none'"],
        "object-src": ["'none'"],
        "base-uri": _sources(declared, "baseUriDomains") or ["'self'"],
    }


def _strict(declared: Declared) -> Directives:
    """As the strictest host has it: not even a picture that is in the page."""
    resources = _sources(declared, "resourceDomains")
    return {
        **_spec(declared),
        # Our own proxy's script comes from 'self'; for the view, whose origin is opaque, that is nothing.
        "img-src": resources or ["'none'"],
        "media-src": resources or ["'none'"],
        "form-action": ["'none'"],
        "worker-src": ["'none'"],
    }


def _fixed(_declared: Declared) -> Directives:
    """As a host has it that takes no notice of what views declare."""
    return {
        "default-src": ["'self'"],
        "script-src": ["'self'", _INLINE, "'unsafe-eval'", "blob:", "data:"],
        "style-src": ["'self'", _INLINE],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "worker-src": ["'self'", "blob:"],
        "frame-src": ["'none'"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
    }


def _with_fonts(declared: Declared) -> Directives:
    resources = _sources(declared, "resourceDomains")
    return {
        **_spec(declared),
        "font-src": ["'self'", *resources],
        "connect-src": ["'self'", *_sources(declared, "connectDomains")],
    }


def _with_blobs(declared: Declared) -> Directives:
    directives = _spec(declared)
    for name in ("script-src", "style-src", "img-src", "media-src"):
        directives[name] = [*directives[name], "blob:"]
    return {**directives, "worker-src": ["blob:"]}


_POLICIES: Mapping[str, Callable[[Declared], Directives]] = {
    "spec": _spec,
    "strict": _strict,
    "claude": _fixed,
    "vscode": _with_fonts,
    "chatgpt": _with_blobs,
}
PROFILES = tuple(_POLICIES)


def _sources(declared: Declared, key: str) -> list[str]:
    """Return what is declared under `key`, less what could end a directive or is nothing for a header."""
    domains = declared.get(key)
    if not isinstance(domains, list):
        return []
    return [one for one in domains if isinstance(one, str) and _is_source(one)]


def _is_source(text: str) -> bool:
    return text != "" and text.isascii() and text.isprintable() and not _NOT_IN_A_SOURCE & set(text)
