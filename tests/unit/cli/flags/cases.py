"""Every flag of every command, with a command line that uses it and the expected effect.

A new flag needs a line here: the test that compares this table with the commands says so.
"""

import json
import os
import sys
import zipfile
from pathlib import Path

from attrs import Factory, frozen

from genui_cli.upstream_options import upstream_argv, upstream_command, upstream_of

SERVER = ("--", "node", "server.js")
COMMANDS = {
    "": (),
    "preview": ("preview",),
    "demo": ("demo",),
    "export": ("export",),
    "doctor": ("doctor",),
    "install": ("install", "cursor"),
    "inspect": ("inspect",),
    "check": ("check",),
    "bundle": ("bundle", "--name", "b"),
    "init": ("init",),
    "config show": ("config", "show"),
    "config check": ("config", "check"),
    "config init": ("config", "init"),
    "validate": ("validate", "view.html"),
    "cache list": ("cache", "list"),
    "cache clear": ("cache", "clear"),
    "prompts list": ("prompts", "list"),
    "prompts show": ("prompts", "show", "system"),
    "prompts eject": ("prompts", "eject", "mine"),
    "version": ("version",),
}
WITH_UPSTREAM = ("", "preview", "export", "check", "doctor", "install", "inspect")
"""Commands that take the upstream after the dashes, with its flags; none of them may start it here."""
WITH_MODEL = (
    "",
    "preview",
    "demo",
    "export",
    "check",
    "doctor",
    "install",
    "inspect",
    "config show",
    "config check",
)
CONFIGURED = (*WITH_MODEL, "cache list", "cache clear", "prompts list", "prompts show")
NAMING_SERVERS = tuple(command for command in WITH_MODEL if command != "demo")
WARNING = ("", "export", "inspect", "config show", "config check")
"""Commands that print the warnings about the configuration themselves."""
VIEW = """<style></style><template><div class="view"><p></p></div></template>
<script>
function render(data, ui) { ui.root.querySelector("p").textContent = ui.number(%s); }
</script>
<!--end-->
"""


@frozen
class Case:
    """A flag in use.

    Attributes:
        words: The flag, and the words that it needs.
        holds: Whether the result of the command line shows the flag's effect.
        server: The upstream after the dashes.
        files: The files in the folder.
        before: A command line to run first.
    """

    words: tuple
    holds: object
    server: tuple = SERVER
    files: dict = Factory(dict)
    before: tuple = ()


def value(path, expected, *words, **more):
    """Return a case of a flag that sets a config key."""
    return Case(words, lambda ran: ran.value(path) == expected, **more)


