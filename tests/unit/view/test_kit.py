"""The kit's own checks, written in its own language, as part of the one test command."""

import subprocess

import pytest


@pytest.mark.parametrize("check", [["npm", "test", "--silent"], ["npx", "--no-install", "tsc", "-p", "."]])
def test_the_kits_own_checks_pass(repository, check):
    ended = subprocess.run(check, cwd=repository / "view", capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]
