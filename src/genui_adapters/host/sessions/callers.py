"""Requests of hosts as plain values, and which hosts share a connection to the upstream."""

import json
from collections.abc import Mapping

from attrs import frozen

from genui_adapters.host.sessions.suspended_calls import can_be_asked
from genui_core.application.requests.host_request import HostRequest
from genui_core.domain.mcp.envelope import EXTENSION_ID, MIME_TYPE, request_meta
from genui_core.domain.mcp.jsonrpc import RequestId
from genui_core.domain.mcp.protocol_versions import HANDSHAKE, LATEST_HANDSHAKE
from genui_core.ports.tool_source import HostChannel, HostFacts

_CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
_OUR_INFO = {"name": "mcp-gen-ui", "version": "0"}

Origin = tuple[object, ...]
"""Where a host comes from, as far as its transport knows: an address, and headers that tell hosts apart."""

SAMPLE_HOST = HostFacts(_OUR_INFO, {"extensions": {EXTENSION_ID: {"mimeTypes": [MIME_TYPE]}}})
"""A host that shows apps and cannot be asked, as many are: the upstream's tools are listed for it at the start."""


@frozen(eq=False)
class HostCall:
    """One request of a host.

    Attributes:
        request: What it asks.
        request_id: The id that the host gave it.
        version: The version of the protocol that the host speaks.
        line: The way back to the host.
        origin: Where the host comes from.
    """

    request: HostRequest
    request_id: RequestId
    version: str
    line: HostChannel
    origin: Origin = ()


def handshake_version(wanted: object) -> str:
    """Return the version that is answered to a host which wants this one."""
    return str(wanted) if wanted in HANDSHAKE else LATEST_HANDSHAKE


def host_facts(call: HostCall) -> HostFacts:
    """Return who asks: what it says in its handshake, or with this request."""
    request, params, version = call.request, call.request.params, call.version
    info: object = None
    if request.stateless:
        info = request_meta(params).get(_CLIENT_INFO_KEY)
    elif request.method == "initialize":
        info, version = params.get("clientInfo"), handshake_version(params.get("protocolVersion"))
    return HostFacts(
        info=info if isinstance(info, Mapping) else _OUR_INFO,
        capabilities=request.capabilities if isinstance(request.capabilities, Mapping) else {},
        protocol_version=version,
    )


def sharing_key(host: HostFacts, origin: Origin = ()) -> str:
    """Return the key under which this host shares a connection with its like.

    What an upstream offers may depend on the version and the capabilities. A host that can be
    asked does not share its connection with other hosts, as far as the wrapper can distinguish them:
    a question for one person must not reach another.

    Args:
        host: Who asks.
        origin: Where it comes from.
    """
    shown: list[object] = [host.protocol_version, host.capabilities]
    if can_be_asked(host.capabilities):
        shown += [host.info, list(origin)]
    return json.dumps(shown, sort_keys=True)
