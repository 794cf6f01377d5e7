"""Any wrong configuration or command line ends in one clear line, a hint, and the right exit code
(requirement S3).
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from genui_cli.configuration.keys import all_keys
from genui_cli.configuration.layers import document_layer

TEXTS = st.text(max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
PATHS = st.sampled_from([*all_keys()])
SECTIONS = st.sampled_from(sorted({key.section for key in all_keys().values()}))


@st.composite
def broken_names(draw):
    """Return the name of a key with a letter changed, doubled or left out."""
    path = draw(PATHS)
    at = draw(st.integers(0, len(path) - 1))
    changed = draw(
        st.sampled_from(["", path[at] * 2, draw(st.characters(codec="ascii")), path[at].swapcase()])
    )
    return path[:at] + changed + path[at + 1 :]


@st.composite
def documents(draw):
    """Return a configuration file that most likely has a mistake."""
    kind = draw(st.sampled_from(["anything", "value", "name", "section"]))
    if kind == "anything":
        return draw(JSON)
    if kind == "section":
        return {draw(SECTIONS): draw(JSON)}
    value = draw(JSON)
    for name in reversed((draw(PATHS) if kind == "value" else draw(broken_names())).split(".")):
        value = {name: value}
    return value


def check_failure(code, out, err, codes=(1, 2)):
    """Check that a command failed with one clear line and a known exit code."""
    lines = err.splitlines()
    assert code in codes, err
    assert out == ""
    assert "Traceback" not in err
    assert lines[0].startswith("mcp-gen-ui: ")
    assert "something went wrong" not in lines[0]
    assert len(lines) == 2, err
    assert lines[1].startswith("  hint: ")
    assert all(line.isprintable() for line in lines)


def without_warnings(err):
    return "".join(
        line
        for line in err.splitlines(keepends=True)
        if not line.startswith(
            ("mcp-gen-ui: warning: ", "mcp-gen-ui: configured by ", "mcp-gen-ui: no view is shown")
        )
    )


in_one_folder = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])


@in_one_folder
@given(document=documents())
def test_every_bad_configuration_ends_in_one_line(command, document):
    text = json.dumps(document)
    Path("bad.json").write_text(text)
    code, out, err = command("config", "show", "--config", "bad.json")
    if code == 0:
        assume(document_layer(document, "bad.json").problems == ())
        return
    check_failure(code, out, without_warnings(err), codes=(2,))
    assert "bad.json" in err


@in_one_folder
@given(data=st.binary(max_size=60), suffix=st.sampled_from([".json", ".toml"]))
def test_every_malformed_file_ends_in_one_line(command, data, suffix):
    Path(f"bad{suffix}").write_bytes(data)
    code, out, err = command("config", "show", "--config", f"bad{suffix}")
    if code != 0:
        check_failure(code, out, without_warnings(err), codes=(2,))


WORDS = st.sampled_from(
    [
        "--llm", "--config", "--server", "--port", "--transport", "--log-level", "--env-file", "-e", "-H", "--apps",
        "config", "show", "check", "schema", "init", "validate", "prompts", "list", "eject", "cache", "clear",
        "inspect", "completion", "bash", "version", "nowhere.json", "anthropic:x", "http", "stdio", "-1", "99999",
        "--json", "-q", "--debg", "--lmm", "confg", "", "A=b", "=", ":", "--upstream", "http://", "--help",
    ]
)  # fmt: skip


@in_one_folder
@given(
    words=st.lists(
        WORDS | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6),
        min_size=1,
        max_size=4,
    )
)
@example(words=["check", "config"])
@example(words=["check", "http://"])
def test_every_bad_command_line_ends_in_one_line(command, monkeypatch, tmp_path, words):
    monkeypatch.setenv("PATH", str(tmp_path))  # no word is the name of a program
    assume(words.count("--json") == 0)
    assume("init" not in words)
    assume("eject" not in words)
    assume("--" not in words)
    code, out, err = command(*words)
    if code != 0 and not out and err.strip().startswith("mcp-gen-ui: "):
        check_failure(code, out, without_warnings(err), codes=(1, 2, 4))
    else:
        assert code in {0, 2}
        assert "Traceback" not in err


@pytest.mark.parametrize(
    ("words", "content", "code", "error"),
    [
        (("--config", "bad.json", "--", sys.executable), '{"llm": {"temperature": 3}}', 2, "USAGE"),
        (
            ("--config", "bad.json"),
            '{"upstream": {"command": "no-such-program-here"}}',
            4,
            "UPSTREAM_UNREACHABLE",
        ),
        (("--llm", "antropic", "--config", "bad.json"), "{", 2, "USAGE"),
        (("config", "shw"), "{}", 2, "USAGE"),
        (("inspect", "--", "no-such-program-here"), "{}", 4, "UPSTREAM_UNREACHABLE"),
    ],
)
def test_a_process_that_fails_says_so_for_people_and_for_programs(tmp_path, words, content, code, error):
    (tmp_path / "bad.json").write_text(content)
    command = [sys.executable, "-P", "-m", "genui_cli"]

    def run(*more):
        at = words.index("--") if "--" in words else len(words)
        typed = [*words[:at], *more, *words[at:]]
        return subprocess.run(
            [*command, *typed],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )

    plain, as_json = run(), run("--json")
    assert (plain.returncode, as_json.returncode) == (code, code)
    said = [line for line in plain.stderr.splitlines() if line.startswith("mcp-gen-ui: ")]
    assert len(said) == 1
    told = json.loads(as_json.stderr.splitlines()[-1])["error"]
    assert told["code"] == error
    assert said[0] == f"mcp-gen-ui: {told['message']}"
    assert plain.stdout == as_json.stdout == ""
    assert "Traceback" not in plain.stderr + as_json.stderr


def test_the_traceback_of_an_error_is_shown_on_request(tmp_path):
    (tmp_path / "genui.py").write_text("def provider(*_): raise ZeroDivisionError('on purpose')")
    (tmp_path / "bad.json").write_text('{"cache": {"type": "genui:provider"}}')
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from genui_cli.entry import main; main()"

    def run(*words):
        command = [sys.executable, "-P", "-c", code, "cache", "list", "--config", "bad.json", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    quiet, loud = run(), run("--debug")
    assert quiet.returncode == loud.returncode == 1
    assert quiet.stderr.splitlines()[0] == "mcp-gen-ui: something went wrong: ZeroDivisionError: on purpose"
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr
    assert quiet.stderr in loud.stderr
