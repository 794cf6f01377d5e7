"""The manifest of a folder of exported views as a text, written and read with suspicion."""

import json
from collections.abc import Mapping
from typing import Any, Final, TypeVar

from attrs import fields
from cattrs import BaseValidationError, Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from genui_core.domain.views.exported_views import FILE_NAME, ExportedSource, ExportedView, Manifest
from genui_core.errors import GenUiError

MANIFEST: Final = "manifest.json"
FORMAT: Final = "mcp-gen-ui export"
FORMAT_VERSION: Final = 1
"""Raised when folders of old cannot be read any more."""


_Part = TypeVar("_Part")


class NotAnExport(GenUiError):
    """A text is not the manifest of an export; the text says why."""


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as JSON: the same text for the same views."""
    content = {"format": FORMAT, "version": FORMAT_VERSION, **_converter.unstructure(manifest)}
    return json.dumps(content, indent=2) + "\n"


def manifest_from(text: str) -> Manifest:
    """Return the manifest that a text holds.

    Raises:
        NotAnExport: It holds none, one of another version, or one that names files outside of its folder.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAnExport(f"it is no JSON: {error}") from error
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise NotAnExport("it was not written by an export")
    if content.get("version") != FORMAT_VERSION:
        raise NotAnExport(f"it is of version {content.get('version')!r}, and not {FORMAT_VERSION}")
    try:
        manifest = _converter.structure(content, Manifest)
    except (BaseValidationError, TypeError, ValueError) as error:
        raise NotAnExport("it lacks what belongs in it") from error
    foreign = sorted(name for name in manifest.files if not FILE_NAME.fullmatch(name))
    if foreign:
        raise NotAnExport(f"it names {foreign[0]!r}, which no export writes")
    return manifest


def _renaming_converter() -> Converter:
    """Return what reads and writes exported views with names as JSON has them."""
    converter = Converter()
    converter.register_structure_hook_func(lambda wanted: wanted is object, lambda value, _: value)
    for kind in (str, int):
        converter.register_structure_hook(kind, _unchanged)
    parts: tuple[type[Any], ...] = (ExportedSource, ExportedView, Manifest)
    for part in parts:
        names = {each.name: override(rename=_camel(each.name)) for each in fields(part)}
        converter.register_structure_hook(part, make_dict_structure_fn(part, converter, **names))  # type: ignore[arg-type]
        converter.register_unstructure_hook(part, make_dict_unstructure_fn(part, converter, **names))  # type: ignore[arg-type]
    return converter


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _unchanged(value: object, wanted: type[_Part]) -> _Part:
    if type(value) is not wanted:
        raise ValueError(f"{value!r} is no {wanted.__name__}")
    return value


_converter: Final = _renaming_converter()
