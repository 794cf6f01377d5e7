"""`_ui_view` in every transport and era gives open pages new views, and never reaches the upstream
(requirement T4).
"""

from typing import ClassVar

import anyio
import pytest
from every_transport import EVERY_HOST, EVERY_PROXY, EVERY_TRANSPORT
from jsonschema import validate

from genui_core.domain.pages.minimal_view import view_version
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Settings
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.scripted_upstream import ScriptedUpstream, reply, tool_reply

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOL = {"name": "read_rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS}
MINIMAL = view_version("")
READ_LIMIT_S = 8
"""The limit of a read in a host whose pages have not called `_ui_view`."""
FRAGMENT = (
    '<style>.view { color: inherit }</style><template><p class="view">belatedly</p></template>'
    "<script>function render(data, ui) { ui.root.append(ui.el('b', {}, 'drawn')); }</script><!--end-->"
)


class OneTool(ScriptedUpstream):
    """An upstream with one tool that returns rows; it records the calls that reach it."""

    called: ClassVar[list] = []

    def receive(self, message):
        if message.get("method") == "tools/list":
            return [reply(message["id"], {"tools": [TOOL, {**TOOL, "name": "more_rows"}]})]
        if message.get("method") == "tools/call":
            self.called.append(message["params"]["name"])
            return [tool_reply(message["id"], {"rows": [{"plumage": "grey"}]})]
        return super().receive(message)


def slow_model(delay_s):
    model = ScriptedProvider.saying([FRAGMENT] * 3)
    model.delay_s = delay_s
    return model


class HeldModel(ScriptedProvider):
    """A model that answers only after the test allows it."""

    released = False

    async def complete(self, request, on_delta=None):
        while not self.released:
            await anyio.sleep(0.01)
        return await super().complete(request, on_delta)


def at_once(**more):
    return Settings(generation=GenerationSettings(serve_within_ms=10), **more)


async def read(host, name="read_rows"):
    (contents,) = (await host.result("resources/read", {"uri": f"ui://{name}"}))["contents"]
    return contents["text"]


async def told(host, have=MINIMAL, wait_ms=0, **more):
    result = await host.call("_ui_view", toolName="read_rows", have=have, waitMs=wait_ms, **more)
    assert not result["isError"], result
    return result["structuredContent"]


@EVERY_HOST
@EVERY_PROXY
async def test_a_page_waits_for_the_view_that_is_being_made_and_gets_it_as_a_part(
    open_transport, transport, stateless
):
    OneTool.called.clear()
    model = HeldModel.saying([FRAGMENT] * 3)
    async with open_transport(transport, upstream=OneTool, llm=model, settings=at_once()) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            (listed,) = [
                each for each in (await host.result("tools/list"))["tools"] if each["name"] == "_ui_view"
            ]
            assert listed["_meta"] == {"ui": {"visibility": ["app"]}}
            page = await read(host)
            assert f'"live":{{"tool":"_ui_view","version":"{MINIMAL}","pending":true}}' in page
            with anyio.fail_after(10):
                assert (await told(host))["state"] == "pending"
            model.released = True
            part = await told(host, wait_ms=20_000)
            validate(part, listed["outputSchema"])
            assert part["state"] == "written"
            assert "belatedly" in part["template"]
            assert part["script"].strip().startswith("McpGenUi.fragment(")
            same = await told(host, have=part["version"], wait_ms=20_000)
            assert same == {"tool": "read_rows", "version": part["version"], "state": "written"}
            finished = f'"live":{{"tool":"_ui_view","version":"{part["version"]}","pending":false}}'
            assert finished in await read(host)
            await told(host, part["version"], broken=True)
    (event,) = opened.event_log.named("view_not_drawn")
    assert event.metadata["version"] == part["version"]
    assert len(model.requests) == 1
    assert OneTool.called == []


@EVERY_HOST
@EVERY_TRANSPORT
async def test_a_read_waits_until_a_page_in_this_host_has_asked_for_its_next_view(
    open_transport, transport, stateless
):
    model = ScriptedProvider.saying([FRAGMENT, None])
    async with open_transport(transport, upstream=OneTool, llm=model) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            assert "belatedly" in await read(host)
            await told(host)
            with anyio.fail_after(READ_LIMIT_S / 2):
                assert '"live":' in await read(host, "more_rows")
    assert len(model.requests) == 2


@EVERY_HOST
@EVERY_TRANSPORT
@pytest.mark.parametrize("shows_apps", [True, False], ids=["apps", "no apps"])
async def test_a_call_starts_a_generation_with_the_shape_of_its_own_result(
    open_transport, transport, stateless, shows_apps
):
    model = slow_model(0.3)
    async with open_transport(transport, upstream=OneTool, llm=model, settings=at_once()) as opened:
        async with opened.host(stateless=stateless, **({} if shows_apps else {"capabilities": {}})) as host:
            await host.connect()
            await host.result("tools/list")
            result = await host.call("read_rows")
            assert result["structuredContent"] == {"rows": [{"plumage": "grey"}]}
            if not shows_apps:
                await anyio.sleep(0.2)
                assert model.requests == []
                return
            with anyio.fail_after(10):
                while not model.requests:
                    await anyio.sleep(0.01)
            assert "plumage" in model.requests[0].prompt
            assert '"live":' in await read(host)
            await told(host, wait_ms=20_000)
            assert "belatedly" in await read(host)
    assert len(model.requests) == 1


@EVERY_HOST
@EVERY_PROXY
async def test_a_page_that_asks_starts_no_generation(open_transport, transport, stateless):
    model = slow_model(0)
    async with open_transport(transport, upstream=OneTool, llm=model) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            assert await told(host, wait_ms=20_000) == {
                "tool": "read_rows",
                "version": MINIMAL,
                "state": "minimal",
            }
    assert model.requests == []


@EVERY_PROXY
async def test_a_call_is_forwarded_while_a_page_waits_and_a_page_may_cancel(open_transport, transport):
    async with open_transport(transport, upstream=OneTool, llm=slow_model(5), settings=at_once()) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            await read(host)
            params = {
                "name": "_ui_view",
                "arguments": {"toolName": "read_rows", "have": MINIMAL, "waitMs": 20_000},
            }
            waiting = await host.start("tools/call", params)
            began = anyio.current_time()
            await host.request("tools/call", {"name": "read_rows", "arguments": {}})
            await host.tell("notifications/cancelled", {"requestId": waiting, "reason": "a click"})
            assert (await told(host))["state"] == "pending"
            assert anyio.current_time() - began < 2
            await host.start("tools/call", params)
        began = anyio.current_time()
    assert anyio.current_time() - began < 3


@EVERY_PROXY
async def test_a_refinement_reaches_the_page_that_waits_for_it(open_transport, transport):
    model = ScriptedProvider.saying([FRAGMENT, FRAGMENT.replace("belatedly", "refined")])
    async with open_transport(transport, upstream=OneTool, llm=model) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            await read(host)
            first = await told(host)
            model.delay_s = 0.5
            arguments = {"toolName": "read_rows", "feedback": "make it blue"}
            refining = await host.start("tools/call", {"name": "_ui_refine", "arguments": arguments})
            await anyio.sleep(0.2)
            second = await told(host, first["version"], 20_000)
            assert "refined" in second["template"]
            assert second["undo"] == {"tool": "_ui_rollback", "version": 1}
            await host.answered(refining)
            await host.call("_ui_rollback", toolName="read_rows", version=1)
            assert "belatedly" in (await told(host, second["version"]))["template"]


@EVERY_PROXY
async def test_of_two_variants_a_person_keeps_one_and_the_page_that_waits_gets_both(
    open_transport, transport
):
    sources = [FRAGMENT, *(FRAGMENT.replace("belatedly", word) for word in ("left", "right"))]
    model = ScriptedProvider.saying(sources)
    async with open_transport(transport, upstream=OneTool, llm=model) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            await read(host)
            first = await told(host)
            result = await host.call("_ui_regenerate", toolName="read_rows", variants=2)
            answer = result["structuredContent"]
            assert (answer["status"], answer["variants"]) == ("done", [2, 3])
            assert "_ui_rollback with version 2" in answer["next"]
            shown = await told(host, first["version"], 20_000)
            assert "right" in shown["template"]
            assert shown["choice"] == {"tool": "_ui_rollback", "version": 2, "shown": 2}
            assert "undo" not in shown
            await host.call("_ui_rollback", toolName="read_rows", version=2)
            other = await told(host, shown["version"])
            assert "left" in other["template"]
            assert other["choice"] == {"tool": "_ui_rollback", "version": 3, "shown": 1}
            (event,) = opened.event_log.named("variant_chosen")
            assert (event.metadata["tool_name"], event.metadata["version"]) == ("read_rows", 2)
            await host.call("_ui_rollback", toolName="read_rows", version=1)
            assert "choice" not in await told(host, other["version"])
    assert len(opened.event_log.named("variant_chosen")) == 1


@EVERY_PROXY
async def test_a_wrong_number_of_variants_is_an_error_that_says_which_there_may_be(open_transport, transport):
    async with open_transport(transport, upstream=OneTool, llm=slow_model(0)) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            for more in ({"variants": 3}, {"variants": 0}, {"variants": 2, "uiType": "minimal"}):
                result = await host.call("_ui_regenerate", toolName="read_rows", **more)
                assert result["isError"], more
                assert "variants must be 1, or 2" in result["content"][0]["text"]


@EVERY_PROXY
async def test_a_wrong_question_is_an_error_that_says_why(open_transport, transport):
    async with open_transport(transport, upstream=OneTool, llm=slow_model(0)) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            for arguments, word in (
                ({"toolName": "no", "have": "a"}, "no"),
                ({"toolName": "read_rows"}, "have"),
                ({"toolName": "read_rows", "have": "a", "waitMs": 20_001}, "waitMs"),
                ({"toolName": "read_rows", "have": "a", "waitMs": "1"}, "waitMs"),
            ):
                result = await host.call("_ui_view", **arguments)
                assert result["isError"], arguments
                assert word in result["content"][0]["text"]


@EVERY_PROXY
async def test_no_page_is_live_and_the_tool_is_absent_without_the_setting(open_transport, transport):
    settings = at_once(live="off")
    async with open_transport(transport, upstream=OneTool, llm=slow_model(1), settings=settings) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            names = [each["name"] for each in (await host.result("tools/list"))["tools"]]
            assert "_ui_refine" in names
            assert "_ui_view" not in names
            page = await read(host)
            assert '"live":' not in page
            assert "nonce" not in page.partition("<script")[0]


@EVERY_HOST
@EVERY_PROXY
async def test_the_state_of_a_view_is_kept_for_its_session_and_for_no_other(
    open_transport, transport, stateless
):
    OneTool.called.clear()
    state = {"draft": {"kind": "ünicode"}, "parts": {"/rows table": {"sort": "name", "sign": -1}}}
    async with open_transport(transport, upstream=OneTool) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()

            async def state_of(view, **more):
                result = await host.call("_ui_view", toolName="read_rows", view=view, **more)
                return result["structuredContent"]

            first = await state_of("1")
            assert (first["tool"], first["version"], first["state"]) == ("read_rows", MINIMAL, "minimal")
            assert "style" not in first
            if stateless:
                assert "kept" not in first
                assert "kept" not in await state_of("1", keep=state)
                return
            assert first["kept"] == {}
            assert (await state_of("1", keep=state))["kept"] == state
            assert (await state_of("1"))["kept"] == state
            assert (await state_of("2"))["kept"] == {}
            for wrong in ([], "text", {"much": "x" * 10_000}):
                refused = await host.call("_ui_view", toolName="read_rows", view="1", keep=wrong)
                assert refused["isError"], wrong
            assert (await state_of("1"))["kept"] == state
            other = await host.call("_ui_view", toolName="more_rows", view="1")
            assert other["structuredContent"]["kept"] == {}
        if transport != "stdio to url":
            async with opened.host(stateless=stateless) as host:
                await host.connect()
                assert (await state_of("1"))["kept"] == {}
    assert OneTool.called == []
