"""The checks of ``doctor``: each uses a part as the proxy would, but no model is asked."""

import json
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import anyio
from attrs import Factory, frozen

from genui_adapters.chromium import find_browser, quiet_flags
from genui_adapters.compose import DeferredValidator, provider_from, store_from
from genui_adapters.configured_files import prompts_in
from genui_adapters.llm.choice import check_provider, choose
from genui_adapters.telemetry.configured_event_log import event_log_from
from genui_adapters.view_store.factories import shared_on_redis, views_folder
from genui_cli.cli_error import FAILED, CliError, writing
from genui_cli.configuration.documents import problems_of
from genui_cli.configuration.loading import Loaded, error_of
from genui_cli.failures import error_about
from genui_cli.install.entries import is_wrapper, texts
from genui_cli.install.hosts import HOSTS, Host, ServerFile
from genui_cli.output import counted
from genui_cli.subcommands.upstream_tools import inspect_tools
from genui_cli.upstream_options import UpstreamOptions, split_at_dashes
from genui_core.application.generation.present_view import present_view
from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit, SilentEventLog
from genui_core.domain.pages.generated_page import page_needs, view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.settings.llm_settings import GenerationMode
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import Ruling
from genui_core.domain.views.stored_view import StoredView
from genui_core.errors import GenUiError

_HOST = Path(__file__).with_name("strict_host.html")
_PLACE = '<script type="application/json" id="views">[]'
_REPORT = re.compile(r'<html[^>]* data-report="([^"]*)"')
_PAGE_TIME_MS_PER_VIEW = 6000
_SECONDS_PER_VIEW, _SECONDS_TO_START = 3, 60


@frozen
class Finding:
    """The result of one check.

    Attributes:
        result: The message of a part that works, or the error.
    """

    part: str
    result: str | CliError

    @property
    def error(self) -> CliError | None:
        """Why the part does not work; None if it works."""
        return self.result if isinstance(self.result, CliError) else None

    def as_data(self) -> dict[str, object]:
        """Return the finding as JSON data."""
        hint, last_words = (self.error.hint, self.error.last_words) if self.error else (None, ())
        data = {"part": self.part, "ok": self.error is None, "message": str(self.result), "hint": hint}
        return {**data, "lastWords": [*last_words]} if last_words else data


def pages_of(tools: Sequence[Tool], kept: Sequence[StoredView], settings: Settings) -> list[tuple[str, str]]:
    """Return the names and pages of tools' views: the minimal view of each tool, and its stored views."""
    by_name = {tool.name: tool for tool in tools}
    pages = [(tool.name, _page(tool, settings)) for tool in tools]
    for view in kept:
        if view.html and view.tool_name in by_name:
            page = _page(by_name[view.tool_name], settings, view)
            pages.append((f"{view.tool_name}, as {view.llm_model} wrote it", page))
    return pages


def _page(tool: Tool, settings: Settings, view: StoredView | None = None) -> str:
    data = page_data(tool, settings)
    source = "" if view is None else view.html
    mode: GenerationMode = "fragment" if view is None else present_view(view).mode
    parts = kit_parts(BuiltViewKit(), page_needs(tool, source, mode))
    return view_page(tool, data, parts, source, mode)


async def faults_in_sandbox(browser: str, pages: Sequence[tuple[str, str]]) -> list[str]:
    """Show pages one after the other in a browser, and return the faults of those that fail.

    Raises:
        TimeoutError: The browser took too long.
        OSError: The browser cannot be started, or did not report on the pages.
    """
    views = json.dumps([{"name": name, "html": html} for name, html in pages]).replace("<", "\\u003c")
    host = _HOST.read_text(encoding="utf-8").replace(_PLACE, f"{_PLACE[:-2]}{views}")
    # In virtual time, waiting takes no real time.
    clock = f"--virtual-time-budget={_PAGE_TIME_MS_PER_VIEW * len(pages)}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        file = Path(folder, "page.html")
        file.write_text(host, encoding="utf-8")  # noqa: ASYNC240 -- nothing else waits in a doctor
        flags = (*quiet_flags(), f"--user-data-dir={folder}/profile", clock, "--dump-dom")
        with anyio.fail_after(_SECONDS_TO_START + _SECONDS_PER_VIEW * len(pages)):
            done = await anyio.run_process([browser, *flags, file.as_uri()], check=False)
    report = _REPORT.search(done.stdout.decode(errors="replace"))
    if report is None:
        raise OSError(f"{browser} did not report on a page with views")
    return [fault for each in json.loads(unquote(report[1])) for fault in _faults(each)]


