"""Prompts in a folder that replace the built-in ones."""

import pytest

from genui_adapters.configured_files import BrokenPrompts, prompts_in
from genui_core.application.services import built_prompts

TEMPLATES = built_prompts().templates


def copy_of(folder, name, change):
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.mustache").write_text(change(TEMPLATES[name]))
    return folder


def test_no_folder_and_an_empty_one_are_the_built_in_prompts(tmp_path):
    assert prompts_in(None) == prompts_in(tmp_path) == built_prompts()


def test_a_copy_that_was_not_changed_makes_no_difference(tmp_path):
    assert prompts_in(copy_of(tmp_path, "generate", str)) == built_prompts()


def test_a_changed_prompt_replaces_the_built_in_one_and_changes_the_hash(tmp_path):
    version = TEMPLATES["generate"].partition("\n")[0]
    raised = version.replace("version: ", "version: 1")
    own = prompts_in(copy_of(tmp_path, "generate", lambda text: text.replace(version, raised) + "More."))
    assert own.templates["generate"].endswith("More.")
    assert own.templates["system"] == TEMPLATES["system"]
    assert own.content_hash != built_prompts().content_hash
    assert int(own.version) > int(built_prompts().version)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("generat", b"x", "no prompt of that name; there are classify.mustache"),
        ("generate", b"no header", "the first line must be {{! id: generate; version: 2 }}"),
        ("generate", b"{{! id: refine; version: 1 }}\n", "the first line must be"),
        ("generate", b"{{! id: generate; version: 1 }}\n{{#kind}}", "generate.mustache"),
        ("generate", b"\xff", "not written in UTF-8"),
    ],
)
def test_a_file_that_is_no_prompt_is_an_error_that_names_it(tmp_path, name, content, said):
    (tmp_path / f"{name}.mustache").write_bytes(content)
    with pytest.raises(BrokenPrompts) as caught:
        prompts_in(tmp_path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(BrokenPrompts, match="no such folder"):
        prompts_in(tmp_path / "nowhere")
