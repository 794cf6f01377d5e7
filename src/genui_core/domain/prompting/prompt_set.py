"""What models are told, and what names it: this much of the prompts is in the key of every view."""

from collections.abc import Mapping
from typing import NamedTuple


class PromptSet(NamedTuple):
    """Templates by name, with what names the set in cache keys.

    Attributes:
        set_id: Names the set.
        version: Rises with each version raised in a template's header.
        content_hash: SHA-256, in hex, over all templates.
        templates: ``system``, ``generate``, ``document``, ``classify``, ``repair`` and ``refine``.
    """

    set_id: str
    version: str
    content_hash: str
    templates: Mapping[str, str]
