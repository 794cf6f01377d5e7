"""Checks each tool's view: reads it as a host does, validates it, and shows it in a browser."""

import json
import os
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio
from attrs import Factory, evolve, frozen
from click.exceptions import Exit

from genui_adapters.chromium import BrowserFailed, find_browser, open_page
from genui_adapters.validator_process import WorkerProcessValidator
from genui_cli.check.stage import Fault, Form, Shown, Stage, until
from genui_cli.check.stories import Story, misfit, sample_story
from genui_cli.cli_error import FAILED, UPSTREAM_UNREACHABLE, CliError, demand_known
from genui_cli.configuration.files import read_text
from genui_cli.output import note
from genui_cli.preview.connection import START_TIMEOUT_S, Connection
from genui_cli.preview.page_api import ServerEnded
from genui_cli.preview.server import PreviewOptions, open_preview
from genui_cli.subcommands.upstream_tools import quiet_event_log, upstream_tools
from genui_cli.upstream_options import UpstreamOptions
from genui_core.application.pages.exported_page import page_source
from genui_core.application.services import BuiltViewKit
from genui_core.application.upstream_tools import tool_pages
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import ui_address
from genui_core.domain.validation.extraction import ValidationContext
from genui_core.errors import GenUiError, UpstreamFailed

_IS_AXE = "try {{ (0, eval)({script}) }} catch {{}} typeof globalThis.axe?.run === 'function'"
"""JavaScript that returns whether a script, in place of the braces, provides axe-core."""


@frozen
class CheckedTool:
    """A tool, and the result of the check of its view.

    Attributes:
        view: ``rich``, ``minimal``, ``own`` or ``none``.
        shown: The results: first ``view`` for reading and validation, then each story.
        notes: Messages about what could not be checked, and why.
    """

    name: str
    title: str = ""
    view: str = "none"
    shown: list[Shown] = Factory(list)
    notes: list[str] = Factory(list)

    @property
    def faults(self) -> list[Fault]:
        """The faults of all results."""
        return [fault for each in self.shown for fault in each.faults]


Report = Callable[[CheckedTool], None]
"""A callback after the check of each tool."""


