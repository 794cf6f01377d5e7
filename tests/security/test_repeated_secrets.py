"""A secret that the upstream repeats in its texts reaches no prompt, no log and no terminal.

Hosts get the tools unchanged, as the upstream lists them.
"""

import json
import subprocess
import sys
from urllib.parse import quote

import anyio
import pytest
from attrs import evolve
from generation_workers import WorkerAtOnce
from made_views import FRAGMENTS, MadeViews, recordings

from genui_adapters.io.loop_upstream import UpstreamLog
from genui_adapters.telemetry.configured_event_log import RedactingEventLog
from genui_core.application.defaults import InProcessValidator
from genui_core.application.generation.generation_run import GenerationRun, GenerationTask
from genui_core.application.generation.single_flight import GenerationSlots
from genui_core.application.own_tools.calls import call_wrapper_tool
from genui_core.application.services import Services
from genui_core.application.upstream_tools import Listing
from genui_core.application.wrapper import Wrapper
from genui_core.domain.logging.redaction import HIDDEN
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.ports.event_log import Level
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.identity import NumberedIdentity
from genui_core.testing.llm_provider import ScriptedProvider

SECRET = 'canary-77d0/aa "51"-said'
AS_JSON = json.dumps(SECRET)[1:-1]
WRITTEN = (SECRET, AS_JSON, AS_JSON.replace("/", "\\/"), quote(SECRET, safe=""))
"""The secret, and its spellings in the output of programs."""
ROW = {"type": "object", "properties": {f"by {SECRET}": {"type": "number", "description": SECRET}}}
TOOL = {
    "name": f"rows of {SECRET}",
    "title": f"Rows for {SECRET}",
    "description": f"Reads rows with the token {SECRET}.",
    "inputSchema": {
        "type": "object",
        "description": SECRET,
        "properties": {
            "token": {"type": "string", "default": SECRET, "enum": [SECRET, "x"], "examples": [SECRET]},
            SECRET: {"type": "string", "pattern": SECRET},
        },
        "required": [SECRET],
    },
    "outputSchema": {"type": "object", "properties": {"rows": {"type": "array", "items": ROW}}},
    "annotations": {"title": SECRET, "readOnlyHint": True},
}
OTHER = {**TOOL, "name": f"get_{SECRET}_rows", "outputSchema": None}
FRAGMENT = (FRAGMENTS / "plain.txt").read_text()
PROSE = "I cannot."
BROKEN = FRAGMENT.replace("</script>", f"\nconst a = '{SECRET}' (\n</script>")
MODES = pytest.mark.parametrize("mode", ["fragment", "document"])


def check(*texts):
    assert texts
    for text in texts:
        assert text
        for form in WRITTEN:
            assert form not in text
        assert "canary" not in text


def wrapper_of(*answers, mode="fragment", tools=(TOOL, OTHER), **settings):
    """Return an open wrapper with the secret and these tools, and its model."""
    llm = ScriptedProvider.saying(answers) if answers else None
    generation = GenerationSettings(mode=mode, serve_within_ms=60_000)
    wrapper = Wrapper(
        settings=Settings(generation=generation, **settings),
        llm=llm,
        validator=InProcessValidator(),
        secrets={SECRET, "short"},
    )
    views = wrapper.open(WorkerAtOnce)
    listing = Listing()
    views.tools.add_page(listing, {"tools": list(tools)})
    views.finish_listing(listing)
    return views, llm


def done(views, work):
    came = []
    views.worker.run(work, came.append, lambda _words: None)
    return came[0]


def call(views, name, **arguments):
    return done(views, call_wrapper_tool(views, name, {"toolName": TOOL["name"], **arguments}, "r"))


def said(request):
    return request.system + request.prompt


@MODES
def test_the_prompts_that_write_repair_and_refine_a_view_hold_no_secret(mode):
    views, llm = wrapper_of(PROSE, BROKEN, FRAGMENT, FRAGMENT, mode=mode)
    learn(views)
    call(views, "_ui_regenerate")
    call(views, "_ui_refine", feedback=f"Show {SECRET}")
    assert len(llm.requests) >= 2
    check(*map(said, llm.requests))
    assert any(HIDDEN in said(each) for each in llm.requests)


def test_the_prompt_that_classifies_a_tool_holds_no_secret():
    plain = {name: part for name, part in TOOL.items() if name != "outputSchema"}
    views, llm = wrapper_of("minimal", tools=[plain])
    call(views, "_ui_regenerate")
    check(*map(said, llm.requests))


def learn(views):
    rows = [{f"by {SECRET}": 1, "said": SECRET}]
    views.shapes.see(TOOL["name"], {"structuredContent": {"rows": rows}}, views.worker.run)


@MODES
@pytest.mark.parametrize("shares_values", [False, True])
def test_the_prompt_for_the_hosts_model_holds_no_secret(mode, shares_values):
    examples = {TOOL["name"]: ({"rows": [SECRET]},)}
    views, _ = wrapper_of(mode=mode, share_result_values=shares_values, examples=examples)
    learn(views)
    told = call(views, "_ui_prompt")["structuredContent"]
    check(told["prompt"], told["system"])
    assert "Shape of earlier results" in told["prompt"]
    assert told["prompt"].count(HIDDEN) > 10


def test_a_secret_where_a_description_is_cut_leaves_no_part_of_itself():
    for before in range(1970, 2001):
        views, _ = wrapper_of(tools=[{**TOOL, "description": "x" * before + SECRET}])
        check(call(views, "_ui_prompt")["structuredContent"]["prompt"])


