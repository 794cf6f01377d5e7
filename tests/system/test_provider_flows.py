"""Each provider through the whole command, from the wire protocol to the served page and a refinement."""

import contextlib

import pytest
from wire_server import Reply

from .made_views import HERE, MadeViews, command, tool
from .model_server import serving

FRAGMENT = (HERE / "recordings" / "fragments" / "plain.txt").read_text()
PATIENT = {"serveWithinMs": 120_000, "timeoutMs": 120_000}
PROVIDERS = {
    "responses": ("/v1/responses", {"provider": "openai", "api": "responses", "baseUrl": "{}/v1"}),
    "chat": ("/v1/chat/completions", {"provider": "openai", "baseUrl": "{}/v1"}),
    "ollama": ("/api/chat", {"provider": "ollama", "baseUrl": "{}"}),
}
KEYS = {"OPENAI_API_KEY": "canary-key-4711"}


@pytest.fixture(scope="module")
def server():
    with serving() as server:
        yield server


@pytest.fixture
def started(open_host, tmp_path, environment, server):
    """Start the command with a provider whose API is the wire server."""

    @contextlib.contextmanager
    def start(llm):
        llm = {**llm, "model": "model-of-mine", "baseUrl": llm["baseUrl"].format(server.origin)}
        words = command(tmp_path, [tool("read_rows")], llm=llm, generation=PATIENT)
        made = MadeViews(open_host(*words, env={**environment, **KEYS}))
        made.host.connect()
        yield made
        assert made.host.close() == 0

    return start


@pytest.mark.matrix(quick=1)  # tests/contract/llm has each provider
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_view_is_written_served_and_refined(started, server, provider):
    path, llm = PROVIDERS[provider]
    server.requests.clear()
    server.reply = Reply(text=FRAGMENT.replace("drawn as plain", "drawn at first"))
    with started(llm) as made:
        assert "drawn at first" in made.page("read_rows")
        server.reply = Reply(text=FRAGMENT.replace("drawn as plain", "drawn bigger"))
        wish = made.call("_ui_refine", toolName="read_rows", feedback="make it bigger")
        assert wish["structuredContent"]["status"] == "done"
        assert "drawn bigger" in made.page("read_rows")
        told = made.inspected("read_rows")
        written = made.events("generation_completed")
    first, second = server.requests
    assert [first.path, second.path] == [path, path]
    assert [each.body["model"] for each in (first, second)] == ["model-of-mine"] * 2
    assert "drawn at first" in str(second.body)
    assert "make it bigger" in str(second.body)
    assert told["llmModel"] == "model-x"
    assert [each["feedback"] for each in told["refinementHistory"]] == ["make it bigger"]
    assert all(each["metadata"]["input_tokens"] and each["metadata"]["output_tokens"] for each in written)
    assert "canary" not in made.host.log_text()
