"""The host's own model writes views (sampling), in every transport and era."""

import pytest
from every_transport import EVERY_HOST, EVERY_PROXY

from genui_adapters.llm.host import HostProvider
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Settings
from genui_core.testing.scripted_upstream import ScriptedUpstream, reply

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
LENDING = {**APPS, "sampling": {}}
ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOLS = [
    {"name": name, "inputSchema": {"type": "object"}, "outputSchema": ROWS}
    for name in ("read_rows", "read_more")
]
QUICK = GenerationSettings(timeout_ms=1_000, max_retries=0)


class TwoTools(ScriptedUpstream):
    """An upstream with two tools that return rows."""

    def receive(self, message):
        if message.get("method") == "tools/list":
            return [reply(message["id"], {"tools": TOOLS})]
        return super().receive(message)


def said(words, **more):
    text = (
        f'<style>.view {{ color: inherit }}</style><template><p class="view">{words}</p></template>'
        "<script>function render(data, ui) { ui.root.append(ui.el('b', {}, 'drawn')); }</script><!--end-->"
    )
    content = {"type": "text", "text": text}
    return {"role": "assistant", "content": content, "model": "lent-1", "stopReason": "endTurn", **more}


async def result_after_input(host, method, params, answer=lambda _asked: said("lentone")):
    """Send a request, then again with the input that it requires; return its result and the requests for input."""
    asked, result = [], await host.result(method, params)
    while result.get("resultType") == "input_required":
        wanted = result["inputRequests"]
        asked += wanted.values()
        inputs = {key: answer(each) for key, each in wanted.items()}
        again = {**params, "inputResponses": inputs, "requestState": result["requestState"]}
        result = await host.result(method, again)
    return result, asked or [{"method": method, "params": params} for method, params in host.asked]


async def read(host, name="read_rows", **more):
    result, asked = await result_after_input(host, "resources/read", {"uri": f"ui://{name}"}, **more)
    return result["contents"][0]["text"], asked


def offering(opened, stateless, answer=lambda _method, _params: {"result": said("lentone")}):
    return opened.host(stateless=stateless, capabilities=LENDING, answer=answer)


@pytest.fixture
def opened_transport(open_transport):
    def start(transport, **settings):
        return open_transport(transport, upstream=TwoTools, llm=HostProvider(), settings=Settings(**settings))

    return start


@EVERY_HOST
@EVERY_PROXY
async def test_the_hosts_model_writes_the_view_and_the_upstream_gets_no_message(
    opened_transport, transport, stateless
):
    async with opened_transport(transport) as opened, offering(opened, stateless) as host:
        await host.connect()
        page, (question,) = await read(host)
        assert "lentone" in page
        assert question["method"] == "sampling/createMessage"
        params = question["params"]
        assert '"read_rows"' in params["messages"][0]["content"]["text"]
        assert params["messages"][0]["role"] == "user"
        assert params["systemPrompt"]
        assert params["maxTokens"] == 4096
        told = (await host.call("_ui_inspect", toolName="read_rows"))["structuredContent"]
        assert (told["state"], told["llmModel"]) == ("generated", "lent-1")


@EVERY_HOST
@EVERY_PROXY
async def test_the_hosts_model_makes_refinements(opened_transport, transport, stateless):
    async with opened_transport(transport) as opened:
        answers = iter(["lentone", "lenttwo"])
        async with offering(opened, stateless, lambda *_: {"result": said(next(answers))}) as host:
            await host.connect()
            await read(host, answer=lambda _asked: said(next(answers)))
            refinement = {"name": "_ui_refine", "arguments": {"toolName": "read_rows", "feedback": "bigger"}}
            result, _ = await result_after_input(
                host, "tools/call", refinement, lambda _asked: said(next(answers))
            )
            assert result["structuredContent"]["status"] == "done"
            assert "lenttwo" in (await read(host))[0]


@EVERY_HOST
@EVERY_PROXY
async def test_a_host_without_sampling_gets_the_reason_and_another_host_still_gets_a_view(
    opened_transport, transport, stateless
):
    async with opened_transport(transport) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            page, asked = await read(host)
            assert "the host offers no sampling" in page
            assert asked == []
            told = (await host.call("_ui_inspect", toolName="read_rows"))["structuredContent"]
            assert told["state"] == "fallback"
            assert "the host offers no sampling" in told["fallbackReason"]
            refinement = await host.call("_ui_refine", toolName="read_rows", feedback="bigger")
            assert refinement["structuredContent"]["status"] == "failed"
            assert "the host offers no sampling" in refinement["structuredContent"]["reason"]
        if transport != "stdio to url":  # which has one host
            async with offering(opened, stateless) as another:
                await another.connect()
                assert "lentone" in (await read(another))[0]
    assert opened.event_log.named("fallback_used")


