"""The command with the host's own model: the host answers, and the upstream gets no message about it."""

import json

import pytest

from .made_views import HERE, MadeViews, command, tool

FRAGMENTS = HERE / "recordings" / "fragments"
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
LENDING = {**APPS, "sampling": {}}
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test host", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": LENDING,
}


def said(words):
    text = (FRAGMENTS / "plain.txt").read_text().replace("drawn as plain", words)
    return {"role": "assistant", "content": {"type": "text", "text": text}, "model": "lent-1"}


@pytest.fixture
def opened(open_host, tmp_path):
    """Start the command with ``--llm host``, two tools behind it."""

    def start(capabilities=LENDING, **generation):
        tools = [tool("first"), tool("second")]
        made = MadeViews(open_host(*command(tmp_path, tools, "--llm", "host", generation=generation)))
        if capabilities is not None:
            made.host.connect(capabilities)
        return made

    return start


def questions(made):
    """Return the requests that the host got, in order."""
    return made.told("sampling/createMessage")


def question(made, number=0):
    made.host.wait_for(lambda: len(questions(made)) > number)
    return questions(made)[number]


def answer(made, asked, **fields):
    message = {"jsonrpc": "2.0", "id": asked["id"], **fields}
    made.host.send_bytes(json.dumps(message).encode() + b"\n")


def page(answer):
    return answer["result"]["contents"][0]["text"]


def test_the_hosts_model_writes_and_refines_views(opened):
    made = opened()
    for name in ("first", "second"):
        made.host.send("resources/read", {"uri": f"ui://{name}"}, id=name)
    asked = {name: one for one in (question(made, 0), question(made, 1)) for name in ("first", "second")
             if f'"{name}"' in one["params"]["messages"][0]["content"]["text"]}  # fmt: skip
    for name in ("second", "first"):
        answer(made, asked[name], result=said(f"drawn for {name}"))
    assert "drawn for first" in page(made.host.answer("first"))
    assert "drawn for second" in page(made.host.answer("second"))
    wish = {"name": "_ui_refine", "arguments": {"toolName": "first", "feedback": "bigger"}}
    made.host.send("tools/call", wish, id="wish")
    answer(made, question(made, 2), result=said("drawn bigger"))
    assert made.host.answer("wish")["result"]["structuredContent"]["status"] == "done"
    assert "drawn bigger" in made.page("first")
    assert made.inspected("first")["llmModel"] == "lent-1"
    assert made.host.close() == 0


def test_a_person_who_refuses_gets_the_minimal_view_and_is_not_asked_again(opened):
    made = opened()
    made.host.send("resources/read", {"uri": "ui://first"}, id="read")
    answer(made, question(made), error={"code": -1, "message": "User rejected sampling request"})
    assert "User rejected" in page(made.host.answer("read"))
    assert "User rejected" in made.page("first")
    assert len(questions(made)) == 1
    assert made.inspected("first")["fallbackReason"].startswith("ABORTED")


def test_a_host_that_does_not_answer_in_time_gets_a_cancellation_and_its_late_answer_is_dropped(opened):
    made = opened(timeoutMs=1000)
    assert "no view within 1000 ms" in made.page("first")
    asked = question(made)
    made.host.wait_for(lambda: made.told("notifications/cancelled"))
    assert made.told("notifications/cancelled")[0]["params"]["requestId"] == asked["id"]
    answer(made, asked, result=said("too late"))
    assert "too late" not in made.page("first")
    assert made.host.close() == 0


def test_a_host_without_sampling_gets_the_reason_and_no_request(opened):
    made = opened(APPS, prefetch=True)
    assert "the host offers no sampling" in made.page("first")
    assert "the host offers no sampling" in made.inspected("first")["fallbackReason"]
    assert "the host offers no sampling" in made.events("fallback_used")[0]["metadata"]["reason"]
    assert questions(made) == []
    assert len(made.events("fallback_used")) == 1  # prefetch asks no host's model


def test_a_stateless_host_sends_its_models_answer_with_its_request(opened):
    made = opened(None)

    def rounds(method, params):
        result = made.host.request(method, {**params, "_meta": STATELESS})["result"]
        while result.get("resultType") == "input_required":
            (key,) = result["inputRequests"]
            assert result["inputRequests"][key]["method"] == "sampling/createMessage"
            brings = {"inputResponses": {key: said(next(words))}, "requestState": result["requestState"]}
            result = made.host.request(method, {**params, **brings, "_meta": STATELESS})["result"]
        return result

    words = iter(["drawn once", "drawn bigger"])
    assert "drawn once" in rounds("resources/read", {"uri": "ui://first"})["contents"][0]["text"]
    wish = {"name": "_ui_refine", "arguments": {"toolName": "first", "feedback": "bigger"}}
    assert rounds("tools/call", wish)["structuredContent"]["status"] == "done"
    assert "drawn bigger" in rounds("resources/read", {"uri": "ui://first"})["contents"][0]["text"]
    assert questions(made) == []
    assert made.host.close() == 0
