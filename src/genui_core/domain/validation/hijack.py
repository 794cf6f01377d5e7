"""Signs that a model followed the words of a third party, and not its task."""

import re
from collections.abc import Iterator
from typing import Final

from genui_core.domain.validation.rule_match import RuleMatch

_SHORTEST_NONCE: Final = 6
_FENCED: Final = ("data", "end", "code", "findings", "wishes", "wish", "source", "view")
_FENCE = re.compile(rf"<<<\s*(?:{'|'.join(_FENCED)})\b[^<>\n]{{0,80}}>>>")
_TALK = re.compile(
    r"\b(?:here\s+is|this\s+is|reveal(?:ing)?|print(?:ing)?)\s+(?:my|the|your)\s+system\s+prompt"
    r"|\bmy\s+(?:system\s+prompt|instructions)\s+(?:is|are|say|says|were)\b"
    r"|\bas\s+an?\s+(?:ai|artificial\s+intelligence|large)\s+(?:language\s+)?(?:model|assistant)\b"
    r"|\b(?:i\s+(?:cannot|can't|am\s+unable\s+to)|i'm\s+unable\s+to)\s+(?:comply|assist|help\s+with\s+that|fulfil)",
    re.IGNORECASE,
)


def leaks(text: str, nonce: str) -> Iterator[RuleMatch]:
    """Yield the places that show a fence of the prompt, or the code of its fences."""
    if len(nonce) >= _SHORTEST_NONCE:
        for found in re.finditer(re.escape(nonce), text, re.IGNORECASE):
            yield RuleMatch("hijack.nonce", found.start(), found.start())
    for found in _FENCE.finditer(text):
        yield RuleMatch("hijack.fence", found.start(), found.end())


def hijack_rules(text: str, nonce: str) -> Iterator[RuleMatch]:
    """Yield the leaks, and the places where a view talks about instructions."""
    yield from leaks(text, nonce)
    for found in _TALK.finditer(text):
        yield RuleMatch("hijack.talk", found.start(), found.end())