def test_the_source_of_a_refined_view_and_its_finding_hold_no_secret():
    llm = ScriptedProvider.saying([BROKEN, FRAGMENT])
    services = Services(
        llm=llm,
        clock=HandClock(),
        identity=NumberedIdentity(),
        event_log=RecordingEventLog(),
        secrets={SECRET},
    )
    facts = evolve(Facts(tool=Tool(TOOL)), refinements=(SECRET, f"not {SECRET}"))
    task = GenerationTask(facts=facts, request_id="r", source=f"/* {SECRET} */ {FRAGMENT}")
    anyio.run(GenerationRun(services, llm, GenerationSlots(1), task).outcome)
    assert len(llm.requests) == 2
    check(*map(said, llm.requests))


def test_the_tools_reach_hosts_as_they_are():
    views, _ = wrapper_of(FRAGMENT)
    learn(views)
    call(views, "_ui_regenerate")
    assert views.tools.tool(TOOL["name"]).definition == TOOL
    assert TOOL["name"] in views.facts(views.tools.tool(TOOL["name"])).callable_names


@pytest.mark.parametrize("form", WRITTEN)
def test_no_field_of_a_log_event_holds_a_secret_in_any_spelling(form):
    event_log = RecordingEventLog()
    redacting = RedactingEventLog(event_log, Level.DEBUG, frozenset({SECRET}))
    fields = {"text": form, "reason": f"x{form}x", "added": [form], "error": {"message": form, form: 1}}
    redacting.record(Level.INFO, "relay", "upstream_stderr", tool_name=form, **fields)
    check(repr([each.metadata for each in event_log.events]))


def test_a_secret_in_an_endless_line_of_standard_error_is_not_logged():
    """A log line holds 4,096 bytes; the parts of a longer line must not begin in the middle of a secret."""
    token = "canary77d0aa51said"
    event_log = RecordingEventLog()
    log = UpstreamLog("up", RedactingEventLog(event_log, Level.DEBUG, frozenset({token})))
    line = "".join(f"{number} {token} " for number in range(5000)).encode()
    for start in range(0, len(line), 4096):
        log.stderr_sent(line[start : start + 4096])
    log.stderr_closed()
    texts = [each.metadata["text"] for each in event_log.named("upstream_stderr")]
    assert len(texts) > 5
    assert HIDDEN in texts[0]
    for text in texts:
        shown = text[:4096].removesuffix("…")
        assert "canary77" not in shown
        assert not shown.startswith(tuple(token[at:] for at in range(1, len(token) - 2)))


UPSTREAM = """
import json, os, sys

secret = os.environ["MY_TOKEN"]
tool = json.loads(os.environ["MY_TOOL"].replace("SECRET", json.dumps(secret)[1:-1]))
print("starting with", secret, file=sys.stderr, flush=True)
print("not a message", secret, flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    print(json.dumps({"asked": asked["method"], "token": secret}), file=sys.stderr, flush=True)
    if asked["method"] == "initialize":
        result = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "up " + secret, "version": secret}}
    elif asked["method"] == "tools/list":
        result = {"tools": [tool]}
    else:
        result = None
    answer = {"result": result} if result else {"error": {"code": -32603, "message": "no " + secret}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
"""
TYPED = "canary-9b3e-typed-b"
LISTED = json.loads(json.dumps(TOOL).replace(json.dumps(SECRET)[1:-1], "SECRET"))
LISTED["name"] = "rows"


@pytest.fixture
def upstream(tmp_path):
    """The command line of a server that repeats its token in all its messages."""
    (tmp_path / "server.py").write_text(UPSTREAM)
    given = ("-e", f"MY_TOKEN={TYPED}", "-e", f"MY_TOOL={json.dumps(LISTED)}")
    return (*given, "--", sys.executable, str(tmp_path / "server.py"))


def test_the_log_of_a_session_with_prompts_and_answers_holds_no_secret(
    open_host, environment, tmp_path, upstream
):
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    model = recordings(tmp_path / "answers", FRAGMENT, FRAGMENT)
    ours = (sys.executable, "-P", "-m", "genui_cli", "--debug", "--log-format", "json", "--llm", model)
    made = MadeViews(open_host(*ours, *upstream, env=environment | home, cwd=tmp_path))
    made.host.connect()
    (listed, *_) = made.host.request("tools/list")["result"]["tools"]
    assert TYPED in listed["description"]
    assert listed["inputSchema"] == json.loads(json.dumps(LISTED["inputSchema"]).replace("SECRET", TYPED))
    made.page("rows")
    made.host.request("tools/call", {"name": "rows", "arguments": {}})
    made.call("_ui_refine", toolName="rows", feedback=f"larger than {TYPED}")
    told = made.call("_ui_prompt", toolName="rows")["structuredContent"]
    made.host.close()
    log = b"".join(made.host.log).decode()
    assert "upstream_stderr" in log
    assert "starting with [hidden]" in log
    assert '"event": "prompt"' in log
    check(log, told["prompt"])


@pytest.mark.parametrize(
    "words", [("inspect",), ("inspect", "--tool", "rows"), ("inspect", "--json"), ("doctor", "--no-browser")]
)
def test_commands_about_a_server_that_repeats_its_token_do_not_show_it(
    environment, tmp_path, words, upstream
):
    done = subprocess.run(
        [sys.executable, "-P", "-m", "genui_cli", *words, *upstream],
        env=environment | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        cwd=tmp_path,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=120,
        check=False,
    )
    assert HIDDEN in done.stdout + done.stderr
    assert "rows" in done.stdout or "1 tool;" in done.stdout
    check(done.stdout + done.stderr)
