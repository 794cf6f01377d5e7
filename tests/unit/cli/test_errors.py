"""Every error of the command line has one clear line, a hint or a note that there is none, and an exit code
(requirement S3).
"""

import ast
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import genui_adapters
import genui_cli
import genui_core
from genui_adapters.host.listening_socket import bound_socket
from genui_cli.cli_error import FAILED, NO_HINT, NOT_LET_IN, USAGE, CliError, report
from genui_cli.failures import PROVIDER_RULES, RULES, LastWords, error_about, rule_for
from genui_core.errors import GenUiError, NoModel, ProviderErrorCode, ProviderFailed
from genui_core.ports.event_log import Level
from genui_core.testing.event_log import RecordingEventLog

ERROR_CODES = {FAILED, USAGE, NOT_LET_IN, 4, 5}


def all_errors(kind=GenUiError):
    """Load all modules of the packages and return all their subclasses of an error."""
    for package in (genui_core, genui_adapters, genui_cli):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if (
                not module.name.endswith(("__main__", "testing", ".testing"))
                and ".testing." not in module.name
            ):
                importlib.import_module(module.name)
    yield from below(kind)


def below(kind):
    for each in kind.__subclasses__():
        if each.__module__.startswith("genui_"):
            yield each
        yield from below(each)


def test_every_error_of_the_tree_has_a_rule_with_a_hint():
    without = []
    for kind in {*all_errors()} - {ProviderFailed}:
        rule = rule_for(kind.__new__(kind))
        if rule is RULES[GenUiError] or rule.hint in {"", NO_HINT} or rule.exit_code not in ERROR_CODES:
            without.append(kind.__name__)
    assert without == []


@pytest.mark.parametrize("code", ProviderErrorCode)
def test_every_failure_of_a_provider_has_a_rule_with_a_hint(code):
    told = error_about(ProviderFailed(code, "no"))
    assert told.hint == PROVIDER_RULES[code].hint != NO_HINT
    assert told.exit_code == (3 if code is ProviderErrorCode.AUTHENTICATION else 5)


def test_every_error_that_a_command_raises_names_its_hint(repository):
    without = []
    for path in (repository / "src" / "genui_cli").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "CliError":
                hint = next((each.value for each in call.keywords if each.arg == "hint"), None)
                if hint is None or (isinstance(hint, ast.Constant) and not hint.value):
                    without.append(f"{path.name}:{call.lineno}")
    assert without == []


def test_only_an_error_of_a_file_has_a_hint_about_files():
    assert "file or folder" in error_about(OSError(28, "No space left on device")).hint
    assert "file or folder" not in error_about(ConnectionError("the store is away")).hint
    assert "file or folder" not in error_about(TimeoutError("the store is slow")).hint


class Unlisted(GenUiError):
    """An error of another package."""


@pytest.mark.parametrize("error", [CliError("no", exit_code=1), error_about(Unlisted("no"))])
def test_an_error_without_a_hint_says_that_there_is_none(capsys, error):
    report(error)
    assert capsys.readouterr().err == f"mcp-gen-ui: no\n  hint: {NO_HINT}\n"
    report(error, as_json=True)
    assert json.loads(capsys.readouterr().err)["error"]["hint"] is None


