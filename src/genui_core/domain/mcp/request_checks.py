"""What a request of the 2026-07-28 era must say: in its ``_meta``, and over HTTP in its headers too.

The functions return the JSON-RPC error of a request that breaks a rule, or None.
"""

import re
from collections.abc import Mapping

from genui_core.domain.mcp.envelope import CLIENT_CAPABILITIES_KEY, PROTOCOL_VERSION_KEY
from genui_core.domain.mcp.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND
from genui_core.domain.mcp.mirrored_headers import argument_text, header_text, mirrored_arguments
from genui_core.domain.mcp.protocol_versions import STATELESS

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022
REQUEST_CANCELLED = -32800

NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The param that the header ``Mcp-Name`` repeats, by method."""

_WHOLE_NUMBER = re.compile(r"(-?\d{1,300})(?:\.0+)?")
_STATUSES = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}

Error = Mapping[str, object]


def http_status(error: Error | None) -> int:
    """Return the HTTP status of a JSON answer: 200, unless the protocol names one for its error."""
    code = error.get("code") if error is not None else None
    return _STATUSES.get(code, 200) if isinstance(code, int) else 200


def envelope_error(params: object) -> Error | None:
    """Return the error of a request whose ``_meta`` lacks what each request of this era must carry."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    if not isinstance(meta, Mapping):
        keys = f"{PROTOCOL_VERSION_KEY!r} and {CLIENT_CAPABILITIES_KEY!r}"
        return _error(INVALID_PARAMS, f"params._meta must be an object with the keys {keys}")
    missing = [key for key in (PROTOCOL_VERSION_KEY, CLIENT_CAPABILITIES_KEY) if key not in meta]
    if missing:
        return _error(INVALID_PARAMS, f"params._meta lacks {', '.join(missing)}")
    return None


def version_error(requested: object) -> Error | None:
    """Return the error of a request for a version that is not served in this era."""
    if not isinstance(requested, str):
        return _error(INVALID_PARAMS, "The protocol version in params._meta must be a string")
    if requested in STATELESS:
        return None
    data = {"supported": list(STATELESS), "requested": requested}
    return {**_error(UNSUPPORTED_VERSION, "Unsupported protocol version"), "data": data}


def header_error(method: object, params: Mapping[str, object], headers: Mapping[str, str]) -> Error | None:
    """Return the error of a request whose headers say something else than its body."""
    meta = params["_meta"]
    version = meta.get(PROTOCOL_VERSION_KEY) if isinstance(meta, Mapping) else None
    if headers.get("mcp-protocol-version") != version:
        return _mismatch("mcp-protocol-version", "the version in params._meta")
    if headers.get("mcp-method") != method:
        return _mismatch("mcp-method", "the method")
    key = NAMED_BY.get(str(method), "")
    named = params.get(key)
    if named is not None and header_text(headers.get("mcp-name")) != named:
        return _mismatch("mcp-name", f"params.{key}")
    return None


def mirrored_error(schema: object, arguments: object, headers: Mapping[str, str]) -> Error | None:
    """Return the error of a tool call whose ``Mcp-Param-*`` headers do not repeat its arguments.

    Args:
        schema: The tool's input schema, which says which argument goes into which header.
        arguments: The arguments of the call.
        headers: The request's headers, in lower case.
    """
    for name, argument in mirrored_arguments(schema, arguments):
        if not _agrees(headers.get(name), argument):
            return _mismatch(name, "the argument that it repeats")
    return None


def _agrees(header: str | None, argument: object) -> bool:
    expected, text = argument_text(argument), header_text(header)
    if header is None or expected is None:
        return header is expected
    is_number = isinstance(argument, int | float) and not isinstance(argument, bool)
    return text == expected or (is_number and _whole(text) == _whole(expected) is not None)


def _whole(text: str | None) -> int | None:
    """Return the whole number that a text says, as digits or with a fraction of zeros; else None."""
    found = _WHOLE_NUMBER.fullmatch(text or "")
    return int(found[1]) if found is not None else None


def _mismatch(header: str, what: str) -> Error:
    return _error(HEADER_MISMATCH, f"The header {header} does not match {what}")


def _error(code: int, message: str) -> dict[str, object]:
    return {"code": code, "message": message}
