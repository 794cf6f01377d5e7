"""A command that shows a page prints its address to standard output and all else to standard error."""

import json
import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ended as a terminal does: with a signal")
BROWSER = """#!/bin/sh
echo "a browser that prints"
"""


@pytest.fixture
def start(tmp_path):
    """Start a command that shows a page; return its standard output and its standard error."""
    (tmp_path / "home").mkdir()
    browser = tmp_path / "browser"
    browser.write_text(BROWSER)
    browser.chmod(0o755)
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "BROWSER": str(browser)}

    def starting(*words, until):
        command = [sys.executable, "-P", "-m", "genui_cli", *words]
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        printed = process.stdout.read()  # ends once the address is there
        said = ""
        while until not in said and process.poll() is None:
            said += process.stderr.readline()
        process.send_signal(signal.SIGINT)
        return process.wait(60), printed, said + process.communicate()[1]

    return starting


@pytest.mark.parametrize("words", [("demo",), ("preview", "--llm", "none", "--", sys.executable, "-c", "")])
def test_standard_output_has_the_address_and_nothing_else(start, words):
    code, printed, said = start(*words, until="a browser that prints")
    assert code == 0
    (address,) = printed.splitlines()
    assert address.startswith("http://127.0.0.1:")
    assert "/#token=" in address
    assert "This is the preview of " in said


def test_with_json_the_address_is_an_object(start):
    assert [*json.loads(start("--json", "demo", "--no-open", until="preview of")[1])] == ["url"]
