"""Checks of a request over HTTP: its members, its protocol version, and the headers that repeat it."""

import base64
import re
from collections.abc import Iterator, Mapping

from attrs import field, frozen

from genui_core.domain.mcp.envelope import CLIENT_CAPABILITIES_KEY, PROTOCOL_VERSION_KEY, STATELESS
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION

_ANNOTATION = "x-mcp-header"
_PREFIX = "mcp-param-"
_PLAIN = re.compile(r"(?!=\?base64\?)(?! )[\x20-\x7e]*(?<! )")
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")

_MAX_DEPTH = 64

Path = tuple[str, ...]


def header_value(text: str) -> str:
    """Return a text as a header's value; one that a header cannot hold, in the protocol's base64 form."""
    if _PLAIN.fullmatch(text):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def header_text(value: str | None) -> str | None:
    """Return the text of a header that `header_value` made; None for no header and for broken base64."""
    encoded = _ENCODED.fullmatch(value) if value is not None else None
    if encoded is None:
        return value
    try:
        text = base64.b64decode(encoded[1], validate=True)
        return text.decode() if base64.b64encode(text).decode() == encoded[1] else None
    except ValueError:
        return None


@frozen(eq=False, repr=False)
class MirroredParams:
    """The arguments of each tool that a request repeats in headers, as ``tools/list`` defines them."""

    _headers: dict[str, dict[Path, str]] = field(factory=dict)

    def learn(self, listing: Mapping[str, object]) -> None:
        """Remember the headers of the tools in a page of ``tools/list``."""
        tools = listing.get("tools")
        for tool in map(as_object, tools if isinstance(tools, list) else ()):
            if isinstance(name := tool.get("name"), str):
                self._headers[name] = dict(_annotated(tool.get("inputSchema"), ()))

    def headers(self, params: Mapping[str, object]) -> Mapping[str, str]:
        """Return the headers of a tool call; arguments that are left out or null have none."""
        mirrored = self._headers.get(str(params.get("name")), {})
        texts = {name: argument_text(_at(params.get("arguments"), path)) for path, name in mirrored.items()}
        return {_PREFIX + name: header_value(text) for name, text in texts.items() if text is not None}


def _annotated(schema: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the path and header name of each annotated property; paths lead through ``properties`` only."""
    if len(path) > _MAX_DEPTH:
        return
    for name, each in as_object(as_object(schema).get("properties")).items():
        header = as_object(each).get(_ANNOTATION)
        if isinstance(header, str) and _TOKEN.fullmatch(header):
            yield (*path, name), header
        yield from _annotated(each, (*path, name))


def _at(value: object, path: Path) -> object:
    for key in path:
        value = as_object(value).get(key)
    return value


def argument_text(value: object) -> str | None:
    """Return an argument as a header repeats it, or None if its type has no header."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None


NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The param that the header ``Mcp-Name`` repeats, by method."""

_WHOLE_NUMBER = re.compile(r"(-?\d{1,300})(?:\.0+)?")

Error = Mapping[str, object]


def envelope_error(params: object) -> Error | None:
    """Return the error of a request whose ``_meta`` lacks a key that the stateless era requires."""
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    if not isinstance(meta, Mapping):
        keys = f"{PROTOCOL_VERSION_KEY!r} and {CLIENT_CAPABILITIES_KEY!r}"
        return _error(INVALID_PARAMS, f"params._meta must be an object with the keys {keys}")
    missing = [key for key in (PROTOCOL_VERSION_KEY, CLIENT_CAPABILITIES_KEY) if key not in meta]
    if missing:
        return _error(INVALID_PARAMS, f"params._meta lacks {', '.join(missing)}")
    return None


def version_error(requested: object) -> Error | None:
    """Return the error of a request for a version that is not of the stateless era."""
    if not isinstance(requested, str):
        return _error(INVALID_PARAMS, "The protocol version in params._meta must be a string")
    if requested in STATELESS:
        return None
    data = {"supported": list(STATELESS), "requested": requested}
    return {**_error(UNSUPPORTED_VERSION, "Unsupported protocol version"), "data": data}


def header_error(method: object, params: Mapping[str, object], headers: Mapping[str, str]) -> Error | None:
    """Return the error of a request whose headers differ from its body."""
    version = as_object(params["_meta"]).get(PROTOCOL_VERSION_KEY)
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

    A schema that gives one header to two arguments counts as a schema without headers.
    """
    named = [(path, _PREFIX + name.lower()) for path, name in _annotated(schema, ())]
    is_distinct = len({name for _, name in named}) == len(named)
    for path, name in named if is_distinct else ():
        if not _matches(headers.get(name), _at(arguments, path)):
            return _mismatch(name, "the argument that it repeats")
    return None


def _matches(header: str | None, argument: object) -> bool:
    expected, text = argument_text(argument), header_text(header)
    if header is None or expected is None:
        return header is expected
    is_number = isinstance(argument, int | float) and not isinstance(argument, bool)
    return text == expected or (is_number and _whole(text) == _whole(expected) is not None)


def _whole(text: str | None) -> int | None:
    """Return the whole number in a text of digits, which a fraction of zeros may follow; else None."""
    found = _WHOLE_NUMBER.fullmatch(text or "")
    return int(found[1]) if found is not None else None


def _mismatch(header: str, what: str) -> Error:
    return _error(HEADER_MISMATCH, f"The header {header} does not match {what}")


def _error(code: int, message: str) -> dict[str, object]:
    return {"code": code, "message": message}
