"""The page about the configuration agrees with the code."""

import json
import re

import pytest
from configuration_page import with_reference

from genui_adapters.llm.choice import DEFAULT_MODELS_FILE, PROVIDERS, default_models
from genui_cli.configuration.loading import load


@pytest.fixture
def page(repository):
    return (repository / "docs" / "configuration.md").read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_keys(page):
    assert with_reference(page) == page, "run: .venv/bin/python docs/generators"


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match="lacks"):
        with_reference("no marks")


def test_the_page_names_the_models_that_are_asked_and_the_day_they_were_checked(page):
    block = page.partition("<!-- models")[2].partition("<!-- end of models")[0]
    told = {*re.findall(r"`([a-z]+-[^`]+)`", block)}
    table = json.loads(DEFAULT_MODELS_FILE.read_text(encoding="utf-8"))
    named = {name for models in table.values() if isinstance(models, dict) for name in models.values()}
    assert told == named
    assert table["checked"] in block


def test_no_other_file_names_a_model(repository):
    """A new name of a model then needs a change in one place only."""
    table = json.loads(DEFAULT_MODELS_FILE.read_text(encoding="utf-8"))
    names = [name for models in table.values() if isinstance(models, dict) for name in models.values()]
    files = [path for path in (repository / "src").rglob("*.py") if "built" not in path.parts]
    assert [path for path in files if any(name in path.read_text(encoding="utf-8") for name in names)] == []


def test_the_page_describes_every_provider(page):
    for name in (*PROVIDERS.reserved, *PROVIDERS.built_in):
        row = re.search(rf"^\| `{name}[`:]", page, re.MULTILINE)
        assert row, f"docs/configuration.md, “Who writes the views”, has no row for {name}"


def test_a_provider_that_is_not_listed_has_no_models():
    assert default_models("ollama").model is None
    assert default_models("checked").model is None


def test_every_example_on_the_page_is_valid(page, write, home):
    examples = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert examples
    for example in examples:
        write(example)
        assert load({}, {**home, "MY_TOKEN": "t"}).problems == ()
