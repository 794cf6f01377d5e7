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

from genui_core.domain.granted_domains import GrantedDomains

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


_NONE: Final = "'none'"
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
