"""What models are told, and what names it: this much of the prompts is in the key of every view."""

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
    """Return the header of a template, or None if its first line is none."""
    header = _HEADER.match(text)
    return TemplateHeader(header["id"], int(header["version"])) if header else None


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

    @classmethod
    def of(cls, templates: Mapping[str, str]) -> "PromptSet":
        """Return the set of these templates, with its version and hash. A template without a header has version 1."""
        headers = filter(None, map(template_header, templates.values()))
        version = str(1 + sum(header.version - 1 for header in headers))
        whole = json.dumps(templates, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return cls(PROMPT_SET_ID, version, sha256(whole.encode()).hexdigest(), templates)


def agent_document(uri: str, template: str, prompts: PromptSet) -> bytes:
    """Return a page for agents as the JSON text of a ``contents`` entry.

    Args:
        uri: The address of the page.
        template: Its text, with places for the design and rules, the kit and the form that models are told.
        prompts: The templates of the prompts, which tell them.
    """
    import chevron  # noqa: PLC0415 -- few agents read it

    told = {name: chevron.render(prompts.templates[name], {}) for name in ("system", "generate")}
    design, _, rest = told["system"].replace("\n# ", "\n## ").partition("\n## The kit\n")
    kit, heading, rules = rest.partition("\n## ")
    form = told["generate"].partition(":\n")[2].partition("\nBetween the next two fences")[0]
    text = chevron.render(
        template, {"design": design + heading + rules, "kit": kit.strip(), "form": form.strip()}
    )
    return json.dumps({"uri": uri, "mimeType": "text/markdown", "text": text}, ensure_ascii=False).encode()