SERVERS = {"servers.json": {"mcpServers": {"one": {"command": "first"}, "two": {"command": "second"}}}}
UPSTREAM = {
    "--upstream": Case(
        ("--upstream", "node 'other server.js'"),
        lambda ran: upstream_argv(ran.upstream) == ("node", "other server.js"),
        server=(),
    ),
    "--env": Case(("-e", "A=b"), lambda ran: upstream_command(ran.upstream).env["A"] == "b"),
    "--env-file": Case(
        ("--env-file", "variables"),
        lambda ran: upstream_command(ran.upstream).env["A"] == "from a file",
        files={"variables": "A=from a file\n"},
    ),
    "--cwd": Case(
        ("--cwd", "elsewhere"), lambda ran: Path(upstream_command(ran.upstream).cwd or "").name == "elsewhere"
    ),
    "--header": Case(
        ("--upstream", "https://example.org/mcp", "-H", "A: b"),
        lambda ran: upstream_of(ran.upstream, os.environ).headers == {"A": "b"},
        server=(),
    ),
}
CONFIGURATION = {
    "--config": value(
        "generation.maxRetries",
        7,
        "--config",
        "mine.json",
        files={"mine.json": {"generation": {"maxRetries": 7}}},
    ),
    "--quiet": Case(("-q",), lambda ran: "MCP_GEN_UI_NO_SUCH_KEY" not in ran.err),
    "--no-color": Case(("--no-color",), lambda _ran: os.environ["NO_COLOR"] == "1"),
    "--debug": value("logging.level", "debug", "--debug"),
}
SERVER_OF_FILE = {
    "--server": value(
        "upstream.command", "second", "--config", "servers.json", "--server", "two", server=(), files=SERVERS
    ),
}
MODEL = {
    "--llm": Case(
        ("--llm", "replay:answers"),
        lambda ran: (ran.value("llm.provider"), ran.value("llm.model")) == ("replay", "answers"),
    ),
    "--model": value("llm.model", "m", "--llm", "host", "--model", "m"),
    "--no-cache": Case(("--no-cache",), lambda ran: not ran.configuration.settings.cache.enabled),
}
FROZEN = {"--frozen": Case(("--frozen", "views"), lambda ran: ran.configuration.frozen == "views")}
EXPORT = {
    "--export-dir": Case(("-o", "pages"), lambda ran: ran.export["folder"] == Path("pages")),
    "--as-app": Case(
        ("--as-app", "app"), lambda ran: ran.export["as_app"] and ran.export["folder"] == Path("app")
    ),
    "--tool": Case(("--tool", "a", "--tool", "b"), lambda ran: ran.export["names"] == ("a", "b")),
    "--force": Case(("--force",), lambda ran: ran.export["force"]),
    "--json": Case(
        ("--json",), lambda ran: ran.data == {"folder": "exported-views", "views": [], "skipped": {}}
    ),
}
PAGE = {
    "--port": Case(("--port", "8123"), lambda ran: ran.page.port == 8123),
    "--open": Case(("--open",), lambda ran: ran.page.open_browser),
    "--no-open": Case(("--no-open",), lambda ran: not ran.page.open_browser),
    "--json": Case(("--json",), lambda ran: ran.page.publish_address.keywords == {"as_json": True}),
}
RUN = {
    "--protocol": value("upstream.protocol", "modern", "--protocol", "modern"),
    "--apps": value("host.apps", "never", "--apps", "never"),
    "--companion": value("companion.mode", "never", "--companion", "never"),
    "--transport": value("serve.transport", "sse", "--transport", "sse"),
    "--host": value("serve.host", "::1", "--host", "::1"),
    "--port": value("serve.port", 0, "--port", "0"),
    "--token": value("serve.token", "t", "--token", "t"),
    "--allowed-host": value("serve.allowedHosts", ("a", "b"), "--allowed-host", "a", "--allowed-host", "b"),
    "--allowed-origin": value("serve.allowedOrigins", ("https://a",), "--allowed-origin", "https://a"),
    "--log-level": value("logging.level", "warn", "--log-level", "warn"),
    "--export-dir": Case(("--export-dir", "pages"), lambda ran: ran.configuration.export_dir == "pages"),
    "--log-format": value("logging.format", "json", "--log-format", "json"),
    "--json": Case(
        ("--json", "--llm", "nobody", "--port", "99999"),
        lambda ran: json.loads(ran.err)["error"]["code"] == "USAGE",
    ),
    "--version": Case(("--version",), lambda ran: ran.out.startswith("mcp-gen-ui, version "), server=()),
}
HOST_FILE = Path("../home/.cursor/mcp.json")
GIT = {"mcpServers": {"git": {"command": "uvx", "args": ["mcp-server-git"]}}}
INSTALL = {
    "--dry-run": Case(("--dry-run",), lambda ran: "node" in ran.out and not HOST_FILE.exists()),
    "--name": Case(("--name", "mine"), lambda _ran: [*servers()] == ["mine"]),
    "--skill": Case(("--skill",), lambda _ran: Path(".cursor/rules/mcp-gen-ui-page.mdc").is_file()),
    "--undo": Case(
        ("--undo",), lambda _ran: not HOST_FILE.exists(), server=(), before=("install", "cursor", *SERVER)
    ),
    "--user": Case(
        ("--user", "--wrap", "git"),
        lambda _ran: servers()["git"]["args"][-2:] == ["uvx", "mcp-server-git"],
        server=(),
        files=dict.fromkeys((str(HOST_FILE), ".cursor/mcp.json"), GIT),
    ),
    "--wrap": Case(
        ("--wrap", "git"),
        lambda _ran: servers()["git"]["args"][-2:] == ["uvx", "mcp-server-git"],
        server=(),
        files={str(HOST_FILE): GIT},
    ),
}


