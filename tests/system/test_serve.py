"""The command as a server for many hosts: admission, answers, messages and exit."""

import http.client
import http.server
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

import pytest

SERVE = (sys.executable, "-P", "-m", "genui_cli", "--port", "0", "--log-level", "debug")
ADDRESS = r'(?:serves |"address": ")(http://[^\s"]+)'
"""The address line, as text and as an event."""
UPSTREAM = """
import json, os, subprocess, sys
pids = [os.getpid()]
for line in sys.stdin:
    message = json.loads(line)
    if (message.get("params") or {}).get("arguments", {}).get("with_child"):
        pids.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid)
    tools = [{"name": "pids", "inputSchema": {"type": "object"}}]
    text = {"type": "text", "text": json.dumps(pids)}
    results = {
        "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "u", "version": "1"}},
        "tools/list": {"tools": tools},
        "tools/call": {"content": [text]},
    }
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": results.get(message["method"], {})}), flush=True)
"""
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
ENVELOPE = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
}


class Served:
    """A started server, and its port."""

    def __init__(self, host):
        self.process = host
        (self.address,) = host.wait_for(lambda: re.findall(ADDRESS, host.log_text()))
        self.port = urlsplit(self.address).port

    def ask(self, method, path, headers=None, body=None):
        """Send a request and return status, headers and text of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()
        finally:
            connection.close()

    def post(self, method, params=None, **headers):
        """Send a stateless request and return status and answer."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": META, **(params or {})}}
        named = {"mcp-name": params["name"]} if params and "name" in params else {}
        sent = {**ENVELOPE, "mcp-method": method, **named, **headers}
        status, _, text = self.ask("POST", "/mcp", sent, json.dumps(message))
        return status, answer_in(text)

    def until_ready(self):
        self.until_ready_as({})

    def until_ready_as(self, headers):
        deadline = time.monotonic() + 60
        while self.ask("GET", "/readyz", headers)[0] != 200:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def answer_in(text):
    """Return the answer in a body: JSON, the last message of a stream, or other text."""
    events = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
    return json.loads(text) if text.startswith("{") else json.loads(events[-1]) if events else text


@pytest.fixture
def serve(open_host):
    """Start the command with these words in front of the upstream."""
    return lambda *words, **options: Served(
        open_host(*SERVE, *words, "--", sys.executable, "-c", UPSTREAM, **options)
    )


def test_the_server_prints_its_address_and_reports_its_state(serve):
    served = serve("--transport", "http")
    assert served.ask("GET", "/healthz")[::2] == (200, '{"status":"alive"}')
    served.until_ready()
    assert json.loads(served.ask("GET", "/readyz")[2]) == {"status": "ready"}
    for page in ("/healthz", "/readyz", "/metrics"):
        assert served.ask("GET", page, {"host": "evil.example"})[0] == 421
        assert served.ask("POST", page)[0] == 405
    assert served.process.lines == []


@pytest.mark.parametrize("transport", ["http", "sse"])
def test_a_call_and_a_view_are_served_without_an_sdk(open_host, transport):
    words = ("-X", "importtime", "-P", "-m", "genui_cli", "--transport", transport, "--port", "0")
    served = Served(open_host(sys.executable, *words, "--", sys.executable, "-c", UPSTREAM))
    served.until_ready()
    if transport == "http":
        apps = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
        meta = {**META, "io.modelcontextprotocol/clientCapabilities": apps}
        tools = served.post("tools/list", {"_meta": meta})[1]["result"]["tools"]
        uri = tools[0]["_meta"]["ui"]["resourceUri"]
        read = served.post("resources/read", {"uri": uri, "_meta": meta}, **{"mcp-name": uri})[1]["result"]
        assert read["contents"][0]["uri"] == uri
        assert "content" in served.post("tools/call", {"name": "pids", "arguments": {}})[1]["result"]
    else:
        with socket.create_connection(("127.0.0.1", served.port)) as stream:
            stream.sendall(b"GET /sse HTTP/1.1\r\nhost: localhost\r\n\r\n")
            assert b"session_id=" in read_until(stream, b"session_id=")
    served.process.child.terminate()
    served.process.wait()
    loaded = {
        each.partition(".")[0] for each in re.findall(r"import time:.*\|\s*(\S+)", served.process.log_text())
    }
    assert "httptools" in loaded
    heavy = {
        "mcp",
        "mcp_types",
        "pydantic",
        "starlette",
        "sse_starlette",
        "h11",
        "httpx2",
        "uvicorn",
        "click",
    }
    assert loaded & heavy == set()


