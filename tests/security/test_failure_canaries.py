"""A key that the model's server repeats reaches no page, store, answer or log (requirement D2)."""

import json
import queue
import time
from http.server import BaseHTTPRequestHandler

import pytest
from attrs import define, field

from genui_adapters.compose import wrapper_from
from genui_adapters.host.worker_thread import WorkerThread
from genui_adapters.llm.provider_shell import RedactingProvider
from genui_adapters.llm.sdk_provider import failure
from genui_core.application.own_tools.calls import call_wrapper_tool
from genui_core.application.upstream_tools import Listing
from genui_core.domain.generation.completion import CompletionRequest
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.configuration import Configuration, LoggingSettings
from genui_core.domain.settings.llm_settings import GenerationSettings, LlmSettings
from genui_core.domain.settings.settings import Settings
from genui_core.errors import NoSampling, ProviderErrorCode, ProviderFailed
from genui_core.testing.llm_provider import ScriptedProvider

CANARY = "canary-4f1c9a77-words"
PATIENCE_S = 60
ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOL = {"name": "rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS}
SAID = "what I was given: "
A_STRANGERS = """
from genui_core.errors import ProviderErrorCode, ProviderFailed

class Provider:
    name, model = "stranger", "m"

    def __init__(self, llm, environment, event_log):
        self.key = llm.api_key or environment["STRANGER_API_KEY"]

    async def complete(self, request, on_delta=None):
        {raises}

    async def close(self):
        pass
"""
RAISED = {
    "a failure": f'raise ProviderFailed(ProviderErrorCode.AUTHENTICATION, "{SAID}" + self.key)',
    "an error of its own": f'raise RuntimeError("{SAID}" + self.key)',
}


class Echo(BaseHTTPRequestHandler):
    """Refuses every request, and repeats its key."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        key = self.headers["authorization"].split()[-1]
        body = json.dumps({"error": SAID + key}).encode()
        self.send_response(401)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words):
        pass


@pytest.fixture
def echo(served):
    return f"http://{served(Echo)}"


@define
class Session:
    """A configured wrapper with one tool, and its generation worker."""

    wrapper: object
    views: object = None
    steps: queue.Queue = field(factory=queue.Queue)

    def __attrs_post_init__(self):
        self.views = self.wrapper.open(lambda views: WorkerThread(views, self.steps.put))
        listing = Listing()
        self.views.tools.add_page(listing, {"tools": [TOOL]})
        self.views.finish_listing(listing)

    def done(self, work):
        came = []
        self.views.worker.run(work, came.append, lambda _words: None)
        deadline = time.monotonic() + PATIENCE_S
        while not came:
            self.steps.get(timeout=deadline - time.monotonic())()
        return came[0]

    def page(self):
        self.views.show_view("rows", self.done(self.views.view_work("rows", "r-1")))
        return json.loads(b"".join(self.views.read_view("ui://rows", "rows")))["text"]

    def call(self, name, **arguments):
        return json.dumps(
            self.done(call_wrapper_tool(self.views, name, {"toolName": "rows", **arguments}, "r-2"))
        )


@pytest.fixture
def everything_said(tmp_path):
    """Make a view; return its page, the answers about it, the stored files and the log."""

    def said(llm, environment):
        home = {"HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "USERPROFILE": str(tmp_path)}
        log, kept = tmp_path / "log.txt", tmp_path / "kept"
        settings = Settings(
            llm=llm,
            cache=CacheSettings(type="filesystem", directory=str(kept)),
            generation=GenerationSettings(serve_within_ms=60_000),
        )
        logging = LoggingSettings(destination="file", file=str(log), level="debug")
        session = Session(wrapper_from(Configuration(settings=settings, logging=logging), home | environment))
        places = {
            "page": session.page(),
            "inspected": session.call("_ui_inspect"),
            "refined": session.call("_ui_refine", feedback="larger"),
        }
        session.views.worker.close()
        entries = [each.read_text() for each in kept.rglob("*.view")]
        assert entries
        return places | {"kept": "".join(entries), "log": log.read_text()}

    return said


def check(places):
    for place, text in places.items():
        assert CANARY not in text, place
        assert SAID in text, f"{place} does not say what went wrong"


def test_a_key_that_the_server_repeats_is_not_shown(everything_said, echo):
    check(everything_said(LlmSettings(provider="ollama", model="m", api_key=CANARY, base_url=echo), {}))


@pytest.mark.parametrize("raised", RAISED)
@pytest.mark.parametrize("is_in_environment", [False, True])
def test_a_key_in_the_error_of_a_third_party_provider_is_not_shown(
    everything_said, monkeypatch, tmp_path, raised, is_in_environment
):
    module = f"strangers_{raised.replace(' ', '_')}"
    (tmp_path / f"{module}.py").write_text(A_STRANGERS.format(raises=RAISED[raised]))
    monkeypatch.syspath_prepend(tmp_path)
    key = None if is_in_environment else CANARY
    llm = LlmSettings(provider=f"{module}:Provider", model="m", api_key=key)
    check(everything_said(llm, {"STRANGER_API_KEY": CANARY} if is_in_environment else {}))


ASKED = CompletionRequest(system="", prompt="Hello", max_tokens=1, request_id="r")


async def redacted_failure(error):
    with pytest.raises(ProviderFailed) as caught:
        await RedactingProvider(ScriptedProvider([error]), frozenset({CANARY})).complete(ASKED)
    return caught.value


@pytest.mark.anyio
async def test_no_part_of_a_key_is_left_where_the_words_are_cut():
    for begins_at in range(480, 501):
        words = "x" * begins_at + CANARY
        told = str(await redacted_failure(failure(words, status=401)))
        assert "canary" not in told
        assert len(told) < 600


@pytest.mark.anyio
async def test_a_redacted_failure_keeps_its_code_and_its_retry_delay():
    busy = ProviderFailed(ProviderErrorCode.RATE_LIMIT, CANARY, retryable=False, retry_after_ms=7)
    told = await redacted_failure(busy)
    assert (told.code, told.retryable, told.retry_after_ms) == ("RATE_LIMIT", False, 7)
    assert str(told) == "RATE_LIMIT: [hidden]"
    assert isinstance(await redacted_failure(NoSampling(CANARY)), NoSampling)
    assert told.__cause__ is None
