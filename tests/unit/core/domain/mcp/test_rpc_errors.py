"""Hosts get the general kind of an error, even if an adapter raises a more precise one (requirement E1)."""

import pytest

from genui_core import errors
from genui_core.domain.mcp.jsonrpc import rpc_error
from genui_core.errors import (
    GenUiError,
    InvalidArguments,
    UpstreamDied,
    UpstreamForbidden,
    UpstreamTimeout,
    UpstreamUnreachable,
)


class BehindAGateway(UpstreamUnreachable):
    """An adapter's more precise error."""


KINDS = [
    (UpstreamDied(), "UPSTREAM_DIED", True),
    (UpstreamTimeout("tools/call", 5), "UPSTREAM_TIMEOUT", True),
    (UpstreamUnreachable("gone"), "UPSTREAM_UNREACHABLE", True),
    (BehindAGateway("HTTP 502"), "UPSTREAM_UNREACHABLE", True),
    (UpstreamForbidden(401, "https://x/mcp"), "UPSTREAM_UNREACHABLE", False),
    (InvalidArguments("no"), "INVALID_ARGUMENTS", False),
    (GenUiError("?"), "GENERATION_FAILED", False),
]


MEANT_AS_FAILED_GENERATIONS = {
    "HostRefused",
    "InvalidAddress",
    "NoModel",
    "NoSampling",
    "NotAugmented",
    "NotCanonical",
    "ProviderFailed",
    "ToolChanged",
    "UnsetVariable",
}


def test_an_error_of_the_core_names_its_kind_or_is_meant_as_a_failed_generation():
    classes = [each for each in vars(errors).values() if isinstance(each, type)]
    raised = [each for each in classes if issubclass(each, GenUiError) and each is not GenUiError]
    unnamed = {each.__name__ for each in raised if each.error_type == GenUiError.error_type}
    assert unnamed == MEANT_AS_FAILED_GENERATIONS, "give the new class its error_type, or name it here"


@pytest.mark.parametrize(("error", "kind", "retryable"), KINDS, ids=lambda each: str(each)[:30])
def test_an_error_is_of_the_kind_that_it_refines(error, kind, retryable):
    told = rpc_error(error, request_id="r", tool_name="t")
    assert (told["code"], told["message"]) == (-32000, str(error))
    data = {
        "toolName": "t",
        "errorType": kind,
        "fallbackUsed": None,
        "retryable": retryable,
        "requestId": "r",
    }
    assert told["data"] == data