REFUSALS = {
    "user": ({"code": -1, "message": "User rejected sampling request"}, "ABORTED"),
    "words": ({"code": -32603, "message": "Request denied by the user"}, "ABORTED"),
    "filter": ({"code": -32603, "message": "blocked by the safety filter"}, "CONTENT_FILTERED"),
    "unknown": ({"code": -32601, "message": "Method not found"}, "INVALID_REQUEST"),
}


@pytest.mark.parametrize("name", REFUSALS)
async def test_a_host_that_refuses_is_asked_only_once(opened_transport, name):
    error, word = REFUSALS[name]
    async with opened_transport("http") as opened:
        async with offering(opened, stateless=False, answer=lambda *_: {"error": error}) as host:
            await host.connect()
            page, asked = await read(host)
            assert word in page
            assert len(asked) == 1


@EVERY_PROXY
async def test_a_request_that_the_host_does_not_answer_is_cancelled_at_the_deadline(
    opened_transport, transport
):
    async with opened_transport(transport, generation=QUICK) as opened:
        async with offering(opened, stateless=False, answer=lambda *_: None) as host:
            await host.connect()
            page, asked = await read(host)
            assert "no view within 1000 ms" in page
            assert len(asked) == 1
            await host.wait_for(lambda: "notifications/cancelled" in host.methods_told())


async def test_the_request_to_the_host_continues_after_the_read_was_answered(opened_transport):
    held, patient = [], GenerationSettings(serve_within_ms=300)
    async with opened_transport("sse", generation=patient) as opened:
        async with offering(opened, stateless=False, answer=lambda *asked: held.append(asked)) as host:
            await host.connect()
            assert "a richer view is being made" in (await read(host))[0]
            (asked,) = host.ids_asked
            await host.send({"jsonrpc": "2.0", "id": asked, "result": said("belatedly")})
            await host.wait_for(lambda: "notifications/resources/updated" in host.methods_told())
            assert "belatedly" in (await read(host))[0]
            assert len(held) == 1


@EVERY_PROXY
async def test_two_simultaneous_requests_get_their_own_answers(opened_transport, transport):
    def answer(_method, params):
        text = params["messages"][0]["content"]["text"]
        return {"result": said("for rows" if '"read_rows"' in text else "for more")}

    async with (
        opened_transport(transport) as opened,
        offering(opened, stateless=False, answer=answer) as host,
    ):
        await host.connect()
        reads = [
            await host.start("resources/read", {"uri": f"ui://{one}"}) for one in ("read_rows", "read_more")
        ]
        rows, more = [(await host.answered(each))["result"]["contents"][0]["text"] for each in reads]
        assert "for rows" in rows
        assert "for more" in more


@pytest.mark.parametrize("forged", ["never-given", 7, None])
async def test_an_unknown_request_state_is_ignored(opened_transport, forged):
    async with opened_transport("http") as opened, offering(opened, stateless=True) as host:
        await host.connect()
        answer = await host.result(
            "resources/read", {"uri": "ui://read_rows", "requestState": forged, "inputResponses": {}}
        )
        assert answer["inputRequests"]


async def test_missing_input_is_requested_again_and_another_request_cannot_supply_it(opened_transport):
    async with opened_transport("http") as opened, offering(opened, stateless=True) as host:
        await host.connect()
        first = await host.result("resources/read", {"uri": "ui://read_rows"})
        (key,) = first["inputRequests"]
        state = {"requestState": first["requestState"], "inputResponses": {key: said("smuggled")}}
        other = await host.result("resources/read", {"uri": "ui://read_more", **state})
        assert '"read_more"' in str(other["inputRequests"])
        again = await host.result("resources/read", {"uri": "ui://read_rows", **state, "inputResponses": {}})
        assert again["inputRequests"] == first["inputRequests"]
        brings = {"requestState": again["requestState"], "inputResponses": {key: said("lentone")}}
        page = await host.result("resources/read", {"uri": "ui://read_rows", **brings})
        assert "lentone" in page["contents"][0]["text"]