def _faults(seen: Mapping[str, object]) -> list[str]:
    name = seen["name"]
    faults = seen["faults"] if isinstance(seen["faults"], list) else []
    if seen["connected"] and seen["height"]:
        return [f"{name}: {each}" for each in faults]
    what = "stays blank" if seen["connected"] else "does not speak to its host"
    return [f"{name} {what}: {'; '.join(map(str, faults)) or 'no reason is known'}"]


_EXAMPLE = Tool(
    {"name": "example", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}
)
_SOUND_VIEW = "<style></style><template><p></p></template><script>function render(data, ui) {}</script>"


@frozen
class Checks:
    """The checks of one configuration; with `browser`, views are shown in an installed browser."""

    loaded: Loaded
    upstream: UpstreamOptions
    environment: Mapping[str, str]
    browser: bool = True
    _tools: list[Tool] = Factory(lambda: [_EXAMPLE])

    async def findings(self) -> AsyncIterator[Finding]:
        """Run the checks, and yield each finding as soon as its check ends."""
        checks: dict[str, Callable[[], Awaitable[str]]] = {
            "configuration": self._configuration,
            "model": self._model,
            "prompts": self._prompts,
            "checks of views": self._validate,
            "cache": self._cache,
            "upstream": self._upstream,
            "views in a strict sandbox": self._sandbox,
        }
        for part, check in checks.items():
            try:
                yield Finding(part, await check())
            except CliError as error:
                yield Finding(part, error)
            except (GenUiError, OSError) as error:
                yield Finding(part, error_about(error))
        for finding in host_findings(self.environment):
            yield finding

    async def _configuration(self) -> str:
        problems = problems_of(self.loaded, self.environment)
        if problems:
            raise error_of(problems)
        return f"{self.loaded.file or 'no config file; the defaults apply'}"

    async def _model(self) -> str:
        choice = choose(self.loaded.configuration.settings, self.environment)
        provider = provider_from(choice.settings, self.environment)
        if provider is None:
            return f"none ({choice.reason}): every tool gets the minimal view; {choice.change}"
        check_provider(choice.settings.llm, self.environment)
        return f"{provider.name} {provider.model} ({choice.reason}); no model was asked"

    async def _prompts(self) -> str:
        folder = self.loaded.configuration.settings.prompts_directory
        prompts = prompts_in(folder)
        return f"version {prompts.version}, {'built in' if folder is None else f'with those in {folder}'}"

    async def _validate(self) -> str:
        context = ValidationContext(mode="fragment", callable_tools=frozenset(), nonce="checks")
        report = await DeferredValidator().validate(_SOUND_VIEW, context)
        if report.ruling is not Ruling.ACCEPTED:
            raise _failure(
                "a sound view was not accepted: the validator's process does not start, or is too slow",
                "try again when the machine has less to do; --debug on the proxy logs why",
            )
        return "a sound view is accepted"

    async def _cache(self) -> str:
        settings = self.loaded.configuration.settings
        cache = settings.cache
        if cache.type == "memory" and not cache.persist_on_shutdown:
            return "in memory, until the process ends"
        if cache.type == "redis":
            store, _, _ = shared_on_redis(cache, SilentEventLog())
            try:
                return f"{await store.check()} keeps views; it holds {(await store.stats()).entries}"
            finally:
                await store.close()
        if cache.type not in ("memory", "filesystem"):
            return f"{cache.type}; not checked"
        store_from(settings, self.environment)  # raises if the secret of the store cannot be used
        folder = views_folder(cache, self.environment)
        there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        hint = "name a folder that you may write: cache.directory"
        with writing(folder, hint), tempfile.TemporaryFile(dir=there):
            return f"{folder} can be written"

    async def _upstream(self) -> str:
        target = self.loaded.configuration.upstream
        if not (self.upstream.is_named or target.command or target.url):
            return "none is named; to check one, add its command after --"
        tools = await inspect_tools(self.upstream, self.loaded.configuration)
        self._tools[:] = [Tool(each.definition) for each in tools if each.ui_type not in ("own", "none")]
        return f"it answers, and has {counted(len(tools), 'tool')}"

    async def _sandbox(self) -> str:
        """Show the views that the proxy would serve; without an upstream, the view of an example tool."""
        browser = find_browser(self.environment) if self.browser else None
        if browser is None:
            return "not shown: " + ("no browser was found" if self.browser else "--no-browser")
        settings = self.loaded.configuration.settings
        store = store_from(settings, self.environment, event_log_from(self.loaded.configuration.logging))
        pages = pages_of(self._tools, await store.entries(), settings)
        await store.close()
        try:
            faults = await faults_in_sandbox(browser, pages)
        except TimeoutError as error:
            hint = "try again when the machine has less to do, or leave it out with --no-browser"
            raise _failure(f"{browser} took too long to show them", hint) from error
        except OSError as error:
            hint = "start that browser by itself, or leave it out with --no-browser"
            raise _failure(str(error), hint) from error
        if faults:
            hint = "mcp-gen-ui preview shows the same views, with their errors under Issues"
            raise _failure("; ".join(faults), hint)
        return f"{len(pages)} shown by {browser}: if a view stays blank in a host, the cause is the host"