def test_the_server_is_not_ready_when_its_upstream_is_gone(serve):
    served = serve("--transport", "http")
    served.until_ready()
    _, answer = served.post("tools/call", {"name": "pids", "arguments": {}})
    before = re.findall(r"upstream_restarted", served.process.log_text())
    status, _, text = 200, None, ""
    os.kill(json.loads(answer["result"]["content"][0]["text"])[0], signal.SIGKILL)
    deadline = time.monotonic() + 30
    while status == 200 and "upstream_restarted" not in served.process.log_text():
        status, _, text = served.ask("GET", "/readyz")
        assert time.monotonic() < deadline
    if status == 503:  # unless it was back at once
        assert json.loads(text) == {"status": "not ready", "reason": "the upstream is not connected"}
    served.until_ready()
    served.process.wait_for(lambda: "upstream_restarted" in served.process.log_text())
    assert before == []
    assert "mcp_gen_ui_upstream_restarts_total 1.0" in served.ask("GET", "/metrics")[2]


def test_an_upstream_that_never_answers_is_not_ready(open_host):
    silent = "import sys; sys.stdin.read()"
    served = Served(open_host(*SERVE, "--transport", "http", "--", sys.executable, "-c", silent))
    assert served.ask("GET", "/healthz")[0] == 200
    status, _, text = served.ask("GET", "/readyz")
    assert status == 503
    assert json.loads(text) == {"status": "not ready", "reason": "the upstream's tools were not listed yet"}


def test_the_metrics_need_the_token_and_name_no_tool(serve):
    served = serve("--transport", "http", "--token", "s3cret", "--apps", "always")
    assert served.ask("GET", "/metrics")[0] == 401
    token = {"authorization": "Bearer s3cret"}
    served.post("tools/call", {"name": "pids", "arguments": {}}, **token)
    served.post("tools/call", {"name": "nobody", "arguments": {}}, **token)
    assert served.post("tools/call", {"name": "_ui_list"}, **token)[1]["result"]["structuredContent"]
    status, headers, text = served.ask("GET", "/metrics", token)
    assert (status, headers["content-type"].partition(";")[0]) == (200, "text/plain")
    numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert numbers['mcp_gen_ui_tool_calls_total{outcome="ok"}'] == "2.0"
    assert numbers["mcp_gen_ui_cache_hits_total"] == numbers["mcp_gen_ui_cache_misses_total"] == "0.0"
    assert numbers["mcp_gen_ui_generations_in_flight"] == "0.0"
    assert "# TYPE mcp_gen_ui_generation_duration_seconds histogram" in text
    assert "pids" not in text
    assert "nobody" not in text
    accept = {"accept": "application/openmetrics-text; version=1.0.0"}
    status, headers, text = served.ask("GET", "/metrics", {**token, **accept})
    assert headers["content-type"].startswith("application/openmetrics-text")
    assert text.endswith("# EOF\n")


def test_hosts_with_and_without_a_session_are_served_by_one_endpoint(serve):
    served = serve("--transport", "http")
    status, answer = served.post("tools/list")
    assert (status, answer["result"]["tools"][0]["name"]) == (200, "pids")
    plain = {key: ENVELOPE[key] for key in ("content-type", "accept")}
    call = {"jsonrpc": "2.0", "id": 5, "method": "tools/list"}
    status, headers, text = served.ask("POST", "/mcp", plain, json.dumps(call))
    assert status == 200
    assert json.loads(text)["result"]["tools"][0]["name"] == "pids"
    assert "mcp-session-id" not in headers
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    begun = {"jsonrpc": "2.0", "id": 6, "method": "initialize", "params": hello}
    status, headers, text = served.ask("POST", "/mcp", plain, json.dumps(begun))
    assert headers["mcp-session-id"]
    assert (
        json.loads(text)["result"]["protocolVersion"] == "2025-11-25"
    )  # what this upstream answers to everybody
    unknown = {**plain, "mcp-session-id": "unknown"}
    assert served.ask("POST", "/mcp", unknown, json.dumps(call))[0] == 404


