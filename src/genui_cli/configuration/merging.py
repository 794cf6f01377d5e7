"""Which of what several sources give holds."""

from collections.abc import Iterable, Mapping

from genui_cli.configuration.layers import Given, Layer

COMMAND_KEYS = frozenset(f"upstream.{key}" for key in ("command", "args", "env", "cwd"))
URL_KEYS = frozenset(f"upstream.{key}" for key in ("url", "headers"))
TARGET_KEYS = COMMAND_KEYS | URL_KEYS | {"upstream.transport"}
"""What an upstream on the command line replaces, all of it: half of another server is no use."""

_PROVIDER = "llm.provider"
_OF_THE_PROVIDER = frozenset(
    f"llm.{key}" for key in ("model", "classifyModel", "apiKey", "baseUrl", "api", "effort")
)


def merged(layers: Iterable[Layer]) -> dict[str, Given]:
    """Lay sources over each other, the strongest last."""
    result: dict[str, Given] = {}
    for layer in layers:
        dropped = _replaced(result, layer.given)
        result = {path: each for path, each in result.items() if path not in dropped}
        result.update(layer.given)
    return result


def _replaced(below: Mapping[str, Given], above: Mapping[str, Given]) -> frozenset[str]:
    """Return what no longer means anything: values beside one that is replaced by another kind of it.

    Another provider must not be sent the key of the one before, nor be asked for its models.
    """
    dropped: frozenset[str] = frozenset()
    if "upstream.url" in above and "upstream.command" not in above:
        dropped = COMMAND_KEYS | {"upstream.transport"}
    elif "upstream.command" in above and "upstream.url" not in above:
        dropped = URL_KEYS | {"upstream.transport"}
    if _PROVIDER in below and _PROVIDER in above and below[_PROVIDER].value != above[_PROVIDER].value:
        dropped = dropped | _OF_THE_PROVIDER
    return dropped
