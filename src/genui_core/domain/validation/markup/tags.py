"""Changes to start tags in the text of a markup, which leave all the rest as it was written."""

import html
import re
from collections.abc import Callable, Iterable
from typing import Final

from attrs import frozen

_SPACE: Final = "\t\n\f\r "
"""What separates attributes; other white space is part of a name or a value."""
_NAME: Final = re.compile(rf"<[a-zA-Z][^{_SPACE}/>]*")
_ATTRIBUTE: Final = re.compile(
    rf"""[{_SPACE}/]*(=[^{_SPACE}/>=]*|[^{_SPACE}/>=]+)(?:[{_SPACE}]*=[{_SPACE}]*("[^"]*"|'[^']*'|[^{_SPACE}>]*))?"""
)


@frozen
class StartTag:
    """A start tag.

    Attributes:
        start: Its offset.
        name_end: Where its name ends.
        end: Where it ends.
        attributes: The names in lower case, and the places.
    """

    start: int
    name_end: int
    end: int
    attributes: tuple[tuple[str, int, int], ...]


def tag_at(source: str, start: int) -> StartTag | None:
    """Return the start tag at an offset; None where none is complete."""
    name = _NAME.match(source, start)
    if name is None:
        return None
    at = name.end()
    attributes: list[tuple[str, int, int]] = []
    while (attribute := _ATTRIBUTE.match(source, at)) is not None:
        attributes.append((attribute[1].lower(), attribute.start(), attribute.end()))
        at = attribute.end()
    end = source.find(">", at)
    return None if end < 0 else StartTag(start, name.end(), end + 1, tuple(attributes))


def without_attributes(source: str, starts: Iterable[int], unwanted: Callable[[str, str], bool]) -> str:
    """Return the markup without those attributes of some tags whose name and text are unwanted."""
    for start in sorted(set(starts), reverse=True):
        tag = tag_at(source, start)
        for name, begin, end in reversed(tag.attributes if tag is not None else ()):
            if unwanted(name, meaning(source[begin:end])):
                source = source[:begin] + source[end:]
    return source


def with_attribute(source: str, start: int, name: str, value: str) -> str:
    """Return the markup with one more attribute in the tag at an offset."""
    tag = tag_at(source, start)
    if tag is None:
        return source
    return f'{source[: tag.name_end]} {name}="{html.escape(value)}"{source[tag.name_end :]}'


def without_tag(source: str, start: int) -> str:
    """Return the markup without the tag at an offset."""
    tag = tag_at(source, start)
    return source if tag is None else source[:start] + source[tag.end :]


def meaning(written: str) -> str:
    """Return the value of an attribute that is written out with its name."""
    _, _, value = written.partition("=")
    value = value.strip(_SPACE)
    quoted = len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]
    return html.unescape(value[1:-1] if quoted else value)
