"""One host's session on the relay: which messages the router forwards, edits or answers (requirement W13)."""

import json

import pytest
from attrs import define, field
from generation_workers import WorkerAtOnce
from tool_texts import FAILING_CALLS

from genui_core.application.stdio.router import StdioRouter
from genui_core.application.tool_views import ToolViews
from genui_core.application.wrapper import Wrapper
from genui_core.domain.mcp.envelope import AppsSetting
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.wrapper_tools import NAMES

APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": APPS,
}
TOOLS = [{"name": "add", "inputSchema": {"type": "object"}}, {"name": "sub tract", "inputSchema": {}}]


@define
class Connection:
    """A host and an upstream around a relay; the upstream's answers are a table."""

    wrapper: Wrapper = field(factory=Wrapper)
    upstream: dict = field(factory=dict)
    sent: list = field(factory=list)
    notes: list = field(factory=list)
    meta: dict | None = None
    make_page: object = None
    _id: int = 0
    views: ToolViews = field(init=False)
    _relay: object = field(init=False)

    def __attrs_post_init__(self):
        self.views = self.wrapper.open(WorkerAtOnce)
        self._relay = StdioRouter(self.views, self.make_page).relay

    def request(self, method, params=None):
        """Send a request and return the answer and the notifications that came with it."""
        self._id += 1
        params = {**(params or {}), **({"_meta": self.meta} if self.meta else {})}
        self._relay.host_sent(encoded({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}))
        self._work()
        messages = [json.loads(each) for each in b"".join(self._relay.to_host).splitlines()]
        self._relay.to_host.clear()
        (answer,) = [each for each in messages if "id" in each]
        assert answer["id"] == self._id
        self.notes = [each for each in messages if "id" not in each]
        return answer

    def result(self, method, params=None):
        return self.request(method, params)["result"]

    def connect(self, capabilities=APPS, upstream_capabilities=None):
        self.upstream["initialize"] = {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, **(upstream_capabilities or {})},
        }
        return self.result("initialize", {"protocolVersion": "2025-11-25", "capabilities": capabilities})

    def _work(self):
        while self._relay.to_upstream:
            for each in b"".join(self._drain()).splitlines():
                message = json.loads(each)
                self.sent.append(message)
                answer = self.upstream.get(message["method"])
                if callable(answer):
                    answer = answer(message.get("params") or {})
                body = (
                    {"error": {"code": -32601, "message": "no such method"}}
                    if answer is None
                    else {"result": answer}
                )
                if answer is not None and "error" in answer:
                    body = answer
                self._relay.upstream_sent(encoded({"jsonrpc": "2.0", "id": message["id"], **body}))

    def _drain(self):
        pieces = list(self._relay.to_upstream)
        self._relay.to_upstream.clear()
        return pieces

    def methods_sent(self):
        return [each["method"] for each in self.sent]


def encoded(message):
    return json.dumps(message).encode() + b"\n"


def connected(tools=TOOLS, **settings):
    connection = Connection(Wrapper(settings=Settings(**settings)), {"tools/list": {"tools": tools}})
    connection.connect()
    return connection


def address(tool):
    return tool["_meta"]["ui"]["resourceUri"]


def test_every_tool_is_tied_to_a_versioned_address_under_every_alias():
    tools = connected().result("tools/list")["tools"]
    assert [each["name"] for each in tools] == ["add", "sub tract", *NAMES]
    for tool, path in zip(tools, ("add", "sub%20tract"), strict=False):
        uri = address(tool)
        assert uri.startswith(f"ui://{path}?v=")
        assert tool["_meta"] == {
            "ui": {"resourceUri": uri},
            "ui/resourceUri": uri,
            "openai/outputTemplate": uri,
        }


def test_a_view_is_read_at_its_versioned_bare_and_older_addresses_and_echoes_the_one_asked_for():
    connection = connected()
    uri = address(connection.result("tools/list")["tools"][0])
    for asked in (uri, "ui://add", "ui://add?v=00000000"):
        (contents,) = connection.result("resources/read", {"uri": asked})["contents"]
        assert contents["uri"] == asked
        assert contents["mimeType"] == "text/html;profile=mcp-app"
        assert contents["text"].startswith("<!DOCTYPE html>")
        assert contents["_meta"]["ui"]["csp"]["connectDomains"] == []
    assert "resources/read" not in connection.methods_sent()


