"""Several wrappers as processes with one shared store on a Redis server."""

import json
import os
import re
import subprocess

import pytest

from .made_views import HERE, MadeViews, command, record, tool
from .test_serve import META, Served

PATIENT = {"serveWithinMs": 120_000, "timeoutMs": 120_000, "refinements": "persist"}


APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}


@pytest.fixture
def shared(environment, redis_process):
    """An environment that names the shared store."""
    paths = filter(None, (str(HERE / "outside"), environment.get("PYTHONPATH")))
    return {**environment, "PYTHONPATH": os.pathsep.join(paths), "VIEWS_AT": redis_process.url}


@pytest.fixture
def words_for(tmp_path):
    """Return a function that makes the command line of one more wrapper with the shared store."""

    def words(name, tools, *flags, model="outside:slow"):
        folder, cache = tmp_path / name, {"type": "redis", "url": "${VIEWS_AT}"}
        folder.mkdir()
        return command(folder, [*map(tool, tools)], "--llm", model, *flags, cache=cache, generation=PATIENT)

    return words


@pytest.fixture
def join(open_host, shared, words_for):
    """Start one more wrapper with the shared store, and complete the handshake."""

    def start(name, *tools):
        made = MadeViews(open_host(*words_for(name, tools), env=shared))
        made.host.connect()
        made.host.request("tools/list")
        return made

    return start


def test_wrappers_that_share_a_store_make_each_view_once_and_see_each_others_refinements(join, redis_process):
    one, other = join("one", "rows"), join("other", "rows")
    for each in (one, other):
        each.host.send("resources/read", {"uri": "ui://rows"}, id="first")
    pages = [each.host.answer("first")["result"]["contents"][0]["text"] for each in (one, other)]
    assert all("drawn outside 1" in page for page in pages)
    assert sum(len(each.events("generation_started")) for each in (one, other)) == 1
    assert sum(len(each.events("generation_elsewhere")) for each in (one, other)) == 1
    assert sum(len(each.events("hit")) for each in (one, other)) == 1

    maker, watcher = sorted((one, other), key=lambda each: -len(each.events("generation_started")))
    changed = maker.call("_ui_refine", toolName="rows", feedback="make it blue")["structuredContent"]
    assert changed["status"] == "done"
    assert "drawn outside 2" in watcher.page("rows")
    assert watcher.events("generation_started") == []
    watcher.host.wait_for(lambda: watcher.told("notifications/resources/updated"))
    seen = watcher.inspected("rows")
    assert [wish["feedback"] for wish in seen["refinementHistory"]] == ["make it blue"]
    assert seen["cacheKey"] == maker.inspected("rows")["cacheKey"]
    for each in (one, other):
        assert each.host.close() == 0
        assert redis_process.password not in each.host.log_text()


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_another_wrapper_takes_over_the_generation_of_a_killed_one(join):
    dead, other = join("dead", "lone_rows"), join("other", "lone_rows")
    dead.host.send("resources/read", {"uri": "ui://lone_rows"}, id="first")
    dead.wait_for_event("generation_started")
    other.host.send("resources/read", {"uri": "ui://lone_rows"}, id="first")
    other.wait_for_event("generation_elsewhere")
    dead.host.child.kill()
    page = other.host.answer("first")["result"]["contents"][0]["text"]
    assert "drawn outside 1" in page
    assert len(other.events("generation_started")) == 1


def test_views_are_made_and_served_without_the_stores_server_and_the_log_says_so_once(
    open_host, shared, words_for
):
    words = words_for("alone", ["rows"], model="outside:good")
    made = MadeViews(open_host(*words, env={**shared, "VIEWS_AT": "redis://:secret-word@127.0.0.1:1"}))
    made.host.connect()
    made.host.request("tools/list")
    assert "drawn outside 1" in made.page("rows")
    changed = made.call("_ui_refine", toolName="rows", feedback="make it blue")["structuredContent"]
    assert changed["status"] == "done"
    assert "drawn outside 2" in made.page("rows")
    assert made.host.close() == 0
    assert len(made.events("store_failed")) == 1
    assert "secret-word" not in made.host.log_text()


