"""The set of prompt templates, and its id, version and hash, which are part of every cache key."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final, NamedTuple

PROMPT_SET_ID: Final = "mcp-gen-ui"
_HEADER = re.compile(r"\{\{! id: (?P<id>[a-z]+); version: (?P<version>[1-9][0-9]{0,8}) \}\}\r?\n")


class TemplateHeader(NamedTuple):
    """The first line of a template: ``{{! id: generate; version: 2 }}``.

    Attributes:
        name: The template's name.
        version: Raised with each change of the template; 1 or more.
    """

    name: str
    version: int


def template_header(text: str) -> TemplateHeader | None:
    """Return the header of a template, or None if its first line is no header."""
    header = _HEADER.match(text)
    return TemplateHeader(header["id"], int(header["version"])) if header else None


class PromptSet(NamedTuple):
    """The prompt templates by name, with the id, version and hash of the set for cache keys.

    Attributes:
        set_id: The id of the set.
        version: Rises with each version raised in a template's header.
        content_hash: SHA-256, in hex, over all templates.
        templates: ``system``, ``generate``, ``document``, ``classify``, ``repair`` and ``refine``.
    """

    set_id: str
    version: str
    content_hash: str
    templates: Mapping[str, str]

    @classmethod
    def of(cls, templates: Mapping[str, str]) -> "PromptSet":
        """Return the set of these templates; a template without a header counts as version 1."""
        headers = filter(None, map(template_header, templates.values()))
        version = str(1 + sum(header.version - 1 for header in headers))
        whole = json.dumps(templates, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return cls(PROMPT_SET_ID, version, sha256(whole.encode()).hexdigest(), templates)


def agent_document(uri: str, template: str, prompts: PromptSet) -> bytes:
    """Return a page for agents as the JSON text of a ``contents`` entry.

    Args:
        uri: The address of the page.
        template: The text, with variables for the design and rules, the kit, and the form of an answer.
        prompts: The prompt templates, whose texts become the values of the variables.
    """
    import chevron  # noqa: PLC0415 -- few agents read it

    texts = {name: chevron.render(prompts.templates[name], {}) for name in ("system", "generate")}
    design, _, rest = texts["system"].replace("\n# ", "\n## ").partition("\n## The kit\n")
    kit, heading, rules = rest.partition("\n## ")
    form = texts["generate"].partition(":\n")[2].partition("\nBetween the next two fences")[0]
    text = chevron.render(
        template, {"design": design + heading + rules, "kit": kit.strip(), "form": form.strip()}
    )
    return json.dumps({"uri": uri, "mimeType": "text/markdown", "text": text}, ensure_ascii=False).encode()