def test_only_known_origins_and_host_names_are_served(serve):
    served = serve(
        "--transport", "http", "--allowed-host", "box.example", "--allowed-origin", "https://app.example"
    )
    assert served.post("tools/list", host="evil.example")[0] == 421
    assert served.post("tools/list", host="127.0.0.1.evil.example:80")[0] == 421
    assert served.post("tools/list", host="box.example:8443")[0] == 200
    assert served.post("tools/list", host="localhost")[0] == 200
    assert served.post("tools/list", origin="https://evil.example")[0] == 403
    assert served.post("tools/list", origin="null")[0] == 403
    assert served.post("tools/list", origin="https://app.example")[0] == 200
    assert served.post("tools/list", origin=f"http://localhost:{served.port}")[0] == 200
    assert served.post("tools/list", origin="http://localhost:3000")[0] == 403
    assert served.post("tools/list", origin=f"https://localhost:{served.port}")[0] == 403


def test_only_pages_that_are_configured_may_read_the_answers(serve):
    served = serve("--transport", "http", "--allowed-origin", "https://app.example", "--token", "s3cret")
    wish = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "mcp-method,authorization",
    }
    status, headers, _ = served.ask("OPTIONS", "/mcp", {"origin": "https://app.example", **wish})
    assert (status, headers["access-control-allow-origin"]) == (200, "https://app.example")
    assert "authorization" in headers["access-control-allow-headers"]
    status, headers, _ = served.ask("OPTIONS", "/mcp", {"origin": "https://evil.example", **wish})
    assert status == 400
    assert "access-control-allow-origin" not in headers
    status, headers, _ = served.ask("POST", "/mcp", {"origin": "https://app.example"}, "{}")
    assert (status, headers["access-control-allow-origin"]) == (401, "https://app.example")


def test_no_page_may_read_the_answers_without_configuration(serve):
    served = serve("--transport", "http")
    status, headers, _ = served.ask("OPTIONS", "/mcp", {"origin": f"http://127.0.0.1:{served.port}"})
    assert "access-control-allow-origin" not in headers
    assert status == 405


@pytest.mark.parametrize("by", ["flag", "variable"])
def test_a_token_is_required_and_never_logged(serve, environment, by):
    if by == "flag":
        served = serve("--transport", "http", "--token", "s3cret")
    else:
        served = serve("--transport", "http", env={**environment, "MCP_GEN_UI_TOKEN": "s3cret"})
    for wrong in (
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": "Basic s3cret"},
        {"authorization": "s3cret"},
    ):
        assert served.post("tools/list", **wrong)[0] == 401
    assert served.post("tools/list", authorization="Bearer s3cret")[0] == 200
    assert served.ask("GET", "/healthz")[0] == 200
    served.process.child.terminate()
    served.process.wait()
    assert "s3cret" not in served.process.log_text()


def test_a_body_beyond_the_limit_is_refused(serve):
    served = serve("--transport", "http")
    headers = {**ENVELOPE, "mcp-method": "tools/list"}
    assert served.ask("POST", "/mcp", headers, "x" * (4 * 1024 * 1024 + 1))[0] == 413


def test_sse_is_guarded_in_the_same_way(serve):
    served = serve("--transport", "sse", "--token", "s3cret")
    assert served.address.endswith("/sse")
    token = {"authorization": "Bearer s3cret"}
    assert served.ask("GET", "/sse")[0] == 401
    assert served.ask("GET", "/sse", {**token, "host": "evil.example"})[0] == 421
    assert served.ask("POST", "/messages/?session_id=" + "0" * 32, {}, "{}")[0] == 401
    headers = {**token, "content-type": "application/json"}
    assert served.ask("POST", "/messages/?session_id=" + "0" * 32, headers, "{}")[0] == 404
    assert served.ask("POST", "/sse", token, "{}")[0] == 405


