"""The flags of the commands, in groups, as a person types them."""

from collections.abc import Callable
from functools import reduce, wraps
from typing import Any, Final, TypeVar, cast

import rich_click as click
from click import get_current_context

from genui_cli.upstream_options import UpstreamOptions

PROVIDER_EXAMPLES: Final = {
    "auto": "by a key that is set, or a running Ollama",
    "none": "no model; every tool has its minimal view",
    "anthropic": "with ANTHROPIC_API_KEY; or anthropic:MODEL",
    "openai": "with OPENAI_API_KEY; or openai:MODEL",
    "ollama:qwen3-coder": "a running Ollama, no key",
    "host": "the host's own model, by sampling",
    "replay:FOLDER": "answers recorded in a folder",
    "manual:FOLDER": "a person answers through files in a folder",
    "package.module:Class": "a class of an installed package",
}
"""A value of ``--llm`` for each provider, and what it means."""
HOST_NAMES: Final = ("claude-desktop", "claude-code", "cursor", "vscode", "goose")
"""The hosts that `install` knows."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


class ProviderOption(click.RichOption):
    """The flag ``--llm``; its help names every provider that there is, those of installed packages too."""

    @property
    def help(self) -> str:
        """What is said about the flag."""
        from genui_adapters.llm.choice import PROVIDERS  # noqa: PLC0415 -- for help only

        return f"{self._help} One of {', '.join(PROVIDERS.names())}, or a class: package.module:Class."

    @help.setter  # noqa: A003 -- the name in the base class
    def help(self, text: str) -> None:
        self._help = text


def examples(*lines: str) -> str:
    """Return the end of a help text. Each example is a paragraph: the help renderer joins the lines of one."""
    return "\n\n".join(("[b]Examples[/b]", *(f"[dim]$[/dim] {line}" for line in lines)))


def examples_with_models(*lines: str) -> str:
    """Return the end of the help text of a command with ``--llm``: its examples, and all providers."""
    width = max(map(len, PROVIDER_EXAMPLES))
    rows = (f"--llm {value:{width}}  [dim]{meaning}[/dim]" for value, meaning in PROVIDER_EXAMPLES.items())
    return "\n\n".join((examples(*lines), "[b]Providers[/b]", *rows))


def _group(*flags: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Return the decorator that gives a command these flags, in the order in which its help lists them."""
    return lambda command: reduce(lambda made, flag: flag(made), reversed(flags), command)


_upstream_flags = _group(
    click.option(
        "--upstream",
        metavar="CMD|URL",
        help="The upstream's command line in quotes, or its URL; or type the command after --.",
    ),
    click.option(
        "-e",
        "--env",
        multiple=True,
        metavar="KEY=VALUE",
        help="Set an upstream variable; KEY alone copies it from this environment.",
    ),
    click.option("--env-file", metavar="FILE", help="Give the upstream the variables in this file."),
    click.option("--cwd", metavar="DIR", help="Start the upstream in this directory."),
    click.option(
        "-H",
        "--header",
        "headers",
        multiple=True,
        metavar="NAME: VALUE",
        help="Send this header to an upstream behind a URL; ${VARIABLE} is replaced.",
    ),
)


def upstream_flags(command: _Command) -> _Command:
    """What a person says about the upstream; the command gets it as one value, ``upstream``."""

    @wraps(command)
    def gathered(*args: Any, **values: Any) -> Any:
        typed = {name: values.pop(name) for name in ("upstream", "env", "env_file", "cwd", "headers")}
        argv = get_current_context().obj
        return command(*args, upstream=UpstreamOptions(argv=argv, **typed), **values)

    return cast("_Command", _upstream_flags(gathered))


_PORT = click.IntRange(0, 65535)
_PORT.name = "port"  # in help and errors, instead of "integer range"
serve_flags = _group(
    click.option(
        "--transport",
        type=click.Choice(["stdio", "http", "sse"]),
        show_default="stdio",
        help="Serve the host that starts this command, or many over HTTP or SSE.",
    ),
    click.option("--host", metavar="ADDRESS", show_default="127.0.0.1", help="Serve on this address."),
    click.option("--port", type=_PORT, show_default="8000", help="Serve on this port; 0 takes a free one."),
    click.option(
        "--token",
        metavar="TOKEN",
        help="Require this token in every request; better set MCP_GEN_UI_TOKEN.",
    ),
    click.option(
        "--allowed-host",
        "allowed_hosts",
        multiple=True,
        metavar="NAME",
        help="Accept this host name too, besides those of this machine.",
    ),
    click.option(
        "--allowed-origin",
        "allowed_origins",
        multiple=True,
        metavar="ORIGIN",
        help="Accept requests from pages of this origin, such as https://app.example.",
    ),
)
"""What a person says about serving (``serve``)."""

log_flags = _group(
    click.option(
        "--log-level",
        type=click.Choice(["debug", "info", "warn", "error"]),
        show_default="info",
        help="The lowest level to log.",
    ),
    click.option(
        "--log-format",
        type=click.Choice(["text", "json"]),
        show_default="text",
        help="Log lines for people, or JSON objects.",
    ),
)

json_flag = click.option("--json", "as_json", is_flag=True, help="Print results and errors as JSON.")

file_flags = _group(
    click.option("--config", metavar="FILE", help="The configuration file; see `mcp-gen-ui config --help`."),
    click.option("-q", "--quiet", is_flag=True, help="Print no warnings about the configuration."),
    click.option("--no-color", is_flag=True, help="No colours, as with NO_COLOR set."),
    click.option("--debug", is_flag=True, help="Log everything, keep no views, show where errors come from."),
)
"""What a person says about the configuration where it is clear which server is meant."""

configuration_flags = _group(
    file_flags,
    click.option(
        "--server", metavar="NAME", help="The server to use from a file that lists several (mcpServers)."
    ),
)
"""What a person says about where the configuration is, and which of its servers is meant."""

model_flags = _group(
    click.option(
        "--llm",
        cls=ProviderOption,
        metavar="PROVIDER[:MODEL]",
        show_default="auto",
        help="Which model writes the views: a provider, and its model.",
    ),
    click.option("--model", metavar="NAME", help="The model, where --llm names none."),
    click.option("--no-cache", is_flag=True, help="Keep no views; generate each one again."),
)
"""What a person says about who writes the views."""

server_flags = _group(upstream_flags, configuration_flags, model_flags)
"""What a person says about the upstream, the configuration and the model."""

proxy_flags = _group(
    server_flags,
    click.option(
        "--frozen", metavar="DIR", help="Serve the views that were exported into this folder, with no model."
    ),
)
"""What a person says about a wrapper that serves views."""

page_flags = _group(
    click.option("--port", type=_PORT, default=0, help="Serve the page on this port; 0 takes a free one."),
    click.option("--open/--no-open", "open_browser", default=True, help="Open the page in the browser."),
)
"""What a person says about the page of the preview."""
