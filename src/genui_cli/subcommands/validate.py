"""``mcp-gen-ui validate``: validates a file as the wrapper validates a model's view."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from genui_cli.cli_error import FAILED, OK, CliError
from genui_cli.flags import examples, json_flag
from genui_cli.output import note, say, say_json

if TYPE_CHECKING:
    from genui_core.application.pages.exported_page import PageSource
    from genui_core.domain.settings.llm_settings import GenerationMode
    from genui_core.domain.validation.finding import Block, Finding


_PAGE = 'id="mcp-gen-ui-page"'
"""A text that every served or exported page contains."""
_EMPTY = "<template></template><script>function render() {}</script><!--end-->"
"""The text to validate for a minimal view, which no model wrote."""


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
    "--lenient", is_flag=True, help="Only warn about code made from strings (security.strict: false)."
)
@json_flag
def validate(file: str, mode: str | None, tools: tuple[str, ...], *, lenient: bool, as_json: bool) -> int:
    """Validate a view: FILE, or - for standard input. Exit with 1 if the rules refuse it."""
    import secrets  # noqa: PLC0415 -- not for --help

    import anyio  # noqa: PLC0415

    from genui_adapters.validator_process import WorkerProcessValidator  # noqa: PLC0415
    from genui_core.application.pages.exported_page import page_source  # noqa: PLC0415
    from genui_core.application.services import BuiltViewKit  # noqa: PLC0415
    from genui_core.domain.validation.extraction import ValidationContext  # noqa: PLC0415

    text = _read(file)
    source_file = _source_file(file)
    if _PAGE in text and mode is None:
        written = page_source(text, BuiltViewKit())
        if written is None:
            raise _foreign_page(file, source_file)
        text, mode, lines_of = _source_of(file, written, source_file)
    else:
        lines_of = file
    whole = "<html" in text.lower() or "<!doctype" in text.lower()
    known = ValidationContext(
        mode="document" if mode == "document" or (mode is None and whole) else "fragment",
        callable_tools=frozenset(tools),
        nonce=secrets.token_hex(8),
        strict=not lenient,
    )
    report = anyio.run(WorkerProcessValidator().validate, text, known)
    found = [(each, place_in(text, each) if lines_of else None) for each in report.findings]
    if as_json:
        findings = [
            {**each.as_data(), "fileLine": place and place[0], "fileColumn": place and place[1]}
            for each, place in found
        ]
        data = {"ruling": str(report.ruling), "mode": known.mode, "repairs": report.repairs}
        say_json({**data, "findings": findings, "linesOf": lines_of})
    else:
        for each, place in found:
            line, column = place or (each.line, each.column)
            where = f"{lines_of}:{line}:{column}" if place else f"{file}: {each.block} {line}:{column}"
            say(f"{where}: {each.severity} {each.rule}: {each.message}")
            if each.excerpt:
                say(f"    {each.excerpt}")
            if each.advice:
                say(f"    hint: {each.advice}")
        if report.repairs:
            say(f"{file}: repaired: {', '.join(report.repairs)}")
        say(f"{file}: {report.ruling}")
    return OK if report.is_valid else FAILED


def _source_file(file: str) -> Path | None:
    """Return the source file that ``export`` wrote beside a page, or None."""
    source = Path(file).with_suffix(".source.html") if Path(file).name else None
    return source if source is not None and file != "-" and source.is_file() else None


def _source_of(
    file: str, written: "PageSource", source_file: Path | None
) -> "tuple[str, GenerationMode, str | None]":
    """Return a page's text to validate, its mode, and the file that its line numbers refer to, if any."""
    page = f"{file} is a page of this version of mcp-gen-ui"
    if not written.text:
        note(f"{page}; it shows the minimal view, which no model wrote")
        return _EMPTY, written.mode, None
    beside = None if source_file is None else _read(str(source_file))
    if beside is not None and written.is_built_of(beside):
        note(f"{page}; what the model wrote is validated, and lines are those of {source_file}")
        return beside, written.mode, str(source_file)
    note(f"{page}; what the model wrote is validated, and lines count within its blocks")
    return written.text, written.mode, None


def _foreign_page(file: str, source_file: Path | None) -> CliError:
    """Return the error about a page that was changed, or that another version made."""
    text = f"{file} is a page of mcp-gen-ui that was changed, or that another version made"
    beside = "validate the .source.html that export writes beside it"
    command = beside if source_file is None else f"mcp-gen-ui validate {source_file}"
    hint = f"only what the model wrote is validated: {command}; --mode document validates the page as it is"
    return CliError(text, hint=hint)


def _read(file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = f"{file} is not written in UTF-8 (byte {error.start})"
        raise CliError(text, hint="save it in UTF-8") from error
    except OSError as error:
        text = f"{file} cannot be read: {error.strerror or error}"
        raise CliError(text, hint="name an HTML file that you may read, or - for standard input") from error


_AROUND = (0, 1, -1)
"""A block begins on the line of its tag or on the next; a repair may have moved it by one line."""


def place_in(text: str, finding: "Finding") -> tuple[int, int] | None:
    """Return the line and column of a finding in the whole file, from 1; None if its excerpt is not there."""
    excerpt = finding.excerpt.partition("\n")[0].rstrip("…")
    if not excerpt:
        return None
    lines = text.splitlines()
    numbers = (first + finding.line - 1 for first in _first_lines(text, finding.block))
    held = [each for each in numbers if 0 < each <= len(lines) and excerpt in lines[each - 1]]
    for each in held:
        if lines[each - 1].startswith(excerpt, finding.column - 1):
            return each, finding.column
    return (held[0], lines[held[0] - 1].index(excerpt) + 1) if held else None


def _first_lines(text: str, block: "Block") -> Iterator[int]:
    """Yield the lines that may be the first of a block of that kind."""
    tags = [tag.start() for tag in re.finditer(rf"<{block}\b", text, re.IGNORECASE)]
    for start in [0, *tags] if str(block) == "document" else tags:
        yield from (text.count("\n", 0, start) + 1 + shift for shift in _AROUND)