@frozen
class Check:
    """One run of ``check``.

    Attributes:
        options: The options of the preview, which starts the wrapper.
        names: The tools to check; empty for all.
        browser: The path of the browser; None to show no views.
        axe: The file of axe-core; None for the built-in checks only.
    """

    options: PreviewOptions
    settings: Settings
    stories: Sequence[Story] = ()
    names: tuple[str, ...] = ()
    browser: str | None = None
    axe: Path | None = None
    _validator: WorkerProcessValidator = Factory(WorkerProcessValidator)

    async def run(self, report: Report = lambda _tool: None) -> list[CheckedTool]:
        """Check the tools, and report each when its check ends. No tool of the upstream is called.

        Raises:
            ServerEnded: The wrapper does not start, or ends.
            GenUiError: The wrapper does not list its tools.
            Exit: The wrapper does not start, and has printed why on standard error.
            BrowserFailed: The browser does not start, or ends.
            CliError: There is no tool of a given name.
        """
        async with open_preview(self.options) as (address, connection):
            try:
                return await self._run(address, connection, report)
            except ServerEnded as error:
                said = str(connection.state.get("errorOutput") or "")  # the log may lack the last words
                if not said or "its last words are" in said:
                    raise
                code = max(connection.exit_code or 0, 0) or UPSTREAM_UNREACHABLE  # a signal is below 0
                raise Exit(code) from error

    async def _run(self, address: str, connection: Connection, report: Report) -> list[CheckedTool]:
        tools, checked = await _tools(connection), list[CheckedTool]()
        demand_known((*self.names, *(each.tool for each in self.stories)), tools)
        axe = None if self.axe is None else read_text(self.axe)
        async with open_page(self.browser) if self.browser else nullcontext() as page:
            if page and axe is not None and not await page.run(_IS_AXE.format(script=json.dumps(axe))):
                raise CliError(f"{self.axe} is not axe-core", hint="name its axe.min.js, or --axe none")
            stage = None if page is None else Stage(page, address, axe)
            for name, definition in tools.items():
                if not self.names or name in self.names:
                    try:
                        checked.append(await self._check_tool(connection, definition, [*tools], stage))
                    except BrowserFailed as error:
                        raise BrowserFailed(f"{name}: {error}") from error
                    report(checked[-1])
        return checked

    async def _check_tool(
        self, connection: Connection, definition: dict[str, Any], names: list[str], stage: Stage | None
    ) -> CheckedTool:
        tool = CheckedTool(definition["name"], str(definition.get("title") or ""))
        meta = definition.get("_meta") or {}
        address = (meta.get("ui") or {}).get("resourceUri") or meta.get("ui/resourceUri")
        if not isinstance(address, str):
            tool.notes.append("the tool has no view")
            return tool
        is_ours = address.partition("?")[0] == ui_address(tool.name)
        view, general = "own", Shown("view")
        tool.shown.append(general)
        resource = await self._read(connection, address, general)
        if is_ours and resource:
            view = await self._validate(connection, tool.name, str(resource["html"]), names, general)
            resource = await self._read(connection, ui_address(tool.name), general)
        tool = evolve(tool, view=view)
        if resource and stage is None:
            tool.notes.append("the view was not shown: there is no browser")
        elif resource and stage is not None:
            await self._show(stage, definition, resource, tool)
        return tool

    async def _show(
        self, stage: Stage, definition: dict[str, Any], resource: dict[str, Any], tool: CheckedTool
    ) -> None:
        schema = definition.get("inputSchema")
        is_ours = tool.view != "own"
        stories = [each for each in self.stories if each.tool == tool.name]
        misfits = [(each, misfit(dict(each.arguments), schema)) for each in stories]
        fitting = (each for each, wrong in misfits if not wrong)
        basis = next(fitting, None) or sample_story(tool.name, definition)
        for story, wrong in misfits:
            if wrong and not story.failed:
                tool.shown[0].add("story", f"{story.name}: {wrong}")
        answers = {
            each.tool: {"result": each.result, "error": each.error}
            for each in reversed((*self.stories, basis))
        }
        wrong = misfit(dict(basis.arguments), schema)
        if wrong:
            tool.notes.append(
                f"the form was not sent: no sample fits the input schema ({wrong}); add a story"
            )
        form = Form(basis.arguments, schema, is_ours=is_ours) if not wrong else None
        for each in (None, *(stories or (basis,))) if is_ours else stories or (basis,):
            # The wrapper's views begin with a form; other views may show one beside a result.
            sent = form if each is None or not is_ours else None
            name = "form" if each is None else each.name
            tool.shown.append(await stage.show(definition, resource, answers, name, story=each, form=sent))

    async def _read(self, connection: Connection, address: str, shown: Shown) -> dict[str, Any] | None:
        try:
            answer = await connection.request("resources/read", {"uri": address})
        except UpstreamFailed as failed:
            shown.add("unreadable", f"{address}: {failed.error.get('message')}")
            return None
        first: Any = (answer.get("contents") or [{}])[0]  # type: ignore[index]
        if first.get("mimeType") != "text/html;profile=mcp-app" or not first.get("text"):
            shown.add("unreadable", f"{address} is {first.get('mimeType') or 'of no type'} and holds no view")
            return None
        about = (first.get("_meta") or {}).get("ui") or {}
        kept = {key: about[key] for key in ("csp", "permissions", "prefersBorder") if key in about}
        return {"html": first["text"], **kept}

    async def _validate(
        self, connection: Connection, name: str, html: str, names: list[str], shown: Shown
    ) -> str:
        """Validate the view if a model wrote it, and return the kind of the view."""
        facts = await self._facts(connection, name)
        if facts.get("fallbackReason"):
            shown.add("fallback", f"the minimal view is served: {facts['fallbackReason']}")
        if facts.get("state") == "provisional":
            shown.add("fallback", "the view was not written within the time limits of generation")
        written = page_source(html, BuiltViewKit())
        if written is not None and written.text:
            known = ValidationContext(
                mode=written.mode,
                callable_tools=frozenset(names),
                nonce=secrets.token_hex(8),
                strict=self.settings.generation.strict,
            )
            report = await self._validator.validate(written.text, known)
            if not report.is_valid:
                for each in report.findings:
                    place = f"{each.block} {each.line}:{each.column}"
                    shown.add("refused", f"{place}: {each.rule}: {each.message}")
        return str(facts.get("uiType") or "minimal")

    async def _facts(self, connection: Connection, name: str) -> Mapping[str, Any]:
        """Return the wrapper's facts about a view, once the view is final or its generation timed out."""
        limits, facts = self.settings.generation, dict[str, Any]()

        async def is_final() -> bool:
            nonlocal facts
            params: dict[str, object] = {"name": "_ui_inspect", "arguments": {"toolName": name}}
            answer: Any = await connection.request("tools/call", params)
            facts = answer.get("structuredContent") or {}
            return facts.get("state") != "provisional"

        await until(is_final, limits.timeout_ms * (limits.max_retries + 2) / 1000)
        return facts


