"""Results as JSON text that is parsed only on access, and the wrapper's additions to results.

Additions to a text leave all other characters from the upstream unchanged (requirements W3 and W4).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from attrs import frozen

from genui_core.domain.mcp.json_text import (
    Edit,
    Element,
    Member,
    as_object,
    elements,
    insertion,
    members,
    spliced,
)
from genui_core.domain.mcp.jsonrpc import (
    INTERNAL_ERROR,
    PARSE_DEPTH_ERRORS,
    RequestId,
    id_text,
    json_text,
    result_pieces,
)
from genui_core.errors import UpstreamFailed

_RESOURCES = {"subscribe": True, "listChanged": True}
_TOOLS = {"listChanged": True}
_NOTHING: Mapping[str, object] = MappingProxyType({})
_NO_ELEMENTS: Mapping[int, Mapping[str, object]] = MappingProxyType({})


class UnparsedResult(Mapping[str, object]):
    """A result as a mapping, which parses its text on the first access.

    Access raises `ValueError` or `RecursionError` if the text does not begin with a JSON object.
    """

    @cached_property
    def text(self) -> str:
        """The JSON text of the result. In the text of an answer, other members of it may follow."""
        return self.data.decode()

    @cached_property
    def parts(self) -> Mapping[str, Member]:
        """The members of the result by key, with their places in the text; of several, the last."""
        return {each.key: each for each in members(self.text)}

    @cached_property
    def data(self) -> bytes:
        """The text as bytes, also those that are not UTF-8."""
        return self.text.encode("utf-8", "surrogateescape")

    @cached_property
    def pieces(self) -> tuple[bytes, ...]:
        """The same bytes in pieces, which need not be joined."""
        return (self.data,)

    @property
    def end(self) -> int:
        """Where the result ends in the text."""
        return self.text.index("}", max((each.end for each in self.parts.values()), default=0)) + 1

    @cached_property
    def _value(self) -> Mapping[str, object]:
        return {key: each.value for key, each in self.parts.items()}

    def answer(self, request_id: RequestId) -> bytes:
        """Return the answer with this result, without a newline."""
        return b"".join(result_pieces(request_id, self.pieces)).rstrip()

    def __getitem__(self, key: str) -> object:
        return self._value[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._value)

    def __len__(self) -> int:
        return len(self._value)


@frozen(eq=False, slots=False)
class ResultText(UnparsedResult):
    """A result of which only the text is known."""

    text: str


@frozen(eq=False, slots=False)
class WrittenResult(UnparsedResult):
    """A result that the wrapper wrote, as JSON text in pieces that are not copied."""

    pieces: tuple[bytes, ...]

    @cached_property
    def data(self) -> bytes:
        """The pieces as one."""
        return b"".join(self.pieces)


_ERROR = re.compile(rb'"isError"\s*:(?!\s*false)').search


@frozen(eq=False, slots=False)
class VerbatimResult(UnparsedResult):
    """The result in an upstream's answer, with the answer's line and the spans of its id and its result."""

    _line: bytes
    _id: tuple[int, int]
    _span: tuple[int, int]

    @cached_property
    def data(self) -> bytes:
        """The bytes of the result."""
        return self._line[slice(*self._span)]

    def has(self, data: object) -> bool:
        """Whether these are the bytes of the result; none are copied."""
        start, end = self._span
        return isinstance(data, bytes) and len(data) == end - start and self._line.startswith(data, start)

    def answer(self, request_id: RequestId) -> bytes:
        """Return the answer under another id, without a newline."""
        line, (start, end) = self._line, self._id
        last = len(line) - line.endswith(b"\n") - line.endswith(b"\r\n")
        return b"".join((line[:start], id_text(request_id).encode(), memoryview(line)[end:last]))

    def replaced(self, data: bytes) -> tuple[bytes, ...]:
        """Return the pieces of the line, with other bytes in place of the result's."""
        start, end = self._span
        return self._line[:start], data, self._line[end:]

    @cached_property
    def parts(self) -> Mapping[str, Member]:
        """The members of the result by key; raises `UpstreamFailed` if they cannot be read."""
        try:
            return super().parts
        except PARSE_DEPTH_ERRORS as error:
            text = f"The upstream's answer is no JSON: {error}"
            raise UpstreamFailed({"code": INTERNAL_ERROR, "message": text}) from error

    @property
    def says_error(self) -> bool:
        """Whether ``isError`` is true; the text is parsed only if it may hold that key, also escaped."""
        is_escaped = b"\\" in self._line and b"\\u" in self._line  # one byte is found far more quickly
        may_say_so = is_escaped or _ERROR(self._line) is not None
        return may_say_so and bool(self.get("isError"))


