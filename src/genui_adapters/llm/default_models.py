"""The default model of each provider, from ``default_models.json``, the only place that names models."""

import json
from functools import cache
from pathlib import Path

from attrs import frozen

FILE = Path(__file__).with_name("default_models.json")


@frozen
class DefaultModels:
    """The models of one provider.

    Attributes:
        model: Writes views; None where only the provider knows what it has.
        classify_model: Decides which tools are worth one; None where that is the same model.
    """

    model: str | None = None
    classify_model: str | None = None


def default_models(provider: str) -> DefaultModels:
    """Return the models of a provider; those of one that is not listed are left to itself."""
    listed = _table().get(provider)
    if not isinstance(listed, dict):
        return DefaultModels()
    return DefaultModels(listed.get("model"), listed.get("classifyModel"))


def checked_on() -> str:
    """Return the day on which the names were last seen to be right."""
    return str(_table()["checked"])


@cache
def _table() -> dict[str, object]:
    table: dict[str, object] = json.loads(FILE.read_text(encoding="utf-8"))
    return table
