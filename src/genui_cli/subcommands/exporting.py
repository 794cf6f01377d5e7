"""Writes the views of a server into a folder (``export``, and ``--export-dir`` on a terminal)."""

import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from itertools import count
from pathlib import Path, PurePath

import anyio
import chevron
from attrs import evolve, frozen

from genui_adapters.bundle import READABLE, BundleWriter, UnfitFolder, manifest_in
from genui_adapters.compose import wrapper_from
from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.options import RemoteUpstream
from genui_adapters.view_store.private_files import replace_whole
from genui_cli.cli_error import OK, TOOL_OR_MODEL_FAILED, CliError, demand_known, on_one_line, writing
from genui_cli.output import counted, note, say_json, say_table
from genui_cli.subcommands.upstream_tools import no_view_reason, quieter, upstream_tools
from genui_cli.upstream_options import UpstreamOptions, upstream_of, upstream_variables
from genui_core.application.pages.exported_page import ExportedPage
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import Listing
from genui_core.application.views.view_service import ViewService
from genui_core.application.worker.generation_worker import WorkerParts
from genui_core.domain.logging.redaction import secrets_in_request
from genui_core.domain.mcp.envelope import MIME_TYPE
from genui_core.domain.mcp.json_text import json_name
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.tools.tool import Tool, ui_address
from genui_core.domain.views.exported_views import ExportedView


async def write_views(
    views: ToolViews, writer: BundleWriter, tools: list[Tool], written: Callable[[], None]
) -> tuple[ExportedView, ...]:
    """Write the views of tools, call `written` after each, and return their entries in the manifest.

    Raises OSError if a file cannot be written.
    """
    services = views.services
    try:
        async with nursery() as tasks:
            parts = WorkerParts(
                ViewService(services, tasks, lambda _tool, _view: None, views.tools, views.shapes)
            )
            # The time limit of a generation starts with it, so only as many start as can run at once.
            limiter = anyio.CapacityLimiter(views.settings.generation.max_concurrent)

            async def export(tool: Tool) -> None:
                async with limiter:
                    request_id, view = views.identity.request_id(), None
                    if not views.is_ready(tool.name, request_id):
                        view = await views.view_work(tool.name, request_id)(parts, lambda _words: None)
                writer.write(ExportedPage.of(views.pages, tool, view))
                written()

            async with anyio.create_task_group() as exports:
                for tool in tools:
                    exports.start_soon(export, tool)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    finally:
        with anyio.CancelScope(shield=True):
            await services.close()
    writer.save()
    listed = {each.tool: each for each in writer.manifest.views}
    return tuple(listed[each.name] for each in tools)


_WITHOUT_END_MS = 24 * 60 * 60 * 1000
"""The time limit of a read, practically none: a generation has its own limit."""

Progress = Callable[[int], None]
"""A callback after every written view, with the number of all views."""


@frozen
class Export:
    """The result of an export.

    Attributes:
        views: The written views, in the order of the tools.
        skipped: The tools without a view from the wrapper, with the reasons.
        kept: The files of a TypeScript server that existed before and stay as they were.
    """

    views: tuple[ExportedView, ...]
    skipped: dict[str, str]
    kept: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[ExportedView, ...]:
        """The minimal views of tools whose generation failed."""
        return tuple(each for each in self.views if each.fallback_reason is not None)


async def export_views(
    upstream: UpstreamOptions,
    configuration: Configuration,
    folder: Path,
    *,
    names: tuple[str, ...] = (),
    force: bool = False,
    as_app: bool = False,
    progress: Progress = lambda _count: None,
) -> Export:
    """Write the views of an upstream's tools into a folder. No tool is called.

    Args:
        upstream: The typed and configured options of the upstream.
        configuration: The rest of the configuration.
        folder: An empty or missing folder, or an earlier export.
        names: The tools to export, while the other views in the folder stay; empty for all tools.
        force: Whether the folder may hold other files.
        as_app: Whether to write a TypeScript server, with the views in a folder inside.
        progress: Called after every written view.

    Raises:
        CliError: The folder, the upstream, a tool or a configured file cannot be used.
        GenUiError: The model cannot be used.
        OSError: A file cannot be written.
    """
    app = TypeScriptApp.into(folder, upstream, force=force) if as_app else None
    writer = _writer(folder / _VIEWS if app else folder, keep=bool(names), force=force)
    wrapper = wrapper_from(
        _without_time_limit(configuration), os.environ, secrets=upstream_of(upstream, os.environ).secrets
    )
    views = wrapper.open()
    if views.has_model:
        by = views.services.configuration
        note(f"{by.provider} ({by.model}) writes the views that are not kept; --llm none leaves it out")
    info, offered = await upstream_tools(upstream, configuration, wrapper.event_log)
    views.tools.know_upstream(info)
    listing = Listing()
    views.tools.add_page(listing, {"tools": [each.definition for each in offered]})
    views.finish_listing(listing)
    tools = views.tools.active_tools
    demand_known(names, tools)
    wanted = [tool for tool in tools.values() if not names or tool.name in names]
    shown = [each for each in wanted if views.tools.gives_ui(each)]
    written = await write_views(views, writer, shown, partial(progress, len(shown)))
    others, reason = [each for each in wanted if each not in shown], "its definition cannot be shown"
    skipped = {each.name: no_view_reason(each, views.settings) or reason for each in others}
    if app is None:
        return Export(written, skipped)
    titles = {each.name: each.title for each in offered}
    listed = [_app_view(each, titles, views.pages.resource_meta) for each in writer.manifest.views]
    return Export(written, skipped, app.save(listed, info))


