"""Runs the view kit's JavaScript tests as part of the Python test run."""

import os
import subprocess

import pytest

FORMATTED = "*.css", "*.js", "*.mjs", "*.ts"
CACHED = (
    "--cache",
    "--cache-strategy=content",
    "--cache-location=view/node_modules/.cache/prettier",
)
"""Prettier skips files that have not changed since it last found them formatted."""
BUILT = "src/genui_core/data/"
A_THIRD_OF_THE_EXAMPLES = {"FORM_CASES": "20", "RANDOM_TEXTS": "130"}
"""Settings for fewer random examples in a quick run, as Hypothesis uses fewer too."""


@pytest.mark.parametrize("check", [["npm", "test", "--silent"], ["node_modules/.bin/tsc", "-p", "."]])
def test_the_kits_own_checks_pass(repository, check, pytestconfig):
    examples = A_THIRD_OF_THE_EXAMPLES if pytestconfig.getoption("--quick") else {}
    ended = subprocess.run(
        check,
        cwd=repository / "view",
        env={**examples, **os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]


def test_every_script_and_stylesheet_is_formatted(repository):
    listed = subprocess.run(
        ["git", "ls-files", *FORMATTED], cwd=repository, capture_output=True, text=True, check=True
    )
    files = [
        name for name in listed.stdout.split() if not name.startswith(BUILT) and (repository / name).exists()
    ]
    assert len(files) > 100
    command = [repository / "view" / "node_modules" / ".bin" / "prettier", "--check", *CACHED, *files]
    ended = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-4000:]
