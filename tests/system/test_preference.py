"""One case of a blind comparison, from the chosen tool to the compared pages."""

import json
import subprocess
import sys

import pytest

PROGRAM = "benchmarks/preference.py"
RECORDED = "tests/corpus/sample"


@pytest.fixture
def step(repository, tmp_path):
    """Run a step of a round of one case."""

    def run(name, *words):
        argv = [sys.executable, repository / PROGRAM, name, "--folder", tmp_path / "round", *words]
        done = subprocess.run(argv, cwd=repository, capture_output=True, text=True, timeout=120, check=False)
        return done.stdout + done.stderr

    return run


def test_an_answer_is_served_and_a_broken_one_is_asked_about_once(step, repository, tmp_path):
    step("choose", "--seed", "3", "--cases", "1", "--recordings", repository / RECORDED)
    step("prompts")
    case = tmp_path / "round" / "cases" / "01"
    prompt = (case / "prompt.md").read_text()
    chosen = json.loads((tmp_path / "round" / "round.json").read_text())["cases"][0]
    assert "Write the view" in prompt
    assert f'"name":"{chosen["tool"]}"' in prompt
    broken = (
        "<template><p></p></template>\n"
        '<script>\nfunction render(data, ui) { ui.root.append("drawn by a test"; }\n</script>\n<!--end-->\n'
    )
    (case / "answer.md").write_text(broken)
    assert "repair wanted" in step("serve")
    assert "script.parses" in (case / "repair.prompt.md").read_text()
    (case / "repair.answer.md").write_text(broken.replace('test"', 'test")'))
    assert "after a retry" in step("serve")
    assert "drawn by a test" in (case / "ours.html").read_text()
    assert "drawn by a test" not in (case / "minimal.html").read_text()


def test_a_step_that_comes_too_early_says_which_is_missing(step, tmp_path):
    assert step("prompts").endswith("Run the step choose first.\n")
    assert step("choose", "--recordings", tmp_path).startswith("The round cannot be chosen")