def exact(result: Mapping[str, object]) -> bytes | str:
    """Return what only equal results have, types included: ``0`` is not ``false``."""
    return result.data if isinstance(result, UnparsedResult) else repr(result)


def is_exactly(result: Mapping[str, object], known: bytes | str) -> bool:
    """Whether `exact` would return this."""
    return result.has(known) if isinstance(result, VerbatimResult) else exact(result) == known


@frozen
class Additions:
    """The additions to a result.

    Attributes:
        fields: The fields to merge into the result, nested objects member by member; additions win.
        key: The key of the list in the result to add to; a result without that list gets none.
        in_elements: The fields to merge into elements of the list, by the index of the element.
        elements: The elements to append to the list.
    """

    fields: Mapping[str, object] = _NOTHING
    key: str = ""
    in_elements: Mapping[int, Mapping[str, object]] = _NO_ELEMENTS
    elements: Sequence[Mapping[str, object]] = ()


def with_additions(result: Mapping[str, object], additions: Additions) -> Mapping[str, object]:
    """Return a result with additions, a text as a text, others as a mapping; itself if there are none.

    Raises:
        ValueError: The result is a text, and no JSON object.
    """
    if not (additions.fields or additions.in_elements or additions.elements):
        return result
    if isinstance(result, UnparsedResult):
        return ResultText(text_with_additions(result, additions))
    edited = merged(result, additions.fields)
    listed = edited.get(additions.key)
    if isinstance(listed, list):
        gains = additions.in_elements
        own = [merged(each, gains[at]) if at in gains else each for at, each in enumerate(listed)]
        edited[additions.key] = [*own, *additions.elements]
    return edited


def announced_capabilities(present: object) -> dict[str, dict[str, bool]]:
    """Return the capabilities to add to a server's own so that its views may change (requirement U6).

    A tool's address changes with its view, so the list of tools changes too. One without tools gets none.
    """
    has_tools = isinstance(present, Mapping) and "tools" in present
    return {"tools": _TOOLS, "resources": _RESOURCES} if has_tools else {"resources": _RESOURCES}


def merged(base: Mapping[str, object], addition: Mapping[str, object]) -> dict[str, object]:
    """Return an object with an addition merged in, nested objects member by member; the addition wins."""
    result = dict(base)
    for key, value in addition.items():
        present = result.get(key)
        both = isinstance(value, Mapping) and isinstance(present, Mapping)
        result[key] = merged(present, value) if both else value  # type: ignore[arg-type]
    return result


def tool_meta(address: str) -> dict[str, object]:
    """Return the addition to a tool's ``_meta``: the view's address under every key that hosts read."""
    return {"ui": {"resourceUri": address}, "ui/resourceUri": address, "openai/outputTemplate": address}


def text_with_additions(result: UnparsedResult, additions: Additions) -> str:
    """Return the text of a result with additions; `ValueError` if it is no JSON object."""
    text, parts = result.text, result.parts
    edits = _merged(text, Element(0, result.end, result), additions.fields, parts)
    listed = parts.get(additions.key)
    if listed is not None and isinstance(listed.value, list):
        edits += _in_list(text, listed, additions)
    return spliced(text, edits)


def _in_list(text: str, listed: Member, additions: Additions) -> list[Edit]:
    gains, edits = additions.in_elements, list[Edit]()
    for at, element in enumerate(elements(text, listed.start) if gains else ()):
        if at in gains:
            edits += _merged(text, element, gains[at])
    if additions.elements:
        edits.append(insertion(text, listed.end, ",".join(map(json_text, additions.elements))))
    return edits


def _merged(
    text: str,
    parent: Member | Element,
    addition: Mapping[str, object],
    known: Mapping[str, Member] | None = None,
) -> list[Edit]:
    """Return the edits that merge an addition into an object, nested objects member by member.

    ``known`` are the members of the object, if the caller has parsed them.
    """
    if not isinstance(parent.value, Mapping):
        return [Edit(parent.start, parent.end, json_text(addition))]
    present = _members(text, parent, addition) if known is None else known
    edits: list[Edit] = []
    for key, value in addition.items():
        target = present.get(key)
        if target is None or target.value == value:
            continue
        if isinstance(value, Mapping):
            edits += _merged(text, target, value)
        else:
            edits.append(Edit(target.start, target.end, json_text(value)))
    absent = {key: value for key, value in addition.items() if key not in present}
    return [*edits, insertion(text, parent.end, json_text(absent)[1:-1])] if absent else edits


def _members(text: str, parent: Member | Element, wanted: Iterable[str]) -> Mapping[str, Member]:
    """Return the members of an object, or none if it has no wanted key: that saves another parse."""
    if as_object(parent.value).keys().isdisjoint(wanted):
        return {}
    return {each.key: each for each in members(text, parent.start)}