EXITS = [
    (("cache", "list"), {"cache": {"type": "redis", "url": "redis://127.0.0.1:9/0"}}, 1, "FAILED"),
    (("cache", "list"), {"cache": {"type": "filesystem", "directory": "mcp-gen-ui.json"}}, 1, "FAILED"),
    (("validate", "nowhere.html"), {}, 2, "USAGE"),
    (("nothing",), {}, 2, "USAGE"),
    (("--port", "x"), {}, 2, "USAGE"),
    (("--llm",), {}, 2, "USAGE"),
    (("install", "claude"), {}, 2, "USAGE"),
    (("cache",), {}, 2, "USAGE"),
    (("demo", "more"), {}, 2, "USAGE"),
    (("config", "show"), {"generation": {"timeoutMs": "x"}}, 2, "USAGE"),
    (("config", "show", "--config", "nowhere.json"), {}, 2, "USAGE"),
    (("config", "init"), {}, 2, "USAGE"),
    (("prompts", "show", "nothing"), {}, 2, "USAGE"),
    (("prompts", "eject", "mcp-gen-ui.json"), {}, 2, "USAGE"),
    (("inspect", "--llm", "antropic", "--", "x"), {}, 2, "USAGE"),
    (("inspect", "--env-file", "nowhere", "--", "x"), {}, 2, "USAGE"),
    (("inspect", "-H", "A: ${NO_SUCH_VARIABLE}", "--upstream", "http://127.0.0.1:9/"), {}, 2, "USAGE"),
    (("inspect", "--server", "x"), {"mcpServers": {"x": 1}}, 2, "USAGE"),
    (("export", "--frozen", ".", "--", sys.executable), {}, 2, "USAGE"),
    (("export", "-o", ".", "--", sys.executable), {}, 2, "USAGE"),
    (("export", "--llm", "anthropic", "--", sys.executable), {}, 3, "AUTHENTICATION"),
    (("inspect", "--", "no-such-program-here"), {}, 4, "UPSTREAM_UNREACHABLE"),
    (("inspect", "--", sys.executable, "-c", "raise SystemExit(3)"), {}, 4, "UPSTREAM_UNREACHABLE"),
    (("inspect", "--upstream", "http://127.0.0.1:9/"), {}, 4, "UPSTREAM_UNREACHABLE"),
    (("--", "no-such-program-here"), {}, 4, "UPSTREAM_UNREACHABLE"),
    (("export", "--llm", "replay", "--", sys.executable), {}, 5, "TOOL_OR_MODEL_FAILED"),
]


@pytest.mark.parametrize(
    ("words", "content", "code", "name"), EXITS, ids=[" ".join(each[0]) for each in EXITS]
)
def test_every_exit_code_comes_with_a_message_and_a_hint(command, words, content, code, name):
    Path("mcp-gen-ui.json").write_text(json.dumps(content))
    ended, out, err = command(*words)
    assert (ended, out) == (code, "")
    lines = [line for line in err.splitlines() if not line.startswith("mcp-gen-ui: configured by ")]
    assert lines[0].startswith("mcp-gen-ui: "), err
    assert lines[-1].startswith("  hint: "), err
    assert NO_HINT not in err
    ended, out, err = command("--json", *words)
    error = json.loads(err.splitlines()[-1])["error"]
    assert (ended, out, error["code"]) == (code, "", name)
    assert error["message"]
    assert error["hint"]


def test_every_exit_code_of_an_error_has_a_case():
    assert {code for _, _, code, _ in EXITS} == ERROR_CODES


@pytest.mark.skipif(sys.platform == "win32", reason="a process there is not interrupted by a signal")
def test_an_interrupted_command_ends_with_130(tmp_path):
    os.mkfifo(tmp_path / "started")
    words = [
        "inspect",
        "--llm",
        "none",
        "--",
        sys.executable,
        "-c",
        "open('started', 'w').close(); __import__('signal').pause()",
    ]
    process = subprocess.Popen([sys.executable, "-P", "-m", "genui_cli", *words], cwd=tmp_path)
    (tmp_path / "started").read_bytes()  # waits for the upstream
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130


def test_a_file_that_cannot_be_used_where_no_one_expects_it_has_a_hint():
    told = error_about(PermissionError(13, os.strerror(13), "x"))
    assert str(told) == f"x cannot be used: {os.strerror(13)}"
    assert "that you may use it" in told.hint
    assert "No space" in str(error_about(OSError(28, "No space left on device")))


CRASHING = """
import sys
print("loading \\x1b[31mred", file=sys.stderr)
print("KeyError: 'API' token=hunter22hunter22 abcdefgh12345", file=sys.stderr)
raise SystemExit(3)
"""


def test_the_error_about_a_crashed_upstream_has_its_exit_code_and_its_last_words(command):
    Path("server.py").write_text(CRASHING)
    words = ("inspect", "-e", "MY_TOKEN=abcdefgh12345", "--", sys.executable, "server.py")
    code, _, err = command(*words)
    assert code == 4
    first, title, *lines, hint = err.splitlines()
    assert first.endswith("it ended with exit code 3 before it answered")
    assert title == "  its last words:"
    assert lines == ["    loading \\x1b[31mred", "    KeyError: 'API' token=[hidden] [hidden]"]
    assert f"run it by itself: {sys.executable} server.py" in hint
    told = json.loads(command("--json", *words)[2])["error"]
    assert [line.strip() for line in told["lastWords"]][1] == lines[1].strip()


