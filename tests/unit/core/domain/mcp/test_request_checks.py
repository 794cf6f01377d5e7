"""Requests of the 2026-07-28 era are refused where the SDK's server refuses them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.inbound import (
    InboundLadderRejection,
    classify_inbound_request,
    encode_header_value,
    validate_mcp_param_headers,
)

from genui_core.domain.mcp.jsonrpc import http_status
from genui_core.domain.mcp.request_checks import (
    envelope_error,
    header_error,
    mirrored_error,
    version_error,
)

VERSION, CAPABILITIES = (
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
)
METAS = st.none() | st.dictionaries(
    st.sampled_from([VERSION, CAPABILITIES]), st.sampled_from(["2026-07-28", "2025-11-25", "x", {}, 7, None])
)
NAMES = st.sampled_from(["a", "é", " a", "b"])


def rejection(method, params, headers):
    error = envelope_error(params)
    if error is None:
        error = header_error(method, params, headers) or version_error(params["_meta"][VERSION])
    return error


@given(METAS, st.sampled_from(["tools/call", "ping"]), NAMES, st.booleans(), st.data())
def test_the_same_requests_are_refused_with_the_same_code(meta, method, name, is_encoded, data):
    params = {"name": name} if meta is None else {"name": name, "_meta": meta}
    headers = {
        "mcp-protocol-version": data.draw(st.sampled_from(["2026-07-28", "2025-11-25", "x"])),
        "mcp-method": data.draw(st.sampled_from(["tools/call", "ping"])),
        "mcp-name": encode_header_value(name) if is_encoded else "a",
    }
    theirs = classify_inbound_request({"method": method, "params": params}, headers=headers)
    ours = rejection(method, params, headers)
    expected = theirs.code if isinstance(theirs, InboundLadderRejection) else None
    assert (ours and ours["code"]) == expected


SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "x-mcp-header": "N"},
        "s": {"type": "string", "x-mcp-header": "S"},
        "o": {"type": "object", "properties": {"b": {"type": "boolean", "x-mcp-header": "B"}}},
    },
}
VALUES = {
    "n": st.sampled_from([None, 42, 42.0, -1, 10**30]),
    "s": st.sampled_from([None, "", "42", "é", "42.0", "true"]),
    "b": st.sampled_from([None, True, False]),
}
TEXTS = st.sampled_from(
    [None, "42", "42.0", "42.5", "-1", "true", "false", "", "=?base64?w6k=?=", "=?base64?w6k?="]
)


@given(VALUES["n"], VALUES["s"], VALUES["b"], st.tuples(TEXTS, TEXTS, TEXTS))
def test_headers_that_repeat_arguments_are_compared_as_the_sdk_does(number, text, truth, given_headers):
    arguments = {"n": number, "s": text, "o": {"b": truth}}
    names = ("mcp-param-n", "mcp-param-s", "mcp-param-b")
    headers = {name: each for name, each in zip(names, given_headers, strict=True) if each is not None}
    theirs = validate_mcp_param_headers(SCHEMA, arguments, headers)
    assert (mirrored_error(SCHEMA, arguments, headers) is None) == (theirs is None)


def test_a_schema_that_gives_one_header_to_two_arguments_names_none():
    twice = {"properties": {key: {"type": "string", "x-mcp-header": "H"} for key in "ab"}}
    assert mirrored_error(twice, {"a": "x"}, {}) is None


@pytest.mark.parametrize(
    ("code", "status"), [(-32601, 404), (-32602, 400), (-32020, 400), (-32022, 400), (-32000, 200)]
)
def test_an_error_has_the_http_status_of_its_code(code, status):
    assert http_status({"code": code}) == status
    assert http_status(None) == 200
