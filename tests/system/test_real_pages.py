"""`benchmarks/real_pages.py` validates a folder of pages and says why it refuses one."""

import subprocess
import sys

import pytest

SOUND = "<!DOCTYPE html><title>Count</title><button>0</button><script>let n = 0; \
document.querySelector('button').addEventListener('click', e => { e.target.textContent = ++n; });</script>"
CALLING = SOUND.replace("let n = 0;", "let n = 0; fetch('https://example.org/count');")


@pytest.fixture
def validated(repository, tmp_path):
    """Run the program over pages, given as texts by name."""

    def run(**pages):
        for name, text in pages.items():
            (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
        command = [sys.executable, repository / "benchmarks" / "real_pages.py", "--pages", tmp_path]
        return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)

    return run


def test_a_refused_page_is_listed_with_its_rule_and_its_code(validated):
    lines = validated(calling=CALLING, sound=SOUND).stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("calling.html: network.call, 1 times. ")
    assert lines[0].endswith(": 'fetch'")
    assert lines[1] == "2 pages: 1 fixable, 1 refused"


def test_a_folder_without_pages_is_an_error(validated):
    done = validated()
    assert done.returncode == 2
    assert "have no HTML page" in done.stderr
