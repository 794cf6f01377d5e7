"""The wrapper's own messages are valid UTF-8 and JSON, whatever names, texts and ids arrive."""

import json

from hypothesis import given
from hypothesis import strategies as st

from genui_core.application.stdio.router import StdioRouter
from genui_core.application.wrapper import Wrapper

any_text = st.text(st.characters(), min_size=1, max_size=6) | st.sampled_from(
    ["\ud800", "a\udfffb", "\x00", "\u2028", "%", "</script>", '"\\', "😀"]
)
APPS = {"extensions": {"io.modelcontextprotocol/ui": {}}}


class Control:
    """A driver that does nothing."""

    def start_upstream(self):
        pass

    def stop_upstream(self):
        pass

    def finish(self):
        pass


def line(**message):
    """Return a message as ASCII with escapes, as a peer can send such a text."""
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def read_strictly(pieces):
    messages = [json.loads(each) for each in b"".join(pieces).decode("utf-8", "strict").splitlines()]
    pieces.clear()
    return messages


@given(any_text, any_text, any_text)
def test_messages_of_the_wrapper_are_utf_8_and_json(name, text, request_id):
    router = StdioRouter(Wrapper().open())
    relay, supervision = router.relay, router.supervision
    supervision.attach_driver(Control(), text)
    seen = []

    def ask(method, **params):
        relay.host_sent(line(id=request_id, method=method, params=params))
        seen.extend(read_strictly(relay.to_host))

    ask("initialize", capabilities=APPS, clientInfo={"name": text})
    relay.upstream_sent(line(id=request_id, result={"capabilities": {"tools": {}}, "instructions": text}))
    ask("tools/list")
    tool = {"name": name, "title": text, "description": text, "inputSchema": {"properties": {text: {}}}}
    relay.upstream_sent(line(id=request_id, result={"tools": [tool]}))
    address = read_strictly(relay.to_host)[-1]["result"]["tools"][0]["_meta"]["ui"]["resourceUri"]
    ask("resources/read", uri=address)
    ask("resources/list")
    ask("tools/call", name="_ui_inspect", arguments={"toolName": name})
    ask("tools/call", name="_ui_inspect", arguments={"toolName": text})
    ask("tools/call", name=name)
    relay.to_upstream.clear()
    supervision.ended()
    seen += read_strictly(relay.to_host)
    supervision.cannot_start(text)
    ask("tools/call", name=name)
    supervision.started()
    assert read_strictly(relay.to_upstream)[0]["params"]["clientInfo"]["name"] == text
    assert all(each["id"] == request_id for each in seen if "id" in each)
    assert [each["error"]["data"]["toolName"] for each in seen if "error" in each][-2:] == [name, name]
