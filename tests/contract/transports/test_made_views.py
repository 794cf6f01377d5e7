"""Generated views in every transport and era: reads, notifications, wrapper tools (requirements U2 and U6)."""

import anyio
import pytest
from every_transport import EVERY_HOST, EVERY_PROXY, EVERY_TRANSPORT
from jsonschema import validate

from genui_core.application.defaults import InProcessValidator
from genui_core.application.views.view_service import ViewService
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Settings
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.scripted_upstream import ScriptedUpstream, reply

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOL = {"name": "read_rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS}


def fragment(words):
    return (
        f'<style>.view {{ color: inherit }}</style><template><p class="view">{words}</p></template>'
        "<script>function render(data, ui) { ui.root.append(ui.el('b', {}, 'drawn')); }</script><!--end-->"
    )


class OneTool(ScriptedUpstream):
    """An upstream with one tool that returns rows."""

    def receive(self, message):
        if message.get("method") == "tools/list":
            return [reply(message["id"], {"tools": [TOOL]})]
        return super().receive(message)


async def page_of(host, uri="ui://read_rows"):
    (contents,) = (await host.result("resources/read", {"uri": uri}))["contents"]
    return contents["text"]


async def address_of(host):
    tool = (await host.result("tools/list"))["tools"][0]
    return tool["_meta"]["ui"]["resourceUri"]


def with_budget(**budget):
    return Settings(generation=GenerationSettings(**budget))


@EVERY_HOST
@EVERY_PROXY
async def test_the_first_read_makes_the_model_write_the_view_and_later_reads_get_it(
    open_transport, transport, stateless
):
    model = ScriptedProvider.saying([fragment("viewone")])
    async with open_transport(transport, upstream=OneTool, llm=model) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            before = await address_of(host)
            pages = [await page_of(host, before) for _ in range(3)]
            assert all("viewone" in page for page in pages)
            assert await address_of(host) != before
    assert len(model.requests) == 1
    assert model.closed


class Renewed(ScriptedUpstream):
    """An upstream whose tool can get another description."""

    description = "before"

    def receive(self, message):
        if message.get("method") == "tools/list":
            return [reply(message["id"], {"tools": [{**TOOL, "description": self.description}]})]
        return super().receive(message)


@EVERY_HOST
@EVERY_TRANSPORT
async def test_a_list_is_edited_again_only_after_a_tool_or_a_view_has_changed(
    open_transport, transport, stateless
):
    model = ScriptedProvider.saying([fragment("viewone"), fragment("viewtwo")])
    async with open_transport(transport, upstream=Renewed, llm=model) as opened:
        edits, ties = [], opened.wrapper.views.ties
        opened.wrapper.views.ties = lambda tools: edits.append(len(tools)) or ties(tools)
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            seen = []

            async def lists_are_alike():
                lists = [await host.result("tools/list") for _ in range(3)]
                assert lists[0] == lists[1] == lists[2]
                seen.append(lists[0]["tools"][0]["_meta"]["ui"]["resourceUri"])
                assert len(edits) == len(set(seen)) == len(seen)

            await lists_are_alike()
            assert "viewone" in await page_of(host, seen[-1])
            await lists_are_alike()
            opened.upstreams[-1].description = "after"
            await lists_are_alike()
            assert "viewtwo" in await page_of(host, seen[-1])
            await lists_are_alike()


class OneCallable(OneTool):
    """An upstream whose tool answers."""

    def receive(self, message):
        if message.get("method") == "tools/call":
            return [reply(message["id"], {"content": [], "structuredContent": {"rows": [1]}})]
        return super().receive(message)


@EVERY_HOST
@EVERY_PROXY
async def test_results_contain_the_written_view_as_soon_as_it_is_there_though_no_host_reads_it(
    open_transport, transport, stateless
):
    model, settings = ScriptedProvider.saying([fragment("viewone")]), Settings(embed_results=True)
    async with (
        open_transport(transport, upstream=OneCallable, llm=model, settings=settings) as opened,
        opened.host(stateless=stateless, capabilities={}) as host,
    ):
        await host.connect()
        pages = [""]
        with anyio.fail_after(30):
            while "viewone" not in pages[-1]:
                result = await host.call("read_rows")
                pages.append(result["content"][0]["resource"]["text"])
        assert len(pages) > 2  # the first call does not wait for the model
    assert len(model.requests) == 1


@EVERY_HOST
@EVERY_PROXY
async def test_a_host_that_cannot_wait_gets_the_minimal_view_and_a_notification_of_the_rich_one(
    open_transport, transport, stateless
):
    model = ScriptedProvider.saying([fragment("belatedly")])
    model.delay_s = 0.5
    settings = with_budget(serve_within_ms=10)
    async with open_transport(transport, upstream=OneTool, llm=model, settings=settings) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            if stateless:
                wishes = {"toolsListChanged": True, "resourceSubscriptions": ["ui://read_rows"]}
                await host.start("subscriptions/listen", {"notifications": wishes})
                await host.wait_for(lambda: "notifications/subscriptions/acknowledged" in host.methods_told())
            page = await page_of(host)
            assert "belatedly" not in page
            assert "a richer view is being made" in page
            await host.wait_for(lambda: "notifications/resources/updated" in host.methods_told())
            assert "notifications/tools/list_changed" in host.methods_told()
            assert "belatedly" in await page_of(host)
    assert len(model.requests) == 1


@EVERY_HOST
@EVERY_PROXY
async def test_a_refinement_changes_the_view_with_progress_and_the_host_is_notified(
    open_transport, transport, stateless
):
    model = ScriptedProvider.saying([fragment("viewone"), fragment("viewtwo")])
    async with open_transport(transport, upstream=OneTool, llm=model) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            assert "viewone" in await page_of(host)
            result = await host.call(
                "_ui_refine", toolName="read_rows", feedback="make it blue", meta={"progressToken": 7}
            )
            changed = result["structuredContent"]
            assert (changed["status"], changed["uiType"]) == ("done", "rich")
            assert "viewtwo" in await page_of(host)
            steps = [params for method, params in host.told if method == "notifications/progress"]
            assert [each["progress"] for each in steps] == list(range(1, len(steps) + 1))
            assert {each["progressToken"] for each in steps} == {7}
            if not stateless:
                await host.wait_for(lambda: "notifications/resources/updated" in host.methods_told())
            versions = (await host.call("_ui_history", toolName="read_rows"))["structuredContent"]["versions"]
            assert [each["refinements"] for each in versions] == [[], ["make it blue"]]
            first = await host.call("_ui_history", toolName="read_rows", version=1)
            assert "viewone" in first["structuredContent"]["source"]
            assert "viewone" in first["structuredContent"]["page"]
            none = await host.call("_ui_history", toolName="read_rows", version=9)
            assert none["isError"]
            assert "there are: 1, 2" in none["content"][0]["text"]
            await host.call("_ui_rollback", toolName="read_rows", version=1)
            assert "viewone" in await page_of(host)


@EVERY_PROXY
async def test_a_failure_gives_the_minimal_view_with_the_reason_in_all_places(open_transport, transport):
    denied = ProviderFailed(ProviderErrorCode.AUTHENTICATION, "no such key")
    model = ScriptedProvider.saying([denied, fragment("at last")])
    async with open_transport(transport, upstream=OneTool, llm=model) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            assert "no such key" in await page_of(host)
            told = (await host.call("_ui_inspect", toolName="read_rows"))["structuredContent"]
            assert told["state"] == "fallback"
            assert told["fallbackKind"] == "GENERATION_FAILED"
            assert "no such key" in told["fallbackReason"]
            again = await host.call("_ui_regenerate", toolName="read_rows")
            assert again["structuredContent"]["status"] == "done"
            assert "at last" in await page_of(host)
    (event,) = opened.event_log.named("fallback_used")
    assert event.metadata["request_id"] == told["requestId"]


@EVERY_PROXY
async def test_the_hosts_own_model_can_write_the_view_without_any_key(open_transport, transport):
    async with open_transport(transport, upstream=OneTool) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            told = (await host.call("_ui_prompt", toolName="read_rows"))["structuredContent"]
            assert "read_rows" in told["prompt"]
            good = await host.call("_ui_submit", toolName="read_rows", html=fragment("handed in"))
            assert good["structuredContent"]["status"] == "done"
            assert "handed in" in await page_of(host)
            bad = await host.call(
                "_ui_submit", toolName="read_rows", html=fragment("x").replace("drawn", "'+parent.name+'")
            )
            assert bad["structuredContent"]["status"] == "failed"
            assert bad["structuredContent"]["findings"]
            assert "handed in" in await page_of(host)
            wish = await host.call("_ui_refine", toolName="read_rows", feedback="blue")
            assert wish["isError"]
            assert "_ui_prompt" in wish["content"][0]["text"]


class FailingValidator(InProcessValidator):
    """A validator whose process cannot start."""

    async def validate(self, _text, _context):
        raise OSError("no process can be started")


async def test_a_submitted_view_that_cannot_be_validated_is_refused_with_the_reason(open_transport):
    async with open_transport("stdio to url", upstream=OneTool, validator=FailingValidator()) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            told = await host.call("_ui_submit", toolName="read_rows", html=fragment("handed in"))
            assert told["isError"]
            assert "no process can be started" in told["content"][0]["text"]
            assert "handed in" not in await page_of(host)


async def test_a_thousand_readers_of_a_cold_view_make_the_model_write_once(open_transport):
    model = ScriptedProvider.saying([fragment("viewonce")])
    model.delay_s = 0.3
    async with open_transport("stdio to url", upstream=OneTool, llm=model) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            asked = [await host.start("resources/read", {"uri": "ui://read_rows"}) for _ in range(1000)]
            for request_id in asked:
                answer = await host.answered(request_id)
                assert "viewonce" in answer["result"]["contents"][0]["text"]
    assert len(model.requests) == 1


async def test_readers_who_all_leave_early_end_the_models_work(open_transport):
    model = ScriptedProvider.saying([None])
    async with open_transport("stdio to url", upstream=OneTool, llm=model) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            await address_of(host)
            asked = [await host.start("resources/read", {"uri": "ui://read_rows"}) for _ in range(3)]
            with anyio.fail_after(10):
                while not model.requests:
                    await anyio.sleep(0.01)
            for request_id in asked:
                await host.tell("notifications/cancelled", {"requestId": request_id})
            with anyio.fail_after(10):
                while not model.cancelled:
                    await anyio.sleep(0.01)


async def call_and_learn(views, host):
    """Call `echo`, and wait until the shape of its result is learned, which happens after the call."""
    await host.call("echo", word="Oslo-77")
    with anyio.fail_after(10):
        while views.facts(views.tools.tool("echo")).learned_shape is None:
            await anyio.sleep(0.01)


@EVERY_PROXY
async def test_the_prompt_has_the_shapes_of_forwarded_results(open_transport, transport):
    model = ScriptedProvider.saying(["rich", fragment("viewone")])
    async with open_transport(transport, llm=model) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            await host.result("tools/list")
            await call_and_learn(opened.wrapper.views, host)
            assert "viewone" in await page_of(host, "ui://echo")
    assert "word: text" in model.requests[-1].prompt
    assert "Oslo-77" not in model.requests[-1].prompt


@EVERY_PROXY
async def test_a_read_is_answered_whatever_fails_in_the_generation_worker(
    open_transport, transport, monkeypatch
):
    async def falls_apart(*_arguments):
        raise RuntimeError("not expected")

    monkeypatch.setattr(ViewService, "read", falls_apart)
    async with open_transport(transport, upstream=OneTool, llm=ScriptedProvider.saying(["x"])) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            assert "<!doctype html>" in (await page_of(host)).lower()
    assert "not expected" in opened.event_log.named("request_failed")[0].metadata["error"]["message"]


@EVERY_PROXY
async def test_the_prompt_for_the_hosts_model_has_the_shapes_of_results_without_any_key(
    open_transport, transport
):
    async with open_transport(transport) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            await host.result("tools/list")
            await call_and_learn(opened.wrapper.views, host)
            prompt = (await host.call("_ui_prompt", toolName="echo"))["structuredContent"]["prompt"]
    assert "word: text" in prompt
    assert "Oslo-77" not in prompt


CALLS_WITH_ERRORS = [
    ("_ui_refine", {"toolName": "read_row", "feedback": "blue"}, "UNKNOWN_TOOL", "read_row"),
    ("_ui_inspect", {"toolName": "read_row"}, "UNKNOWN_TOOL", "read_row"),
    ("_ui_inspect", {}, "INVALID_ARGUMENTS", None),
    ("_ui_regenerate", {"toolName": "read_rows", "uiType": "huge"}, "INVALID_ARGUMENTS", "read_rows"),
    ("_ui_refine", {"toolName": "read_rows", "feedback": " "}, "INVALID_ARGUMENTS", "read_rows"),
    ("_ui_rollback", {"toolName": "read_rows", "version": 9}, "INVALID_ARGUMENTS", "read_rows"),
]


@EVERY_TRANSPORT
async def test_a_wrapper_tool_that_fails_gives_its_caller_the_kind_of_error_and_the_request_id(
    open_transport, transport
):
    llm = ScriptedProvider.saying(["unused"])
    async with open_transport(transport, upstream=OneTool, llm=llm) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            listed = (await host.result("tools/list"))["tools"]
            schemas = {each["name"]: each.get("outputSchema") for each in listed}
            seen = set()
            for name, arguments, kind, about in CALLS_WITH_ERRORS:
                result = await host.call(name, **arguments)
                data = result["structuredContent"]
                assert result["isError"]
                assert (data["errorType"], data["toolName"]) == (kind, about)
                assert (data["fallbackUsed"], data["retryable"]) == (None, False)
                validate(data, schemas[name])
                seen.add(data["requestId"])
    assert seen == {each.metadata["request_id"] for each in opened.event_log.named("request_failed")}
    assert len(seen) == len(CALLS_WITH_ERRORS)


LONG_NAME = "read_rows_" * 60


class LongName(ScriptedUpstream):
    """An upstream whose tool has a longer name than prompts show."""

    def receive(self, message):
        if message.get("method") == "tools/list":
            return [reply(message["id"], {"tools": [{**TOOL, "name": LONG_NAME}]})]
        return super().receive(message)


SHOWN_NAME = f"{LONG_NAME[:99]}…"


def calling(name):
    call = f"""ui.root.append(ui.el("button", {{ onclick: () => ui.call("{name}", {{}}) }}, "Again"));"""
    return fragment("longname").replace("ui.root.append", f"{call} ui.root.append", 1)


@pytest.mark.parametrize("name", [SHOWN_NAME, LONG_NAME], ids=["cut", "whole"])
@EVERY_TRANSPORT
async def test_a_view_that_calls_a_tool_by_its_cut_or_whole_name_is_served_as_written(
    open_transport, transport, name
):
    model = ScriptedProvider.saying([calling(name)])
    async with (
        open_transport(transport, upstream=LongName, llm=model) as opened,
        opened.host(stateless=False) as host,
    ):
        await host.connect()
        page = await page_of(host, f"ui://{LONG_NAME}")
        (request,) = model.requests
        assert f'"name":"{SHOWN_NAME}"' in request.prompt
        assert LONG_NAME not in request.prompt
        assert "longname" in page
        assert f'ui.call("{name}", {{}})' in page


@EVERY_TRANSPORT
async def test_the_minimal_view_calls_its_tool_by_the_whole_name(open_transport, transport):
    async with open_transport(transport, upstream=LongName) as opened, opened.host(stateless=False) as host:
        await host.connect()
        assert f'"name":"{LONG_NAME}"' in await page_of(host, f"ui://{LONG_NAME}")