def _failure(text: str, hint: str) -> CliError:
    return CliError(text, hint=hint, exit_code=FAILED)


# --- hosts -----------------------------------------------------------------------------

CHECKED_ON: Final = "2026-11-22"
VIEW_SUPPORT: Final[Mapping[str, str]] = {
    "Claude Desktop": "it shows views beside the answer; pages load nothing from the network",
    "Claude Code": "a terminal shows no views; tools pass as they are; mcp-gen-ui preview shows their views",
    "Cursor": "it shows views in the chat, from version 2.6; older versions show none",
    "VS Code": "it shows views in the chat; inline only, and only with the setting chat.mcp.apps.enabled",
    "Goose": "its desktop program shows views; the one in the terminal shows none",
    "ChatGPT": "it shows views of servers behind a public HTTPS address; "
    "after a reload of the page a view has no data until the tool runs again",
}
"""For each host, how it shows views."""


def host_findings(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a finding for each known host: the entries of the wrapper in its file, and how it shows views."""
    by_title = {host.title: host for host in HOSTS.values()}
    for title, shows in VIEW_SUPPORT.items():
        host, part, support = by_title.get(title), f"host {title}", f"{shows} (as of {CHECKED_ON})"
        try:
            yield Finding(part, support if host is None else f"{_state(host, environment)}; {support}")
        except CliError as error:
            yield Finding(part, error)


def _state(host: Host, environment: Mapping[str, str]) -> str:
    """Return what a host lists. Raises CliError if its file cannot be read, or an entry would not start."""
    files = [file for _, file in host.files(environment, sys.platform)]
    if faults := "; ".join(_faults_of_entries(files, environment)):
        hint = "hosts have a search path of their own: write the command as a whole path"
        raise _failure(faults, hint)
    there, states = [file for file in files if file.path.is_file()], list[str]()
    for file in (each for each in there if each.servers):
        ours = ", ".join(name for name, entry in file.servers.items() if is_wrapper(entry))
        states.append(
            f"{file.path} lists {counted(len(file.servers), 'server')}, {ours or 'none'} through mcp-gen-ui"
        )
    none = f"it has no {' and no '.join(dict.fromkeys(str(file.path) for file in files))}"
    return "; ".join(states or [f"{file.path} lists 0 servers" for file in there] or [none])


def _faults_of_entries(files: Sequence[ServerFile], environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the missing programs of the wrapper's entries: its own command, or the one after ``--``."""
    for name, entry in (each for file in files for each in file.servers.items()):
        if not isinstance(entry, Mapping) or not is_wrapper(entry):
            continue
        _, upstream = split_at_dashes(texts(entry.get("args")))
        for command in (str(entry.get("command")), *upstream[:1]):
            if shutil.which(command, path=environment.get("PATH")) is None:
                yield f"its server {name!r} starts {command!r}, which is not found"
