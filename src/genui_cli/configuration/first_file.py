"""The configuration file that a person begins with."""

import json
from collections.abc import Sequence


def first_file(argv: Sequence[str]) -> str:
    """Return its text.

    Args:
        argv: The upstream's command line, or nothing.
    """
    content: dict[str, object] = {"llm": {"provider": "auto"}, "generation": {"defaultTheme": "light"}}
    if argv:
        content = {"upstream": {"command": argv[0], "args": list(argv[1:])}, **content}
    return f"{json.dumps(content, indent=2)}\n"
