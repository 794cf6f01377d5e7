"""The group of all commands with their flags and help, and the commands ``preview`` and ``demo``."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from genui_cli.check.command import check
from genui_cli.cli_error import FAILED, INTERRUPTED, OK, CliError
from genui_cli.command_words import arrange, shown_upstream
from genui_cli.flags import (
    choice_flag,
    examples_with_models,
    file_flags,
    json_flag,
    log_flags,
    model_flags,
    page_flags,
    proxy_flags,
    serve_flags,
)
from genui_cli.output import say, say_json
from genui_cli.subcommands.about import COMPLETION_VARIABLE, completion, version
from genui_cli.subcommands.bundle import bundle
from genui_cli.subcommands.cache import cache
from genui_cli.subcommands.config import config
from genui_cli.subcommands.doctor import doctor
from genui_cli.subcommands.export import export
from genui_cli.subcommands.init import init
from genui_cli.subcommands.inspect import inspect
from genui_cli.subcommands.install import install
from genui_cli.subcommands.prompts import prompts
from genui_cli.subcommands.validate import validate
from genui_cli.upstream_options import UpstreamOptions, proxy_arguments

if TYPE_CHECKING:
    from genui_core.domain.settings.configuration import Configuration

click.rich_click.TEXT_MARKUP = "rich"
click.rich_click.OPTIONS_TABLE_COLUMN_TYPES = ["required", "opt_short", "opt_long", "metavar", "help"]
_IN_CHECKOUT = Path("examples/weather-server/weather_server.py")


Proxy = tuple[UpstreamOptions, "Configuration"]
"""The upstream to serve, and the configuration."""


def run_command(words: Sequence[str], argv: tuple[str, ...]) -> int | Proxy:
    """Run the command in ``words`` and return its exit code; without one, return the proxy to launch.

    Args:
        words: The words before ``--``.
        argv: The upstream's command line.

    Raises CliError if there is no such command, or the command fails.
    """
    ours, upstream = arrange(cli, words, argv)
    try:
        result = cli.main(
            ours,
            prog_name="mcp-gen-ui",
            obj=upstream,
            standalone_mode=False,
            complete_var=COMPLETION_VARIABLE,
        )
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        raise CliError(error.format_message(), hint=_hint(error, ours)) from error
    return OK if result is None else result


def _hint(error: click.ClickException, words: Sequence[str]) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    named = takewhile(lambda word: not word.startswith("-"), words)
    path = context.command_path if context else " ".join(("mcp-gen-ui", *named))
    near = _near_choices(error)
    if near:
        return f"did you mean {' or '.join(near)}? See {path} --help"
    if context is not None and context.command is not cli and isinstance(context.command, click.Group):
        return f"type one of: {', '.join(f'{path} {name}' for name in context.command.commands)}"
    return f"see {path} --help"


def _near_choices(error: click.ClickException) -> list[str]:
    """Return the accepted values of a flag or an argument that are closest to the typed one."""
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param else None
    typed = re.match(r"'(.*?)' is not one of", error.message)
    if typed is None or not isinstance(kind, click.Choice):
        return []
    begins = [each for each in kind.choices if typed[1] and each.startswith(typed[1])]
    return begins or get_close_matches(typed[1], kind.choices)


@click.group(
    invoke_without_command=True,
    epilog=examples_with_models(
        "mcp-gen-ui demo",
        "mcp-gen-ui preview -- python my_server.py",
        "mcp-gen-ui -- python my_server.py",
        'mcp-gen-ui --upstream "uvx mcp-server-git"',
        "mcp-gen-ui --upstream https://example.org/mcp -H 'Authorization: Bearer ${MY_TOKEN}'",
        "mcp-gen-ui --transport http --port 8000 -- python my_server.py",
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@proxy_flags
@click.option(
    "--export-dir",
    metavar="DIR",
    help="Write every UI into this folder as it is made; on a terminal, all of them at once.",
)
@serve_flags
@log_flags
@json_flag
@choice_flag("protocol", "auto", "The MCP protocol era for an upstream behind a URL or HTTP.")
@choice_flag("apps", "auto", "Serve UIs to hosts that ask for them, to all, or to none.")
@choice_flag(
    "companion",
    "onDemand",
    "Offer agents a page in the browser: where the host shows no UIs, always, or never.",
)
@click.version_option(None, "-V", "--version", package_name="mcp-gen-ui", prog_name="mcp-gen-ui")
@click.pass_context
def cli(
    context: click.Context,
    /,
    upstream: UpstreamOptions,
    *,
    quiet: bool,
    as_json: bool,
    **values: object,  # the flags about the configuration
) -> int | Proxy | None:
    """Put an interactive UI on every tool of any MCP server.

    Without a command, this is the proxy: a host starts it and uses standard input and output, or many
    hosts use it over HTTP. Everything after -- is the command line that starts the upstream.
    """
    if context.invoked_subcommand is not None:
        return None
    from genui_cli.configuration.loading import load_and_report  # noqa: PLC0415 -- not for --help

    upstream, configuration = load_and_report(upstream, values, quiet=quiet)
    # On a terminal, no host will read the views one by one: all of them are exported.
    is_for_person = configuration.serve.transport == "stdio" and sys.stdin is not None and sys.stdin.isatty()
    if configuration.export_dir is not None and is_for_person:
        from genui_cli.subcommands.exporting import export_all  # noqa: PLC0415

        return export_all(upstream, configuration, configuration.export_dir, as_json=as_json)
    return upstream, configuration


@cli.command(
    epilog=examples_with_models(
        "mcp-gen-ui preview -- python my_server.py",
        'mcp-gen-ui preview --port 8000 --no-open --upstream "uvx mcp-server-git"',
    )
)
@proxy_flags
@page_flags
@json_flag
def preview(
    upstream: UpstreamOptions,
    port: int,
    *,
    open_browser: bool,
    as_json: bool,
    **values: object,  # the flags about the configuration
) -> None:
    """Look at a server's UIs in the browser, as a host shows them.

    Standard output has the address of the page and nothing else.
    """
    _serve(upstream, values, port, open_browser=open_browser, as_json=as_json)


@cli.command(epilog=examples_with_models("mcp-gen-ui demo", "mcp-gen-ui demo --port 8000 --no-open"))
@file_flags
@model_flags
@page_flags
@json_flag
def demo(port: int, *, open_browser: bool, as_json: bool, **values: object) -> None:
    """Look at the bundled weather server: no key, no configuration.

    Standard output has the address of the page and nothing else.
    """
    server, title = UpstreamOptions(argv=(sys.executable, str(weather_server()))), "the weather example"
    _serve(server, values, port, open_browser=open_browser, as_json=as_json, title=title)


for command in (
    init,
    doctor,
    install,
    bundle,
    inspect,
    export,
    check,
    config,
    validate,
    cache,
    prompts,
    completion,
    version,
):
    cli.add_command(command)


def _has_model(configuration: "Configuration") -> bool:
    """Whether a model can write views here; the preview, as a host, offers no model."""
    from genui_adapters.llm.choice import choose  # noqa: PLC0415 -- not for --help
    from genui_core.domain.settings.llm_settings import HOST  # noqa: PLC0415

    return choose(configuration.settings, os.environ).settings.llm.provider not in {"none", HOST}


def _serve(
    upstream: UpstreamOptions,
    values: Mapping[str, object],
    port: int,
    *,
    open_browser: bool,
    as_json: bool,
    title: str | None = None,
) -> None:
    """Serve the preview of an upstream; its command is the default title of the page."""
    import anyio  # noqa: PLC0415 -- not for --help

    from genui_adapters.compose import provider_from  # noqa: PLC0415
    from genui_cli.configuration.loading import load_and_report  # noqa: PLC0415
    from genui_cli.preview.happenings import sources_of  # noqa: PLC0415
    from genui_cli.preview.server import PreviewOptions, serve_preview  # noqa: PLC0415

    # The proxy reads the configuration itself; reading it here too reports its errors at once.
    target, configuration = load_and_report(upstream, values, quiet=True)
    if configuration.settings.llm.provider != "auto":
        provider_from(configuration.settings, os.environ)  # a missing key is an error before the page opens
    # -P keeps the working directory out of the import path: the user's modules must not replace ours.
    proxy = (sys.executable, "-P", "-m", "genui_cli", *proxy_arguments(upstream, values))
    options = PreviewOptions(
        proxy_argv=proxy,
        title=title or shown_upstream(target),
        sources=sources_of(configuration),
        port=port,
        has_model=_has_model(configuration),
        open_browser=open_browser,
        publish_address=partial(_publish, as_json=as_json),
        announce=lambda line: click.echo(line, err=True),
    )
    anyio.run(serve_preview, options)


def _publish(address: str, *, as_json: bool) -> None:
    """Print the address and redirect standard output to standard error: the browser must not write to it."""
    if as_json:
        say_json({"url": address})
    else:
        say(address)
    sys.stdout.flush()
    with suppress(OSError):
        os.dup2(2, 1)


def weather_server() -> Path:
    """Return the path of the weather server, in the installed package or in the checkout."""
    package = Path(str(files("genui_cli")))
    for place in (package / "examples" / "weather_server.py", package.parents[1] / _IN_CHECKOUT):
        if place.is_file():
            return place
    raise CliError(
        "the weather example is missing from this installation",
        hint="install mcp-gen-ui again",
        exit_code=FAILED,
    )