NAMED = {"name": "files", "version": "1"}
SAYS_SO = {"_meta": {"io.modelcontextprotocol/serverInfo": NAMED}}


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": NAMED}),
        ("server/discover", {"supportedVersions": ["2026-07-28"], "capabilities": {}, **SAYS_SO}),
        ("tools/list", {"tools": TOOLS, **SAYS_SO}),
        ("resources/read", {"tools": TOOLS, **SAYS_SO}),
    ],
)
def test_the_wrapper_has_the_name_of_the_upstream(method, answer):
    connection = Connection(meta=None if method == "initialize" else STATELESS)
    connection.upstream["tools/list" if method == "resources/read" else method] = answer
    connection.request(method, {"uri": "ui://add", "capabilities": APPS})
    assert connection.views.tools.upstream_name == "files"


@pytest.mark.parametrize("info", [None, "files", {}, {"name": 1}, {"name": ""}])
def test_an_upstream_that_does_not_name_itself_has_no_name_or_the_one_it_had(info):
    connection = connected()
    connection.upstream["initialize"] = {"capabilities": {}, "serverInfo": info}
    connection.request("initialize", {"capabilities": APPS})
    assert connection.views.tools.upstream_name == ""
    connection.views.tools.know_upstream(NAMED)
    connection.request("initialize", {"capabilities": APPS})
    assert connection.views.tools.upstream_name == "files"


def test_a_view_read_before_any_listing_lists_the_tools_first_and_only_once():
    connection = connected()
    connection.result("resources/read", {"uri": "ui://add"})
    connection.result("resources/read", {"uri": "ui://sub%20tract"})
    assert connection.methods_sent().count("tools/list") == 1


def test_the_wrappers_listing_follows_every_page():
    pages = {None: {"tools": TOOLS[:1], "nextCursor": "2"}, "2": {"tools": TOOLS[1:]}}
    connection = connected()
    connection.upstream["tools/list"] = lambda params: pages[params.get("cursor")]
    resources = connection.result("resources/list")["resources"]
    assert [each["uri"] for each in resources] == ["ui://add", "ui://sub%20tract"]


def test_pages_of_the_hosts_listing_get_addresses_too_and_wrapper_tools_come_after_the_last():
    pages = {None: {"tools": TOOLS[:1], "nextCursor": "2"}, "2": {"tools": TOOLS[1:]}}
    connection = connected()
    connection.upstream["tools/list"] = lambda params: pages[params.get("cursor")]
    first = connection.result("tools/list")
    second = connection.result("tools/list", {"cursor": "2"})
    assert [each["name"] for each in first["tools"]] == ["add"]
    assert [each["name"] for each in second["tools"]] == ["sub tract", *NAMES]
    assert address(first["tools"][0])
    assert connection.result("tools/list") == first


def test_an_upstream_without_resources_gets_no_request_for_them():
    connection = connected()
    assert [each["uri"] for each in connection.result("resources/list")["resources"]] == [
        "ui://add",
        "ui://sub%20tract",
    ]
    assert connection.result("resources/templates/list") == {"resourceTemplates": []}
    assert not [each for each in connection.methods_sent() if each.startswith("resources/")]


def test_the_upstreams_resources_and_the_views_are_in_one_list():
    connection = Connection(
        upstream={"tools/list": {"tools": TOOLS}, "resources/list": {"resources": [{"uri": "demo://1"}]}}
    )
    connection.connect(upstream_capabilities={"resources": {}})
    uris = [each["uri"] for each in connection.result("resources/list")["resources"]]
    assert uris == ["demo://1", "ui://add", "ui://sub%20tract"]


def test_views_come_after_the_last_page_of_the_upstreams_resources():
    pages = {None: {"resources": [{"uri": "a"}], "nextCursor": "2"}, "2": {"resources": []}}
    connection = Connection(
        upstream={
            "tools/list": {"tools": TOOLS},
            "resources/list": lambda params: pages[params.get("cursor")],
        }
    )
    connection.connect(upstream_capabilities={"resources": {}})
    assert len(connection.result("resources/list")["resources"]) == 1
    assert len(connection.result("resources/list", {"cursor": "2"})["resources"]) == 2


def test_an_upstream_that_announces_resources_but_lists_none_still_has_views():
    connection = Connection(upstream={"tools/list": {"tools": TOOLS}})
    connection.connect(upstream_capabilities={"resources": {}})
    assert len(connection.result("resources/list")["resources"]) == 2
    assert connection.result("resources/templates/list") == {"resourceTemplates": []}


