"""The flags of the commands, in groups, as a person types them."""

from collections.abc import Callable
from typing import Any, TypeVar

import rich_click as click

_Command = TypeVar("_Command", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """Return the end of a help text. Each example is a paragraph: the help renderer joins the lines of one."""
    return "\n\n".join(("[b]Examples[/b]", *(f"[dim]$[/dim] {line}" for line in lines)))


def upstream_flags(command: _Command) -> _Command:
    """What a person says about the upstream."""
    for flag in (
        click.option("--cwd", metavar="DIR", help="Start the upstream in this directory."),
        click.option(
            "-e",
            "--env",
            multiple=True,
            metavar="KEY=VALUE",
            help="Give the upstream a variable; KEY passes on ours.",
        ),
        click.option(
            "--upstream",
            metavar="CMD|URL",
            help="The upstream's command line, in one word; or write it after --. Or its URL.",
        ),
    ):
        command = flag(command)
    return command


def serve_flags(command: _Command) -> _Command:
    """What a person says about serving, the fields of `genui_cli.serve.ServeOptions`."""
    for flag in (
        click.option(
            "--allowed-origin",
            "allowed_origins",
            multiple=True,
            metavar="ORIGIN",
            help="A page from there may speak to us, as https://app.example.",
        ),
        click.option(
            "--allowed-host",
            "allowed_hosts",
            multiple=True,
            metavar="NAME",
            help="We may be called by this name, besides those of this machine.",
        ),
        click.option(
            "--token",
            metavar="TOKEN",
            help="Every request must carry it; better kept in MCP_GEN_UI_TOKEN.",
        ),
        click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True),
        click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True),
        click.option(
            "--transport",
            type=click.Choice(["stdio", "http", "sse"]),
            default="stdio",
            show_default=True,
            help="Serve one host that starts us, or many over Streamable HTTP or SSE.",
        ),
        click.option(
            "-H",
            "--header",
            "headers",
            multiple=True,
            metavar="NAME: VALUE",
            help="Send this to an upstream behind a URL; ${VARIABLE} is filled in.",
        ),
    ):
        command = flag(command)
    return command


def log_flags(command: _Command) -> _Command:
    """What a person says about the log."""
    for flag in (
        click.option("--log-format", type=click.Choice(["text", "json"]), default="text", show_default=True),
        click.option(
            "--log-level",
            type=click.Choice(["debug", "info", "warn", "error"]),
            default="info",
            show_default=True,
        ),
    ):
        command = flag(command)
    return command


def page_flags(command: _Command) -> _Command:
    """What a person says about the page of the preview."""
    for flag in (
        click.option("--open/--no-open", "open_browser", default=True, help="Open the page in the browser."),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=0,
            help="Serve the page on this port; 0 takes a free one.",
        ),
    ):
        command = flag(command)
    return command
