"""The SDK's server accepts the headers that repeat a call's arguments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.inbound import decode_header_value, validate_mcp_param_headers

from genui_core.domain.mcp.request_checks import MirroredParams, header_value

NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(10**15), 10**15), st.text())


@given(st.text() | st.sampled_from(["=?base64?YQ==?=", " a", "a ", "é", "", "a b"]))
def test_a_text_survives_as_a_header(text):
    value = header_value(text)
    assert value.isascii()
    assert value.isprintable()
    assert decode_header_value(value) == text


def schema_of(mirrored):
    """Return a schema whose properties, at any depth, name headers."""
    properties = {}
    for name, inner in mirrored.items():
        if isinstance(inner, dict):
            properties[name] = {"type": "object", **schema_of(inner)}
        else:
            properties[name] = {"type": inner, "x-mcp-header": f"H-{inner}"}
    return {"type": "object", "properties": properties}


TREES = [
    {"a": "string", "b": {"a": "integer", "c": {"b": "boolean"}}},
    {"c": {"c": {"c": "string"}}},
    {},
]


@pytest.mark.parametrize("tree", TREES)
@given(st.recursive(SCALARS, lambda inner: st.dictionaries(NAMES, inner)))
def test_the_sdk_accepts_the_headers_of_any_arguments(tree, arguments):
    schema, mirrored = schema_of(tree), MirroredParams()
    mirrored.learn({"tools": [{"name": "t", "inputSchema": schema}]})
    given_arguments = arguments if isinstance(arguments, dict) else {}
    headers = mirrored.headers({"name": "t", "arguments": given_arguments})
    assert validate_mcp_param_headers(schema, given_arguments, headers) is None


def deep(levels):
    schema = {"x-mcp-header": "Deep"}
    for _ in range(levels):
        schema = {"properties": {"a": schema}}
    return schema


ODD_LISTINGS = [
    {},
    {"tools": None},
    {"tools": [None, 1, {}, {"name": 1}, {"name": "t"}]},
    {"tools": [{"name": "t", "inputSchema": "x"}]},
    {"tools": [{"name": "t", "inputSchema": {"properties": [1]}}]},
    {
        "tools": [
            {"name": "t", "inputSchema": {"properties": {"a": 1, "b": {"x-mcp-header": "no token\r\n"}}}}
        ]
    },
    {"tools": [{"name": "t", "inputSchema": deep(900)}]},
]


@pytest.mark.parametrize("listing", ODD_LISTINGS, ids=range(len(ODD_LISTINGS)))
def test_odd_listings_name_no_headers(listing):
    mirrored = MirroredParams()
    mirrored.learn(listing)
    assert mirrored.headers({"name": "t", "arguments": {"a": {"a": 1}, "b": "x"}}) == {}


def test_the_headers_of_a_changed_tool_are_read_again():
    mirrored = MirroredParams()
    for header in ("One", "Two"):
        mirrored.learn(
            {"tools": [{"name": "t", "inputSchema": {"properties": {"a": {"x-mcp-header": header}}}}]}
        )
    assert mirrored.headers({"name": "t", "arguments": {"a": 1.5}}) == {"mcp-param-Two": "1.5"}
