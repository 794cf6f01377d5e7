"""The command line as a person sees it: commands, flags, help."""

import sys
from collections.abc import Sequence
from importlib.metadata import version as installed_version
from typing import Any, Literal

import rich_click as click

from genui_cli.exit_codes import OK
from genui_cli.flags import examples, log_flags, page_flags, serve_flags, upstream_flags
from genui_cli.upstream_options import UpstreamOptions, is_remote, upstream_argv

click.rich_click.TEXT_MARKUP = "rich"
click.rich_click.OPTIONS_TABLE_COLUMN_TYPES = ["required", "opt_short", "opt_long", "metavar", "help"]


def run_command(words: Sequence[str], argv: tuple[str, ...]) -> int:
    """Run the command in ``words``; ``argv`` is the upstream's command line, kept apart from ours."""
    try:
        cli.main(list(words), prog_name="mcp-gen-ui", obj=argv)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else OK


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "mcp-gen-ui demo",
        "mcp-gen-ui preview -- python my_server.py",
        "mcp-gen-ui -- python my_server.py",
        'mcp-gen-ui --upstream "uvx mcp-server-git"',
        "mcp-gen-ui --upstream https://example.org/mcp -H 'Authorization: Bearer ${MY_TOKEN}'",
        "mcp-gen-ui --transport http --port 8000 -- python my_server.py",
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@upstream_flags
@serve_flags
@log_flags
@click.option(
    "--apps",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Serve UIs to hosts that ask for them, to all, or to none.",
)
@click.version_option(installed_version("mcp-gen-ui"), prog_name="mcp-gen-ui")
@click.pass_context
def cli(
    context: click.Context,
    /,
    upstream: str | None,
    env: tuple[str, ...],
    cwd: str | None,
    log_level: str,
    log_format: Literal["text", "json"],
    apps: str,
    headers: tuple[str, ...],
    **serving: Any,  # the fields of ServeOptions
) -> None:
    """Put an interactive UI on every tool of any MCP server.

    Without a command: the proxy itself, on standard input and output, for a host to start, or
    over HTTP for many. Everything after -- is the upstream's command line, as it is.
    """
    from genui_cli.proxy import ProxyOptions, run_proxy  # noqa: PLC0415 -- not for --help

    if context.invoked_subcommand is not None:
        return
    typed = UpstreamOptions(upstream, context.obj, env, cwd, headers)
    options = ProxyOptions(log_level, log_format, apps)
    if serving["transport"] == "stdio" and not is_remote(typed) and not headers:
        context.exit(run_proxy(typed, options))
    from genui_cli.serve import ServeOptions, run_serve  # noqa: PLC0415 -- brings the SDK

    context.exit(run_serve(typed, options, ServeOptions(**serving)))


@cli.command(
    epilog=examples(
        "mcp-gen-ui preview -- python my_server.py",
        'mcp-gen-ui preview --port 8000 --no-open --upstream "uvx mcp-server-git"',
    )
)
@upstream_flags
@page_flags
@click.pass_context
def preview(
    context: click.Context,
    upstream: str | None,
    env: tuple[str, ...],
    cwd: str | None,
    port: int,
    *,
    open_browser: bool,
) -> None:
    """Look at a server's UIs in the browser, as a host shows them."""
    typed = UpstreamOptions(upstream, context.obj, env, cwd)
    argv = upstream_argv(typed)
    flags = [word for each in env for word in ("-e", each)] + (["--cwd", cwd] if cwd else [])
    _serve(argv, flags, title=" ".join(argv), port=port, open_browser=open_browser)


@cli.command(epilog=examples("mcp-gen-ui demo", "mcp-gen-ui demo --port 8000 --no-open"))
@page_flags
def demo(port: int, *, open_browser: bool) -> None:
    """Look at the bundled weather server: no key, no configuration."""
    from genui_cli.bundled import weather_server  # noqa: PLC0415 -- not for --help

    _serve(
        (sys.executable, str(weather_server())),
        [],
        title="weather example",
        port=port,
        open_browser=open_browser,
    )


def _serve(argv: Sequence[str], flags: Sequence[str], *, title: str, port: int, open_browser: bool) -> None:
    import anyio  # noqa: PLC0415 -- not for --help

    from genui_cli.preview.options import PreviewOptions  # noqa: PLC0415
    from genui_cli.preview.server import serve_preview  # noqa: PLC0415

    # -P keeps the working directory out of the import path: a module of the user's must not replace ours.
    proxy = (sys.executable, "-P", "-m", "genui_cli", *flags, "--", *argv)
    options = PreviewOptions(
        proxy_argv=proxy,
        title=title,
        port=port,
        open_browser=open_browser,
        announce=lambda line: click.echo(line, err=True),
    )
    anyio.run(serve_preview, options)