PROJECT = {
    "server.py": """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    if message["method"] == "tools/list":
        result = {"tools": [{"name": "one", "inputSchema": {"type": "object"}}]}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
""",
    ".mcp.json": {"mcpServers": {"mine": {"command": sys.executable, "args": ["server.py"]}}},
}


def bundled(name="b.mcpb"):
    """Return the command in the manifest of a bundle, and the values that the host asks for."""
    with zipfile.ZipFile(name) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        project = archive.read("pyproject.toml").decode()
    return manifest["server"]["mcp_config"], {*manifest["user_config"]}, project


BUNDLE = {
    "--upstream": Case(
        ("--upstream", "https://example.org/mcp"),
        lambda _ran: bundled()[0]["args"][-2:] == ["--upstream", "https://example.org/mcp"],
        server=(),
    ),
    "--header": Case(
        ("--upstream", "https://example.org/mcp", "-H", "A: ${B}"),
        lambda _ran: "A: ${B}" in bundled()[0]["args"],
        server=(),
    ),
    "--env": Case(("-e", "KEY"), lambda _ran: bundled()[0]["env"]["KEY"] == "${user_config.KEY}"),
    "--env-file": Case(("--env-file", "x"), lambda ran: ran.code == 2 and "--env-file" in ran.err),
    "--cwd": Case(("--cwd", "x"), lambda ran: ran.code == 2 and "--cwd" in ran.err),
    "--name": Case(("--name", "mine"), lambda _ran: Path("mine.mcpb").exists() or Path("b.mcpb").exists()),
    "--output": Case(("-o", "other.mcpb"), lambda _ran: "node" in bundled("other.mcpb")[0]["args"]),
    "--include": Case(
        ("--include", "data"),
        lambda _ran: "server/data/rows.txt" in zipfile.ZipFile("b.mcpb").namelist(),
        files={"data/rows.txt": "1"},
    ),
    "--with": Case(("--with", "tomli"), lambda _ran: '"tomli"]' in bundled()[2]),
    "--force": Case(("--force",), lambda ran: ran.code == 0, before=("bundle", "--name", "b", *SERVER)),
    "--json": Case(("--json",), lambda ran: ran.data["file"] == "b.mcpb"),
}
STORY = {"tool": "a", "arguments": {"city": "Oslo"}, "result": {"content": []}}
CHECK = {
    "--tool": Case(("--tool", "a", "--tool", "b"), lambda ran: ran.check.names == ("a", "b")),
    "--stories": Case(
        ("--stories", "stories"),
        lambda ran: (
            [(each.tool, each.name, each.arguments["city"]) for each in ran.check.stories]
            == [("a", "warm", "Oslo")]
        ),
        files={"stories/warm.json": STORY},
    ),
    "--browser": Case(
        ("--browser", "none"), lambda ran: ran.check.browser is None and "no view is shown" in ran.err
    ),
    "--axe": Case(("--axe", "axe.js"), lambda ran: ran.check.axe == Path("axe.js"), files={"axe.js": ""}),
    "--report": Case(("--report", "r.html"), lambda _ran: "All 0 tools passed" in Path("r.html").read_text()),
    "--junit": Case(("--junit", "r.xml"), lambda _ran: "<testsuites" in Path("r.xml").read_text()),
    "--json": Case(("--json",), lambda ran: ran.data["passed"] and ran.data["tools"] == []),
}
INIT = {
    "--yes": Case(("--yes",), lambda ran: "1 tool" in ran.out, files=PROJECT),
    "--json": Case(
        ("--json", "--yes"), lambda ran: ran.data["candidates"][0]["tools"] == ["one"], files=PROJECT
    ),
    "--timeout": Case(
        ("--timeout", "0.1", "--yes"),
        lambda ran: ran.code == 4 and "within 0.1 s" in ran.err,
        files={**PROJECT, "server.py": "import time; time.sleep(60)"},
    ),
    "--preview": Case(
        ("--preview", "--yes"), lambda ran: ran.page.proxy_argv[-1] == "server.py", files=PROJECT
    ),
    "--install": Case(("--install", "cursor", "--yes"), lambda _ran: [*servers()] == ["mine"], files=PROJECT),
}


