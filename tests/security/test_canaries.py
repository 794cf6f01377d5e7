"""A secret, wherever it is configured, appears in no output, page, log or file (requirement D2)."""

import json
import subprocess
import sys
from base64 import b64encode
from http.server import BaseHTTPRequestHandler

import pytest
from made_views import FRAGMENTS, MadeViews, command, recordings, tool

CANARY = "canary-4f1c9a77-secret"
NAMES = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "MCP_GEN_UI_TOKEN")
GIVEN = {
    "llm": {"apiKey": CANARY, "baseUrl": f"http://user:{CANARY}@127.0.0.1:9/v1"},
    "serve": {"token": CANARY},
}
UPSTREAM = {
    "command": sys.executable,
    "args": ["-c", "pass", "--token", CANARY, f"--api-key={CANARY}"],
    "env": {"MY_TOKEN": CANARY, "DATABASE_URL": f"postgres://me:{CANARY}@127.0.0.1/db"},
}


@pytest.fixture
def run_command(environment, tmp_path):
    """Run a command in an environment full of secrets; return its whole output."""

    def run(*words, config=None, typed=()):
        (tmp_path / "given.json").write_text(config if isinstance(config, str) else json.dumps(config or {}))
        secrets = dict.fromkeys(NAMES, CANARY) | {
            "HOME": str(tmp_path),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        }
        argv = [sys.executable, "-P", "-m", "genui_cli", *words, "--config", tmp_path / "given.json", *typed]
        done = subprocess.run(
            argv,
            env=environment | secrets,
            cwd=tmp_path,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


@pytest.mark.parametrize(
    "words", [("config", "show", "--all"), ("config", "check"), ("doctor",), ("inspect",)]
)
def test_commands_about_the_configuration_show_no_secret(run_command, words):
    provider = {"provider": "openai", "model": "m"}
    sections = {"upstream": UPSTREAM, **GIVEN, "llm": {**GIVEN["llm"], **provider}}
    assert CANARY not in run_command(*words, config=sections)


@pytest.mark.parametrize(
    "config",
    [
        {"llm": {"apiKey": [CANARY]}},
        {"llm": {"apiKeyy": CANARY}},
        {"upstream": {"headers": {"Authorization": [f"Bearer {CANARY}"]}, "env": {"A_TOKEN": {"x": CANARY}}}},
        f'{{"llm": {{"apiKey": "{CANARY}"',
    ],
    ids=["wrong type", "unknown key", "nested", "cut"],
)
def test_errors_about_a_config_file_show_no_secret(run_command, config):
    assert CANARY not in run_command("config", "show", config=config)


TYPED = "canary-9b3e2d10-typed"
"""A secret that is in no variable of the environment: only the command line shows that it is secret."""
REPEATS_ITS_TOKEN = f"import sys; print('started with {TYPED}', flush=True)"


@pytest.mark.parametrize("words", [("inspect",), ("doctor", "--no-browser"), ()])
@pytest.mark.parametrize(
    "typed",
    [
        ("-e", f"MY_TOKEN={TYPED}", "--", sys.executable, "-c", REPEATS_ITS_TOKEN),
        ("--", sys.executable, "-c", REPEATS_ITS_TOKEN, "--token", TYPED),
    ],
    ids=["a variable", "an argument"],
)
def test_a_typed_secret_that_a_server_repeats_is_not_shown(run_command, words, typed):
    said = run_command(*words, config=None, typed=typed)
    assert "not_a_message" in said
    assert TYPED not in said


@pytest.fixture
def repeating(served):
    """A server behind a URL that refuses every request and repeats its path and credentials."""
    return served(Repeating)


class Repeating(BaseHTTPRequestHandler):
    """Answers like a framework's error page, with the path and the credentials of the request."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        asked_by = self.headers.get("authorization", "nobody").split()[-1]
        body = f"Cannot POST {self.path} for {asked_by}".encode()
        self.send_response(500)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words):
        pass


@pytest.mark.parametrize(
    ("url", "more"),
    [
        (f"http://HOST/mcp?key={TYPED}", ()),
        (f"http://me:{TYPED}@HOST/mcp", ()),
        ("http://HOST/mcp", ("-H", f"Authorization: Bearer {TYPED}")),
    ],
    ids=["query", "account", "header"],
)
def test_a_typed_secret_that_a_url_repeats_is_not_shown(run_command, repeating, url, more):
    said = run_command("inspect", typed=("--upstream", url.replace("HOST", repeating), *more))
    assert "Cannot POST" in said
    assert TYPED not in said
    assert b64encode(f"me:{TYPED}".encode()).decode() not in said


def contents_below(folder, *but):
    """Return the contents of all files, except of those that configured a secret."""
    files = (each for each in folder.rglob("*") if each.is_file() and each.name not in but)
    return b"".join(each.read_bytes() for each in files)


def test_a_session_with_all_debug_files_stores_and_logs_no_secret(open_host, environment, tmp_path):
    """Prompts, answers, views and the log are stored; environment and configuration hold the secret."""
    answer = (FRAGMENTS / "plain.txt").read_text()
    secrets = dict.fromkeys(NAMES, CANARY) | {
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    model = recordings(tmp_path / "answers", answer, answer)
    sections = {"llm": {"apiKey": CANARY}, "generation": {"serveWithinMs": 60_000}}
    words = command(tmp_path, [tool("rows")], "--debug", "--llm", model, **sections)
    made = MadeViews(open_host(*words, env=environment | secrets, cwd=tmp_path))
    made.host.connect()
    made.host.request("tools/list")
    made.page("rows")
    made.call("_ui_refine", toolName="rows", feedback="larger")
    made.call("_ui_inspect", toolName="rows")
    assert made.host.close() == 0
    assert made.host.log
    everything = b"".join([*made.host.lines, *made.host.log, contents_below(tmp_path, "config.json")])
    assert CANARY.encode() not in everything