def test_an_upstream_that_cannot_be_started_ends_the_server_at_once(open_host, tmp_path):
    program = tmp_path / "server"
    program.write_bytes(b"\0")
    program.chmod(0o755)
    host = open_host(sys.executable, "-P", "-m", "genui_cli", "--transport", "http", "--", program)
    assert host.wait() == 4
    assert "cannot start the upstream" in host.log_text()
    assert "serves http" not in host.log_text()


def test_a_port_in_use_is_one_clear_line(open_host):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ("--transport", "http", "--port", port, "--", sys.executable, "-c", UPSTREAM)
        host = open_host(sys.executable, "-P", "-m", "genui_cli", *words)
        assert host.wait() == 2
    assert f"cannot serve on 127.0.0.1 port {port}: it is in use" in host.log_text()
    assert "Traceback" not in host.log_text()


@pytest.mark.parametrize(
    "words",
    [("--transport", "sse"), ("preview", "--no-open"), ("demo", "--no-open")],
    ids=lambda words: words[0],
)
def test_a_port_in_use_is_an_error_with_a_hint_in_every_command_that_binds(open_host, words):
    server = () if words[0] == "demo" else ("--", sys.executable, "-c", UPSTREAM)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        host = open_host(sys.executable, "-P", "-m", "genui_cli", *words, "--port", port, *server)
        assert host.wait() == 2
    assert f"cannot serve on 127.0.0.1 port {port}: it is in use" in host.log_text()
    assert "hint: choose another with --port" in host.log_text()
    assert "Traceback" not in host.log_text()


