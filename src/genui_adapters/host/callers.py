"""Identifies hosts, to decide which of them share an upstream connection."""

import json
from collections.abc import Mapping

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION
from starlette.requests import Request

from genui_adapters.host.middleware import Exchange
from genui_adapters.host.parked_call import can_be_asked
from genui_core.domain.mcp.apps_extension import EXTENSION_ID, MIME_TYPE, request_meta
from genui_core.ports.tool_source import HostFacts

_CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
_ORIGIN_HEADERS = ("authorization", "cookie", "forwarded", "x-forwarded-for", "user-agent")
_OUR_INFO = {"name": "mcp-gen-ui", "version": "0"}

SAMPLE_HOST = HostFacts(_OUR_INFO, {"extensions": {EXTENSION_ID: {"mimeTypes": [MIME_TYPE]}}})
"""A host that shows apps and cannot be asked, as many are: the upstream's tools are listed for it at the start."""


def handshake_version(wanted: object) -> str:
    """Return the version that is answered to a host which wants this one."""
    return wanted if wanted in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION


def host_facts(exchange: Exchange) -> HostFacts:
    """Return who asks: what it says in its handshake, or with this request."""
    request, params = exchange.request, exchange.request.params
    if request.stateless:
        info, version = request_meta(params).get(_CLIENT_INFO_KEY), exchange.context.protocol_version
    elif request.method == "initialize":
        info, version = params.get("clientInfo"), handshake_version(params.get("protocolVersion"))
    else:
        info, version = None, exchange.context.protocol_version
    return HostFacts(
        info=info if isinstance(info, Mapping) else _OUR_INFO,
        capabilities=request.capabilities if isinstance(request.capabilities, Mapping) else {},
        protocol_version=version,
    )


def sharing_key(host: HostFacts, http_request: object = None) -> str:
    """Return the key under which this host shares a connection with its like.

    What an upstream offers may depend on the version and the capabilities. A host that can be
    asked does not share its connection with other hosts, as far as the wrapper can distinguish them:
    a question for one person must not reach another.

    Args:
        host: Who asks.
        http_request: The HTTP request that it asks in, if any.
    """
    shown: list[object] = [host.protocol_version, host.capabilities]
    if can_be_asked(host.capabilities):
        shown += [host.info, _whence(http_request)]
    return json.dumps(shown, sort_keys=True)


def _whence(request: object) -> list[object]:
    if not isinstance(request, Request):
        return []
    address = request.client.host if request.client else None
    return [address, *(request.headers.getlist(name) for name in _ORIGIN_HEADERS)]