def test_the_metrics_the_log_the_cache_and_the_inspection_of_a_view_agree(
    open_host, shared, words_for, tmp_path
):
    tools = ("first_rows", "other_rows")
    words = words_for("served", tools, "--transport", "http", "--port", "0", model="outside:good")
    served = Served(open_host(*words, env=shared))
    served.until_ready()
    told = {}
    for name in tools:
        for _ in range(2):
            assert (
                "drawn outside" in asked(served, "resources/read", uri=f"ui://{name}")["contents"][0]["text"]
            )
        call = {"name": "_ui_inspect", "arguments": {"toolName": name}}
        told[name] = asked(served, "tools/call", **call)["structuredContent"]
    text = served.ask("GET", "/metrics")[2]
    numbers = {
        name: float(value) for name, value in re.findall(r"^(mcp_gen_ui_\S+) (\S+)$", text, re.MULTILINE)
    }
    listing = [
        *words[: words.index("--config")],
        "cache",
        "list",
        "--json",
        "--config",
        words[words.index("--config") + 1],
    ]
    done = subprocess.run([*map(str, listing)], env=shared, capture_output=True, check=True)
    listed = {each["toolName"]: each for each in json.loads(done.stdout) if each["toolName"] in tools}
    log = [*map(record, served.process.log)]

    def logged(event):
        return [each for each in log if each.get("event") == event]

    assert len(logged("miss")) == numbers["mcp_gen_ui_cache_misses_total"] == 2
    assert len(logged("hit")) == numbers["mcp_gen_ui_cache_hits_total"] == 2
    assert len(listed) == numbers["mcp_gen_ui_cache_entries_written_total"] == 2
    assert numbers['mcp_gen_ui_generation_duration_seconds_count{outcome="generated"}'] == 2
    taken_ms = 1000 * numbers['mcp_gen_ui_generation_duration_seconds_sum{outcome="generated"}']
    assert abs(taken_ms - sum(each["generationDurationMs"] for each in told.values())) < 100
    for name in tools:
        assert told[name]["cacheKey"] == listed[name]["key"]
        assert told[name]["requestId"] == listed[name]["requestId"]
        assert told[name]["generationDurationMs"] == listed[name]["generationDurationMs"]
        (made,) = [each for each in logged("generation_completed") if each["tool_name"] == name]
        assert made["requestId"] == told[name]["requestId"]
        carried = {each["event"] for each in log if each.get("requestId") == made["requestId"]}
        assert {"request_started", "miss", "model_answered", "judged", "set", "request_served"} <= carried


def asked(served, method, **params):
    """Send a request as a stateless host that shows MCP Apps, and return the answer."""
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": APPS}
    name = {"mcp-name": str(params["uri"])} if "uri" in params else {}
    status, answer = served.post(method, {**params, "_meta": meta}, **name)
    assert status == 200, answer
    return answer["result"]


SPANS_INTO_A_FILE = """
import json, os
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult

class IntoFile(SpanExporter):
    def export(self, spans):
        with open(os.environ["SPANS"], "a") as file:
            file.writelines(each.to_json(indent=None) + "\\n" for each in spans)
        return SpanExportResult.SUCCESS

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(IntoFile()))
trace.set_tracer_provider(provider)
"""


def test_a_relay_over_stdio_is_traced_if_opentelemetry_is_set_up(open_host, shared, words_for, tmp_path):
    """Like OpenTelemetry's launcher, a module of the site sets a trace provider before the wrapper starts."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SPANS_INTO_A_FILE)
    spans, paths = tmp_path / "spans", (str(tmp_path / "site"), shared["PYTHONPATH"])
    environment = {**shared, "PYTHONPATH": os.pathsep.join(paths), "SPANS": str(spans)}
    words = words_for("traced", ["traced_rows"], model="outside:good")
    made = MadeViews(open_host(*words, env=environment))
    made.host.connect()
    made.host.request("tools/list")
    assert "drawn outside" in made.page("traced_rows")
    request_id = made.inspected("traced_rows")["requestId"]
    assert made.host.close() == 0
    exported = [*map(json.loads, spans.read_text().splitlines())]
    named = {
        each["name"]: each for each in exported if each["attributes"]["mcp_gen_ui.request_id"] == request_id
    }
    assert {*named} == {"mcp resources/read", "generation", "model call", "validation", "store"}
    assert len({each["context"]["trace_id"] for each in named.values()}) == 1
    assert named["model call"]["parent_id"] == named["generation"]["context"]["span_id"]
