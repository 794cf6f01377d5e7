"""``export --as-app``: the TypeScript server is installed, built and started as its README says."""

import contextlib
import json
import re
import shutil
import subprocess
import sys
from urllib.parse import quote

import pytest
from playwright.sync_api import expect
from view_host import ViewHost

from .made_views import HERE, UPSTREAM, command, recorded, tool
from .test_fidelity import STATELESS

MIME_TYPE = "text/html;profile=mcp-app"
ODD = "Ünïcode/../x"
OWN = {"name": "own", "inputSchema": {"type": "object"}, "_meta": {"ui": {"resourceUri": "ui://own/x"}}}
ECHO = {
    "name": "echo",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "_meta": {"ui": {"visibility": ["model", "app"]}, "mine": 1},
}
TOOLS = [tool("plain"), ECHO, tool(ODD), OWN]
CALLS = [("echo", {"text": 'héllo <b>"w"</b> ${x} 世界'}), ("big", {"bytes": 300_000})]
BUDGET = {"serveWithinMs": 120_000, "timeoutMs": 120_000}
OWN_SERVER = """
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

const server = new McpServer({ name: "mine", version: "1.0.0" });
server.registerTool("plain", { description: "Mine." }, async () => ({ content: [{ type: "text", text: "mine" }] }));
"""
NPM_INSTALL = ("npm", "install", "--no-audit", "--no-fund", "--silent")


