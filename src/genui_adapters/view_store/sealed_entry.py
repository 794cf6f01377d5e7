"""A stored view as the bytes of a file that nobody else can have written.

The first line names the format and holds a keyed hash over the rest; the rest is JSON. Whatever
was changed, cut, swapped or written by somebody else does not open.
"""

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256

from attrs import asdict
from cattrs import BaseValidationError, Converter

from genui_core.domain.stored_view import CACHE_VERSION, StoredView

_HEAD = b"mcp-gen-ui view "
_MAC_DIGITS = 64
_converter = Converter(forbid_extra_keys=True)
_converter.register_structure_hook_func(lambda wanted: wanted is object, lambda value, _: value)


class NotOurs(Exception):
    """A file holds no view of ours; the text says why."""


def seal(view: StoredView, secret: bytes) -> bytes:
    """Return the bytes of a view's file."""
    body = json.dumps(asdict(view), separators=(",", ":")).encode()
    return _HEAD + _mac(body, secret) + b"\n" + body


def unseal(data: bytes, secret: bytes) -> StoredView:
    """Return the view that a file holds.

    Raises:
        NotOurs: It was damaged, is of another version, or is foreign.
    """
    head, _, body = data.partition(b"\n")
    if not head.startswith(_HEAD) or len(head) != len(_HEAD) + _MAC_DIGITS:
        raise NotOurs("it does not begin like a view")
    if not hmac.compare_digest(head.removeprefix(_HEAD), _mac(body, secret)):
        raise NotOurs("its content is not what was written")
    return _structured(json.loads(body))


def _structured(content: object) -> StoredView:
    version = content.get("cache_version") if isinstance(content, Mapping) else None
    if version != CACHE_VERSION:
        raise NotOurs(f"it is of version {version}")
    try:
        return _converter.structure(content, StoredView)
    except (BaseValidationError, TypeError, ValueError) as error:
        raise NotOurs("it lacks what a view has") from error


def _mac(body: bytes, secret: bytes) -> bytes:
    return hmac.new(secret, body, sha256).hexdigest().encode()
