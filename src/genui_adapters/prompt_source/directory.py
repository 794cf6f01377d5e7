"""Prompts from a folder of a person's own, completed with the built-in ones (``generation.promptsDirectory``)."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from genui_core.application.built_kit import built_prompts
from genui_core.built.prompts import PROMPT_SET_ID, TEMPLATES
from genui_core.domain.prompting.prompt_set import PromptSet
from genui_core.errors import GenUiError

SUFFIX = ".mustache"
_HEADER = re.compile(r"\{\{! id: (?P<id>[a-z]+); version: (?P<version>[1-9][0-9]{0,8}) \}\}\r?\n")


class BrokenPrompts(GenUiError):
    """A folder of prompts cannot be used; the text names the file and says why."""


def prompts_in(directory: str | Path | None) -> PromptSet:
    """Return the prompts of a folder; one that is missing there is the built-in one. None is no folder.

    Raises:
        BrokenPrompts: The folder or a file in it cannot be read, or is not a prompt template.
    """
    if directory is None:
        return built_prompts()
    folder = Path(directory)
    if not folder.is_dir():
        raise BrokenPrompts(f"{folder}: there is no such folder")
    own = {path.stem: _template(path) for path in sorted(folder.glob(f"*{SUFFIX}"))}
    templates = {**TEMPLATES, **own}
    return PromptSet(PROMPT_SET_ID, _set_version(templates), _set_hash(templates), templates)


def template_version(text: str) -> int:
    """Return the version in a template's first line; one where it says none."""
    header = _HEADER.match(text)
    return int(header["version"]) if header else 1


def _template(path: Path) -> str:
    if path.stem not in TEMPLATES:
        names = ", ".join(f"{name}{SUFFIX}" for name in TEMPLATES)
        raise BrokenPrompts(f"{path}: there is no prompt of that name; there are {names}")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not written in UTF-8"
        raise BrokenPrompts(f"{path}: {reason}") from error
    header = _HEADER.match(text)
    if header is None or header["id"] != path.stem:
        raise BrokenPrompts(f"{path}: the first line must be {{{{! id: {path.stem}; version: 2 }}}}")
    _check_syntax(path, text)
    return text


def _check_syntax(path: Path, text: str) -> None:
    """Find a section that is not closed now, and not when a view is asked for."""
    from chevron.tokenizer import ChevronError, tokenize  # noqa: PLC0415 -- not for the built-in ones

    try:
        list(tokenize(text))
    except ChevronError as error:
        line = " ".join(str(error).split())
        raise BrokenPrompts(f"{path}: {line}") from error


def _set_version(templates: Mapping[str, str]) -> str:
    return str(1 + sum(template_version(text) - 1 for text in templates.values()))


def _set_hash(templates: Mapping[str, str]) -> str:
    ordered = {name: templates[name] for name in sorted(templates)}
    whole = json.dumps(ordered, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(whole.encode()).hexdigest()
