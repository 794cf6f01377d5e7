"""What is installed here."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

_PACKAGES = ("mcp-gen-ui", "mcp", "anthropic", "openai", "ollama")


def versions_here() -> dict[str, str]:
    """Return the versions of ourselves, of the interpreter and of what a report of a problem should name."""
    found = {name: number for name in _PACKAGES if (number := _version(name)) is not None}
    return {**found, "python": platform.python_version(), "platform": sys.platform}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
