"""The values of properties, and the results of built-in functions that need no folding."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from genui_core.domain.validation.addresses import HOLE, WITHOUT_MARKUP, WITHOUT_TAGS, holds_data
from genui_core.domain.validation.script.values import (
    LONGEST_PATH,
    LONGEST_TEXT,
    NO_MARKUP,
    NOTHING,
    UNKNOWN_KEY,
    Path,
    Value,
)

ITSELF: Final = frozenset({"window", "self", "globalThis", "frames"})
"""The properties of the global object that hold the global object itself."""
SOME_WINDOW: Final = "~"
"""The path of an object that its name suggests to be the global object."""
SOME_DOCUMENT: Final = "~document"
"""The path of an object that is the document or one of its elements."""
EVENT: Final = "@event"
"""The path of the event that a listener receives."""
OWN_EVENT: Final = "@own event"
"""The path of the event that a listener of the global object receives."""
DOCUMENTS_EVENT: Final = "@document's event"
"""The path of the event that a listener of the document receives."""
MESSAGE: Final = "@message"
"""The path of the event that a listener for messages receives."""
KIT: Final = "@kit"
"""The path of the view kit, whichever name the parameter of ``render`` has."""
SOMETHING: Final = "@"
"""The path of an unknown object with one of the `FOLLOWED_METHODS`."""
PATH_OF_EVENT: Final = Value.array([NOTHING, *[Value.path(SOME_WINDOW)] * 15])
"""The value of ``composedPath()``: the target first, then objects up to the global object."""

_UPWARD: Final = {"parentNode", "startContainer", "endContainer", "commonAncestorContainer", "root"}
"""Properties of nodes, ranges and walkers that may hold the document."""

_PROTOTYPES: Final[Mapping[str, Path]] = {
    "Window": (),
    "Document": ("document",),
    "HTMLDocument": ("document",),
    "Navigator": ("navigator",),
    "History": ("history",),
    "Location": ("location",),
    "Navigation": ("navigation",),
}
"""Classes with a single instance: a property of the prototype counts as one of that instance."""
_LEADS_TO: Final[Mapping[tuple[Path, str], tuple[Path, ...]]] = {
    ((), "event"): ((EVENT,), (MESSAGE,)),
    ((), "ui"): ((KIT,),),
    (("document",), "defaultView"): ((),),
    ((SOME_DOCUMENT,), "defaultView"): ((),),
    ((EVENT,), "view"): ((),),
    ((MESSAGE,), "source"): (("parent",),),
    ((OWN_EVENT,), "currentTarget"): ((),),
    ((DOCUMENTS_EVENT,), "currentTarget"): (("document",),),
    **{((name,), "prototype"): (of,) for name, of in _PROTOTYPES.items()},
}
"""Properties that hold an object with another path."""
_ONLY_ONES: Final = frozenset(_PROTOTYPES.values()) - {()}

FOLLOWED_METHODS: Final = frozenset(
    {
        "setAttribute", "setAttributeNS", "createAttribute", "createAttributeNS", "insertAdjacentHTML",
        "createContextualFragment", "setHTMLUnsafe", "parseHTMLUnsafe", "parseFromString", "execCommand",
        "createElement", "createElementNS", "insertRule", "addRule", "callServerTool", "postMessage",
    }
)  # fmt: skip
"""Methods that are recognized by name on any object, and followed when a script renames them."""


_KNOWN_ANYWHERE: Final = FOLLOWED_METHODS | _UPWARD | {"ownerDocument", "contentDocument", "defaultView"}
"""Keys with a known value on any object."""
_SPELLED: Final = {"href", "description"}
"""Properties that return the text that their object was made of."""


def property_value(subject: Value, keys: frozenset[str]) -> Value:
    """Return the possible values under any of some keys of a value."""
    if subject.is_nothing and keys.isdisjoint(_KNOWN_ANYWHERE):
        return NOTHING
    paths = frozenset(step for start in subject.paths for key in keys for step in _next_paths(start, key))
    found = Value(paths=paths)
    if subject.members is not None:
        found |= _held_under(subject.members, keys)
    if not keys.isdisjoint({"ownerDocument", "contentDocument"}):
        found |= Value.path("document")
    if subject.members is None and not keys.isdisjoint(_UPWARD):
        found |= Value.path(SOME_DOCUMENT)
    if found.is_nothing and "defaultView" in keys:
        found |= Value.path(SOME_WINDOW)
    if subject.texts:
        found |= Value(texts=frozenset(_characters(subject, keys)))
    if subject.texts and not keys.isdisjoint(_SPELLED):
        found |= Value(texts=subject.texts)
    if found.is_nothing:
        found = Value.any_of(Value.path(SOMETHING, key) for key in keys & FOLLOWED_METHODS)
    return found


def _held_under(members: tuple[tuple[str, Value], ...], keys: frozenset[str]) -> Value:
    """Return the values of members under any of some keys; an unknown key may be any of them."""
    unknown = any(HOLE in key for key in keys)
    return Value.either_of(value for key, value in members if unknown or key in keys or HOLE in key)


def _characters(subject: Value, keys: frozenset[str]) -> Iterator[str]:
    places = [int(key) for key in keys if key.isascii() and key.isdecimal() and len(key) < _LONGEST_PLACE]
    return (whole[place] for whole in subject.exact for place in places if place < len(whole))


_LONGEST_PLACE: Final = 6


def _next_paths(start: Path, key: str) -> tuple[Path, ...]:
    if HOLE in key:
        key = UNKNOWN_KEY
    known = _LEADS_TO.get((start, key))
    if known is not None:
        return known
    if start in ((), (SOME_WINDOW,)):
        if key == UNKNOWN_KEY and start:
            return ()
        return (start,) if key in ITSELF else ((key,),)
    if key == "__proto__" and start in _ONLY_ONES:
        return (start,)
    if key == "prototype" and start[-1:] == ("constructor",):
        return (start[:-1],)
    return ((*start, key),) if len(start) < LONGEST_PATH else ()


_RETURN_FIRST = {
    "appendChild", "insertBefore", "importNode", "adoptNode", "freeze", "seal", "createTextNode", "getPrototypeOf",
    "resolve", "structuredClone",
}  # fmt: skip
"""Functions that return their first argument."""
_RETURN_ANY = {"assign", "createPolicy"}
"""Functions whose result may be any of their arguments."""
_RETURN_SUBJECT = {"bind", "cloneNode", "valueOf"}
"""Methods that return their object."""
_FORM = re.compile(r"(?:.*[\s>+~])?form(?:[.#:\[].*)?", re.IGNORECASE | re.DOTALL)


def known_result(name: str, subject: Value, arguments: Sequence[Value]) -> Value:
    """Return the result of a built-in function, or nothing if it need not be followed."""
    if name in _RETURN_SUBJECT:
        return subject if subject.paths else NOTHING
    if name in _ALWAYS or not arguments:
        return _ALWAYS.get(name, NOTHING)
    if name in {"createElement", "createElementNS", "el"}:
        tags = arguments[1 if name == "createElementNS" and len(arguments) > 1 else 0].exact
        return Value.any_of(Value.path(element_path(tag)) for tag in tags)
    if name in {"querySelector", "closest"} and any(map(_FORM.fullmatch, arguments[0].exact)):
        return Value.path(element_path("form"))
    if name in _RETURN_FIRST:
        return arguments[0]
    return Value.any_of(arguments) if name in _RETURN_ANY else NOTHING


_ALWAYS: Final[Mapping[str, Value]] = {"getRootNode": Value.path("document"), "composedPath": PATH_OF_EVENT}


def element_path(tag: str) -> str:
    """Return the path of an element that a script makes."""
    name = tag.lower().strip().rpartition(":")[2]
    return "<" + name.partition(".")[0]


def escaped(name: str, subject: Value, arguments: Sequence[Value], made: Value = NOTHING) -> Value:
    """Return an unknown text after a call that replaces its ``<``, or after an earlier such call."""
    if name not in REPLACING or len(arguments) < _PAIR:
        return NOTHING
    taken, new = _replaced_signs(name, arguments[0]), arguments[1]
    before = {each for each in (WITHOUT_TAGS, WITHOUT_MARKUP) if each in subject.texts}
    left = WITHOUT_MARKUP if '"' in taken or WITHOUT_MARKUP in before else WITHOUT_TAGS
    if "<" in taken and not any("<" in each for each in new.exact):
        return Value.text(left)
    put = made if new.functions else new
    if not before or "<" in taken:
        return NOTHING
    if not put.is_known or any(map(holds_data, subject.texts | put.texts)):
        return Value.text(left, HOLE)
    return Value.text(left, *(left + _GROUPS.sub(left, each) + left for each in put.texts if "<" in each))


def _replaced_signs(name: str, pattern: Value) -> set[str]:
    """Return which of ``<`` and ``"`` a call replaces everywhere in a text."""
    held = dict(pattern.members or ())
    replaced = Value.any_of([pattern, held.get("source", NOTHING)]).exact
    everywhere = name == "replaceAll" or any("g" in each for each in held.get("flags", NOTHING).exact)
    return {sign for each in replaced for sign in '<"' if everywhere and sign in each}


