"""What functions of the page come to that is no plain text: objects that must be followed, escaped texts, numbers."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from genui_core.domain.validation.addresses import HOLE, WITHOUT_MARKUP, WITHOUT_TAGS, brings_data
from genui_core.domain.validation.script.properties import PATH_OF_EVENT
from genui_core.domain.validation.script.values import (
    LONGEST_TEXT,
    NO_MARKUP,
    NOTHING,
    Value,
    any_of,
    path,
    text,
)

_MAKERS = {"createElement", "createElementNS", "el"}
_FINDERS = {"querySelector", "closest"}
_HANDS_BACK = {
    "appendChild", "insertBefore", "importNode", "adoptNode", "freeze", "seal", "createTextNode", "getPrototypeOf",
    "resolve", "structuredClone",
}  # fmt: skip
"""What comes to the first thing it is given."""
_JOINS = {"assign", "createPolicy"}
"""What comes to all that it is given."""
_STAYS = {"bind", "cloneNode", "valueOf"}
"""What comes to the thing it is called on."""
_FORM = re.compile(r"(?:.*[\s>+~])?form(?:[.#:\[].*)?", re.IGNORECASE | re.DOTALL)


def known_result(name: str, subject: Value, arguments: Sequence[Value]) -> Value:
    """Return what a function of the page's comes to; nothing where that need not be followed.

    Args:
        name: The name of the function.
        subject: What it is called on.
        arguments: What it is given.
    """
    if name in _STAYS:
        return subject if subject.paths else NOTHING
    if name in _ALWAYS or not arguments:
        return _ALWAYS.get(name, NOTHING)
    if name in _MAKERS:
        tags = arguments[1 if name == "createElementNS" and len(arguments) > 1 else 0].exact
        return any_of(path(made_element(tag)) for tag in tags)
    if name in _FINDERS and any(map(_FORM.fullmatch, arguments[0].exact)):
        return path(made_element("form"))
    if name in _HANDS_BACK:
        return arguments[0]
    return any_of(arguments) if name in _JOINS else NOTHING


_ALWAYS: Final[Mapping[str, Value]] = {"getRootNode": path("document"), "composedPath": PATH_OF_EVENT}


def made_element(tag: str) -> str:
    """Return the path of an element that a script makes."""
    name = tag.lower().strip().rpartition(":")[2]
    return "<" + name.partition(".")[0]


def escaped(name: str, subject: Value, arguments: Sequence[Value], made: Value = NOTHING) -> Value:
    """Return what comes of a text that is not known where its ``<`` are replaced, then or before; nothing for other calls.

    Args:
        name: The name of the method.
        subject: The text that it is called on.
        arguments: What it is given.
        made: What a function returns that it is given.
    """
    if name not in REPLACING or len(arguments) < _PAIR:
        return NOTHING
    taken, new = _taken(name, arguments[0]), arguments[1]
    before = {each for each in (WITHOUT_TAGS, WITHOUT_MARKUP) if each in subject.texts}
    left = WITHOUT_MARKUP if '"' in taken or WITHOUT_MARKUP in before else WITHOUT_TAGS
    if "<" in taken and not any("<" in each for each in new.exact):
        return text(left)
    put = made if new.functions else new
    if not before or "<" in taken:
        return NOTHING
    if not put.is_said or any(map(brings_data, subject.texts | put.texts)):
        return text(left, HOLE)
    return text(left, *(left + _GROUPS.sub(left, each) + left for each in put.texts if "<" in each))


def _taken(name: str, pattern: Value) -> set[str]:
    """Return which signs of markup a call replaces wherever they are."""
    held = dict(pattern.members or ())
    replaced = any_of([pattern, held.get("source", NOTHING)]).exact
    everywhere = name == "replaceAll" or any("g" in each for each in held.get("flags", NOTHING).exact)
    return {sign for each in replaced for sign in '<"' if everywhere and sign in each}


_PAIR: Final = 2
REPLACING: Final = frozenset({"replace", "replaceAll"})
_GROUPS: Final = re.compile(r"\$(?:\d+|[&`'])")
"""What stands for parts of the text in what comes in their place."""


def plain_pattern(arguments: Sequence[Value]) -> str:
    """Return a pattern that is given first, if it is nothing but characters and classes; "" for others."""
    held = dict(arguments[0].members or ()) if arguments else {}
    sources = held.get("source", NOTHING).exact
    source = next(iter(sources)) if len(sources) == 1 else ""
    return source if _PLAIN_PATTERN.fullmatch(source) else ""


_PLAIN_PATTERN: Final = re.compile(r"(?:[\w\s<>\"'`=:;,.%&@!~#/-]|\[(?!\])-?(?:\w-\w|[\w\s.,:;])*-?\])+")
"""What means the same in the patterns of both languages, and is over in one pass."""


def replaced_by_pattern(pattern: str, whole: str, arguments: Sequence[Value]) -> str | None:
    """Return what ``whole.replace(pattern, text)`` comes to; None where the text is not known.

    Args:
        pattern: What `plain_pattern` returned.
        whole: The text that the method is called on.
        arguments: What the method is given.
    """
    new = arguments[1].exact if len(arguments) > 1 else frozenset()
    flags = dict(arguments[0].members or ()).get("flags", NOTHING).exact
    if len(new) != 1 or "$" in next(iter(new)):
        return None
    try:
        read = re.compile(pattern, re.IGNORECASE if any("i" in each for each in flags) else 0)
    except re.error:  # a range that goes backwards, which no browser takes either
        return None
    every = any("g" in each for each in flags)
    put = next(iter(new)).replace("\\", "\\\\")
    return read.sub(put, whole, count=0 if every else 1)[:LONGEST_TEXT]


def number(name: str, function: Value, subject: Value) -> Value:
    """Return what comes of a call that makes a number, or says yes or no; nothing for other calls."""
    of_math = any(each[:1] == ("Math",) for each in function.paths)
    if subject.is_number and name in _OF_NUMBERS:
        return subject
    return NO_MARKUP if of_math or name in _NUMBERS else NOTHING


_OF_NUMBERS: Final = {"toLocaleString", "toString", "valueOf"}


_NUMBERS: Final = {
    "toFixed", "toPrecision", "toExponential", "Number", "parseInt", "parseFloat", "encodeURIComponent", "getTime",
    "has", "includes", "some", "every", "startsWith", "endsWith", "test", "indexOf", "findIndex", "charCodeAt",
    "getFullYear", "getMonth", "getDate", "getHours", "getMinutes", "now",
}  # fmt: skip
