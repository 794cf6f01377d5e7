"""The Content-Security-Policy of every page: only the scripts that the wrapper put into the page run.

Hosts set policies of their own. A second policy can only narrow the first, so this one can never
give a view more than its host allows.
"""

import re
from binascii import b2a_base64
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Final

from attrs import Factory, frozen

from genui_core.domain.settings.settings import GenerationMode, GrantedDomains, HostRuntime

CHARSET: Final = '<meta charset="utf-8">\n'
_META: Final = '<meta http-equiv="Content-Security-Policy" content="{text}">\n'
_NO_LOOKUPS: Final = '<meta http-equiv="x-dns-prefetch-control" content="off">\n'
_CHARSET_WITHIN: Final = 1024
"""Browsers look for the charset in the first 1,024 bytes of a file."""
_BEFORE_HEAD: Final = 200
_SOURCE: Final = re.compile(r"[!#-&(-+\--:<-~]+")
"""What one source of a directive may hold: printable ASCII without quotes, commas and semicolons."""


@frozen
class PagePolicy:
    """The policy of the pages of one wrapper.

    Attributes:
        granted: The domains of ``security``; each widens the directives that it is about.
        is_on: ``security.pagePolicy``; without it, a page has no policy of its own.
    """

    granted: GrantedDomains = Factory(GrantedDomains)
    is_on: bool = True

    def is_in(self, mode: GenerationMode, runtime: HostRuntime) -> bool:
        """Tell whether the page of a view has this policy.

        The page of a document whose ``App`` the host brings has none: the host brings it in scripts of its own.

        Args:
            mode: The mode of the view.
            runtime: ``host.runtime``.
        """
        return self.is_on and (mode == "fragment" or runtime == "inline")

    def head(self, scripts: Iterable[str]) -> str:
        """Return how the head of a page begins: its policy and its charset.

        The policy comes first, unless it is so long that browsers would no longer find the charset.

        Args:
            scripts: The text of every script that may run, as it stands in the page.
        """
        if not self.is_on:
            return CHARSET
        meta = _META.format(text=self.text(scripts))
        both = (meta, CHARSET) if len(meta) < _CHARSET_WITHIN - _BEFORE_HEAD else (CHARSET, meta)
        return f"{''.join(both)}{_NO_LOOKUPS}"

    def text(self, scripts: Iterable[str]) -> str:
        """Return the policy for a page with these scripts, as the value of an attribute."""
        granted = self.granted
        resources = _sources(granted.resource)
        sources = {
            "default-src": (),
            "script-src": tuple(dict.fromkeys(map(_hash_source, scripts))),
            "style-src": ("'unsafe-inline'", *resources),
            "img-src": ("data:", *resources),
            "media-src": ("data:", *resources),
            "font-src": ("data:", *resources),
            "connect-src": _sources(granted.connect),
            "frame-src": _sources(granted.frame),
            "worker-src": (),
            "form-action": (),
            "base-uri": _sources(granted.base_uri),
        }
        text = "; ".join(f"{name} {' '.join(given) or _NONE}" for name, given in sources.items())
        return text.replace("&", "&amp;")


def policy_of(page: str) -> PagePolicy:
    """Return the policy that a page states; its text must be compared with that of the page built again.

    Args:
        page: A page of this build, or any other text.
    """
    meta = re.search(_STATED, page)
    if meta is None:
        return PagePolicy(is_on=False)
    directives = [each.split() for each in meta[1].replace("&amp;", "&").split(";")]
    stated = {each[0]: each[1:] for each in directives if each}
    domains = {
        kind: tuple(each for each in stated.get(name, ()) if each not in _OWN_SOURCES)
        for kind, name in _DIRECTIVES.items()
    }
    return PagePolicy(GrantedDomains(**domains))


def without_policy(page: str) -> str:
    """Return a page without what `PagePolicy.head` put into it."""
    return re.sub(_HEAD, "<head>\n", page, count=1)


_NONE: Final = "'none'"
_OWN_SOURCES: Final = frozenset({_NONE, "data:"})
_DIRECTIVES: Final = {
    "connect": "connect-src",
    "resource": "img-src",
    "frame": "frame-src",
    "base_uri": "base-uri",
}
"""The directive that names each kind of granted domains."""
_ANY: Final = _META.format(text='([^"<>]*)')
_STATED: Final = f"<head>\n(?:{CHARSET})?{_ANY}"
_HEAD: Final = f"<head>\n(?:{CHARSET})?(?:{_ANY}(?:{CHARSET})?{_NO_LOOKUPS})?"
"""What `PagePolicy.head` returns, behind the tag of a head."""
CLOSED: Final = _META.format(
    text=f"default-src {_NONE}; style-src 'unsafe-inline'; form-action {_NONE}; base-uri {_NONE}"
)
"""The policy of a page without any script."""


def _sources(domains: Iterable[str]) -> tuple[str, ...]:
    return tuple(each for each in domains if _SOURCE.fullmatch(each))


@lru_cache(maxsize=16)
def _hash_source(script: str) -> str:
    """Return what names a script in a policy: SHA-256 over its text as HTML parsers read it."""
    text = script.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    digest = sha256(text.encode(errors="replace")).digest()
    return f"'sha256-{b2a_base64(digest, newline=False).decode()}'"
