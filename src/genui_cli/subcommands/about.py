"""The commands ``version`` and ``completion``."""

import platform
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution

import rich_click as click

from genui_cli.flags import examples, json_flag
from genui_cli.output import say, say_json, say_raw

COMPLETION_VARIABLE = "_MCP_GEN_UI_COMPLETE"
_PACKAGES = ("mcp-gen-ui", "mcp", "anthropic", "openai", "ollama")


@click.command(epilog=examples("mcp-gen-ui version", "mcp-gen-ui version --json"))
@json_flag
def version(*, as_json: bool) -> None:
    """Print the versions of what is installed, for a problem report."""
    versions = versions_here()
    if as_json:
        say_json(versions)
        return
    for name, number in versions.items():
        say(f"{name} {number}")


def versions_here() -> dict[str, str]:
    """Return the versions that a problem report needs: of this package, its SDKs and Python."""
    versions = {}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            versions[name] = distribution(name).version
    return {**versions, "python": platform.python_version(), "platform": sys.platform}


@click.command(
    epilog=examples(
        "mcp-gen-ui completion bash >> ~/.bashrc",
        "mcp-gen-ui completion zsh >> ~/.zshrc",
        "mcp-gen-ui completion fish > ~/.config/fish/completions/mcp-gen-ui.fish",
    )
)
@click.argument("shell", metavar="bash|zsh|fish", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, /, shell: str) -> None:
    """Print the script with which a shell completes commands and flags."""
    from click.shell_completion import BashComplete, FishComplete, ZshComplete  # noqa: PLC0415 -- not for --help

    kind = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}[shell]
    complete = kind(context.find_root().command, {}, "mcp-gen-ui", COMPLETION_VARIABLE)
    # Like `source()`, which would first run the shell to check its version.
    say_raw(complete.source_template % complete.source_vars())
