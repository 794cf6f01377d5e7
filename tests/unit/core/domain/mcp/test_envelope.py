import json

from genui_core.domain.mcp.envelope import as_handshake, as_stateless, needs_input, with_server_info

INFO_KEY = "io.modelcontextprotocol/serverInfo"


def test_a_result_gains_the_envelope_that_its_method_wants():
    assert as_stateless("tools/call", {"content": []}) == {"resultType": "complete", "content": []}
    assert as_stateless("tools/list", {"tools": []}) == {
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
        "tools": [],
    }


def test_fields_of_the_result_itself_stay():
    result = {"ttlMs": 5.0, "_meta": {INFO_KEY: {"name": "own"}, "k": None}}
    dressed = as_stateless("tools/list", result, {"name": "other"})
    assert (dressed["ttlMs"], dressed["_meta"]) == (5.0, result["_meta"])
    assert with_server_info({"_meta": 3}, {"name": "x"}) == {"_meta": 3}


def test_adding_and_removing_the_envelope_changes_no_result():
    for method in ("tools/call", "resources/read"):
        result = {"b": 1.0, "a": None, "_meta": {"k": 1}}
        assert json.dumps(as_handshake(method, as_stateless(method, result))) == json.dumps(result)


def test_only_the_envelope_of_its_own_method_is_taken_off():
    assert as_handshake("tools/call", {"resultType": "complete", "ttlMs": 1}) == {"ttlMs": 1}


def test_a_result_that_requires_input_is_recognised():
    assert needs_input({"resultType": "input_required"})
    assert not needs_input({"resultType": "complete"})
    assert not needs_input({})
