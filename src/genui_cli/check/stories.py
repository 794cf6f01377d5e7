"""Stories: recorded calls of tools, and sample calls made from the tools' schemas."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from attrs import frozen

from genui_cli.cli_error import CliError
from genui_core.application import augmentation

_BY_FORMAT = {
    "date": "2026-03-14",
    "date-time": "2026-03-14T15:09:00Z",
    "time": "15:09:00Z",
    "email": "ada@example.com",
    "uri": "https://example.com/a",
    "url": "https://example.com/a",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
}
_DEEPEST = 5
_EXAMPLE = '{"tool": "NAME", "arguments": {…}, "result": {"content": […]}}'
Schema = Mapping[str, Any]


@frozen
class Story:
    """A call of a tool, which the browser shows in the tool's view.

    Attributes:
        name: The name of the story in the report.
        result: The tool's result, as in the protocol.
        error: The error, if there is no result.
    """

    tool: str
    name: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None

    @property
    def failed(self) -> bool:
        """Whether the call failed."""
        return self.result is None or bool(self.result.get("isError"))

    @property
    def values(self) -> list[str]:
        """The texts and numbers in the result or error; a view must show some of them."""
        shown = (
            (self.result or {}).get("structuredContent") or (self.result or {}).get("content") or self.error
        )
        return plain_values(shown)


def read_stories(folder: Path) -> list[Story]:
    """Return the stories in a folder, one JSON file each.

    Raises CliError if the folder or a file cannot be read, or a file is not a story.
    """
    if not folder.is_dir():
        raise CliError(f"{folder} is no folder", hint="name the folder with the stories: --stories DIR")
    return [_story(path) for path in sorted(folder.rglob("*.json"))]


def _story(path: Path) -> Story:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CliError(f"{path} cannot be read: {error}", hint=f"a story is {_EXAMPLE}") from error
    data = data if isinstance(data, dict) else {}
    parts = (data.get("arguments", {}), data.get("result", {}), data.get("error", {}))
    are_objects = all(isinstance(each, dict) for each in parts)
    has_one_outcome = ("result" in data) != ("error" in data)
    if not (isinstance(data.get("tool"), str) and are_objects and has_one_outcome):
        text = f"{path} is no story: it needs a tool, and either a result or an error"
        raise CliError(text, hint=f"a story is {_EXAMPLE}")
    name = str(data.get("name", path.stem))
    return Story(data["tool"], name, parts[0], data.get("result"), data.get("error"))


def sample_story(name: str, definition: Mapping[str, Any]) -> Story:
    """Return a sample story for a tool, made from its schemas."""
    arguments, output = sample(definition.get("inputSchema") or {}), definition.get("outputSchema")
    if not isinstance(output, Mapping):
        result: dict[str, Any] = {"content": [{"type": "text", "text": "This text is a sample result."}]}
    else:
        data = sample(output, whole=True)
        result = {"content": [{"type": "text", "text": json.dumps(data)}], "structuredContent": data}
    return Story(name, "sample", arguments if isinstance(arguments, dict) else {}, result)


def sample(schema: Schema, *, whole: bool = False) -> Any:
    """Return a value that fits a schema; resolves local references only. `whole` adds optional members."""
    return _Sampler(schema, whole).value(schema, 0)


class _Sampler(NamedTuple):
    root: Schema
    whole: bool

    def value(self, given: object, depth: int) -> Any:
        schema = self._resolved(given)
        first = (schema.get("default"), schema.get("const"))
        fixed = (*first, *schema.get("examples", ()), *schema.get("enum", ()))
        if named := [each for each in fixed if each is not None]:
            return named[0]
        for key in ("anyOf", "oneOf", "allOf"):
            if isinstance(schema.get(key), list) and schema[key] and depth < _DEEPEST:
                return self.value({**schema, key: None, **self._resolved(schema[key][0])}, depth + 1)
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) and kind else kind
        if kind == "object" or "properties" in schema:
            return self._object(schema, depth)
        if kind == "array":
            least = int(schema.get("minItems", 0)) or (2 if self.whole else 1)
            count = least if depth < _DEEPEST else 0
            return [self.value(schema.get("items"), depth + 1) for _ in range(count)]
        if kind in ("number", "integer"):
            least, above = schema.get("minimum", 1), schema.get("exclusiveMinimum")
            number = least if above is None else above + 1
            return min(number, schema["maximum"]) if "maximum" in schema else number
        return {"boolean": True, "null": None}.get(str(kind), self._text(schema))

    def _object(self, schema: Schema, depth: int) -> dict[str, Any]:
        properties, required = schema.get("properties") or {}, schema.get("required") or ()
        return {
            name: self.value(each, depth + 1)
            for name, each in properties.items()
            if depth < _DEEPEST and (self.whole or name in required)
        }

    def _text(self, schema: Schema) -> str:
        text = _BY_FORMAT.get(str(schema.get("format")), "sample")
        text = text.ljust(int(schema.get("minLength", 0)), "x")
        return text[: int(schema["maxLength"])] if "maxLength" in schema else text

    def _resolved(self, schema: object) -> Schema:
        if not isinstance(schema, Mapping):
            return {}
        target: Any = self.root
        reference = schema.get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return schema
        for step in reference[2:].split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            target = target.get(name) if isinstance(target, Mapping) else None
        return {**target, **{key: each for key, each in schema.items() if key != "$ref"}} if target else {}


def misfit(data: object, schema: object) -> str | None:
    """Return why data do not fit their schema, or None; None too if the schema is invalid."""
    from jsonschema import SchemaError  # noqa: PLC0415 -- slow, and rarely needed
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    try:
        return augmentation.misfit(data, schema)
    except (SchemaError, Unresolvable, TypeError):
        return None


def plain_values(data: object) -> list[str]:
    """Return the texts and numbers in data, without the bytes of images and audio."""
    if isinstance(data, Mapping):
        encoded = ("data",) if data.get("type") in ("image", "audio") else ()
        skipped = ("type", "code", "annotations", "mimeType", "blob", *encoded)
        return [each for key, value in data.items() if key not in skipped for each in plain_values(value)]
    if isinstance(data, list | tuple):
        return [each for value in data for each in plain_values(value)]
    if isinstance(data, bool) or not isinstance(data, str | int | float):
        return []
    text = str(data).strip()
    if text.startswith(("{", "[")):  # a view shows the values in JSON, not its text
        with suppress(ValueError, RecursionError):
            return plain_values(json.loads(text))
    return [] if not text or text.startswith("<svg") else [text]
