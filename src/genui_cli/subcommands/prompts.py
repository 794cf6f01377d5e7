"""``mcp-gen-ui prompts``: prints the prompt templates, and copies them into a folder for changes."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from genui_cli.cli_error import CliError, demand_known, writing
from genui_cli.flags import examples, file_flags, json_flag
from genui_cli.output import note, say_json, say_raw, say_table

if TYPE_CHECKING:
    from genui_core.domain.prompting.prompt_set import PromptSet

_NO_PROMPT = "there is no prompt"


@click.group(
    no_args_is_help=False, epilog=examples("mcp-gen-ui prompts list", "mcp-gen-ui prompts eject my-prompts")
)
def prompts() -> None:
    """List or print the prompts for models, or copy them into a folder."""


@prompts.command("list", epilog=examples("mcp-gen-ui prompts list", "mcp-gen-ui prompts list --json"))
@file_flags
@json_flag
def list_prompts(*, as_json: bool, **values: object) -> None:
    """Name the prompts, with their versions and where they are from."""
    from genui_core.application.services import built_prompts  # noqa: PLC0415 -- not for --help
    from genui_core.domain.prompting.prompt_set import template_header  # noqa: PLC0415

    (used, folder), built_in = _used(values), built_prompts().templates
    rows = [
        (name, str(header.version), "built in" if text == built_in.get(name) else str(folder))
        for name, text in sorted(used.templates.items())
        if (header := template_header(text))
    ]
    if as_json:
        listed = [{"name": name, "version": int(version), "source": source} for name, version, source in rows]
        say_json({"id": used.set_id, "version": used.version, "hash": used.content_hash, "prompts": listed})
    else:
        say_table([("prompt", "version", "from"), *rows])


@prompts.command(epilog=examples("mcp-gen-ui prompts show generate"))
@click.argument("name")
@file_flags
def show(name: str, **values: object) -> None:
    """Print one prompt as a model gets it, with its variables not filled in."""
    used, _ = _used(values)
    demand_known((name,), sorted(used.templates), _NO_PROMPT)
    say_raw(used.templates[name])


@prompts.command(
    epilog=examples("mcp-gen-ui prompts eject my-prompts", "mcp-gen-ui prompts eject my-prompts generate")
)
@click.argument("folder", default="prompts", type=click.Path(file_okay=False))
@click.argument("names", nargs=-1)
@click.option("--force", is_flag=True, help="Replace existing files.")
def eject(folder: str, names: tuple[str, ...], *, force: bool) -> None:
    """Write the built-in prompts into FOLDER, all or those in NAMES, to be changed there."""
    from genui_adapters.bundle import READABLE  # noqa: PLC0415 -- not for --help
    from genui_adapters.configured_files import SUFFIX  # noqa: PLC0415
    from genui_adapters.view_store.private_files import replace_whole  # noqa: PLC0415
    from genui_core.application.services import built_prompts  # noqa: PLC0415

    templates = built_prompts().templates
    demand_known(names, templates, _NO_PROMPT)
    targets = {Path(folder, f"{name}{SUFFIX}"): templates[name] for name in names or templates}
    present = next((path for path in targets if path.exists()), None)
    if present and not force:
        raise CliError(f"{present} exists", hint="add --force to replace it")
    with writing(folder, "name a folder that you may write: mcp-gen-ui prompts eject FOLDER"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, text in targets.items():
            replace_whole(path.resolve(), text.encode(), mode=READABLE, keeps_mode=True)
    say_raw("".join(f"{path}\n" for path in targets))
    note(f'to use them: "generation": {{"promptsDirectory": "{folder}"}}')


def _used(values: dict[str, object]) -> "tuple[PromptSet, str | None]":
    from genui_adapters.configured_files import prompts_in  # noqa: PLC0415
    from genui_cli.configuration.loading import load  # noqa: PLC0415

    loaded = load(values, os.environ, needs_upstream=False)
    folder = loaded.configuration.settings.prompts_directory
    return prompts_in(folder), folder
