"""The fixture `ran`, which runs a command line up to the point where it would start something."""

import json
from pathlib import Path

import pytest
from attrs import define, fields, has

from genui_cli.configuration import loading
from genui_cli.subcommands.exporting import Export
from genui_cli.subcommands.upstream_tools import InspectedTool
from genui_cli.upstream_options import UpstreamOptions
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.settings.setting import note_of

TOOLS = [
    InspectedTool({"name": name, "inputSchema": {"type": "object"}}, "minimal", "it says so", 0)
    for name in ("first", "second")
]


@define
class Ran:
    """The result of a command line.

    Attributes:
        upstream: The upstream that the command would start or inspect.
        configuration: The configuration that was read last.
        page: The options with which the preview would be served.
        export: The arguments of the export that would run.
        check: The check that would run.
    """

    code: int = 0
    out: str = ""
    err: str = ""
    upstream: UpstreamOptions | None = None
    configuration: Configuration | None = None
    page: object = None
    export: dict | None = None
    check: object = None

    @property
    def data(self):
        """The standard output, parsed as JSON."""
        return json.loads(self.out)

    def value(self, path):
        """Return the value of a config key."""
        return dict(_values(self.configuration))[path]


def _values(section):
    for attribute in fields(type(section)):
        value, note = getattr(section, attribute.name), note_of(attribute.metadata)
        if note is not None:
            yield note.key, value
        elif has(type(value)):
            yield from _values(value)


def noting(real, seen):
    def noted(*args, **named):
        loaded = real(*args, **named)
        seen.configuration = loaded.configuration
        return loaded

    return noted


async def validated(_checks):
    return "a sound view is accepted"


@pytest.fixture
def ran(command, monkeypatch):
    """Run a command line and return its result; it starts nothing."""
    seen = Ran()
    monkeypatch.setenv("NO_COLOR", "")  # what the command sets itself is put back with it

    def launched(upstream, _configuration=None):
        seen.upstream = upstream
        return 0

    async def served(options):
        seen.page = options

    async def checked(check, _report):
        seen.check, seen.page = check, check.options
        return []

    async def inspected(upstream, _configuration):
        seen.upstream = upstream
        return TOOLS

    async def exported(upstream, _configuration, folder, **more):
        seen.upstream, seen.export = upstream, {"folder": folder, **more}
        return Export((), {})

    for name in ("load", "examine"):
        monkeypatch.setattr(loading, name, noting(getattr(loading, name), seen))
    instead = {
        "genui_cli.entry.launch": launched,
        "genui_cli.subcommands.exporting.exported": exported,
        "genui_cli.preview.server.serve_preview": served,
        "genui_cli.check.checking.Check.run": checked,
        # The checks first: loaded later, it would take the other one's stand-in for the real thing.
        "genui_cli.subcommands.doctor_checks.inspected": inspected,
        "genui_cli.subcommands.upstream_tools.inspected": inspected,
        "genui_cli.subcommands.doctor_checks.Checks._validate": validated,
        "genui_cli.subcommands.doctor_checks.find_browser": lambda _environment: None,
    }
    for name, stand_in in instead.items():
        monkeypatch.setattr(name, stand_in)

    def running(*words, **variables):
        seen.page = seen.upstream = None
        seen.code, seen.out, seen.err = command(*words, **variables)
        proxy = passed_on_by(words, seen)
        if proxy:
            command(*proxy)
        return seen

    return running


def passed_on_by(words, seen):
    """Return the flags with which the command, or later a host, starts a wrapper."""
    if seen.page is not None:
        return seen.page.proxy_argv[4:]
    if words[0] == "install" and Path("../home/.cursor/mcp.json").exists():
        servers = json.loads(Path("../home/.cursor/mcp.json").read_text())["mcpServers"]
        return next((entry["args"][3:] for entry in servers.values() if "-m" in entry["args"]), ())
    return ()
