"""Arguments that a stateless upstream wants repeated in HTTP headers (2026-07-28, ``x-mcp-header``)."""

import base64
import re
from collections.abc import Iterator, Mapping

from attrs import define, field

_ANNOTATION = "x-mcp-header"
_PREFIX = "mcp-param-"
_PLAIN = re.compile(r"(?!=\?base64\?)(?! )[\x20-\x7e]*(?<! )")
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")

_MAX_DEPTH = 64

Path = tuple[str, ...]


def header_value(text: str) -> str:
    """Return a text as a header's value: as it is, or in the protocol's base64 form where it would not survive."""
    if _PLAIN.fullmatch(text):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def header_text(value: str | None) -> str | None:
    """Return the text that `header_value` made a header of; None for no header, and for broken base64."""
    encoded = _ENCODED.fullmatch(value) if value is not None else None
    if encoded is None:
        return value
    try:
        text = base64.b64decode(encoded[1], validate=True)
        return text.decode() if base64.b64encode(text).decode() == encoded[1] else None
    except ValueError:
        return None


def mirrored_arguments(schema: object, arguments: object) -> Iterator[tuple[str, object]]:
    """Yield each header that a tool's schema names, in lower case, and the argument that it repeats.

    A schema that gives one header to two arguments names none.
    """
    named = [(path, _PREFIX + name.lower()) for path, name in _annotated(schema, ())]
    if len({name for _, name in named}) == len(named):
        yield from ((name, _at(arguments, path)) for path, name in named)


@define
class MirroredParams:
    """Remembers from listings which arguments of a tool go into which header."""

    _headers: dict[str, dict[Path, str]] = field(factory=dict)

    def knows(self, tool_name: object) -> bool:
        """Whether the tool was in a listing."""
        return tool_name in self._headers

    def learn(self, listing: Mapping[str, object]) -> None:
        """Take the tools of a page of ``tools/list``."""
        tools = listing.get("tools")
        for tool in tools if isinstance(tools, list) else []:
            if isinstance(tool, Mapping) and isinstance(tool.get("name"), str):
                self._headers[tool["name"]] = dict(_annotated(tool.get("inputSchema"), ()))

    def headers(self, params: Mapping[str, object]) -> Mapping[str, str]:
        """Return the headers of a tool call; arguments that are left out or null have none."""
        mirrored = self._headers.get(str(params.get("name")), {})
        texts = {name: argument_text(_at(params.get("arguments"), path)) for path, name in mirrored.items()}
        return {_PREFIX + name: header_value(text) for name, text in texts.items() if text is not None}


def _annotated(schema: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the properties that carry a header's name, reached through properties alone as the protocol has it."""
    if len(path) > _MAX_DEPTH:
        return
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    for name, each in properties.items() if isinstance(properties, Mapping) else ():
        header = each.get(_ANNOTATION) if isinstance(each, Mapping) else None
        if isinstance(header, str) and _TOKEN.fullmatch(header):
            yield (*path, name), header
        yield from _annotated(each, (*path, name))


def _at(value: object, path: Path) -> object:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def argument_text(value: object) -> str | None:
    """Return an argument as a header repeats it; None where it has no header."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None
