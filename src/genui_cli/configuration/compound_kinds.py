"""The kinds of values that have parts."""

import json
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from genui_cli.configuration.kinds import Kind, Schema
from genui_cli.configuration.problem import Unfit
from genui_core.records import frozen


@frozen
class Maybe(Kind):
    """Something, or nothing: null says the same as saying nothing."""

    inner: Kind

    @property
    def expected(self) -> str:
        """What is taken."""
        return self.inner.expected

    def checked(self, value: object) -> object:
        """Return it."""
        return None if value is None else self.inner.checked(value)

    def schema(self) -> Schema:
        """Return its schema."""
        return {"anyOf": [self.inner.schema(), {"type": "null"}]}

    def read(self, text: str) -> object:
        """Return what a text stands for."""
        return self.inner.read(text)


@frozen
class ListOf(Kind):
    """A list of values of one kind. A variable holds it with commas between, or as JSON."""

    inner: Kind
    make: Callable[[Any], object] = tuple

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"a list, each {self.inner.expected}"

    def checked(self, value: object) -> object:
        """Return it."""
        if not isinstance(value, list):
            raise Unfit(value, self.expected)
        return self.make([self._part(number, each) for number, each in enumerate(value)])

    def _part(self, number: int, value: object) -> object:
        try:
            return self.inner.checked(value)
        except Unfit as unfit:
            raise unfit.inside(f"[{number}]") from None

    def schema(self) -> Schema:
        """Return its schema."""
        return {"type": "array", "items": self.inner.schema()}

    def read(self, text: str) -> object:
        """Return what a text stands for."""
        if text.lstrip().startswith("["):
            return _json(text, self.expected)
        return [self.inner.read(each.strip()) for each in text.split(",") if each.strip()]


@frozen
class ByName(Kind):
    """Values of one kind by names that a person chooses. A variable holds them as JSON."""

    inner: Kind

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"an object with names, each with {self.inner.expected}"

    def checked(self, value: object) -> object:
        """Return them."""
        if not isinstance(value, Mapping):
            raise Unfit(value, self.expected)
        return {str(name): self._part(name, each) for name, each in value.items()}

    def _part(self, name: object, value: object) -> object:
        try:
            return self.inner.checked(value)
        except Unfit as unfit:
            raise unfit.inside(f".{name}") from None

    def schema(self) -> Schema:
        """Return its schema."""
        return {"type": "object", "additionalProperties": self.inner.schema()}

    def read(self, text: str) -> object:
        """Return what a text stands for."""
        return _json(text, self.expected)


@frozen
class Record(Kind):
    """An object with keys of its own, made into one value."""

    parts: Mapping[str, tuple[str, Kind]]
    """By key: the name of the argument, and the kind of its value."""
    make: Callable[..., object]

    @property
    def expected(self) -> str:
        """What is taken."""
        return f"an object with {', '.join(self.parts)}"

    def checked(self, value: object) -> object:
        """Return it."""
        if not isinstance(value, Mapping):
            raise Unfit(value, self.expected)
        return self.make(**dict(self._part(str(key), each) for key, each in value.items()))

    def _part(self, key: str, value: object) -> tuple[str, object]:
        if key not in self.parts:
            near = get_close_matches(key, self.parts, n=1)
            raise Unfit(
                value,
                f"one of the keys {', '.join(self.parts)}",
                f".{key}",
                hint=f"did you mean {near[0]}?" if near else "",
            )
        argument, kind = self.parts[key]
        try:
            return argument, kind.checked(value)
        except Unfit as unfit:
            raise unfit.inside(f".{key}") from None

    def schema(self) -> Schema:
        """Return its schema."""
        properties = {key: kind.schema() for key, (_, kind) in self.parts.items()}
        return {"type": "object", "additionalProperties": False, "properties": properties}

    def read(self, text: str) -> object:
        """Return what a text stands for."""
        return _json(text, self.expected)


def _json(text: str, expected: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Unfit(text, f"{expected}, as JSON") from None