_PAIR: Final = 2
REPLACING: Final = frozenset({"replace", "replaceAll"})
_GROUPS: Final = re.compile(r"\$(?:\d+|[&`'])")
"""A reference to a part of the match in a replacement text."""


def plain_pattern(arguments: Sequence[Value]) -> str:
    """Return the pattern of the first argument if it has only characters and classes, or else ""."""
    held = dict(arguments[0].members or ()) if arguments else {}
    sources = held.get("source", NOTHING).exact
    source = next(iter(sources)) if len(sources) == 1 else ""
    return source if _PLAIN_PATTERN.fullmatch(source) else ""


_PLAIN_PATTERN: Final = re.compile(r"(?:[\w\s<>\"'`=:;,.%&@!~#/-]|\[(?!\])-?(?:\w-\w|[\w\s.,:;])*-?\])+")
"""A pattern with the same meaning in JavaScript and Python, which matches in linear time."""


def replaced_by_pattern(pattern: str, whole: str, arguments: Sequence[Value]) -> str | None:
    """Return the result of ``whole.replace(pattern, text)``, or None if the text is unknown."""
    new = arguments[1].exact if len(arguments) > 1 else frozenset()
    flags = dict(arguments[0].members or ()).get("flags", NOTHING).exact
    if len(new) != 1 or "$" in next(iter(new)):
        return None
    try:
        read = re.compile(pattern, re.IGNORECASE if any("i" in each for each in flags) else 0)
    except re.error:  # a reversed range, which is an error in browsers, too
        return None
    every = any("g" in each for each in flags)
    put = next(iter(new)).replace("\\", "\\\\")
    return read.sub(put, whole, count=0 if every else 1)[:LONGEST_TEXT]


def number(name: str, function: Value, subject: Value) -> Value:
    """Return the result of a call for a number or a boolean, or nothing for other calls."""
    of_math = any(each[:1] == ("Math",) for each in function.paths)
    if subject.is_number and name in {"toLocaleString", "toString", "valueOf"}:
        return subject
    return NO_MARKUP if of_math or name in _NUMBERS else NOTHING


_NUMBERS: Final = {
    "toFixed", "toPrecision", "toExponential", "Number", "parseInt", "parseFloat", "encodeURIComponent", "getTime",
    "has", "includes", "some", "every", "startsWith", "endsWith", "test", "indexOf", "findIndex", "charCodeAt",
    "getFullYear", "getMonth", "getDate", "getHours", "getMinutes", "now",
}  # fmt: skip
