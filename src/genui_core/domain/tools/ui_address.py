"""The ``ui://`` addresses of UI resources (SPEC U1).

A tool's view is ``ui://NAME``; ``tools/list`` advertises ``ui://NAME?v=HASH8`` so that a
host which caches by address asks again when the view is another one.
"""

import re

from genui_core.errors import InvalidAddress, ResourceNotFound

_SCHEME = "ui://"
_VERSION = "?v="
_UNRESERVED = re.compile(r"[A-Za-z0-9_.~-]+").fullmatch


def ui_address(tool_name: str, version: str | None = None) -> str:
    """Return the address of a tool's view, versioned where a version is given.

    Every character outside the unreserved set of RFC 3986 is percent-encoded, lone
    surrogates too, so that any name comes back from `tool_name_of` as it was.
    """
    address = _SCHEME + (tool_name if _UNRESERVED(tool_name) else _encoded(tool_name))
    return address if version is None else f"{address}{_VERSION}{version}"


def tool_name_of(address: str) -> str:
    """Return the tool's name in an address, whatever version it carries.

    Raises:
        InvalidAddress: The text is not such an address; it may still be an address from the upstream.
    """
    scheme, path = address[: len(_SCHEME)], address[len(_SCHEME) :].partition("?")[0]
    if scheme.lower() != _SCHEME or not path:
        raise InvalidAddress(f"{address!r} is not the address of a view")
    if _UNRESERVED(path):
        return path
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415 -- see _encoded

    try:
        return unquote_to_bytes(path).decode("utf-8", "surrogatepass")
    except UnicodeError as error:
        raise InvalidAddress(f"{address!r} does not decode to a tool name") from error


def resource_not_found(uri: str) -> ResourceNotFound:
    """Return the error for an address that neither the wrapper nor the upstream serves."""
    try:
        tool_name = tool_name_of(uri)
    except InvalidAddress:
        return ResourceNotFound(uri, None)
    return ResourceNotFound(uri.partition(_VERSION)[0], tool_name)


def _encoded(tool_name: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415 -- few names need it, and all would wait for it

    return quote(tool_name.encode("utf-8", "surrogatepass"), safe="")
