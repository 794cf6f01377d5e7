"""``mcp-gen-ui validate``: what the judge of generated views has to say about a file."""

import rich_click as click

from genui_cli.complaint import Complaint
from genui_cli.exit_codes import FAILED, OK, USAGE
from genui_cli.flags import examples, json_flag
from genui_cli.output import note, say, say_json

_PAGE, _RICH = 'id="mcp-gen-ui-page"', 'id="mcp-gen-ui-template"'
"""What stands in every page that is served, and in those of which a model wrote a part."""
_PASSED = ("accepted", "repaired")
_EMPTY = "<template></template><script>function render() {}</script><!--end-->"
"""What is judged of a minimal view, in which no model wrote anything."""


@click.command(
    epilog=examples(
        "mcp-gen-ui validate view.html", "mcp-gen-ui validate --tool get_forecast --json view.html"
    )
)
@click.argument("file")
@click.option(
    "--mode",
    type=click.Choice(["fragment", "document"]),
    show_default="document where the file has <html>",
    help="What the file is.",
)
@click.option(
    "--tool", "tools", multiple=True, metavar="NAME", help="A tool that the view may call; may be repeated."
)
@click.option(
    "--lenient", is_flag=True, help="Only note code that is made from texts (security.strict: false)."
)
@json_flag
@click.pass_context
def validate(
    context: click.Context,
    /,
    file: str,
    mode: str | None,
    tools: tuple[str, ...],
    *,
    lenient: bool,
    as_json: bool,
) -> None:
    """Judge a view as one that a model wrote: FILE, or - for standard input. Exit with 1 where it is refused."""
    import secrets  # noqa: PLC0415 -- not for --help

    import anyio  # noqa: PLC0415

    from genui_adapters.judge.worker_process import WorkerProcessJudge  # noqa: PLC0415
    from genui_cli.finding_places import place_in  # noqa: PLC0415
    from genui_core.application.built_kit import BuiltViewKit  # noqa: PLC0415
    from genui_core.application.page_source import page_source  # noqa: PLC0415
    from genui_core.domain.judging.brief import JudgeBrief  # noqa: PLC0415

    text = _read(file)
    if _PAGE in text:
        note(_about_page(file, text))
    written = page_source(text, BuiltViewKit()) if mode is None else None
    if written is not None:
        text, mode = written.text or _EMPTY, written.mode
    whole = "<html" in text.lower() or "<!doctype" in text.lower()
    brief = JudgeBrief(
        mode="document" if mode == "document" or (mode is None and whole) else "fragment",
        callable_tools=frozenset(tools),
        nonce=secrets.token_hex(8),
        strict=not lenient,
    )
    verdict = anyio.run(WorkerProcessJudge().judge, text, brief)
    places = [place_in(text, each) for each in verdict.findings]
    if as_json:
        findings = [
            {**each.as_data(), "fileLine": place and place[0], "fileColumn": place and place[1]}
            for each, place in zip(verdict.findings, places, strict=True)
        ]
        ruling = str(verdict.ruling)
        say_json({"ruling": ruling, "mode": brief.mode, "repairs": verdict.repairs, "findings": findings})
    else:
        for each, place in zip(verdict.findings, places, strict=True):
            line, column = place or (each.line, each.column)
            where = f"{file}:{line}:{column}" if place else f"{file}: {each.block} {line}:{column}"
            say(f"{where}: {each.severity} {each.rule}: {each.message}")
            if each.excerpt:
                say(f"    {each.excerpt}")
            if each.advice:
                say(f"    hint: {each.advice}")
        if verdict.repairs:
            say(f"{file}: repaired: {', '.join(verdict.repairs)}")
        say(f"{file}: {verdict.ruling}")
    context.exit(OK if verdict.ruling in _PASSED else FAILED)


def _about_page(file: str, text: str) -> str:
    """Return where the view is that an exported page shows."""
    from pathlib import Path  # noqa: PLC0415 -- not for --help

    page = f"{file} is a page as it is served, with the kit of mcp-gen-ui in it"
    if _RICH not in text:
        return f"{page}; it shows the minimal view, which no model wrote"
    source = Path(file).with_suffix(".source.html")
    if file != "-" and source.is_file():
        return f"{page}; what the model wrote is in {source}: mcp-gen-ui validate {source}"
    return f"{page}; what the model wrote is in the .source.html that export writes beside it"


def _read(file: str) -> str:
    import sys  # noqa: PLC0415 -- not for --help
    from pathlib import Path  # noqa: PLC0415

    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = f"{file} is not written in UTF-8 (byte {error.start})"
        raise Complaint(text, hint="save it in UTF-8", exit_code=USAGE) from error
    except OSError as error:
        text = f"{file} cannot be read: {error.strerror or error}"
        hint = "name an HTML file that you may read, or - for standard input"
        raise Complaint(text, hint=hint, exit_code=USAGE) from error
