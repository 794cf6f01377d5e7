"""Every flag has its effect, and every command has help with an example."""

import json
import re
from pathlib import Path

import pytest
import rich_click as click

from genui_adapters.llm.choice import PROVIDERS
from genui_cli.commands import cli
from genui_cli.flags import PROVIDER_EXAMPLES

from .cases import CASES, COMMANDS, CONFIGURED, SERVER, WARNING, WITH_UPSTREAM

UNKNOWN = {"MCP_GEN_UI_NO_SUCH_KEY": "1"}


def commands(command=cli, path=()):
    """Return every command that help shows, by its words."""
    yield " ".join(path), command
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            if not inner.hidden:
                yield from commands(inner, (*path, name))


def flags():
    """Yield every flag of every command, by its long name; a switch with an off flag is two."""
    for name, command in commands():
        for option in command.params:
            if isinstance(option, click.Option):
                yield from ((name, next(each for each in names if each.startswith("--"))) for names in
                            filter(None, (option.opts, option.secondary_opts)))  # fmt: skip


def test_there_is_a_case_for_every_flag_and_none_for_another():
    assert {*flags()} - {*CASES} == set(), "add a case to cases.py beside this file"
    assert {*CASES} - {*flags()} == set(), "remove its case from cases.py beside this file"


@pytest.mark.parametrize(
    "name", [name for name, each in commands() if name and not isinstance(each, click.Group)]
)
def test_every_command_stands_in_the_synopsis(repository, name):
    page = (repository / "docs" / "command-line.md").read_text(encoding="utf-8")
    lines = (re.findall(r"[\w-]+", line) for line in page.split("```")[1].splitlines())
    first, *more = name.split()
    stands = any(words[1:2] == [first] and {*more} <= {*words} for words in lines)
    assert stands, "name it in the synopsis of docs/command-line.md"


def test_every_flag_has_its_line_in_the_reference(repository):
    page = (repository / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `mcp-gen-ui ?(.*?)`$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert {*sections} == {name for name, _ in commands()}, "run: python docs/generators"
    rows = {name: set(re.findall(r"`(--[\w-]+)`", section)) for name, section in sections.items()}
    assert {(name, flag) for name, flag in flags() if flag not in rows[name]} == set()


@pytest.mark.parametrize(("name", "flag"), CASES, ids=[" ".join(one) for one in CASES])
def test_the_flag_does_what_it_says(ran, name, flag):
    case = CASES[name, flag]
    lay(case.files)
    if case.before:
        ran(*case.before)
    takes_server = name in {*WITH_UPSTREAM, "config init", "bundle"}
    words = (*COMMANDS[name], *case.words, *(case.server if takes_server else ()))
    came_to = ran(*words, **UNKNOWN)
    assert case.holds(came_to), (words, came_to)
    assert "Traceback" not in came_to.err


@pytest.mark.matrix
@pytest.mark.parametrize(("name", "flag"), [each for each in CASES if each[0] and each[0] != "install"])
def test_every_flag_of_a_command_works_before_its_name(ran, name, flag):
    case = CASES[name, flag]
    lay(case.files)
    if case.before:
        ran(*case.before)
    takes_server = name in {*WITH_UPSTREAM, "config init", "bundle"}
    came_to = ran(*case.words, *COMMANDS[name], *(case.server if takes_server else ()), **UNKNOWN)
    assert case.holds(came_to), came_to
    assert "Traceback" not in came_to.err


@pytest.mark.matrix
@pytest.mark.parametrize("name", [name for name in COMMANDS if name])
@pytest.mark.parametrize("flag", ["--json", "--debug", "--no-color", "-q"])
def test_every_command_takes_the_flags_that_hold_everywhere(ran, name, flag):
    assert ran(flag, *COMMANDS[name], "--help").code == 0
    assert ran(*COMMANDS[name], flag, "--help").code == 0


@pytest.mark.parametrize("name", CONFIGURED)
def test_without_quiet_a_command_that_reads_the_configuration_for_itself_warns(ran, name):
    came_to = ran(*COMMANDS[name], *(SERVER if name in WITH_UPSTREAM else ()), **UNKNOWN)
    assert ("MCP_GEN_UI_NO_SUCH_KEY" in came_to.err) == (name in WARNING)


@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_help_shows_an_example(command, name):
    code, out, _ = command(*name.split(), "--help")
    assert code == 0
    examples = out.partition("Examples")[2]
    assert f"$ mcp-gen-ui {name}".strip() in examples


def test_each_provider_has_an_example_for_the_help():
    shown = {value.partition(":")[0] for value in PROVIDER_EXAMPLES}
    assert shown == {*PROVIDERS.names(), "package.module"}, "edit PROVIDER_EXAMPLES in genui_cli/flags.py"


@pytest.mark.parametrize("name", [name for name, flag in CASES if flag == "--llm"])
def test_help_lists_every_provider_with_an_example(command, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "120")
    code, out, _ = command(*name.split(), "--help")
    shown = dict(re.findall(r"^ --llm (\S+) +(.+?) *$", out.partition("Providers")[2], re.MULTILINE))
    assert code == 0
    assert shown == PROVIDER_EXAMPLES


@pytest.mark.parametrize("name", [name for name, flag in CASES if flag == "--llm"])
def test_the_help_of_llm_names_every_provider_of_the_registry(command, tmp_path, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "120")
    package = tmp_path / "packages" / "acme-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[mcp_gen_ui.llm_providers]\nacme = acme:provider\n")
    monkeypatch.syspath_prepend(package.parent)
    _, out, _ = command(*name.split(), "--help")
    about = " ".join(re.sub(r"[│|]", " ", out.partition("Providers")[0].partition("--llm ")[2]).split())
    listed = re.search(r"One of (.+), or a class: package\.module:Class\.", about)
    assert listed
    assert (
        {*re.findall(r"[\w.]+", listed[1])} >= {*PROVIDERS.names()} >= {"acme", "anthropic", "auto", "none"}
    )


@pytest.mark.parametrize("words", [("demo",), ("preview", "--", "node", "server.js")])
@pytest.mark.parametrize(
    ("model", "code", "said"),
    [
        ("antropic", 2, "Did you mean 'anthropic'?"),
        ("anthropic", 3, "ANTHROPIC_API_KEY"),
        ("replay", 5, "FOLDER"),
    ],
)
def test_a_preview_whose_model_cannot_be_used_opens_no_page(ran, words, model, code, said):
    came_to = ran("--llm", model, *words)
    assert (came_to.code, came_to.page, came_to.out) == (code, None, "")
    assert said in came_to.err


def lay(files):
    """Write files into the folder in which the command runs."""
    for name, content in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