async def _tools(connection: Connection) -> dict[str, dict[str, Any]]:
    """Return the upstream's tools by name, as the wrapper lists them."""

    async def has_started() -> bool:
        return connection.state["state"] != "starting"

    await until(has_started, START_TIMEOUT_S)
    pages = tool_pages(partial(connection.request, "tools/list"), {})
    listed: list[Any] = [each async for page in pages for each in cast("list[Any]", page["tools"])]
    return {each["name"]: each for each in listed if not each["name"].startswith("_ui_")}


def check_tools(plan: Check, target: UpstreamOptions, configuration: Configuration) -> list[CheckedTool]:
    """Check the views of an upstream's tools, and return the results.

    Raises:
        CliError: The browser or the wrapper cannot be used.
        Exit: The wrapper does not start, and has printed why on standard error.
    """
    try:
        return anyio.run(plan.run, _progress)
    except BrowserFailed as error:
        hint = "name another with --browser PATH, or leave it out with --browser none"
        text = f"{plan.browser} cannot show views: {error}"
        raise CliError(text, hint=hint, exit_code=FAILED) from error
    except (GenUiError, ServerEnded) as error:
        # The upstream without the wrapper gives the clearer error.
        anyio.run(upstream_tools, target, configuration, quiet_event_log(target, configuration))
        hint = "start it by itself: mcp-gen-ui inspect -- COMMAND"
        raise CliError(f"the wrapper does not serve: {error}", hint=hint, exit_code=FAILED) from error


def _progress(tool: CheckedTool) -> None:
    if sys.stderr.isatty():
        note(f"checked {tool.name}")


def programs(browser: str | None, axe: str | None) -> tuple[str | None, Path | None]:
    """Return the browser and the file of axe-core to use, each or None. Raises CliError if one is missing."""
    for name, file in (("--browser", browser), ("--axe", axe)):
        if file not in (None, "none") and not Path(str(file)).is_file():
            raise CliError(f"{name} {file}: there is no such file", hint="name a file that is there")
    usual = os.environ.get("CHROME_PATH") or find_browser(os.environ)
    found = None if browser == "none" else str(Path(browser).absolute()) if browser else usual
    script = find_axe(Path.cwd()) if axe is None else Path(axe) if axe != "none" else None
    if found is None:
        note("no view is shown, since there is no browser: views are read and validated only")
    elif script is None and axe is None:
        note("axe-core is not used: npm install axe-core, or --axe FILE; the built-in checks run")
    return found, script


def find_axe(folder: Path) -> Path | None:
    """Return the file of axe-core in the ``node_modules`` of a folder or of a folder above it, or None."""
    places = (each / "node_modules" / "axe-core" / "axe.min.js" for each in (folder, *folder.parents))
    return next((each for each in places if each.is_file()), None)
