"""What functions of the page come to, where that is an object that must be followed."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from genui_core.domain.validation.script.properties import PATH_OF_EVENT
from genui_core.domain.validation.script.values import NOTHING, Value, any_of, path

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