def test_the_error_quotes_the_last_lines_of_a_long_log(command):
    Path("server.py").write_text(
        "import sys\nfor n in range(99): print('line', n, file=sys.stderr)\nsys.exit(1)"
    )
    _, _, err = command("inspect", "--", sys.executable, "server.py")
    told = [line.strip() for line in err.splitlines() if line.strip().startswith("line ")]
    assert told == [f"line {n}" for n in range(89, 99)]


def test_the_error_quotes_what_an_upstream_printed_to_standard_output(tmp_path):
    (tmp_path / "server.py").write_text("print('Listening on 3000', flush=True); input(); input()")
    (tmp_path / "mcp-gen-ui.json").write_text(
        json.dumps({"upstream": {"command": sys.executable, "args": ["server.py"], "startTimeoutMs": 1500}})
    )
    command = [sys.executable, "-P", "-m", "genui_cli", "inspect", "-q", "--llm", "none"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "    Listening on 3000" in done.stderr.splitlines()
    assert "only MCP messages to standard output" in done.stderr


def test_an_upstream_that_is_not_ready_in_time_may_get_more_time(command):
    words = ("inspect", "--llm", "none", "--", sys.executable, "-c", "__import__('time').sleep(99)")
    code, _, err = command(*words, MCP_GEN_UI_UPSTREAM_START_TIMEOUT_MS="300")
    assert code == 4
    assert "it was not ready within 300 ms" in err
    assert "a slow start needs more time: upstream.startTimeoutMs" in err.splitlines()[-1]


def test_a_secret_where_a_last_word_is_cut_is_hidden():
    heard = LastWords(RecordingEventLog(), frozenset(("abcdefgh12345",)))
    heard.record(Level.INFO, "relay", "upstream_stderr", text="-" * 495 + "abcdefgh12345")
    assert "abcde" not in heard.lines[0]


def test_a_flood_of_lines_that_are_no_messages_is_cut():
    log = RecordingEventLog()
    heard = LastWords(log, frozenset())
    for number in range(99):
        heard.record(Level.WARN, "relay", "not_a_message", text=f"line {number}")
    assert len(log.events) == len(heard.lines) == 10
    assert heard.lines[-1] == "line 98"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--", "server.py"), "start it as python server.py"),
        (("--", "./tool"), "make it executable, chmod +x ./tool, or write the program that runs it"),
        (("--", "."), "name a program, not a folder"),
        (("--", ""), "write each word of its command by itself"),
        (("--upstream", "ftp://example.org/mcp"), "a URL is given as --upstream https://"),
        (("--", "python server.py"), "write each word of its command by itself"),
        (("--", "https://example.org/mcp"), "a URL is given as --upstream https://example.org/mcp"),
        (("--", "no-such-program-here"), "install no-such-program-here, or write its whole path"),
        (("--cwd", "nowhere", "--", sys.executable), "name a directory that is there"),
    ],
)
@pytest.mark.parametrize("first", ["inspect", None])
def test_an_upstream_that_cannot_be_started_has_a_hint_of_its_own(command, words, hint, first):
    assert_hinted(command, words, hint, first)


def test_a_url_where_nothing_answers_has_a_hint_of_its_own(command):
    assert_hinted(command, ("--upstream", "http://127.0.0.1:9/mcp"), "check the URL", "inspect")


def assert_hinted(command, words, hint, first):
    Path("server.py").touch()
    Path("tool").touch()
    code, _, err = command(*([first] if first else []), *words)
    assert code == 4
    assert hint in err.splitlines()[-1]


def test_without_a_model_the_error_holds_in_the_preview_and_in_a_chat():
    text = str(NoModel())
    assert "--llm" in text
    assert "In a chat," in text
    assert "this chat" not in text


def test_the_error_about_a_refused_bind_lists_all_conditions(command):
    fixes = ("--allowed-host NAME[:PORT]", "set MCP_GEN_UI_TOKEN")
    with bound_socket("0.0.0.0", 0) as taken:  # noqa: S104 -- a port that is taken on every address
        port = str(taken.getsockname()[1])
        words = ("--host", "0.0.0.0", "--port", port, "--", sys.executable)  # noqa: S104
        code, out, err = command("--transport", "http", *words)
        assert (code, out) == (USAGE, "")
        for part in (
            "no name is allowed",
            "no token guards it",
            "it is in use",
            *fixes,
            "choose another with",
        ):
            assert part in err
        code, _, err = command("--transport", "http", "--token", "t", *words)
        assert "no token guards it" not in err
        assert "it is in use" in err
        code, out, err = command(*words)
    assert (code, out) == (USAGE, "")
    for part in ("--host and --port without --transport", "add --transport http", *fixes):
        assert part in err


