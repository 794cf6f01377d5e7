"""The examples do what their pages say."""

import sys


def test_the_attached_server_brings_its_uis_with_no_proxy(open_host, repository):
    host = open_host(sys.executable, repository / "examples" / "attached-server" / "library_server.py")
    host.connect()
    tool = host.request("tools/list")["result"]["tools"][0]
    view = host.request("resources/read", {"uri": tool["_meta"]["ui"]["resourceUri"]})["result"]["contents"][
        0
    ]
    assert "Find books" in view["text"]
    call = host.request("tools/call", {"name": "find_books", "arguments": {"text": "eliot"}})["result"]
    assert call["structuredContent"]["result"][0]["title"] == "Middlemarch"


def test_a_proxy_in_front_of_it_leaves_its_uis_alone(open_host, proxy, repository):
    server = (sys.executable, repository / "examples" / "attached-server" / "library_server.py")
    direct, through = open_host(*server), open_host(*proxy, *server)
    direct.connect()
    through.connect()
    own = direct.request("tools/list")["result"]["tools"]
    assert through.request("tools/list")["result"]["tools"][0] == own[0]
    uri = own[0]["_meta"]["ui"]["resourceUri"]
    assert (
        through.request("resources/read", {"uri": uri})["result"]
        == direct.request("resources/read", {"uri": uri})["result"]
    )
