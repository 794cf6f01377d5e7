"""The imports of a start of the command, and its messages if something is wrong (requirement N2)."""

import json
import os
import re
import subprocess
import sys

import pytest

HEAVY = {
    "anthropic", "cattrs", "chevron", "click", "html5lib", "httpx", "httpx2", "mcp", "mcp_types",
    "ollama", "openai", "pydantic", "rich", "rich_click", "starlette", "uvicorn",
}  # fmt: skip
PROXY = (sys.executable, "-P", "-m", "genui_cli", "--")
ECHO = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    tools = [{"name": "echo", "inputSchema": {"type": "object"}}]
    result = {"tools": tools} if message["method"] == "tools/list" else {"capabilities": {}, "content": []}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


NOT_FOR_A_LIST = {
    "anyio", "asyncio", "bz2", "concurrent", "decimal", "difflib", "html", "ipaddress", "logging",
    "lzma", "shutil", "ssl", "tomllib", "urllib",
}  # fmt: skip
LOADED_LATER = re.compile(
    r"genui_core\.(application\.(generation|views|worker|defaults|own_tools\.view_)"
    r"|domain\.(prompting\.(?!prompt_set)|validation))"
    r"|genui_adapters\.(llm|view_store|configured_files|host\.sessions|io\.threads|upstream)"
    r"|genui_cli\.(commands|configuration\.|preview|serve)"
)
"""Modules that only a view, a model, a configuration or another transport needs."""
MOST_MODULES = 93


def modules_in(log):
    """Return the modules in the output of ``-X importtime``, in the order of their imports."""
    return [match[1] for match in re.finditer(r"import time:[^|]*\|[^|]*\|\s*(\S+)", log)]


def imported(log):
    """Return the top-level modules in the output of ``-X importtime``."""
    return {each.partition(".")[0] for each in modules_in(log)}


def run(*words, stdin=subprocess.DEVNULL, **options):
    command = [sys.executable, "-P", "-m", "genui_cli", *map(str, words)]
    return subprocess.run(
        command, stdin=stdin, capture_output=True, text=True, timeout=60, check=False, **options
    )


def test_the_stdio_path_imports_nothing_heavy(open_host):
    host = open_host(
        sys.executable, "-X", "importtime", "-P", "-m", "genui_cli", "--", sys.executable, "-c", ECHO
    )
    host.connect()
    tool = host.request("tools/list")["result"]["tools"][0]
    host.request("resources/read", {"uri": tool["_meta"]["ui"]["resourceUri"]})
    host.request("tools/call", {"name": "echo", "arguments": {}})
    host.request("tools/call", {"name": "_ui_list", "arguments": {}})
    host.close()
    modules = imported(host.log_text())
    assert "genui_core" in modules
    assert modules & HEAVY == set()


@pytest.mark.skipif("COVERAGE_PROCESS_CONFIG" in os.environ, reason="coverage loads modules of its own")
def test_the_first_list_of_tools_loads_nothing_that_it_does_not_need(open_host):
    host = open_host(
        sys.executable, "-X", "importtime", "-P", "-m", "genui_cli", "--", sys.executable, "-c", ECHO
    )
    host.connect()
    assert host.request("tools/list")["result"]["tools"][0]["_meta"]
    host.close()
    modules = modules_in(host.log_text())
    ours = [each for each in modules if each.startswith("genui_")]
    assert {each.partition(".")[0] for each in modules} & NOT_FOR_A_LIST == set()
    assert [each for each in ours if LOADED_LATER.match(each)] == []
    assert len(ours) <= MOST_MODULES
    before_the_upstream = modules[: modules.index("genui_adapters.io.process")]
    assert {"attr", "attrs", "genui_core", "json"}.isdisjoint(before_the_upstream)


@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_help_and_version_import_no_sdk(flag):
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "-P", "-m", "genui_cli", flag],
        capture_output=True,
        text=True,
        check=True,
    )
    assert imported(ended.stderr) & (HEAVY - {"click", "rich", "rich_click"}) == set()