def export(words):
    words = [str(each) for each in words]
    at = words.index("genui_cli") + 1
    words = [*words[:at], "export", *words[at:]]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The folder of an exported app, installed and built, with the server of the README beside it."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("as_app")
    recordings = recorded(folder / "recordings", HERE / "recordings" / "fragments")
    flags = ("--llm", f"replay:{recordings}", "--as-app", folder / "app")
    pid = ("--pid-file", folder / "pid")
    with contextlib.suppress(
        subprocess.CalledProcessError
    ):  # a model's answer for one of the tools was no view
        export(command(folder, TOOLS, *flags, generation=BUDGET, upstream=pid))
    made = folder / "app"
    (snippet,) = re.findall(r"```typescript\n(.*?)```", (made / "README.md").read_text(), re.DOTALL)
    (made / "src" / "own.ts").write_text(OWN_SERVER + snippet)
    try:
        subprocess.run(NPM_INSTALL, cwd=made, check=True, stdin=subprocess.DEVNULL, timeout=300)
    except subprocess.SubprocessError as error:
        pytest.skip(f"what the app depends on cannot be installed: {error}")
    built = subprocess.run(
        ("npm", "run", "build"), cwd=made, capture_output=True, text=True, check=False, timeout=120
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return made


@pytest.fixture(scope="module")
def host(app, start_host):
    """A host of the app, which runs in another folder than its own."""
    host = start_host("node", app / "dist" / "server.js", cwd=app.anchor)
    host.connect()
    return host


@pytest.fixture(scope="module")
def direct(app, start_host):
    """A host of the upstream alone."""
    host = start_host(sys.executable, UPSTREAM, "--tools", app.parent / "tools.json")
    host.connect()
    return host


def addresses(host):
    return {
        each["name"]: each.get("_meta", {}).get("ui", {}).get("resourceUri")
        for each in host.request("tools/list")["result"]["tools"]
    }


def test_each_tool_gains_the_address_of_its_view_and_loses_nothing(host, direct):
    listed = {each["name"]: each for each in host.request("tools/list")["result"]["tools"]}
    for before in direct.request("tools/list")["result"]["tools"]:
        after = listed[before["name"]]
        if before["name"] == "own":
            assert after == before
            continue
        uri = after["_meta"]["ui"].pop("resourceUri")
        assert uri.startswith(f"ui://{quote(before['name'], safe='')}?v=")
        assert after["_meta"].pop("ui/resourceUri") == after["_meta"].pop("openai/outputTemplate") == uri
        kept = before.get("_meta", {"ui": {}})
        assert after == {**before, "_meta": kept}


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_a_result_is_the_one_that_the_upstream_gives(host, direct, name, arguments):
    params = {"name": name, "arguments": arguments}
    assert host.request("tools/call", params)["result"] == direct.request("tools/call", params)["result"]


def test_the_views_are_listed_and_read_and_any_other_resource_is_the_upstreams(host, app):
    listed = host.request("resources/list")["result"]["resources"]
    assert {each["name"] for each in listed} == {"plain", "echo", ODD}
    assert {each["uri"] for each in listed} == {*addresses(host).values()} - {"ui://own/x"}
    for entry, view in zip(listed, json.loads((app / "views.json").read_text()), strict=True):
        (read,) = host.request("resources/read", {"uri": entry["uri"]})["result"]["contents"]
        assert read["text"] == (app / view["file"]).read_text()
        assert read["mimeType"] == entry["mimeType"] == MIME_TYPE
        assert read["_meta"]["ui"]["csp"]["connectDomains"] == []
    assert host.request("resources/read", {"uri": "ui://own/x"})["result"] == {}


def test_a_view_of_a_model_draws_a_result_in_a_browser(host, browser, host_origins):
    (page,) = host.request("resources/read", {"uri": addresses(host)["plain"]})["result"]["contents"]
    with contextlib.closing(ViewHost(browser, host_origins)) as screen:
        shown = screen.mount(page["text"], tool=tool("plain"))
        shown.send_result({"content": [], "structuredContent": {"rows": [{"name": "one"}]}})
        expect(shown.frame.locator("body")).to_contain_text("1 readings, drawn as plain")
        assert (shown.complaints, shown.requests) == ([], [])


def test_the_app_ends_with_its_host_and_its_upstream_with_it(app, open_host, alive):
    host = open_host("npm", "start", "--silent", cwd=app)
    host.connect()
    pid = int((app.parent / "pid").read_text())
    assert alive(pid)
    assert host.close() == 0
    assert not alive(pid)


def test_the_app_ends_when_its_upstream_does(app, open_host):
    host = open_host("node", app / "dist" / "server.js")
    host.connect()
    host.send("tools/call", {"name": "fault", "arguments": {"kind": "exit"}}, id=9)
    assert host.wait() == 1
    assert "the last words" in host.log_text()


def test_a_typescript_server_gets_the_views_as_the_readme_says(app, open_host):
    host = open_host("node", app / "dist" / "own.js")
    assert host.connect()["result"]["capabilities"]["resources"] == {}
    uri = addresses(host)["plain"]
    assert uri in [each["uri"] for each in host.request("resources/list")["result"]["resources"]]
    assert host.request("resources/templates/list")["result"]["resourceTemplates"] == []
    (page,) = host.request("resources/read", {"uri": uri})["result"]["contents"]
    assert "drawn as plain" in page["text"]
    assert host.request("tools/call", {"name": "plain"})["result"]["content"][0]["text"] == "mine"


def another(app, folder, *words):
    """Export another upstream with minimal views; return the program, which uses the first app's packages."""
    ours = (sys.executable, "-P", "-m", "genui_cli", "--llm", "none", "--as-app", folder)
    export((*ours, *words))
    (folder / "node_modules").symlink_to(app / "node_modules", target_is_directory=True)
    shutil.copytree(app / "dist", folder / "dist")
    return folder / "dist" / "server.js"


def test_a_host_of_the_stateless_era_is_served_as_well(app, tmp_path, repository, open_host):
    weather = repository / "examples" / "weather-server" / "weather_server.py"
    host = open_host("node", another(app, tmp_path / "app", "--", sys.executable, weather))
    meta = {"_meta": STATELESS}
    assert "resources" in host.request("server/discover", meta)["result"]["capabilities"]
    tools = host.request("tools/list", meta)["result"]["tools"]
    uri = tools[0]["_meta"]["ui"]["resourceUri"]
    read = host.request("resources/read", {"uri": uri, **meta})["result"]
    assert (read["resultType"], read["contents"][0]["uri"]) == ("complete", uri)


def test_an_upstream_behind_a_url_is_reached_with_its_headers(app, tmp_path, proxy, open_host, repository):
    corpus = repository / "tests" / "corpus"
    recorded = sys.executable, corpus / "recorded_upstream.py", corpus / "sample" / "weather"
    served = ("--transport", "http", "--port", "0", "--token", "s3cret-token", "--llm", "none", "--")
    upstream = open_host(*proxy[:-1], *served, *recorded)
    (address,) = upstream.wait_for(lambda: re.findall(r"serves (http://\S+/mcp)", upstream.log_text()))
    typed = ("--upstream", address, "-H", "Authorization: Bearer s3cret-token")
    program = another(app, tmp_path / "app", *typed)
    assert not [each for each in tmp_path.rglob("*.json") if "s3cret" in each.read_text()]
    host = open_host("node", program, env={"AUTHORIZATION": "Bearer s3cret-token", "PATH": "/usr/bin:/bin"})
    host.connect()
    assert all(addresses(host).values())
    called = host.request("tools/call", {"name": "get_forecast", "arguments": {"city": "Oslo"}})
    assert called["result"]["structuredContent"]
    assert host.close() == 0
    refused = open_host("node", program, env={"AUTHORIZATION": "Bearer other", "PATH": "/usr/bin:/bin"})
    assert refused.connect()["error"]["code"] == -32000
