"""The in-process transport at run time: changing tools, notifications, and the ways to attach (requirement P1)."""

from contextlib import asynccontextmanager

import anyio
import mcp_types as types
import pytest
from every_transport import EVERY_HOST
from mcp.server import MCPServer, Server

from genui_adapters.host import attach, middleware_for
from genui_core.application.wrapper import Wrapper
from genui_core.domain.tools.wrapper_tools import NAMES

pytestmark = pytest.mark.anyio

TOLD = ["notifications/tools/list_changed", "notifications/resources/list_changed"]


def library(**words):
    server = MCPServer("library", log_level="CRITICAL", **words)

    @server.tool()
    def find(text: str) -> str:
        """Find a book."""
        return text

    @server.tool()
    def grow() -> str:
        """Add a tool."""
        server.add_tool(lambda: "new", name="added")
        return "grown"

    return server


def lowlevel(server):
    return server._lowlevel_server if isinstance(server, MCPServer) else server


@EVERY_HOST
async def test_hosts_are_notified_at_once_when_tools_come_and_go(open_pipes, stateless):
    server = library()
    async with attach(Wrapper(), server), open_pipes(lowlevel(server), stateless=stateless) as host:
        await host.connect()
        await host.result("tools/list")
        await host.result("resources/read", {"uri": "ui://find"})
        await listen_if(host, stateless)
        server.add_tool(lambda: "new", name="late")
        await host.wait_for(lambda: set(TOLD) <= set(host.methods_told()))
        assert (await host.result("resources/read", {"uri": "ui://late"}))["contents"]
        host.told.clear()
        server.remove_tool("find")
        await host.wait_for(lambda: set(TOLD) <= set(host.methods_told()))
        answer = await host.request("resources/read", {"uri": "ui://find"})
        assert answer["error"]["message"] == "Resource not found: ui://find"
        await host.wait_for(lambda: "notifications/resources/updated" in host.methods_told())


async def listen_if(host, stateless):
    if stateless:
        wishes = {
            "toolsListChanged": True,
            "resourcesListChanged": True,
            "resourceSubscriptions": ["ui://find"],
        }
        await host.start("subscriptions/listen", {"notifications": wishes})
        await host.wait_for(lambda: host.told)
        assert host.told[0][1]["notifications"] == wishes


async def test_hosts_are_notified_with_the_next_answer_if_the_attachment_is_not_entered(open_pipes):
    server = library()
    attach(Wrapper(), server)
    async with open_pipes(lowlevel(server), stateless=False) as host:
        await host.connect()
        await host.call("grow")
        assert host.methods_told() == TOLD


async def test_hosts_without_apps_get_only_the_servers_own_notifications(open_pipes):
    server = library()
    async with attach(Wrapper(), server):
        async with open_pipes(lowlevel(server), stateless=False, capabilities={}) as host:
            said = await host.connect()
            assert said["capabilities"]["tools"] == {"listChanged": False}
            await host.call("grow")
            await host.result("tools/list")
            assert host.told == []


async def test_the_middleware_is_an_argument_too(open_pipes):
    server = library(middleware=[middleware_for(Wrapper())])
    async with open_pipes(lowlevel(server), stateless=False) as host:
        await host.connect()
        tools = (await host.result("tools/list"))["tools"]
        assert tools[0]["_meta"]["ui"]["resourceUri"].startswith("ui://find?v=")


async def test_attaching_again_changes_nothing(open_pipes):
    server, wrapper = library(), Wrapper()
    assert attach(wrapper, server) is attach(wrapper, server)
    async with attach(wrapper, server), open_pipes(lowlevel(server), stateless=False) as host:
        await host.connect()
        names = [each["name"] for each in (await host.result("tools/list"))["tools"]]
    assert names == ["find", "grow", *NAMES]


async def test_a_server_answers_over_http_after_an_earlier_one_ended_in_the_same_loop(open_app):
    for _ in range(2):
        async with open_app(library().streamable_http_app()) as make_host, make_host(stateless=False) as host:
            await host.connect()


async def test_attaching_works_inside_the_servers_lifespan_over_http(open_app):
    wrapper = Wrapper()

    @asynccontextmanager
    async def lifespan(server):
        async with attach(wrapper, server):
            yield

    server = library(lifespan=lifespan)
    async with open_app(server.streamable_http_app()) as make_host:
        async with make_host(stateless=False) as one, make_host(stateless=True) as other:
            await one.connect()
            assert (await one.result("resources/read", {"uri": "ui://find"}))["contents"]
            read = await other.result("resources/read", {"uri": "ui://find"})
            assert read["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "library"
            await listen_if(other, stateless=True)
            await anyio.sleep(0.2)  # the stream that a session hears news on is opened without an answer
            await other.call("grow")
            await one.wait_for(lambda: set(TOLD) <= set(one.methods_told()))
            await other.wait_for(lambda: set(TOLD) <= set(other.methods_told()))


async def test_a_low_level_server_announces_its_changed_tools_itself(open_pipes):
    names = ["a"]

    async def list_tools(_context, _params):
        return types.ListToolsResult(
            tools=[types.Tool(name=name, input_schema={"type": "object"}) for name in names]
        )

    server = Server("low", on_list_tools=list_tools)
    attachment = attach(Wrapper(), server)
    async with attachment, open_pipes(server, stateless=False) as host:
        await host.connect()
        await host.result("tools/list")
        names.append("b")
        attachment.tools_changed()
        await host.wait_for(lambda: host.methods_told() == TOLD)
        assert (await host.result("resources/read", {"uri": "ui://b"}))["contents"]


async def test_a_low_level_server_without_streams_gains_one_for_views(open_pipes):
    async def list_tools(_context, _params):
        return types.ListToolsResult(tools=[types.Tool(name="find", input_schema={"type": "object"})])

    server = Server("low", on_list_tools=list_tools)
    async with attach(Wrapper(), server) as attachment, open_pipes(server, stateless=True) as host:
        await host.result("tools/list")
        await listen_if(host, stateless=True)
        attachment.tools_changed()
        await host.wait_for(lambda: set(TOLD) <= set(host.methods_told()))


class Layered:
    """A server of another library, which holds the SDK's server as an attribute."""

    def __init__(self):
        self._mcp_server = Server("layered", on_list_tools=self._list_tools)
        self.names = ["find"]

    async def _list_tools(self, _context, _params):
        return types.ListToolsResult(
            tools=[types.Tool(name=name, input_schema={"type": "object"}) for name in self.names]
        )

    def add_tool(self, name):
        self.names.append(name)


@EVERY_HOST
async def test_a_server_on_top_of_the_sdks_is_attached_through_the_one_inside(open_pipes, stateless):
    server, wrapper = Layered(), Wrapper()
    assert attach(wrapper, server) is attach(wrapper, server)
    async with attach(wrapper, server), open_pipes(server._mcp_server, stateless=stateless) as host:
        await host.connect()
        tools = (await host.result("tools/list"))["tools"]
        assert tools[0]["_meta"]["ui"]["resourceUri"].startswith("ui://find?v=")
        server.add_tool("late")
        assert (await host.result("resources/read", {"uri": "ui://late"}))["contents"]


@pytest.mark.parametrize("server", [object(), "server", Wrapper])
def test_an_object_that_is_no_server_of_the_sdk_is_refused_with_an_alternative(server):
    with pytest.raises(
        TypeError, match=r"takes a server of the MCP SDK .* mcp-gen-ui -- python my_server.py"
    ):
        attach(Wrapper(), server)
