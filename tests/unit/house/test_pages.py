"""The Markdown pages are sound: links and anchors exist, examples parse, command lines are valid.

`tests/system/test_docs_site.py` checks the site that is built from the pages.
"""

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest
import rich_click as click

from genui_cli.cli_error import CliError
from genui_cli.command_words import arrange
from genui_cli.commands import cli
from genui_cli.configuration.keys import all_keys
from genui_cli.configuration.layers import document_layer
from genui_cli.upstream_options import split_at_dashes

ROOT = Path(__file__).resolve().parents[3]
LEFT_OUT = {"node_modules", ".venv", "build", "recordings", "tests", ".git"}
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in ROOT.rglob("*.md")
    if not LEFT_OUT & {*path.relative_to(ROOT).parts}
)
BLOCK = re.compile(r"^ *```(?P<language>\w*).*?\n(?P<text>.*?)^ *```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
SECTIONS = {key.section for key in all_keys().values()}
OURS = re.compile(r"^(?:\w+=\S+\s+)*(?:mcp-gen-ui|python3 dev\.py)(?=\s|$)(?! — )")
PLACES_OF_COMMANDS = {"HOST": "cursor"}


def read(page):
    return (ROOT / page).read_text(encoding="utf-8")


def without_blocks(text):
    return re.sub(r"`[^`\n]*`", "", BLOCK.sub("", text))


def anchors(text):
    """The anchors of a page, as GitHub makes them from its headings."""
    found = []
    for line in BLOCK.sub("", text).splitlines():
        if heading := re.match(r"#{1,6} (.+)", line):
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            found.append(f"{anchor}-{found.count(anchor)}" if anchor in found else anchor)
    return found


def dead_links(page, text):
    """Yield each link of a page whose target or anchor does not exist."""
    for target in LINK.findall(without_blocks(text)):
        place, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", place):
            continue
        path = (ROOT / page).parent / place if place else ROOT / page
        if not path.exists() or (anchor and anchor not in anchors(path.read_text(encoding="utf-8"))):
            yield target


def blocks(text, language):
    return [block["text"] for block in BLOCK.finditer(text) if block["language"] == language]


def command_lines(text):
    """Yield every command line of this project in a page's shell blocks, with continued lines joined."""
    for block in blocks(text, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            bare = line.strip().removeprefix("$ ")
            for part in (bare, *re.findall(r"-- (mcp-gen-ui .*)", bare)):
                if OURS.match(part):
                    yield re.split(r"\s+#|\s{3,}|\s[|>&]+", part)[0]


def commands_in_words(text):
    """Yield every complete command line of this project in a sentence."""
    for span in re.findall(r"`(mcp-gen-ui [^`\n]+)`", BLOCK.sub("", text)):
        if not re.search(r"[…\[\]|]|\b[A-Z]{3,}\b", span):
            yield span


def parsed(line):
    """Parse a command line with the parser that would run it, down to its last command.

    Raises:
        click.ClickException: There is no such command, flag or value.
    """
    words = shlex.split(line)
    while "mcp-gen-ui" in words[:1] or "=" in words[0] or words[:2] == ["python3", "dev.py"]:
        words = words[2:] if words[0] == "python3" else words[1:]
        if not words:
            return
    try:
        typed = split_at_dashes([PLACES_OF_COMMANDS.get(word, word) for word in words])
        ours, _ = arrange(cli, *typed)
    except CliError as error:
        raise click.UsageError(str(error)) from error
    command, context = cli, None
    while True:
        if "--help" in ours[:1] or "--version" in ours[:1]:
            return
        context = command.make_context(command.name or "mcp-gen-ui", [*ours], parent=context)
        ours = [*context._protected_args, *context.args]
        if not isinstance(command, click.Group) or not ours:
            return
        _, command, ours = command.resolve_command(context, ours)


@pytest.mark.parametrize("page", PAGES)
def test_links_anchors_and_images_lead_somewhere(page):
    assert [*dead_links(page, read(page))] == []


def missing_files(text, files):
    """Return each source file that a sentence names with its folder and that the repository does not have."""
    named = re.findall(r"`(\w[\w.-]*/[\w./-]+\.(?:py|m?js|tsv))`", BLOCK.sub("", text))
    return [name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in files)]


@pytest.fixture(scope="module")
def source_files(project_files):
    return [path.as_posix() for path in project_files if path.suffix in {".py", ".js", ".mjs", ".tsv"}]


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CHANGELOG.md"])
def test_a_source_file_that_a_page_names_exists(page, source_files):
    assert missing_files(read(page), source_files) == []


def test_a_source_file_that_does_not_exist_is_found():
    text = "`genui_core/errors.py`, `adapters/io/process.py`, `core/gone.py` and `my_server.py`"
    files = ["src/genui_core/errors.py", "src/genui_adapters/io/process.py"]
    assert missing_files(text, files) == ["adapters/io/process.py", "core/gone.py"]


@pytest.mark.parametrize("page", PAGES)
def test_json_and_toml_parse_and_configurations_are_valid(page):
    for block in blocks(read(page), "toml"):
        tomllib.loads("\n".join(line.strip() for line in block.splitlines()))
    for block in blocks(read(page), "json"):
        if not block.lstrip().startswith(("{", "[")):
            block = f"{{{block}}}"  # noqa: PLW2901 -- a part of an object
        document = json.loads(block)
        if isinstance(document, dict) and document and document.keys() <= SECTIONS:
            assert document_layer(document, page).problems == ()


@pytest.mark.parametrize("page", PAGES)
def test_every_command_line_is_valid(page):
    lines, in_words = [*command_lines(read(page))], [*commands_in_words(read(page))]
    for line in (*lines, *in_words):
        if line.startswith("python3 dev.py") and line.split()[2] in {"test", "lock", "release"}:
            continue
        try:
            parsed(line)
        except click.MissingParameter:
            assert line in in_words, line  # in a sentence a command may go by its name
        except click.ClickException as error:
            pytest.fail(f"{line}: {error.format_message()}")


@pytest.mark.parametrize(
    "line",
    [
        "mcp-gen-ui --no-such-flag -- x",
        "mcp-gen-ui prevew -- x",
        "mcp-gen-ui install nowhere -- x",
        "mcp-gen-ui config init --frce",
        "mcp-gen-ui validate",
    ],
)
def test_an_invalid_command_line_is_found(line):
    assert [*command_lines(f"```sh\n{line}\n```\n")] == [line]
    with pytest.raises(click.ClickException):
        parsed(line)


@pytest.mark.parametrize(
    "link", ["nowhere.md", "why.md#no-such-heading", "#no-such-heading", "images/none.png"]
)
def test_a_dead_link_is_found(link):
    assert [*dead_links("docs/why.md", f"# A page\n\n[words]({link})\n")] == [link]


def test_every_page_is_in_an_index():
    linked = {
        ((ROOT / index).parent / target.partition("#")[0]).resolve().relative_to(ROOT).as_posix()
        for index in ("docs/README.md", "docs/decisions/README.md")
        for target in LINK.findall(read(index))
    }
    pages = {page for page in PAGES if page.startswith("docs/")} - {"docs/README.md", "docs/how-to/README.md"}
    assert pages - linked == set()