@pytest.mark.parametrize("words", [["--help"], ["preview", "--help"], ["demo", "-h"]])
def test_every_help_shows_an_example(words):
    ended = run(*words)
    assert ended.returncode == 0
    assert "$ mcp-gen-ui" in ended.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "no upstream"),
        (["--upstream", ""], 2, "--upstream is empty"),
        (["--upstream", "'open quote"], 2, "quote"),
        (["--upstream", "https://example.org/mcp", "--", "b"], 2, "given twice"),
        (["--upstream", "https://example.org/mcp", "-e", "A=b"], 2, "started here"),
        (["--upstream", "https://example.org/mcp", "-H", "no colon"], 2, "NAME: VALUE"),
        (
            ["--upstream", "https://example.org/mcp", "-H", "a: ${NO_SUCH_VARIABLE_HERE}"],
            2,
            "NO_SUCH_VARIABLE",
        ),
        (["-H", "a: b", "--", "x"], 2, "behind a URL"),
        (["--transport", "http", "--", "no-such-program-here"], 4, "no-such-program-here"),
        (["--transport", "http", "--host", "192.0.2.1", "--", sys.executable], 2, "other machines"),
        (["--transport", "http", "--host", "192.0.2.1", "--", sys.executable], 2, "--allowed-host"),
        (["--transport", "http", "--host", "192.0.2.1", "--", sys.executable], 2, "MCP_GEN_UI_TOKEN"),
        (["--transport", "http", "--host", "192.0.2.1", "--", sys.executable], 2, "no token guards it"),
        (["--port", "8000", "--", sys.executable], 2, "--port without --transport"),
        (["--host", "::1", "--", sys.executable], 2, "add --transport http"),
        (["--host", "::1", "--port", "0", "--", sys.executable], 2, "--host and --port without"),
        (["--port", "0", "--upstream", "http://127.0.0.1:9/mcp"], 2, "--port without --transport"),
        (
            [
                "--transport",
                "http",
                "--host",
                "no.such.name.invalid",
                "--allowed-host",
                "a",
                "--token",
                "t",
                "--",
                sys.executable,
            ],
            2,
            "--host takes an address",
        ),
        (
            ["--transport", "sse", "--host", "192.0.2.1", "--allowed-host", "a", "--", sys.executable],
            2,
            "no token guards it",
        ),
        (["--upstream", "a", "--", "b"], 2, "given twice"),
        (["--upstrem", "x"], 2, "--upstream"),
        (["-e", "NO_SUCH_VARIABLE_HERE", "--", "x"], 2, "NO_SUCH_VARIABLE_HERE"),
        (["--", "no-such-program-here"], 4, "no-such-program-here"),
        (["--cwd", "/no/such/folder", "--", sys.executable], 4, "/no/such/folder"),
        (["previw"], 2, "preview"),
    ],
)
def test_each_error_has_a_plain_message_and_its_exit_code(words, code, said):
    ended = run(*words, stdin=subprocess.PIPE)
    assert ended.returncode == code
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_the_error_quotes_the_last_words_of_an_upstream_that_ends_at_once(open_host):
    host = open_host(*PROXY, sys.executable, "-c", "raise SystemExit('broken on purpose')")
    assert host.wait() == 4
    assert "broken on purpose" in host.log_text()
    assert "stopped by itself (exit code 1)" in host.log_text()


def test_the_upstream_gets_a_safe_environment_and_what_it_was_given(open_host, environment):
    code = "import json, os, sys; sys.stdin.readline(); print(json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': dict(os.environ)}), flush=True)"
    env = {
        **environment,
        "ANTHROPIC_API_KEY": "canary-key",
        "OTHER_SECRET": "canary-other",
        "SHARED": "passed on",
    }
    words = ("-e", "GIVEN=a=b", "-e", "SHARED")
    host = open_host(
        sys.executable, "-P", "-m", "genui_cli", *words, "--", sys.executable, "-c", code, env=env
    )
    got = host.request("ping")["result"]
    assert (got["GIVEN"], got["SHARED"], got["PATH"]) == ("a=b", "passed on", env["PATH"])
    assert "canary" not in json.dumps(got)


def test_the_upstreams_command_line_is_passed_unchanged(open_host):
    code = "import json, sys; sys.stdin.readline(); print(json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': sys.argv[1:]}), flush=True)"
    words = ["--help", "--", "a b", "$HOME", "*", ""]
    host = open_host(sys.executable, "-P", "-m", "genui_cli", "--", sys.executable, "-c", code, *words)
    assert host.request("ping")["result"] == words


def test_a_module_in_the_working_directory_replaces_none_of_the_wrapper(tmp_path, open_host):
    (tmp_path / "genui_core").mkdir()
    (tmp_path / "genui_core" / "__init__.py").write_text("raise SystemExit('hijacked')")
    host = open_host(sys.executable, "-P", "-m", "genui_cli", "--", sys.executable, "-c", ECHO, cwd=tmp_path)
    assert "result" in host.request("tools/list")
