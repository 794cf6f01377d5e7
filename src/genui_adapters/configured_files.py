"""Reads the files that the settings name: prompts (``generation.promptsDirectory``) and a ``brand``."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from genui_core.application.services import built_prompts
from genui_core.domain.prompting.prompt_set import PromptSet, template_header
from genui_core.domain.settings.brand import Brand, BrandSettings, InvalidBrand, logo_in, properties_in
from genui_core.errors import GenUiError

Content = TypeVar("Content")

SUFFIX = ".mustache"


class BrokenPrompts(GenUiError):
    """A folder of prompts cannot be used; the text names the file and says why."""


def prompts_in(directory: str | Path | None) -> PromptSet:
    """Return the prompts of a folder, if any, and the built-in prompts for those that are missing.

    Raises BrokenPrompts if the folder or a file in it cannot be read, or is not a prompt template.
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
    """Report a section that is not closed now, not when the first view is generated."""
    from chevron.tokenizer import ChevronError, tokenize  # noqa: PLC0415 -- only for a folder of prompts

    try:
        list(tokenize(text))
    except ChevronError as error:
        line = " ".join(str(error).split())
        raise BrokenPrompts(f"{path}: {line}") from error


def brand_from(settings: BrandSettings) -> Brand:
    """Return the brand that the settings describe.

    Raises InvalidBrand if a file cannot be read or used; the text names it.
    """
    return Brand(
        settings.name,
        _read(settings.css, lambda content: properties_in(content.decode())) if settings.css else {},
        _read(settings.logo, logo_in) if settings.logo else "",
    )


def _read(file: str, parse: Callable[[bytes], Content]) -> Content:
    try:
        return parse(Path(file).read_bytes())
    except OSError as error:
        raise InvalidBrand(f"{file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InvalidBrand(f"{file}: it is not written in UTF-8") from error
    except InvalidBrand as error:
        raise InvalidBrand(f"{file}: {error}") from error
