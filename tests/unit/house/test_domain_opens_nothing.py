"""The domain opens no file, socket or process: an audit hook of the interpreter records each one.

To watch a function, add a line to `USES`.
"""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

Domain = Mapping[str, ModuleType]

TOOL = {
    "name": "get_forecast",
    "description": "The days ahead",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


class _Kit:
    style = script = document_script = ""


USES: dict[str, Callable[[Domain], object]] = {
    "canonical JSON of a definition": lambda domain: domain["mcp.json_text"].canonical_bytes(TOOL),
    "the hash of a tool": lambda domain: domain["tools.tool"].Tool(TOOL).hash,
    "an address and back": lambda domain: domain["tools.tool"].tool_name_of(
        domain["tools.tool"].ui_address("ä/b ?", "12345678")
    ),
    "the names of the wrapper's own tools": lambda domain: domain["tools.wrapper_tools"].published(
        ["_ui_list"]
    ),
    "the report on a view": lambda domain: domain["validation.validate"].validate(
        "<template><input name=a></template><script>function render() {}</script>",
        domain["validation.extraction"].ValidationContext(
            mode="fragment", callable_tools=frozenset(), nonce="4f1c9a77"
        ),
    ),
    "the data of a minimal page": lambda domain: domain["pages.minimal_view"].page_data(
        domain["tools.tool"].Tool(TOOL), domain["settings.settings"].Settings()
    ),
    "the page of a fragment": lambda domain: domain["pages.generated_page"].view_page(
        domain["tools.tool"].Tool(TOOL),
        "{}",
        _Kit,
        "<template></template><script>function render() {}</script>",
        "fragment",
    ),
    "the page of a document": lambda domain: domain["pages.generated_page"].document_page(
        "{}",
        _Kit,
        '<html><script type="module">import { App } from "@modelcontextprotocol/ext-apps";</script>',
    ),
}

OPENING = (
    "open",
    "os.",
    "shutil.",
    "glob.",
    "tempfile.",
    "socket.",
    "subprocess.",
    "pty.",
    "urllib.",
    "sqlite3.",
)


@pytest.fixture(scope="module")
def domain() -> Domain:
    """Every module of the domain, already imported, because an import may read files."""
    package = importlib.import_module("genui_core.domain")
    prefix = f"{package.__name__}."
    names = [found.name for found in pkgutil.walk_packages(package.__path__, prefix)]
    return {name.removeprefix(prefix): importlib.import_module(name) for name in names}


class _Watch:
    """Records the interpreter's audit events while it is on. Python cannot remove an audit hook."""

    def __init__(self) -> None:
        self.seen: list[str] | None = None
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.seen is not None and event.startswith(OPENING):
            self.seen.append(f"{event} {arguments[:1]!r}")

    @contextmanager
    def on(self) -> Iterator[list[str]]:
        self.seen = seen = []
        try:
            yield seen
        finally:
            self.seen = None


@pytest.fixture(scope="module")
def watch() -> _Watch:
    """A watch that is off."""
    return _Watch()


@pytest.mark.parametrize("use", USES)
def test_a_domain_function_opens_nothing(use: str, domain: Domain, watch: _Watch) -> None:
    with watch.on() as opened:
        USES[use](domain)
    assert opened == []


def test_the_watch_sees_files_and_processes(watch: _Watch, tmp_path: Path) -> None:
    with watch.on() as opened:
        (tmp_path / "note").write_text("seen")
        subprocess.run([sys.executable, "-c", ""], check=True)
    assert {event.split()[0] for event in opened} >= {"open", "subprocess.Popen"}
