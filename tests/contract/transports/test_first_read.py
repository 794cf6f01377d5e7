"""Every transport answers a first read within `serveWithinMs`, also while the generation worker is busy
(requirement G5).
"""

import threading

import anyio
import pytest
from attrs import define, field
from every_transport import EVERY_HOST, EVERY_TRANSPORT
from generation_workers import HeldWorker

from genui_adapters.host.channels import router_in_event_loop
from genui_core.application.requests.host_request import HostRequest
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Settings
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.scripted_upstream import ScriptedUpstream, reply
from genui_core.testing.view_store import DictStore

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

HELD_FOR_S = 60
TOOLS = [
    {
        "name": name,
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"rows": {"type": "array"}}},
    }
    for name in ("read_rows", "more_rows")
]
RICH = (
    '<style>.view { color: inherit }</style><template><p class="view">belatedly</p></template>'
    "<script>function render(data, ui) { ui.root.append(ui.el('b', {}, 'drawn')); }</script><!--end-->"
)
SOON = Settings(generation=GenerationSettings(serve_within_ms=20))


class TwoTools(ScriptedUpstream):
    """An upstream with two tools that return rows."""

    def receive(self, message):
        if message.get("method") == "tools/list":
            return [reply(message["id"], {"tools": TOOLS})]
        return super().receive(message)


@define(eq=False)
class HoldingStore(DictStore):
    """A store that blocks the thread and the event loop of its caller until the test releases it."""

    released: threading.Event = field(factory=threading.Event)
    asked: threading.Event = field(factory=threading.Event)

    async def get(self, key):
        self.asked.set()
        assert self.released.wait(HELD_FOR_S), "the test did not release the store"
        return await super().get(key)


@pytest.fixture
def store():
    """A blocking store that is released at the end of the test."""
    holding = HoldingStore()
    yield holding
    holding.released.set()


async def page_of(host, name="read_rows"):
    (contents,) = (await host.result("resources/read", {"uri": f"ui://{name}"}))["contents"]
    return contents["text"]


async def connected(host):
    """Connect a host that subscribes to changes, in both eras, and list the tools."""
    await host.connect()
    if host.stateless:
        uris = [f"ui://{each['name']}" for each in TOOLS]
        wanted = {"toolsListChanged": True, "resourceSubscriptions": uris}
        await host.start("subscriptions/listen", {"notifications": wanted})
        await host.wait_for(lambda: "notifications/subscriptions/acknowledged" in host.methods_told())
    await host.result("tools/list")


def is_provisional(page):
    return "a richer view is being made" in page and "belatedly" not in page


@EVERY_HOST
@EVERY_TRANSPORT
async def test_reads_are_answered_in_time_while_the_worker_is_blocked_and_the_view_follows(
    open_transport, transport, stateless, store
):
    model = ScriptedProvider.saying([RICH, RICH])
    async with open_transport(transport, upstream=TwoTools, llm=model, store=store, settings=SOON) as opened:
        async with opened.host(stateless=stateless) as host:
            await connected(host)
            for name in ("read_rows", "more_rows", "read_rows"):
                assert is_provisional(await page_of(host, name))
            assert await anyio.to_thread.run_sync(store.asked.wait, HELD_FOR_S)
            assert "notifications/resources/updated" not in host.methods_told()
            store.released.set()
            await host.wait_for(lambda: "notifications/resources/updated" in host.methods_told())
            for each in TOOLS:
                seen = 0
                while is_provisional(page := await page_of(host, each["name"])):
                    await host.wait_for(lambda seen=seen: len(host.told) > seen)
                    seen = len(host.told)
                assert "belatedly" in page
    assert len(model.requests) == 2


@EVERY_TRANSPORT
async def test_a_read_in_time_reports_no_progress_after_its_answer(open_transport, transport, store):
    model = ScriptedProvider.saying([RICH])
    async with open_transport(transport, upstream=TwoTools, llm=model, store=store, settings=SOON) as opened:
        async with opened.host(stateless=False) as host:
            await connected(host)
            params = {"uri": "ui://read_rows", "_meta": {"progressToken": 7}}
            assert is_provisional((await host.result("resources/read", params))["contents"][0]["text"])
            before = host.methods_told().count("notifications/progress")
            store.released.set()
            await host.wait_for(lambda: "notifications/resources/updated" in host.methods_told())
            assert "belatedly" in await page_of(host)
            assert host.methods_told().count("notifications/progress") == before


@EVERY_TRANSPORT
async def test_a_generation_that_fails_after_the_answer_leaves_the_minimal_view_with_the_reason(
    open_transport, transport, store
):
    model = ScriptedProvider.saying([ProviderFailed(ProviderErrorCode.AUTHENTICATION, "no such key")])
    async with open_transport(transport, upstream=TwoTools, llm=model, store=store, settings=SOON) as opened:
        async with opened.host(stateless=False) as host:
            await connected(host)
            assert is_provisional(await page_of(host))
            store.released.set()
            await host.wait_for(lambda: "notifications/resources/updated" in host.methods_told())
            page = await page_of(host)
            assert "no such key" in page
            assert not is_provisional(page)


def router_with_busy_worker(**generation):
    """Return a request router whose generation worker never finishes, and the worker."""
    worker = HeldWorker()
    wrapper = Wrapper(
        llm=ScriptedProvider.saying(["unused"]),
        settings=Settings(generation=GenerationSettings(**generation)),
        event_log=RecordingEventLog(),
    )
    return router_in_event_loop(wrapper.open(lambda _views: worker)), worker


async def read(router):
    """Read a view through a request router, as the in-process transport does; return the page."""

    async def ask_upstream(request):
        assert request.method == "tools/list"
        return {"tools": TOOLS}

    async def tell(_method, _params):
        await anyio.lowlevel.checkpoint()

    apps = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
    request = HostRequest(
        method="resources/read",
        params={"uri": "ui://read_rows"},
        handshake={"capabilities": apps},
        tell=tell,
    )
    return (await router.answer(request, ask_upstream))["contents"][0]["text"]


@pytest.mark.parametrize("serve_within_ms", [0, 1, 50])
async def test_a_read_in_process_is_answered_in_time_and_its_work_continues(serve_within_ms):
    router, worker = router_with_busy_worker(serve_within_ms=serve_within_ms)
    with anyio.fail_after(HELD_FOR_S):
        assert is_provisional(await read(router))
    assert (len(worker.finish), worker.given_up) == (1, 0)


async def test_a_host_that_leaves_before_the_limit_cancels_its_work():
    router, worker = router_with_busy_worker(serve_within_ms=60_000)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read, router)
        while not worker.finish:
            await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    assert worker.given_up == 1