def test_other_ui_addresses_are_the_upstreams():
    connection = connected()
    connection.upstream["resources/read"] = {"contents": [{"uri": "ui://server/own", "text": "theirs"}]}
    assert connection.result("resources/read", {"uri": "ui://server/own"})["contents"][0]["text"] == "theirs"


def test_a_tool_with_a_ui_of_its_own_is_left_alone():
    own = {"name": "own", "inputSchema": {}, "_meta": {"ui": {"resourceUri": "ui://own"}}}
    connection = connected([own, TOOLS[0]])
    assert connection.result("tools/list")["tools"][0] == own
    assert [each["uri"] for each in connection.result("resources/list")["resources"]] == ["ui://add"]
    connection.upstream["resources/read"] = {"contents": []}
    assert connection.result("resources/read", {"uri": "ui://own"}) == {"contents": []}


def test_only_allowed_tools_get_uis_and_the_others_stay():
    tools = connected(enabled_tools=frozenset({"add"})).result("tools/list")["tools"]
    assert address(tools[0])
    assert tools[1] == TOOLS[1]


def test_a_removed_tool_is_not_found_and_leaves_the_lists():
    connection = connected()
    connection.result("tools/list")
    connection.result("resources/read", {"uri": "ui://add"})
    connection.upstream["tools/list"] = {"tools": TOOLS[1:]}
    connection.result("tools/list")
    assert [each["method"] for each in connection.notes] == [
        "notifications/resources/list_changed",
        "notifications/resources/updated",
    ]
    assert connection.notes[1]["params"] == {"uri": "ui://add"}
    assert len(connection.result("resources/list")["resources"]) == 1
    error = connection.request("resources/read", {"uri": "ui://add?v=12345678"})["error"]
    assert (error["code"], error["message"]) == (-32001, "Resource not found: ui://add")
    assert error["data"]["toolName"] == "add"
    assert error["data"]["requestId"]


def test_a_changed_tool_has_another_address_and_its_readers_are_notified():
    connection = connected()
    before = address(connection.result("tools/list")["tools"][0])
    connection.result("resources/read", {"uri": before})
    connection.upstream["tools/list"] = {"tools": [{**TOOLS[0], "description": "new"}, TOOLS[1]]}
    after = address(connection.result("tools/list")["tools"][0])
    assert before != after
    assert {"uri": before} in [each.get("params") for each in connection.notes]


def test_the_same_listing_again_gives_the_same_answer_and_no_notification():
    connection = connected()
    first = connection.result("tools/list")
    assert connection.result("tools/list") == first
    assert connection.notes == []


def test_wrapper_tools_answer_as_text_and_as_structure():
    connection = connected()
    result = connection.result("tools/call", {"name": "_ui_list", "arguments": {}})
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert [each["name"] for each in result["structuredContent"]["tools"]] == ["add", "sub tract"]
    inspected = connection.result("tools/call", {"name": "_ui_inspect", "arguments": {"toolName": "add"}})
    assert inspected["structuredContent"]["resourceUri"].startswith("ui://add?v=")
    assert "tools/call" not in connection.methods_sent()


@pytest.mark.parametrize(
    ("arguments", "said", "kind"),
    [
        ({"toolName": "ad"}, "'add'", "UNKNOWN_TOOL"),
        ({"toolName": 7}, "7", "INVALID_ARGUMENTS"),
        ({}, "toolName", "INVALID_ARGUMENTS"),
        (None, "toolName", "INVALID_ARGUMENTS"),
        ("x", "toolName", "INVALID_ARGUMENTS"),
    ],
)
def test_a_mistake_in_a_wrapper_tools_arguments_is_explained(arguments, said, kind):
    result = connected().result("tools/call", {"name": "_ui_inspect", "arguments": arguments})
    assert result["isError"]
    assert said in result["content"][0]["text"]
    assert result["structuredContent"]["errorType"] == kind
    assert len(result["structuredContent"]["requestId"]) == 36


