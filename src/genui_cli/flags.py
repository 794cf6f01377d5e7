"""The flags that several commands share, in groups, and the examples at the end of each help text."""

from collections.abc import Callable
from functools import reduce, wraps
from typing import Any, Final, TypeVar, cast

import rich_click as click
from click import get_current_context

from genui_cli.upstream_options import CHOICES, UpstreamOptions

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
"""For each provider an example of ``--llm``, with its meaning."""
HOST_NAMES: Final = ("claude-desktop", "claude-code", "cursor", "vscode", "goose")
"""The hosts that `install` supports."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


class ProviderOption(click.RichOption):
    """The flag ``--llm``, whose help lists every provider, also those of installed packages."""

    @property
    def help(self) -> str:
        """The help text of the flag."""
        from genui_adapters.llm.choice import PROVIDERS  # noqa: PLC0415 -- for help only

        return f"{self._help} One of {', '.join(PROVIDERS.names())}, or a class: package.module:Class."

    @help.setter  # noqa: A003 -- the name in the base class
    def help(self, text: str) -> None:
        self._help = text


def examples(*lines: str) -> str:
    """Return the examples of a help text, each a paragraph: the renderer joins the lines of a paragraph."""
    return "\n\n".join(("[b]Examples[/b]", *(f"[dim]$[/dim] {line}" for line in lines)))


def examples_with_models(*lines: str) -> str:
    """Return the examples of a command that accepts ``--llm``, followed by all providers."""
    width = max(map(len, PROVIDER_EXAMPLES))
    rows = (f"--llm {value:{width}}  [dim]{meaning}[/dim]" for value, meaning in PROVIDER_EXAMPLES.items())
    return "\n\n".join((examples(*lines), "[b]Providers[/b]", *rows))


def _group(*flags: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Return a decorator that adds these flags to a command; its help lists them in this order."""
    return lambda command: reduce(lambda made, flag: flag(made), reversed(flags), command)


def choice_flag(name: str, default: str, about: str) -> Callable[[_Command], _Command]:
    """Return the flag of the proxy for this parameter of `CHOICES`, with the words that it accepts."""
    words = click.Choice(CHOICES[name])
    return click.option(f"--{name.replace('_', '-')}", type=words, show_default=default, help=about)


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
    """Add the flags about the upstream to a command, which gets them as one argument, ``upstream``."""

    @wraps(command)
    def gathered(*args: Any, **values: Any) -> Any:
        typed = {name: values.pop(name) for name in ("upstream", "env", "env_file", "cwd", "headers")}
        argv = get_current_context().obj
        return command(*args, upstream=UpstreamOptions(argv=argv, **typed), **values)

    return cast("_Command", _upstream_flags(gathered))


_PORT = click.IntRange(0, 65535)
_PORT.name = "port"  # in help and errors, instead of "integer range"
serve_flags = _group(
    choice_flag("transport", "stdio", "Serve the host that starts this command, or many over HTTP or SSE."),
    click.option("--host", metavar="ADDRESS", show_default="127.0.0.1", help="Serve on this address."),
    click.option("--port", type=_PORT, show_default="8000", help="Serve on this port; 0 takes a free one."),
    click.option(
        "--token", metavar="TOKEN", help="Require this token in every request; better set MCP_GEN_UI_TOKEN."
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
"""The flags for serving over HTTP or SSE (section ``serve``)."""

log_flags = _group(
    choice_flag("log_level", "info", "The lowest level to log."),
    choice_flag("log_format", "text", "Log lines for people, or JSON objects."),
)

json_flag = click.option("--json", "as_json", is_flag=True, help="Print results and errors as JSON.")

file_flags = _group(
    click.option("--config", metavar="FILE", help="The configuration file; see `mcp-gen-ui config --help`."),
    click.option("-q", "--quiet", is_flag=True, help="Print no warnings about the configuration."),
    click.option("--no-color", is_flag=True, help="No colours, as with NO_COLOR set."),
    click.option("--debug", is_flag=True, help="Log everything, keep no views, show where errors come from."),
)
"""The flags about the configuration, for commands that need no choice of a server."""

configuration_flags = _group(
    file_flags,
    click.option(
        "--server", metavar="NAME", help="The server to use from a file that lists several (mcpServers)."
    ),
)
"""The flags about the configuration, with the choice of one of its servers."""

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
"""The flags about the model that writes the views."""

server_flags = _group(upstream_flags, configuration_flags, model_flags)
"""The flags about the upstream, the configuration and the model."""

proxy_flags = _group(
    server_flags,
    click.option(
        "--frozen", metavar="DIR", help="Serve the views that were exported into this folder, with no model."
    ),
)
"""The flags of commands that run a wrapper."""

page_flags = _group(
    click.option("--port", type=_PORT, default=0, help="Serve the page on this port; 0 takes a free one."),
    click.option("--open/--no-open", "open_browser", default=True, help="Open the page in the browser."),
)
"""The flags about the preview's page."""
