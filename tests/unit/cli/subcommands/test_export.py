"""``mcp-gen-ui export``, ``--export-dir`` and ``--frozen``: their files and their errors."""

import json
import re
import sys
from pathlib import Path

import pytest

from genui_cli.configuration.loading import load
from genui_cli.subcommands.exporting import TypeScriptApp
from genui_cli.upstream_options import UpstreamOptions, proxy_arguments

SERVER = """
import json, sys
TOOLS = [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "inputSchema": {"type": "object"}}]
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    if message["method"] == "tools/call":
        raise SystemExit("a tool was called")
    if message["method"] == "tools/list":
        result = {"tools": TOOLS}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture
def export(command):
    Path("server.py").write_text(SERVER)
    return lambda *words: command("export", "--llm", "none", *words, "--", sys.executable, "server.py")


def files(folder):
    return {each["tool"] for each in json.loads(Path(folder, "manifest.json").read_text())["views"]}


def test_export_writes_all_tools_or_adds_one(export):
    code, out, err = export()
    assert (code, files("exported-views")) == (0, {"a", "b"})
    assert [line.split()[0] for line in out.splitlines()] == ["tool", "a", "b"]
    assert "2 UIs in exported-views; to serve without a model: --frozen exported-views" in err
    code, out, _ = export("-o", "some", "--tool", "b", "--json")
    assert (code, files("some")) == (0, {"b"})
    assert [each["tool"] for each in json.loads(out)["views"]] == ["b"]
    code, _, err = export("--export-dir", "some", "--tool", "a")
    assert (code, "1 UI in some;" in err) == (0, True)
    assert files("some") == {"a", "b"}
    assert export("-o", "exported-views", "--frozen", "exported-views")[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--tool", "c"), 2, "no tool named 'c'"),
        (("-o", "full"), 2, "full is neither empty nor an export of mcp-gen-ui"),
        (("-o", "server.py"), 2, "server.py cannot be written: File exists"),
        (("-o", "server.py/under", "--force"), 2, "server.py/under cannot be written: Not a directory"),
        (("--frozen", "full"), 2, "full holds no export"),
    ],
)
def test_an_impossible_export_is_an_error_of_one_line_and_writes_nothing(export, words, code, said):
    Path("full").mkdir()
    Path("full", "notes.txt").write_text("mine")
    ended, out, err = export(*words)
    assert (ended, out) == (code, "")
    assert said in err.splitlines()[0]
    assert len(err.splitlines()) <= 2
    assert [each.name for each in Path("full").iterdir()] == ["notes.txt"]


def test_a_foreign_folder_is_written_into_if_forced(export):
    Path("full").mkdir()
    Path("full", "notes.txt").write_text("mine")
    assert export("-o", "full", "--force")[0] == 0
    assert files("full") == {"a", "b"}
    assert Path("full", "notes.txt").read_text() == "mine"


def app(*names):
    return {name: Path("app", name).read_text() for name in names}


def test_an_app_holds_the_project_the_views_and_how_the_upstream_is_started(export):
    code, out, err = export("--as-app", "app", "--json")
    assert (code, files("app/views")) == (0, {"a", "b"})
    assert {each["tool"] for each in json.loads(out)["views"]} == {"a", "b"}
    assert "npm install" not in err
    assert {each.relative_to("app").as_posix() for each in Path("app").rglob("*") if each.is_file()} == {
        ".gitignore", "README.md", "package.json", "tsconfig.json", "upstream.json", "views.json",
        "src/server.ts", "src/views.ts", "views/manifest.json",
        *(each["file"] for each in json.loads(Path("app/views.json").read_text())),
    }  # fmt: skip
    package, upstream, views = map(json.loads, app("package.json", "upstream.json", "views.json").values())
    assert package["name"] == "s-with-views"
    assert upstream == {"command": sys.executable, "args": ["server.py"], "cwd": ".."}
    for view in views:
        assert view["uri"].startswith(f"ui://{view['tool']}?v=")
        assert view["mimeType"] == "text/html;profile=mcp-app"
        assert view["_meta"]["ui"]["csp"]["connectDomains"] == []
    (readme,) = app("README.md").values()
    entry = json.loads(re.search(r"```json\n(.*?)```", readme, re.DOTALL)[1])
    assert entry == {"mcpServers": {"s": {"command": "node", "args": ["/path/to/app/dist/server.js"]}}}
    assert "{{" not in readme


def test_an_app_that_is_exported_again_gets_its_views_only(export):
    assert export("--as-app", "app")[0] == 0
    before = app("views.json", "README.md", "upstream.json")
    Path("app/src/server.ts").write_text("// mine")
    Path("app/tsconfig.json").unlink()
    Path("app/views.json").write_text("[]")
    code, _, err = export("--as-app", "app", "--tool", "b")
    assert code == 0
    assert "not written, since they exist: src/server.ts;" in err
    assert "npm install && npm run build && npm start" in err
    assert app("views.json", "README.md", "upstream.json") == before
    assert app("src/server.ts", "tsconfig.json")["src/server.ts"] == "// mine"


def test_an_app_in_a_foreign_folder_replaces_none_of_its_files(export):
    Path("app").mkdir()
    Path("app/package.json").write_text("{}")
    code, out, err = export("--as-app", "app")
    assert (code, out) == (2, "")
    assert "app is neither empty nor an app that was exported" in err
    assert [each.name for each in Path("app").iterdir()] == ["package.json"]
    assert export("--as-app", "app", "--force")[0] == 0
    assert app("package.json") == {"package.json": "{}"}
    assert Path("app/src/views.ts").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--as-app", "app", "--frozen", "views"), "--as-app and --frozen do not go together"),
        (("--as-app", "app", "-o", "views"), "--as-app and --export-dir each name the folder"),
        (("--as-app", "server.py"), "server.py/views cannot be written: Not a directory"),
    ],
)
def test_an_app_that_cannot_be_written_is_a_usage_error(export, words, said):
    code, out, err = export(*words)
    assert (code, out) == (2, "")
    assert said in err.splitlines()[0]
    assert not Path("app").exists()


def test_an_app_names_the_variables_of_its_upstream_and_holds_no_value(export, monkeypatch):
    monkeypatch.setenv("COPIED", "hidden-1")
    Path("more.env").write_text("FROM_FILE=hidden-2\n")
    words = ("-e", "COPIED", "-e", "TYPED=hidden-3", "--env-file", "more.env")
    assert export("--as-app", "app", *words)[0] == 0
    (readme,) = app("README.md").values()
    assert "The upstream reads `FROM_FILE`, `COPIED`, `TYPED`." in readme
    assert '"TYPED": "..."' in readme
    assert not [each for each in Path("app").rglob("*") if each.is_file() and "hidden-" in each.read_text()]


def test_an_app_names_the_headers_of_a_url_and_holds_no_value(monkeypatch, capsys):
    monkeypatch.setenv("KEY", "hidden-1")
    typed = UpstreamOptions(
        upstream="https://example.org/mcp?token=hidden-url-secret",
        headers=("X-Api-Key: hidden-2", "Authorization: Bearer ${KEY}"),
    )
    app = TypeScriptApp.into(Path("app"), typed, force=False)
    assert app.upstream == {
        "url": "https://example.org/mcp?token=hidden-url-secret",
        "transport": "http",
        "headers": {"X-Api-Key": "${X_API_KEY}", "Authorization": "Bearer ${KEY}"},
    }
    assert app.variables == ("X_API_KEY", "KEY")
    assert "upstream.json stores the URL with its secrets" in capsys.readouterr().err


def test_a_missing_server_has_its_exit_code(command):
    code, out, err = command("export", "--llm", "none", "--", "no-such-program")
    assert (code, out) == (4, "")
    assert err.startswith("mcp-gen-ui: ")


def test_frozen_views_with_a_model_are_a_usage_error(command):
    code, _, err = command("--frozen", "views", "--llm", "anthropic", "--", "server")
    assert code == 2
    assert "--frozen serves views without a model" in err
    assert load({"frozen": "views", "llm": "none"}, {}).configuration.frozen == "views"


def test_the_preview_passes_frozen_views_to_the_wrapper():
    assert proxy_arguments(UpstreamOptions(argv=("x",)), {"frozen": "v"}) == ("--frozen", "v", "--", "x")
