"""Whether controls have names that people can read or hear."""

from collections.abc import Iterable, Iterator
from typing import Final

from genui_core.domain.validation.markup.elements import HTML, Element

_CONTROLS = {"input", "select", "textarea"}
_NAMED_BY_THEMSELVES: Final = {"hidden", "submit", "button", "reset", "image"}
_NAMING = ("aria-label", "aria-labelledby", "title")


def unlabelled(found: Iterable[Element]) -> Iterator[Element]:
    """Yield the controls without a label."""
    everything = list(found)
    labelled = {
        each.attributes["for"] for each in everything if each.name == "label" and "for" in each.attributes
    }
    for each in everything:
        if each.name not in _CONTROLS or each.namespace != HTML or "label" in each.within:
            continue
        if each.attributes.get("type", "").strip().lower() in _NAMED_BY_THEMSELVES:
            continue
        named = any(each.attributes.get(name, "").strip() for name in _NAMING)
        if not named and each.attributes.get("id") not in labelled:
            yield each


def name_for(control: Element) -> str:
    """Return words for a control, made of its placeholder or its name; "" where it has neither."""
    words = next(
        (
            control.attributes.get(each, "").strip()
            for each in ("placeholder", "name", "id")
            if control.attributes.get(each, "").strip()
        ),
        "",
    )
    spaced = words.replace("_", " ").replace("-", " ").strip()
    return spaced[:1].upper() + spaced[1:]