def test_a_port_of_this_machine_alone_needs_no_name_and_no_token(command):
    err = command("--host", "127.0.0.1", "--", sys.executable)[2]
    assert "add --transport http" in err
    assert "--allowed-host" not in err


@pytest.mark.parametrize("first", [("preview",), ("--transport", "http")])
def test_a_port_that_is_no_number_is_called_no_port(command, first):
    code, out, err = command(*first, "--port", "abc", "--", sys.executable)
    assert (code, out) == (USAGE, "")
    assert "Invalid value for '--port': 'abc' is not a valid port." in err


def test_the_commands_to_choose_from_are_those_that_help_lists(command):
    code, _, err = command("config", "set")
    assert code == USAGE
    assert "mcp-gen-ui config check" in err


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (".", None, "--config names '.', and that is a folder"),
        (os.devnull, None, f"--config names {os.devnull!r}, and that is no plain file"),
        ("settings.yaml", "llm:\n", "write JSON without comments and without a last comma, or TOML"),
        ("twice.json", '{"llm": {}, "llm": {}}', "correct the file, or name another"),
    ],
)
def test_a_configuration_that_cannot_be_read_says_what_to_do(command, name, text, said):
    if text is not None:
        Path(name).write_text(text)
    code, out, err = command("config", "check", "--config", name)
    assert (code, out) == (USAGE, "")
    assert said in err
    assert len(err.splitlines()) == 2


def test_a_flag_without_its_value_points_to_the_help_of_its_command(command):
    _, _, err = command("cache", "clear", "--tool")
    assert err.splitlines()[-1] == "  hint: see mcp-gen-ui cache clear --help"
    assert command("--config")[2].splitlines()[-1] == "  hint: see mcp-gen-ui --help"


def test_a_new_server_needs_a_name(command):
    code, out, err = command("install", "cursor", "--name", "", "--", sys.executable)
    assert (code, out) == (USAGE, "")
    assert "--name is empty" in err


def test_the_last_words_of_an_upstream_are_where_the_log_goes(tmp_path):
    (tmp_path / "mcp-gen-ui.json").write_text('{"logging": {"file": "wrapper.log"}}')
    command = [sys.executable, "-P", "-m", "genui_cli", "--", sys.executable, "-c", "exit(1)"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **pipes) as wrapper:
        assert "its last words are in the log above" in wrapper.stderr.read()
    assert wrapper.returncode == 4


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("config", "init"), "mcp-gen-ui.json"),
        (("prompts", "eject", "mine", "system"), "mine/system.mustache"),
    ],
)
def test_a_file_that_cannot_be_written_whole_stays_as_it_was(command, words, file):
    import resource  # noqa: PLC0415 -- not on Windows

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))  # as on a disk that is full
    try:
        code, out, err = command(*words)
        assert (code, out) == (USAGE, "")
        assert "cannot be written" in err
        assert not Path(file).exists()
        Path(file).write_text("mine")
        assert command(*words, "--force")[0] == USAGE
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [each.read_text() for each in Path(file).parent.iterdir()] == ["mine"]
    assert command(*words, "--force")[0] == 0
    assert Path(file).read_text() != "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="its shell closes no stream")
@pytest.mark.parametrize("words", ["version", "config schema", "validate -"])
def test_a_command_without_an_output_and_an_input_runs(tmp_path, words):
    command = f'"{sys.executable}" -P -m genui_cli {words} <&- >&-'
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == (FAILED if words == "validate -" else 0)


@pytest.mark.parametrize(
    "words", [("prompts", "show", "system"), ("install", "goose", "--dry-run", "--wrap", "\u00fc")]
)
def test_a_text_that_standard_output_cannot_encode_is_escaped(tmp_path, words):
    config = tmp_path / "home" / "goose" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("extensions:\n  \u00fc:\n    cmd: python\n    args: []\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "XDG_CONFIG_HOME": str(config.parent.parent)}
    command = [sys.executable, "-P", "-m", "genui_cli", *words]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\x" in done.stdout
