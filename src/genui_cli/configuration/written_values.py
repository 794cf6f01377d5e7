"""What a file says, read where it is written: variables filled in, paths relative to it."""

import os
from collections.abc import Mapping
from pathlib import Path

from attrs import evolve

from genui_cli.configuration.files import ConfigurationFile
from genui_cli.configuration.keys import all_keys
from genui_cli.configuration.layers import Given, Layer
from genui_cli.configuration.problem import Problem
from genui_core.domain.expansion import expanded, expanded_values
from genui_core.errors import UnsetVariable

_FOLDER_PROVIDERS = ("replay", "manual")
"""With these, the place of the model holds a folder."""


def in_place(layer: Layer, file: ConfigurationFile, environment: Mapping[str, str]) -> Layer:
    """Return a file's layer with variables filled in and paths made absolute."""
    given: dict[str, Given] = {}
    problems = [*layer.problems]
    folders = _folders(layer)
    for path, each in layer.given.items():
        note = all_keys()[path].note
        value = each.value
        if note.expands:
            try:
                value = _filled_in(value, environment, path)
            except UnsetVariable as error:
                text = f"names the variable {error.name}, which is not set"
                hint = f"set it, or write a default: ${{{error.name}:-…}}"
                problems.append(Problem(source=each.source, path=error.place, text=text, hint=hint))
                continue
        if isinstance(value, str) and (note.is_path or path in folders or _is_relative_program(path, value)):
            value = str(file.folder / Path(value).expanduser())
        given[path] = evolve(each, value=value)
    return evolve(layer, given=given, problems=tuple(problems))


def _filled_in(value: object, environment: Mapping[str, str], path: str) -> object:
    if isinstance(value, str):
        return expanded(value, environment, path)
    if isinstance(value, Mapping):
        return expanded_values(value, environment, path)
    if isinstance(value, tuple):
        return tuple(expanded(each, environment, f"{path}[{number}]") for number, each in enumerate(value))
    return value


def _folders(layer: Layer) -> tuple[str, ...]:
    provider = layer.given.get("llm.provider")
    return ("llm.model",) if provider is not None and provider.value in _FOLDER_PROVIDERS else ()


def _is_relative_program(path: str, value: str) -> bool:
    """A program that is a bare name is looked for where programs are; one with a folder, beside the file."""
    separators = {"/", os.sep}
    return path == "upstream.command" and any(each in value for each in separators)
