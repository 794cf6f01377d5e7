"""Writes the pages of the docs that are generated from the code: ``.venv/bin/python docs/generators``.

A test fails if a page differs from the generated text.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parent))

from api_page import api_page
from cli_page import cli_page
from configuration_page import with_reference
from errors_page import errors_page
from log_events_page import log_events_page
from rules_page import rules_page
from tools_page import tools_page

DOCS: Final = Path(__file__).parent.parent


def configuration_page() -> str:
    """Return the page about the configuration, of which only the tables are generated."""
    return with_reference((DOCS / "configuration.md").read_text(encoding="utf-8"))


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "configuration.md": configuration_page,
    "rules.md": rules_page,
    "log-events.md": log_events_page,
    "reference/cli.md": cli_page,
    "reference/api.md": api_page,
    "reference/errors.md": errors_page,
    "reference/tools.md": tools_page,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
