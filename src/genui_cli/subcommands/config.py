"""``mcp-gen-ui config``: prints and checks the configuration, and writes a first file."""

import json
import os
from pathlib import Path

import rich_click as click

from genui_cli.cli_error import FAILED, OK, CliError, writing
from genui_cli.flags import configuration_flags, examples, examples_with_models, json_flag, model_flags
from genui_cli.output import note, say, say_json, say_table


@click.group(
    no_args_is_help=False,
    epilog=examples(
        "mcp-gen-ui config init", "mcp-gen-ui config check", "mcp-gen-ui config schema > schema.json"
    ),
)
def config() -> None:
    """Show the configuration, check it, or write a new file."""


@config.command(epilog=examples("mcp-gen-ui config schema > mcp-gen-ui.schema.json"))
def schema() -> None:
    """Print the JSON Schema of configuration files."""
    from genui_cli.configuration.documents import json_schema  # noqa: PLC0415 -- not for --help

    say_json(json_schema())


@config.command(
    epilog=examples_with_models(
        "mcp-gen-ui config show", "mcp-gen-ui config show --config wrapper.json --json"
    )
)
@configuration_flags
@model_flags
@json_flag
@click.option("--all", "show_all", is_flag=True, help="Also print the keys with default values.")
def show(*, as_json: bool, show_all: bool, quiet: bool, **values: object) -> None:
    """Print each setting and where it was set. Secrets are left out."""
    from genui_cli.configuration.documents import rows_of  # noqa: PLC0415
    from genui_cli.configuration.loading import load  # noqa: PLC0415 -- not for --help

    loaded = load(values, os.environ, needs_upstream=False)
    for warning in () if quiet else loaded.warnings:
        note(f"warning: {warning}")
    rows = [row for row in rows_of(loaded) if show_all or row[-1] != "default"]
    if as_json:
        listed = {path: {"value": value, "source": source} for path, value, source in rows}
        say_json({"file": str(loaded.file) if loaded.file else None, "values": listed})
        return
    say(f"file: {loaded.file or 'none'}")
    if rows:
        say()
        texts = ((path, json.dumps(value, ensure_ascii=False), source) for path, value, source in rows)
        say_table([("key", "value", "from"), *texts])


@config.command(
    epilog=examples_with_models(
        "mcp-gen-ui config check", "mcp-gen-ui config check --config wrapper.json --json"
    )
)
@configuration_flags
@model_flags
@json_flag
def check(*, as_json: bool, quiet: bool, **values: object) -> int:
    """Print every mistake in the configuration; exit with 1 if there is any."""
    from genui_cli.configuration.documents import problems_of  # noqa: PLC0415 -- not for --help
    from genui_cli.configuration.loading import examine  # noqa: PLC0415

    loaded = examine(values, os.environ, needs_upstream=False)
    problems = problems_of(loaded, os.environ)
    if as_json:
        found = [
            {"source": each.source, "path": each.path, "message": each.text, "hint": each.hint}
            for each in problems
        ]
        file = str(loaded.file) if loaded.file else None
        say_json({"file": file, "problems": found, "warnings": loaded.warnings})
    else:
        for problem in problems:
            say(str(problem))
            say(f"  hint: {problem.hint}")
        for warning in () if quiet else loaded.warnings:
            note(f"warning: {warning}")
        if not problems:
            say(f"{loaded.file or 'No configuration file; the defaults apply'}: nothing is wrong")
    return FAILED if problems else OK


@config.command(
    epilog=examples("mcp-gen-ui config init", "mcp-gen-ui config init --user -- npx -y my-server")
)
@click.argument("path", required=False, type=click.Path(dir_okay=False))
@click.option(
    "--user", is_flag=True, help="Write it into your own configuration folder, for every directory."
)
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.pass_obj
def init(argv: tuple[str, ...], path: str | None, *, user: bool, force: bool) -> None:
    """Write a first configuration file; the command after -- becomes its upstream."""
    from genui_adapters.bundle import READABLE  # noqa: PLC0415 -- not for --help
    from genui_adapters.environment import FILE_NAMES, usual_places  # noqa: PLC0415
    from genui_adapters.view_store.private_files import replace_whole  # noqa: PLC0415
    from genui_cli.configuration.documents import first_file  # noqa: PLC0415

    if path and user:
        raise click.UsageError("PATH and --user do not go together")
    target = Path(path or (usual_places(os.environ)[len(FILE_NAMES)] if user else FILE_NAMES[0]))
    if target.suffix != ".json":
        raise click.UsageError(f"{target} does not end in .json; the file is written as JSON")
    if target.exists() and not force:
        raise CliError(f"{target} exists", hint="add --force to replace it")
    with writing(target, "name another file: mcp-gen-ui config init PATH"):
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_whole(target.resolve(), first_file(argv).encode(), mode=READABLE, keeps_mode=True)
    say(str(target))
