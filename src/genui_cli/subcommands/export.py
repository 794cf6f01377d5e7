"""``mcp-gen-ui export``: writes every view of a server to a file, with a manifest."""

import rich_click as click

from genui_cli.cli_error import CliError
from genui_cli.flags import examples_with_models, json_flag, proxy_flags
from genui_cli.upstream_options import UpstreamOptions

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
    from genui_cli.configuration.loading import load_and_report  # noqa: PLC0415 -- not for --help
    from genui_cli.subcommands.exporting import export_all  # noqa: PLC0415

    upstream, configuration = load_and_report(upstream, values, quiet=quiet)
    folder = (export_dir or _FOLDER) if as_app is None else as_app
    return export_all(
        upstream, configuration, folder, names=names, force=force, as_app=as_app is not None, as_json=as_json
    )
