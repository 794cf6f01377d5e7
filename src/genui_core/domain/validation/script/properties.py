"""What is under a key of something, as far as that is known."""

from collections.abc import Iterator, Mapping
from typing import Final

from genui_core.domain.validation.addresses import HOLE
from genui_core.domain.validation.script.values import (
    LONGEST_PATH,
    NOTHING,
    UNKNOWN_KEY,
    Path,
    Value,
    any_of,
    array,
    either_of,
    path,
)

ITSELF: Final = frozenset({"window", "self", "globalThis", "frames"})
"""The names under which the global object holds itself."""
SOME_WINDOW: Final = "~"
"""The path of something that is the global object, if it is what its name suggests."""
SOME_DOCUMENT: Final = "~document"
"""The path of something that is the document, if it is not one of its elements."""
EVENT: Final = "@event"
"""The path of what a listener is given."""
OWN_EVENT: Final = "@own event"
"""The path of what a listener to the global object is given."""
DOCUMENTS_EVENT: Final = "@document's event"
"""The path of what a listener to the document is given."""
MESSAGE: Final = "@message"
"""The path of what a listener to messages is given."""
KIT: Final = "@kit"
"""The path of the kit, whatever ``render`` calls it."""
SOMETHING: Final = "@"
"""The path of something unknown, of which only a method that must be followed is known."""
PATH_OF_EVENT: Final = array([NOTHING, *[path(SOME_WINDOW)] * 15])
"""What an event goes through: what it is about first, and the global object last."""

_LEADS_TO: Final[Mapping[tuple[Path, str], tuple[Path, ...]]] = {
    ((), "event"): ((EVENT,), (MESSAGE,)),
    ((), "ui"): ((KIT,),),
    (("document",), "defaultView"): ((),),
    ((SOME_DOCUMENT,), "defaultView"): ((),),
    ((EVENT,), "view"): ((),),
    ((MESSAGE,), "source"): (("parent",),),
    ((OWN_EVENT,), "currentTarget"): ((),),
    ((DOCUMENTS_EVENT,), "currentTarget"): (("document",),),
}
"""Properties that hold something known under another name."""

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
"""Classes with one instance: what is taken from the prototype is that instance's."""
_OF_CLASSES: Final[Mapping[tuple[Path, str], tuple[Path, ...]]] = {
    ((name,), "prototype"): (of,) for name, of in _PROTOTYPES.items()
}
_ONLY_ONES: Final = frozenset(_PROTOTYPES.values()) - {()}

FOLLOWED_METHODS: Final = frozenset(
    {
        "setAttribute", "setAttributeNS", "createAttribute", "createAttributeNS", "insertAdjacentHTML",
        "createContextualFragment", "setHTMLUnsafe", "parseHTMLUnsafe", "parseFromString", "execCommand",
        "createElement", "createElementNS", "insertRule", "addRule", "callServerTool", "postMessage",
    }
)  # fmt: skip
"""Methods that are known by their names, on whatever object: under another name they are still these."""


_KNOWN_ANYWHERE: Final = FOLLOWED_METHODS | _UPWARD | {"ownerDocument", "contentDocument", "defaultView"}
"""Keys that lead somewhere, whatever they are read of."""
_SPELLED: Final = {"href", "description"}
"""Properties of what is made of a text, which come to that text."""


def property_value(subject: Value, keys: frozenset[str]) -> Value:
    """Return what is under any of the keys of something."""
    if subject.is_nothing and keys.isdisjoint(_KNOWN_ANYWHERE):
        return NOTHING
    paths = frozenset(step for start in subject.paths for key in keys for step in _steps(start, key))
    found = Value(paths=paths)
    if subject.members is not None:
        found |= _held_under(subject.members, keys)
    if not keys.isdisjoint({"ownerDocument", "contentDocument"}):
        found |= path("document")
    if subject.members is None and not keys.isdisjoint(_UPWARD):
        found |= path(SOME_DOCUMENT)
    if found.is_nothing and "defaultView" in keys:
        found |= path(SOME_WINDOW)
    if subject.texts:
        found |= Value(texts=frozenset(_characters(subject, keys)))
    if subject.texts and not keys.isdisjoint(_SPELLED):
        found |= Value(texts=subject.texts)
    if found.is_nothing:
        found = any_of(path(SOMETHING, key) for key in keys & FOLLOWED_METHODS)
    return found


def _held_under(members: tuple[tuple[str, Value], ...], keys: frozenset[str]) -> Value:
    """Return what members hold under any of some keys; an unknown key may be any of them."""
    unknown = any(HOLE in key for key in keys)
    return either_of(value for key, value in members if unknown or key in keys or HOLE in key)


def _characters(subject: Value, keys: frozenset[str]) -> Iterator[str]:
    places = [int(key) for key in keys if key.isascii() and key.isdecimal() and len(key) < _LONGEST_PLACE]
    return (whole[place] for whole in subject.exact for place in places if place < len(whole))


_LONGEST_PLACE: Final = 6


def _steps(start: Path, key: str) -> tuple[Path, ...]:
    if HOLE in key:
        key = UNKNOWN_KEY
    known = _LEADS_TO.get((start, key), _OF_CLASSES.get((start, key)))
    if known is not None:
        return known
    if start in ((), (SOME_WINDOW,)):
        if key == UNKNOWN_KEY and start:
            return ()
        return (start,) if key in ITSELF else ((key,),)
    if (key == "__proto__" and start in _ONLY_ONES) or (
        key == "prototype" and start[-1:] == ("constructor",)
    ):
        return (start if key == "__proto__" else start[:-1],)
    return ((*start, key),) if len(start) < LONGEST_PATH else ()
