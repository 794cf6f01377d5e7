"""The workflows fit their schema, pass a linter, and test every promised system and Python version."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft7Validator
from ruamel.yaml import YAML

NAMES = ("test.yml", "release.yml", "docs.yml")
FOLDER = Path(__file__).resolve().parents[2] / ".github" / "workflows"
LINTER = Path(__file__).parent / "workflow_linter"
UNSAFE = re.compile(r"\$\{\{\s*github\.(?:event|head_ref|ref_name)")


def workflow(name: str) -> dict:
    """Read a workflow; YAML 1.2 reads `on` as a word."""
    return YAML(typ="safe").load((FOLDER / name).read_text(encoding="utf-8"))


ACTION = FOLDER.parents[1] / "action.yml"


def test_the_action_fits_its_schema_and_puts_no_input_into_a_script(tmp_path: Path) -> None:
    path = files("check_jsonschema") / "builtin_schemas/vendor/github-actions.json"
    schema = Draft7Validator(json.loads(path.read_text("utf-8")))
    action = YAML(typ="safe").load(ACTION.read_text(encoding="utf-8"))
    assert [error.message for error in schema.iter_errors(action)] == []
    assert [*schema.iter_errors({**action, "runs": {"using": "composite"}})] != []
    # The linter reads workflows only, so it gets one with the steps and the inputs of the action.
    texts = {
        name: {"type": "string", "description": each["description"]}
        for name, each in action["inputs"].items()
    }
    job = {"runs-on": "ubuntu-latest", "steps": action["runs"]["steps"]}
    around = {"on": {"workflow_dispatch": {"inputs": texts}}, "jobs": {"check": job}}
    (tmp_path / "around.yml").write_text(json.dumps(around), encoding="utf-8")
    assert lint(tmp_path / "around.yml") == []
    assert [step for step in action["runs"]["steps"] if "${{" in step.get("run", "")] == []


PIPX = """#!/bin/sh
# Runs what `pipx run --spec SPEC mcp-gen-ui` would install, and notes the specification.
echo "$3" > spec
shift 4
exec "$PYTHON" -P -m genui_cli "$@"
"""


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for pipx is a shell script")
def test_the_step_of_the_action_checks_a_server_and_writes_both_reports(tmp_path: Path) -> None:
    action = YAML(typ="safe").load(ACTION.read_text(encoding="utf-8"))
    check, keep = action["runs"]["steps"]
    corpus = ACTION.parent / "tests" / "corpus"
    server = f"{corpus / 'recorded_upstream.py'} {corpus / 'sample' / 'weather'}"
    given = {
        "command": f"'{sys.executable}' {server}",
        "arguments": "--browser none --llm none --no-cache --tool set_units",
    }
    inputs = {name: given.get(name, str(each.get("default", ""))) for name, each in action["inputs"].items()}

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda each: inputs[each[1]], text)

    (tmp_path / "pipx").write_text(PIPX, encoding="utf-8")
    (tmp_path / "pipx").chmod(0o755)
    variables = {name: filled(text) for name, text in check["env"].items()}
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    ours = {"PATH": path, "PYTHON": sys.executable, "GITHUB_ACTION_PATH": "/the/action"}
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", check["run"]], cwd=tmp_path, env={**os.environ, **variables, **ours},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "spec").read_text().strip() == "/the/action"
    kept = filled(keep["with"]["path"]).split()
    assert "The tool passed" in (tmp_path / kept[0]).read_text(encoding="utf-8")
    assert 'name="set_units"' in (tmp_path / kept[1]).read_text(encoding="utf-8")


def steps(name: str) -> list[dict]:
    """Return the steps of all jobs."""
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


def test_every_workflow_is_checked() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_workflow_fits_its_schema(name: str) -> None:
    path = files("check_jsonschema") / "builtin_schemas/vendor/github-workflows.json"
    schema = Draft7Validator(json.loads(path.read_text("utf-8")))
    assert [error.message for error in schema.iter_errors(workflow(name))] == []
    assert [*schema.iter_errors(workflow(name) | {"jobs": {"one": {"steps": 1}}})] != []


def lint(*paths: Path) -> list[dict]:
    """Return the findings of the linter."""
    node = shutil.which("node")
    if node is None or not (LINTER / "node_modules").is_dir():
        pytest.skip("the linter of workflows is missing; `python3 dev.py test` installs it")
    words = [node, LINTER / "lint.mjs", *paths]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def test_the_linter_finds_nothing() -> None:
    assert lint(*(FOLDER / name for name in NAMES)) == []


def test_the_linter_finds_a_mistake(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yml"
    text = (FOLDER / "test.yml").read_text(encoding="utf-8")
    broken.write_text(text.replace("matrix.python }}", "matrix.pyhton }}"), encoding="utf-8")
    assert "pyhton" in lint(broken)[0]["message"]


def test_tests_run_on_each_system_and_version_with_the_readmes_command(repository: Path) -> None:
    matrix = workflow("test.yml")["jobs"]["test"]["strategy"]["matrix"]
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = [re.search(r":: (3\.\d+)$", each) for each in project["classifiers"]]
    assert matrix["python"] == [each[1] for each in promised if each]
    assert [each.partition("-")[0] for each in matrix["os"]] == ["ubuntu", "macos", "windows"]
    commands = [step["run"] for step in steps("test.yml") if "run" in step]
    readme = (repository / "README.md").read_text(encoding="utf-8")
    assert commands == ["python3 dev.py test"]
    assert f"```sh\n{commands[0]}\n```" in readme


def test_only_the_job_that_publishes_gets_an_identity_and_none_gets_a_stored_secret() -> None:
    jobs = workflow("release.yml")["jobs"]
    assert [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})] == ["publish"]
    assert not any("run" in step for step in jobs["publish"]["steps"])
    for name in NAMES:
        text = (FOLDER / name).read_text(encoding="utf-8")
        assert workflow(name)["permissions"] == {"contents": "read"}
        assert "secrets." not in text


@pytest.mark.parametrize("name", NAMES)
def test_no_step_runs_a_text_that_an_outsider_may_write(name: str) -> None:
    assert [step for step in steps(name) if UNSAFE.search(step.get("run", ""))] == []


def test_a_release_checks_the_tag_before_it_builds_and_takes_its_notes_from_the_changelog() -> None:
    commands = [step["run"] for step in workflow("release.yml")["jobs"]["build"]["steps"] if "run" in step]
    assert commands[0] == 'python release/release.py check "$GITHUB_REF_NAME"'
    assert any("release.py notes" in each for each in commands)
    assert workflow("release.yml")["on"] == {"push": {"tags": ["v*"]}}