def test_an_upstream_tool_of_the_same_name_stays_reachable_and_the_wrapper_tool_yields():
    connection = connected([{"name": "_ui_list", "inputSchema": {}}])
    connection.upstream["tools/call"] = {"content": [{"type": "text", "text": "theirs"}]}
    names = [each["name"] for each in connection.result("tools/list")["tools"]]
    ours = ["_ui_list_of_wrapper" if each == "_ui_list" else each for each in NAMES]
    assert names == ["_ui_list", *ours]
    assert connection.result("tools/call", {"name": "_ui_list"})["content"][0]["text"] == "theirs"
    assert connection.result("tools/call", {"name": "_ui_list_of_wrapper"})["structuredContent"]["tools"]


@pytest.mark.parametrize(
    "capabilities", [{}, {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/other"]}}}]
)
def test_a_host_without_apps_sees_the_bare_server(capabilities):
    connection = Connection(upstream={"tools/list": {"tools": TOOLS}})
    assert connection.connect(capabilities) == connection.upstream["initialize"]
    assert connection.result("tools/list") == {"tools": TOOLS}
    assert connection.request("resources/list")["error"]["code"] == -32601
    assert connection.request("resources/read", {"uri": "ui://add"})["error"]["code"] == -32601
    assert connection.request("tools/call", {"name": "_ui_list"})["error"]["code"] == -32601


def test_apps_can_be_forced_for_a_host_that_shows_no_sign():
    connection = Connection(
        Wrapper(settings=Settings(apps=AppsSetting.ALWAYS)), {"tools/list": {"tools": TOOLS}}
    )
    assert address(connection.result("tools/list")["tools"][0])


def test_the_wrapper_answers_subscriptions_to_its_addresses():
    connection = connected()
    connection.result("tools/list")
    assert connection.result("resources/subscribe", {"uri": "ui://add"}) == {}
    assert connection.request("resources/subscribe", {"uri": "demo://x"})["error"]["code"] == -32601


def test_requests_are_forwarded_if_the_upstream_cannot_list_its_tools():
    connection = connected()
    connection.upstream["tools/list"] = {"error": {"code": -32603, "message": "database down"}}
    assert connection.request("resources/read", {"uri": "ui://add"})["error"]["code"] == -32601
    assert connection.methods_sent()[-2:] == ["tools/list", "resources/read"]


def test_stateless_hosts_get_their_fields_and_their_error_code():
    connection = Connection(
        meta=STATELESS, upstream={"tools/list": {"tools": TOOLS, "resultType": "complete"}}
    )
    connection.upstream["server/discover"] = {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
    }
    assert connection.result("server/discover")["capabilities"]["resources"]["subscribe"] is True
    read = connection.result("resources/read", {"uri": "ui://add"})
    assert (read["resultType"], read["ttlMs"], read["cacheScope"]) == ("complete", 0, "private")
    assert connection.sent[-1]["params"]["_meta"] == STATELESS
    assert connection.result("resources/list")["resultType"] == "complete"
    assert connection.result("tools/call", {"name": "_ui_list"})["resultType"] == "complete"
    connection.result("tools/list")
    connection.upstream["tools/list"] = {"tools": []}
    connection.result("tools/list")
    assert connection.notes == []
    assert connection.request("resources/read", {"uri": "ui://add"})["error"]["code"] == -32602


@pytest.mark.parametrize(
    "name", ["</script>", "a\nb", "\u0000", "\ud800", "%2e%2e", "../x", "é😀", "x" * 300]
)
def test_hostile_tool_names_keep_their_view(name):
    connection = connected(
        [{"name": name, "title": name, "description": name, "inputSchema": {"properties": {name: {}}}}]
    )
    uri = address(connection.result("tools/list")["tools"][0])
    (contents,) = connection.result("resources/read", {"uri": uri})["contents"]
    assert contents["text"].count("<script") == 3


@pytest.mark.parametrize(
    "odd", [None, 7, {"name": 1}, {"name": "a", "_meta": None}, {"name": "a", "inputSchema": [1]}]
)
def test_odd_definitions_in_a_listing_break_nothing(odd):
    connection = connected([odd, TOOLS[0]])
    listed = connection.result("tools/list")["tools"]
    assert listed[1]["name"] == "add"
    assert address(listed[1])


@pytest.mark.parametrize("tells_capabilities", [True, False])
@pytest.mark.parametrize(("meta", "code"), [(None, -32001), (STATELESS, -32602)])
@pytest.mark.parametrize(
    ("uri", "named", "tool"),
    [
        ("ui://nothing?v=1", "ui://nothing", "nothing"),
        ("ui://no%20tool", "ui://no%20tool", "no tool"),
        ("ui://", "ui://", None),
    ],
)
def test_an_unknown_view_is_not_found_where_the_upstream_has_no_resources(
    tells_capabilities, meta, code, uri, named, tool
):
    connection = Connection(Wrapper(), {"tools/list": {"tools": TOOLS}})
    connection.connect(upstream_capabilities=None if tells_capabilities else {"resources": {}})
    connection.meta = meta
    error = connection.request("resources/read", {"uri": uri})["error"]
    assert (error["code"], error["message"]) == (code, f"Resource not found: {named}")
    assert (error["data"]["uri"], error["data"]["toolName"]) == (named, tool)
    assert error["data"]["requestId"]


@pytest.mark.parametrize("method", ["resources/read", "resources/subscribe"])
def test_an_unknown_view_is_not_found_at_an_upstream_that_announces_no_resources(method):
    error = connected().request(method, {"uri": "ui://nothing"})["error"]
    assert (error["code"], error["message"]) == (-32001, "Resource not found: ui://nothing")


def test_the_upstreams_own_errors_about_resources_are_forwarded():
    own = {"code": -32002, "message": "No such thing", "data": {"uri": "ui://nothing"}}
    connection = Connection(Wrapper(), {"tools/list": {"tools": TOOLS}, "resources/read": {"error": own}})
    connection.connect(upstream_capabilities={"resources": {}})
    assert connection.request("resources/read", {"uri": "ui://nothing"})["error"] == own
    del connection.upstream["resources/read"]
    error = connection.request("resources/read", {"uri": "file:///nothing"})["error"]
    assert error["code"] == -32601


def test_a_host_without_apps_gets_the_upstreams_answers_about_resources():
    connection = Connection(Wrapper(), {"tools/list": {"tools": TOOLS}})
    connection.connect(capabilities={})
    assert connection.request("resources/read", {"uri": "ui://nothing"})["error"]["code"] == -32601


PUBLIC = {"resultType": "complete", "ttlMs": 3600000, "cacheScope": "public"}


@pytest.mark.parametrize("method", ["tools/list", "resources/list"])
def test_a_stateless_list_with_additions_is_private_and_stale_at_once(method):
    listed = {"tools/list": {"tools": TOOLS}, "resources/list": {"resources": [{"uri": "x://a"}]}}
    upstream = {name: {**answer, **PUBLIC} for name, answer in listed.items()}
    connection = Connection(Wrapper(), upstream)
    connection.connect(upstream_capabilities={"resources": {}})
    assert {"ttlMs": 3600000, "cacheScope": "public"}.items() <= connection.result(method).items()
    connection.meta = STATELESS
    for _ in range(2):
        result = connection.result(method)
        assert {**PUBLIC, "ttlMs": 0, "cacheScope": "private"}.items() <= result.items()
        assert len(result[method.partition("/")[0]]) > len(listed[method][method.partition("/")[0]])


def test_a_stateless_page_without_additions_keeps_the_upstreams_cache_hints():
    pages = {None: {"tools": TOOLS, "nextCursor": "2"}, "2": {"tools": []}}
    connection = Connection(
        Wrapper(settings=Settings(enabled_tools=frozenset())),
        {"tools/list": lambda params: {**pages[params.get("cursor")], **PUBLIC}},
        meta=STATELESS,
    )
    assert connection.result("tools/list") == {**pages[None], **PUBLIC}
    last = connection.result("tools/list", {"cursor": "2"})
    assert (last["ttlMs"], last["cacheScope"]) == (0, "private")
    assert [each["name"] for each in last["tools"]] == list(NAMES)


@pytest.mark.parametrize("name", ["_ui_wait", "_ui_push"])
def test_a_companion_tool_refuses_wrong_arguments_as_the_page_about_the_tools_says(name):
    def make_page(_host):
        pytest.fail("a refused call needs no page")

    connection = Connection(upstream={"tools/list": {"tools": TOOLS}}, make_page=make_page)
    connection.connect(capabilities={})
    call = FAILING_CALLS[name]
    result = connection.result("tools/call", {"name": name, "arguments": dict(call.arguments)})
    assert result["isError"]
    assert result["content"] == [{"type": "text", "text": call.message}]
    assert result["structuredContent"]["errorType"] == "INVALID_ARGUMENTS"
