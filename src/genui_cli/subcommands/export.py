"""``mcp-gen-ui export``: every UI of a server as a file, with a manifest."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from genui_cli.cli_error import OK, TOOL_OR_MODEL_FAILED, CliError, writing
from genui_cli.flags import examples_with_models, json_flag, proxy_flags
from genui_cli.output import note, say_json, say_table
from genui_cli.upstream_options import UpstreamOptions

if TYPE_CHECKING:
    from genui_cli.subcommands.exporting import Export, Progress
    from genui_core.domain.settings.configuration import Configuration

_FOLDER = "exported-views"


@click.command(
    epilog=examples_with_models(
        "mcp-gen-ui export -- python my_server.py",
        "mcp-gen-ui export --llm anthropic --export-dir views -- python my_server.py",
        "mcp-gen-ui export --tool get_forecast --tool get_alerts -- python my_server.py",
        "mcp-gen-ui --frozen views -- python my_server.py",
        "mcp-gen-ui export --as-app app -- python my_server.py",
    )
)
@proxy_flags
@click.option("-o", "--export-dir", metavar="DIR", show_default=_FOLDER, help="The folder to write.")
@click.option(
    "--as-app", metavar="DIR", help="Write a TypeScript server into this folder, which serves the views."
)
@click.option(
    "--tool", "names", metavar="NAME", multiple=True, help="Only this tool; the others in the folder stay."
)
@click.option("--force", is_flag=True, help="Write into a folder that holds other things too.")
@json_flag
def export(
    upstream: UpstreamOptions,
    names: tuple[str, ...],
    export_dir: str | None,
    as_app: str | None,
    *,
    force: bool,
    as_json: bool,
    quiet: bool,
    **values: object,
) -> int:
    """Write every UI of a server into a folder, as pages that work without mcp-gen-ui.

    No tool is called. If a model is configured, it writes the views that are not stored yet;
    otherwise every tool gets its minimal view. --frozen serves the views of such a folder.
    """
    if as_app is not None and values["frozen"] is not None:
        hint = "leave --frozen out: the app gets the views that are kept"
        raise CliError("--as-app and --frozen do not go together", hint=hint)
    if as_app is not None and export_dir is not None:
        raise CliError("--as-app and --export-dir each name the folder to write", hint="use one of them")
    from genui_cli.configuration.loading import load_aloud  # noqa: PLC0415

    upstream, configuration = load_aloud(upstream, values, quiet=quiet)
    folder = (export_dir or _FOLDER) if as_app is None else as_app
    return export_all(
        upstream, configuration, folder, names=names, force=force, as_app=as_app is not None, as_json=as_json
    )


def export_all(
    upstream: UpstreamOptions,
    configuration: "Configuration",
    folder: str,
    *,
    names: tuple[str, ...] = (),
    force: bool = False,
    as_app: bool = False,
    as_json: bool = False,
) -> int:
    """Export, say what was written, and return the exit code.

    Raises:
        CliError: The upstream, the folder or a tool cannot be used.
        GenUiError: The upstream cannot be reached, or the model not be had.
    """
    import anyio  # noqa: PLC0415 -- not for --help

    from genui_cli.subcommands.exporting import exported  # noqa: PLC0415

    place = Path(folder).expanduser()
    work = partial(exported, names=names, force=force, as_app=as_app, progress=_progress())
    flag = "--as-app" if as_app else "--export-dir"
    with writing(place, f"name a folder that you may write: {flag} DIR"):
        export_made = anyio.run(work, upstream, configuration, place)
    _tell(export_made, place, as_app=as_app, as_json=as_json)
    return TOOL_OR_MODEL_FAILED if export_made.failed else OK


def _progress() -> "Progress":
    """Return what counts on a terminal, and says nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _count: None
    done = 0

    def count(of: int) -> None:
        nonlocal done
        done += 1
        sys.stderr.write(f"\r{done} of {of} UIs" + ("\n" if done == of else ""))
        sys.stderr.flush()

    return count


def _tell(export_made: "Export", folder: object, *, as_app: bool, as_json: bool) -> None:
    for name, reason in export_made.skipped.items():
        note(f"{name}: no UI was exported: {reason}")
    for view in export_made.failed:
        note(f"{view.tool}: the minimal view was exported: {view.fallback_reason}")
    if export_made.kept:
        note(f"not written, since they exist: {', '.join(export_made.kept)}; delete one to get it again")
    if as_json:
        from genui_core.domain.settings.setting import json_name  # noqa: PLC0415 -- not for --help

        names = ("tool", "file", "ui_type", "size_bytes", "sha256", "fallback_reason")
        views = [{json_name(name): getattr(each, name) for name in names} for each in export_made.views]
        say_json({"folder": str(folder), "views": views, "skipped": export_made.skipped})
        return
    rows = [(each.tool, each.ui_type, str(each.size_bytes), each.file) for each in export_made.views]
    say_table([("tool", "UI", "bytes", "file"), *rows])
    use = f"--frozen {folder}" if not as_app else f"cd {folder} && npm install && npm run build && npm start"
    note(f"{len(rows)} UIs in {folder}; serve them without a model: {use}")