def test_the_address_and_warnings_are_json_where_the_log_is(open_host, tmp_path):
    (tmp_path / "mcp-gen-ui.json").write_text(
        json.dumps({"llm": {"provider": "none", "apiKey": "canary-key"}, "logging": {"format": "json"}})
    )
    words = ("--transport", "http", "--port", 0, "--", sys.executable, "-c", UPSTREAM)
    host = open_host(sys.executable, "-P", "-m", "genui_cli", *words, cwd=tmp_path)
    host.wait_for(lambda: "serving" in host.log_text())
    host.child.terminate()
    host.wait()
    events = [json.loads(line) for line in host.log_text().splitlines()]
    (serving,) = [each for each in events if each["event"] == "serving"]
    assert re.fullmatch(r"http://127.0.0.1:\d+/mcp", serving["metadata"]["address"])
    read = [
        (each["level"], each["metadata"]["text"]) for each in events if each["event"] == "configuration_read"
    ]
    assert [level for level, _ in read] == ["info", "warn"]
    assert "holds a key" in read[1][1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_the_upstream_and_its_children(serve, alive, number):
    served = serve("--transport", "http")
    _, answer = served.post("tools/call", {"name": "pids", "arguments": {"with_child": True}})
    pids = json.loads(answer["result"]["content"][0]["text"])
    assert [alive(each) for each in pids] == [True, True]
    with socket.create_connection(("127.0.0.1", served.port)) as stream:  # a stream that would go on for ever
        listen = {"notifications": {"toolsListChanged": True}, "_meta": META}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": listen})
        head = "".join(f"{key}: {value}\r\n" for key, value in ENVELOPE.items())
        stream.sendall(
            f"POST /mcp HTTP/1.1\r\nhost: localhost\r\n{head}mcp-method: subscriptions/listen\r\n"
            f"content-length: {len(body)}\r\n\r\n{body}".encode()
        )
        assert b"acknowledged" in read_until(stream, b"acknowledged")
        served.process.child.send_signal(number)
        assert served.process.wait() == 0
    deadline = time.monotonic() + 10
    while any(map(alive, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert "Traceback" not in served.process.log_text()


def read_until(stream, mark):
    data = b""
    while mark not in data:
        more = stream.recv(65536)
        assert more
        data += more
    return data


@pytest.mark.parametrize("transport", ["http", "sse"])
def test_a_stdio_host_reaches_an_upstream_behind_a_url(serve, open_host, environment, transport):
    served = serve("--transport", transport, "--token", "s3cret")
    words = ("--upstream", served.address, "-H", "Authorization: Bearer ${UPSTREAM_TOKEN}")
    host = open_host(
        sys.executable, "-P", "-m", "genui_cli", *words, env={**environment, "UPSTREAM_TOKEN": "s3cret"}
    )
    assert host.connect()["result"]["serverInfo"]["name"] == "u"
    tools = host.request("tools/list")["result"]["tools"]
    uri = tools[0]["_meta"]["ui"]["resourceUri"]
    assert host.request("resources/read", {"uri": uri})["result"]["contents"][0]["uri"] == uri
    called = host.request("tools/call", {"name": "pids", "arguments": {}})["result"]
    assert len(json.loads(called["content"][0]["text"])) == 1
    assert all(json.loads(line) for line in host.lines)
    assert host.close() == 0
    assert "s3cret" not in host.log_text()


@pytest.fixture
def refusing_upstream():
    """The URL of a server that answers everything with HTTP 403."""

    class Refusing(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            self.send_error(403)

        def log_message(self, *_):
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("words", "hint"), [((), "-H 'Authorization"), (("-H", "X-Key: wrong"), "what -H sends")]
)
def test_an_upstream_that_refuses_access_ends_the_wrapper_after_the_error_for_the_host(
    open_host, refusing_upstream, words, hint
):
    host = open_host(sys.executable, "-P", "-m", "genui_cli", "--upstream", refusing_upstream, *words)
    error = host.connect()["error"]
    assert error["data"]["errorType"] == "UPSTREAM_UNREACHABLE"
    assert "refused our credentials (HTTP 403)" in error["message"]
    assert error["data"]["retryable"] is False
    assert host.wait() == 3
    assert hint in host.log_text()
    assert "Traceback" not in host.log_text()


def test_a_server_whose_upstream_refuses_access_ends_at_once(open_host, refusing_upstream):
    words = ("--transport", "http", "--port", "0", "--upstream", refusing_upstream)
    host = open_host(sys.executable, "-P", "-m", "genui_cli", *words)
    assert host.wait() == 3
    assert "refused our credentials (HTTP 403)" in host.log_text()
    assert "Traceback" not in host.log_text()


def test_standard_input_may_be_a_file_in_front_of_a_url(tmp_path):
    (tmp_path / "input").write_text("this is no message\n")
    with (tmp_path / "input").open() as given:
        command = [sys.executable, "-P", "-m", "genui_cli", "--upstream", "http://127.0.0.1:9/mcp"]
        ended = subprocess.run(command, stdin=given, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 0
    assert "-32700" in ended.stdout
    assert "Operation not permitted" not in ended.stderr


def test_requests_before_the_end_of_standard_input_are_answered_in_front_of_a_url(serve, tmp_path):
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    methods = {"initialize": hello, "tools/list": {}, "tools/call": {"name": "pids", "arguments": {}}}
    lines = [
        {"jsonrpc": "2.0", "id": method, "method": method, "params": methods[method]} for method in methods
    ]
    (tmp_path / "input").write_text("\n".join(map(json.dumps, lines)))
    with (tmp_path / "input").open() as given:
        command = [
            sys.executable,
            "-P",
            "-m",
            "genui_cli",
            "--upstream",
            serve("--transport", "http").address,
        ]
        ended = subprocess.run(command, stdin=given, capture_output=True, check=False, timeout=60)
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert {each["id"] for each in answers if "result" in each} == methods.keys()


def test_an_upstream_behind_a_url_that_is_not_there_is_an_error_the_host_can_read(open_host):
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    host = open_host(sys.executable, "-P", "-m", "genui_cli", "--upstream", f"http://127.0.0.1:{port}/mcp")
    error = host.connect()["error"]
    assert error["data"]["errorType"] == "UPSTREAM_UNREACHABLE"
    assert error["data"]["retryable"] is True
    host.send_bytes(b"this is no message\n")
    host.wait_for(lambda: any(b"-32700" in line for line in host.lines))
    host.child.terminate()
    assert host.wait() == 0