def servers():
    """Return the servers in the host's file."""
    return json.loads(HOST_FILE.read_text())["mcpServers"]


def validated(ruling, *words, view=VIEW % "data.n"):
    """Return a case that validates a view."""
    return Case(words, lambda ran: f": {ruling}" in ran.out, files={"view.html": view}, server=())


SOUND = {"view.html": VIEW % "data.n"}
CALLING = VIEW.replace("ui.number(%s)", '"…"; ui.root.onclick = () => ui.call("other", {})')
OTHERS = {
    ("doctor", "--json"): Case(("--json",), lambda ran: {"versions", "checks"} == {*ran.data}),
    ("doctor", "--no-browser"): Case(
        ("--no-browser",), lambda ran: "strict sandbox: not shown: --no-browser" in ran.out
    ),
    ("inspect", "--json"): Case(
        ("--json",), lambda ran: [each["name"] for each in ran.data] == ["first", "second"]
    ),
    ("inspect", "--tool"): Case(
        ("--tool", "second"), lambda ran: "first" not in ran.out and "second" in ran.out
    ),
    ("config show", "--json"): Case(("--json",), lambda ran: {"file", "values"} == {*ran.data}, server=()),
    ("config show", "--all"): Case(("--all",), lambda ran: "cache.maxEntries" in ran.out, server=()),
    ("config check", "--json"): Case(("--json",), lambda ran: ran.data["problems"] == [], server=()),
    ("config init", "--user"): Case(
        ("--user",), lambda ran: "home" in ran.out and Path(ran.out.strip()).exists()
    ),
    ("config init", "--force"): Case(
        ("--force",),
        lambda _ran: "server.js" in Path("mcp-gen-ui.json").read_text(),
        files={"mcp-gen-ui.json": {}},
    ),
    ("validate", "--mode"): validated("fixable", "--mode", "document"),
    ("validate", "--tool"): validated("accepted", "--tool", "other", view=CALLING),
    ("validate", "--lenient"): validated("accepted", "--lenient", view=VIEW % 'eval("1")'),
    ("validate", "--json"): Case(
        ("--json",), lambda ran: ran.data["ruling"] == "accepted", server=(), files=SOUND
    ),
    ("cache list", "--json"): Case(("--json",), lambda ran: ran.data == [], server=()),
    ("cache clear", "--json"): Case(("--json",), lambda ran: ran.data == {"cleared": 0}, server=()),
    ("cache clear", "--tool"): Case(
        ("--tool", "first"), lambda ran: ran.out == "0 views deleted\n", server=()
    ),
    ("cache clear", "--histories"): Case(
        ("--histories",), lambda ran: ran.out == "0 views deleted\n0 histories deleted\n", server=()
    ),
    ("prompts list", "--json"): Case(
        ("--json",), lambda ran: "generate" in {each["name"] for each in ran.data["prompts"]}, server=()
    ),
    ("prompts eject", "--force"): Case(
        ("--force",), lambda ran: ran.code == 0, server=(), before=("prompts", "eject", "mine")
    ),
    ("version", "--json"): Case(("--json",), lambda ran: "mcp-gen-ui" in ran.data, server=()),
}


def for_all(commands, cases):
    """Return the cases of a group of flags for each of several commands."""
    return {(command, flag): case for command in commands for flag, case in cases.items()}


CASES = {
    **for_all(WITH_UPSTREAM, UPSTREAM),
    **for_all(CONFIGURED, CONFIGURATION),
    **for_all(NAMING_SERVERS, SERVER_OF_FILE),
    **for_all(WITH_MODEL, MODEL),
    **for_all(("preview", "demo"), PAGE),
    **for_all(("", "preview", "export", "check"), FROZEN),
    **for_all(("export",), EXPORT),
    **for_all(("",), RUN),
    **for_all(("install",), INSTALL),
    **for_all(("bundle",), BUNDLE),
    **for_all(("check",), CHECK),
    **for_all(("init",), INIT),
    **OTHERS,
}