def export_all(
    upstream: UpstreamOptions,
    configuration: Configuration,
    folder: str,
    *,
    names: tuple[str, ...] = (),
    force: bool = False,
    as_app: bool = False,
    as_json: bool = False,
) -> int:
    """Export the views, print what was written, and return the exit code.

    Raises:
        CliError: The upstream, the folder or a tool cannot be used.
        GenUiError: The upstream cannot be reached, or the model cannot be used.
    """
    place = Path(folder).expanduser()
    work = partial(export_views, names=names, force=force, as_app=as_app, progress=_progress())
    flag = "--as-app" if as_app else "--export-dir"
    with writing(place, f"name a folder that you may write: {flag} DIR"):
        export_made = anyio.run(work, upstream, configuration, place)
    _tell(export_made, place, as_app=as_app, as_json=as_json)
    return TOOL_OR_MODEL_FAILED if export_made.failed else OK


def _progress() -> Progress:
    """Return a callback that counts the written views on a terminal, and prints nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _count: None
    numbers = count(1)

    def show(of: int) -> None:
        done = next(numbers)
        sys.stderr.write(f"\r{done} of {counted(of, 'UI')}" + ("\n" if done == of else ""))
        sys.stderr.flush()

    return show


def _tell(export_made: Export, folder: object, *, as_app: bool, as_json: bool) -> None:
    for name, reason in export_made.skipped.items():
        note(f"{name}: no UI was exported: {reason}")
    for view in export_made.failed:
        note(f"{view.tool}: the minimal view was exported: {view.fallback_reason}")
    if export_made.kept:
        note(f"not written, since they exist: {', '.join(export_made.kept)}; delete one to get it again")
    if as_json:
        names = ("tool", "file", "ui_type", "size_bytes", "sha256", "fallback_reason")
        views = [{json_name(name): getattr(each, name) for name in names} for each in export_made.views]
        say_json({"folder": str(folder), "views": views, "skipped": export_made.skipped})
        return
    rows = [(each.tool, each.ui_type, str(each.size_bytes), each.file) for each in export_made.views]
    say_table([("tool", "UI", "bytes", "file"), *rows])
    use = f"--frozen {folder}" if not as_app else f"cd {folder} && npm install && npm run build && npm start"
    note(f"{counted(len(rows), 'UI')} in {folder}; to serve without a model: {use}")


def _writer(folder: Path, *, keep: bool, force: bool) -> BundleWriter:
    try:
        return BundleWriter(folder, keep=keep, force=force)
    except UnfitFolder as error:
        is_in_use = error.__cause__ is None and not force
        hint = f"name another folder{', or use --force' if is_in_use else ' that you may write'}"
        raise CliError(str(error), hint=hint) from error


def _without_time_limit(configuration: Configuration) -> Configuration:
    settings = configuration.settings
    generation = evolve(settings.generation, serve_within_ms=_WITHOUT_END_MS)
    return evolve(
        configuration,
        settings=evolve(settings, generation=generation),
        logging=quieter(configuration.logging),
        export_dir=None,
    )


_VIEWS = "views"
_RENDERED = ("package.json", "README.md")
_COPIED = ("tsconfig.json", "src/server.ts", "src/views.ts")


@frozen
class TypeScriptApp:
    """A folder with a TypeScript server, which forwards to the upstream and adds the exported views.

    Attributes:
        upstream: The content of `upstream.json`: how the server reaches the upstream.
        variables: The environment variables that the upstream needs. Their values are not written.
    """

    folder: Path
    upstream: Mapping[str, object]
    variables: tuple[str, ...]

    @classmethod
    def into(cls, folder: Path, upstream: UpstreamOptions, *, force: bool) -> "TypeScriptApp":
        """Return the server of an upstream, in a missing or empty folder or in an earlier export of an app.

        Raises CliError if the folder holds other files and ``force`` is off, or no upstream is named.
        """
        try:
            if not force and folder.is_dir() and any(folder.iterdir()):
                manifest_in(folder / _VIEWS)
        except UnfitFolder:
            hint = "name another folder, or use --force: files that exist stay as they are"
            raise CliError(f"{folder} is neither empty nor an app that was exported", hint=hint) from None
        target = upstream_of(upstream, os.environ)
        if isinstance(target, RemoteUpstream):
            return cls._behind_url(folder, target, upstream)
        command, *args = target.argv
        where = {"command": command, "args": args, "cwd": _relative_path(folder, Path(target.cwd or "."))}
        return cls(folder, where, tuple(upstream_variables(upstream)))

    @classmethod
    def _behind_url(cls, folder: Path, target: RemoteUpstream, typed: UpstreamOptions) -> "TypeScriptApp":
        if secrets_in_request(target.url, {}):
            note("warning: upstream.json stores the URL with its secrets in plain text")
        written = dict(each.partition(":")[::2] for each in typed.headers)
        headers = {}
        for name in target.headers:
            text = written.get(name, "").strip()
            headers[name] = text if "${" in text else f"${{{re.sub('[^A-Z0-9]', '_', name.upper())}}}"
        variables = re.findall(r"\$\{(?:env:)?(\w+)", " ".join(headers.values()))
        where = {"url": target.url, "transport": target.transport, "headers": headers}
        return cls(folder, where, tuple(dict.fromkeys(variables)))

    def save(self, views: Sequence[Mapping[str, object]], server: Mapping[str, object]) -> tuple[str, ...]:
        """Write the list of views, and each file of the project that does not exist yet.

        Returns the files that exist already with another content; they stay as they are.
        """
        project = {name: _template(name) for name in _COPIED}
        project |= {".gitignore": _template("gitignore"), "upstream.json": _json(self.upstream)}
        project |= {name: chevron.render(_template(name), self._facts(server)) for name in _RENDERED}
        kept = []
        for name, text in project.items():
            path = self.folder / name
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                replace_whole(path, text.encode(), mode=READABLE)
            elif path.read_bytes() != text.encode():
                kept.append(name)
        replace_whole(self.folder / "views.json", _json(views).encode(), mode=READABLE)
        return tuple(kept)

    def _facts(self, server: Mapping[str, object]) -> dict[str, object]:
        """Return the values of the templates' variables."""
        title = on_one_line(str(server.get("title") or server.get("name") or "MCP server"))
        slug = re.sub("[^a-z0-9]+", "-", title.lower()).strip("-") or "server"
        program = f"/path/to/{self.folder.resolve().name}/dist/server.js"
        variables = {"env": dict.fromkeys(self.variables, "...")} if self.variables else {}
        entry = {"command": "node", "args": [program], **variables}
        return {
            "name": f"{slug[:100]}-with-views",
            "title": title,
            "description": json.dumps(f"{title}, with interactive views for its tools"),
            "host": f"```json\n{_json({'mcpServers': {slug: entry}})}```",
            "variables": ", ".join(f"`{each}`" for each in self.variables),
            "is_command": "command" in self.upstream,
        }


def _app_view(view: ExportedView, titles: Mapping[str, str], meta: Mapping[str, object]) -> dict[str, object]:
    """Return an entry of `views.json`; its address changes with the page, since hosts cache by address."""
    return {
        "tool": view.tool,
        "uri": ui_address(view.tool, view.sha256[:12]),
        "title": titles.get(view.tool, view.tool),
        "file": f"{_VIEWS}/{view.file}",
        "mimeType": MIME_TYPE,
        "_meta": meta,
    }


def _relative_path(folder: Path, to: Path) -> str:
    """Return the path from one folder to another, absolute where no relative one exists."""
    try:
        return PurePath(os.path.relpath(to.resolve(), folder.resolve())).as_posix()
    except ValueError:
        return to.resolve().as_posix()


def _template(name: str) -> str:
    return (files("genui_cli.subcommands") / "typescript_app" / name).read_text(encoding="utf-8")


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
