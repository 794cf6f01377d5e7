"""Prompts from a folder of a person's own, completed with the built-in ones (``generation.promptsDirectory``)."""

from collections.abc import Iterable
from pathlib import Path

from genui_core.application.defaults.built_in import built_prompts
from genui_core.domain.prompting.prompt_set import PromptSet, template_header
from genui_core.errors import GenUiError

SUFFIX = ".mustache"


class BrokenPrompts(GenUiError):
    """A folder of prompts cannot be used; the text names the file and says why."""


def prompts_in(directory: str | Path | None) -> PromptSet:
    """Return the prompts of a folder; one that is missing there is the built-in one. None is no folder.

    Raises:
        BrokenPrompts: The folder or a file in it cannot be read, or is not a prompt template.
    """
    built_in = built_prompts()
    if directory is None:
        return built_in
    folder = Path(directory)
    if not folder.is_dir():
        raise BrokenPrompts(f"{folder}: there is no such folder")
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    own = {path.stem: _template(path, built_in.templates) for path in paths}
    return PromptSet.of({**built_in.templates, **own})


def _template(path: Path, names: Iterable[str]) -> str:
    if path.stem not in names:
        known = ", ".join(f"{name}{SUFFIX}" for name in names)
        raise BrokenPrompts(f"{path}: there is no prompt of that name; there are {known}")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not written in UTF-8"
        raise BrokenPrompts(f"{path}: {reason}") from error
    header = template_header(text)
    if header is None or header.name != path.stem:
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
