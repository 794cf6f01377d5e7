"""The docs claim no more than the wrapper does. Other tests run the commands that the docs show."""

import re
from pathlib import Path

import pytest

from genui_adapters.io.process import upstream_environment

REPOSITORY = Path(__file__).parents[3]
NETWORK = re.compile(r"\b(?:[A-Z]+_PROXY|(?:[A-Z]+_)*(?:CERT|CA)_[A-Z_]+)\b")
ATTACHED = (
    "docs/serving.md",
    "docs/tutorial.md",
    "examples/attached-server/README.md",
    "examples/attached-server/library_server.py",
)
THREE_LINES = {
    "from genui_adapters.host import attach",
    "from genui_core import Wrapper",
    "attach(Wrapper(), server)",
}


def read(page):
    return (REPOSITORY / page).read_text(encoding="utf-8")


def paragraphs(page):
    """The paragraphs of a page, each on one line."""
    return [" ".join(each.split()) for each in re.split(r"\n\s*\n|\n(?=\* )", read(page))]


def names_of_the_network():
    """The names of the network settings that an upstream gets, as docs/command-line.md lists them."""
    (said,) = [each for each in paragraphs("docs/command-line.md") if "small environment" in each]
    return set(NETWORK.findall(said))


def test_an_upstream_gets_the_network_settings_that_the_page_names():
    names = names_of_the_network()
    proxies = {name.lower() for name in names if name.endswith("_PROXY")}
    assert len(names) == 9
    assert len(proxies) == 4
    environment = dict.fromkeys(names | proxies, "x")
    assert upstream_environment(environment, {}) == environment


def test_the_page_names_every_network_setting_that_an_upstream_gets():
    source = read("src/genui_adapters/io/process.py")
    assert set(NETWORK.findall(source)) == names_of_the_network()


def test_an_upstream_gets_no_more_of_a_shells_environment_than_the_readme_says():
    (said,) = [each for each in paragraphs("README.md") if "small environment" in each]
    assert "plain shell" not in said
    of_a_shell = {"PATH": "/bin", "HOME": "/home/ada", "LANG": "C", "EDITOR": "vi", "OLDPWD": "/", "PS1": "$"}
    assert upstream_environment(of_a_shell, {}).keys() == {"PATH", "HOME", "LANG"}
    keys = dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"), "secret")
    assert upstream_environment(keys, {}) == {}


@pytest.mark.parametrize("page", ATTACHED)
def test_two_imports_and_one_call_attach_the_wrapper(page):
    program = next(each for each in read(page).split("```") if "\nattach(" in each)
    lines = {line for line in program.splitlines() if re.match(r"(?:from|import) genui_|attach\(", line)}
    assert lines == THREE_LINES


@pytest.mark.parametrize("page", ["docs/tutorial.md", "docs/why.md", "examples/attached-server/README.md"])
def test_a_page_that_offers_three_lines_says_for_which_servers(page):
    (said,) = [each for each in paragraphs(page) if re.search(r"three lines", each, re.IGNORECASE)]
    assert "the official MCP SDK" in said


def test_no_page_says_that_one_line_attaches_the_wrapper():
    pages = [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md"), *REPOSITORY.glob("examples/*/*.md")]
    said = [each for page in pages for each in paragraphs(page) if re.search(r"\bone line\b.*\bUIs?\b", each)]
    assert said == []
