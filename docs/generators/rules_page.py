"""Generates the reference of all rules of the validator."""

from collections.abc import Iterable
from typing import Final

from genui_core.domain.validation.finding import NOTED, RULES, Consequence, Rule
from genui_core.domain.validation.markup_repairs import FRAME_REPAIRS, MARKUP_REPAIRS
from genui_core.domain.validation.script_repairs import MECHANICAL_REPAIRS, MODULE_REPAIRS

_HEAD: Final = """\
# Rules for generated views

<!-- Written by `python docs/generators`; a test compares the two. -->

Every view that a model writes is parsed and checked against these rules before it is stored or served. A
finding names its rule, the block it is in (`style`, `template`, `script` or `document`), a line and a
column, both from 1. The findings of `patch` rules are about the answer to a refinement, before it is applied.

What a finding leads to:

* **refuse**: the view is not served; the tool keeps the minimal view.
* **repair**: the wrapper repairs the view and validates it again; if the finding remains, the view is refused.
* **ask**: the wrapper asks the model once to repair the view; if the finding remains, the view is refused.
* **warn**: the wrapper records the finding and serves the view.

A finding of these rules stays as a warning when a repair takes out what it is about:
{noted}.

The wrapper tries a repair of these too, before it does what the tables say:
{tried}.

With `security.strict` set to false, `code.from_text` only warns. In a page without a policy
(`security.pagePolicy`), `resource.blocked` refuses.
"""
_TITLES: Final = {
    "view": "The view as a whole",
    "size": "The view as a whole",
    "patch": "Changes to a view",
    "markup": "Markup",
    "script": "Script and template",
    "template": "Script and template",
    "render": "Script and template",
    "document": "The frame of a document",
    "import": "Imports and the app",
    "app": "Imports and the app",
    "connect": "Imports and the app",
    "result": "Imports and the app",
    "resource": "Loading and the network",
    "hint": "Loading and the network",
    "network": "Loading and the network",
    "webrtc": "Loading and the network",
    "handler": "Handlers and addresses",
    "url": "Handlers and addresses",
    "link": "Handlers and addresses",
    "frame": "Other frames and navigation",
    "navigation": "Other frames and navigation",
    "code": "Code and sinks",
    "sink": "Code and sinks",
    "storage": "What the frame does not have",
    "dialog": "What the frame does not have",
    "tool": "Tools",
    "label": "Controls",
    "input": "Controls",
    "hijack": "Signs of a hijacked model",
}
"""The section of each family of rules; the family is the part of a rule's id before the dot."""
_WORDS: Final = {
    Consequence.WARN: "warn",
    Consequence.REPAIR: "repair",
    Consequence.ASK: "ask",
    Consequence.REFUSE: "refuse",
}


def rules_page() -> str:
    """Return the page."""
    repairs = {**FRAME_REPAIRS, **MARKUP_REPAIRS, **MECHANICAL_REPAIRS, **MODULE_REPAIRS}
    tried = {each for each in repairs if RULES[each].consequence is not Consequence.REPAIR}
    sections = sections_of(RULES.values())
    return _HEAD.format(noted=_names(NOTED), tried=_names(tried)) + "".join(
        map(_section, sections, sections.values())
    )


def sections_of(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    """Return the rules of each section, by its title.

    Raises:
        LookupError: A family has no section.
    """
    sections: dict[str, list[Rule]] = {}
    for rule in rules:
        family = rule.id.partition(".")[0]
        if family not in _TITLES:
            raise LookupError(f"{rule.id}: _TITLES in {__file__} names no section for the family {family!r}")
        sections.setdefault(_TITLES[family], []).append(rule)
    return sections


def _names(ids: Iterable[str]) -> str:
    return ", ".join(f"`{each}`" for each in sorted(ids))


def _section(title: str, rules: list[Rule]) -> str:
    rows = "".join(
        f"| `{each.id}` | {each.message} | {_WORDS[each.consequence]} | {each.severity} | {each.advice or '-'} |\n"
        for each in rules
    )
    return f"\n## {title}\n\n| rule | what it finds | leads to | severity | advice |\n|---|---|---|---|---|\n{rows}"
