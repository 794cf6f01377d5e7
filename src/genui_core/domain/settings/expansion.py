"""Variables in configured texts: ``${NAME}``, ``${env:NAME}`` and ``${NAME:-default}``."""

import re
from collections.abc import Mapping

from genui_core.errors import UnsetVariable

_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def expanded(text: str, environment: Mapping[str, str], place: str) -> str:
    """Return the text with every variable replaced by its value; values are not expanded again.

    As in a shell, a default also stands in for a variable that is empty. What looks only
    almost like a variable is left as it is.

    Args:
        text: What was configured.
        environment: The variables that are set.
        place: Where the text stands, for the error: ``upstream.headers.Authorization``.

    Raises:
        UnsetVariable: A variable is not set, and there is no default for it.
    """

    def value(match: re.Match[str]) -> str:
        name, default = match.groups()
        found = environment.get(name)
        if default is not None:
            return found or default
        if found is None:
            raise UnsetVariable(name, place)
        return found

    return _VARIABLE.sub(value, text)


def expanded_values(texts: Mapping[str, str], environment: Mapping[str, str], place: str) -> dict[str, str]:
    """Return a mapping with every value expanded; the place of each is ``place`` and its key.

    Raises:
        UnsetVariable: As `expanded`.
    """
    return {key: expanded(text, environment, f"{place}.{key}") for key, text in texts.items()}
