"""What a provider needs of the configuration, and the model that it uses if none is named."""

import json
from functools import cache
from pathlib import Path

from genui_core.records import field, frozen


@frozen(kw_only=True)
class ProviderOptions:
    """How to reach a model.

    Attributes:
        model: Its name.
        api_key: Never shown, not even in this object's own text.
        base_url: Another server than the provider's own.
        api: ``responses`` or ``chat``, where a provider has both; None for what fits the server.
        effort: How much a model that thinks is to think, in its provider's own words.
    """

    model: str
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    api: str | None = None
    effort: str | None = None


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


@cache
def _table() -> dict[str, object]:
    table: dict[str, object] = json.loads(FILE.read_text(encoding="utf-8"))
    return table
