"""Answers a host over HTTP: from the wrapper, from the upstream, or about the connection itself."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from genui_adapters.host import errand_changes
from genui_adapters.host.errand import Errand
from genui_core.application.host_request import HostRequest
from genui_core.domain.mcp.envelope import as_stateless
from genui_core.domain.mcp.protocol_versions import STATELESS
from genui_core.domain.mcp.rpc_errors import METHOD_NOT_FOUND
from genui_core.domain.mcp.subscriptions import LISTEN
from genui_core.errors import UpstreamDied, UpstreamFailed, UpstreamUnreachable
from genui_core.ports.tool_source import Result


async def answered(errand: Errand, request: HostRequest) -> Result:
    """Return what the host is answered.

    Raises:
        GenUiError: Why it is answered with an error.
    """
    if request.method in (_HANDSHAKE_ONLY if request.stateless else _STATELESS_ONLY):
        raise UpstreamFailed(
            {"code": METHOD_NOT_FOUND, "message": "Method not found", "data": request.method}
        )
    result = await errand.upstream.router.answer(request, partial(forward, errand))
    uri = request.params.get("uri")
    if errand.listener is not None and isinstance(uri, str) and uri.lower().startswith("ui://"):
        errand.listener.followed.follow(uri)
    return result


async def forward(errand: Errand, asked: HostRequest) -> Result:
    """Have the upstream answer, or answer in its place what is about the connection itself.

    Raises:
        GenUiError: Why there is no answer, or none that can be sent.
    """
    known, source = errand.upstream.known, errand.bridge.source
    found = known.find(asked.method, asked.params)
    if found is not None and not source.is_connected:
        return _result_of(found)
    instead = _INSTEAD.get(asked.method)
    try:
        result = await (errand.ask(asked) if instead is None else instead(errand, asked))
    except (UpstreamDied, UpstreamUnreachable):
        if found is None:
            raise
        return _result_of(found)
    except UpstreamFailed as failed:
        if failed.error.get("code") == METHOD_NOT_FOUND:
            known.learn(asked.method, asked.params, failed)
        raise
    known.learn(asked.method, asked.params, result)
    return result


def _result_of(found: Result | UpstreamFailed) -> Result:
    if isinstance(found, UpstreamFailed):
        raise found.with_traceback(None)
    return found


async def _initialize(errand: Errand, _asked: HostRequest) -> Result:
    facts = errand.bridge.facts
    version = errand.version if facts.stateless else facts.protocol_version
    who = {"protocolVersion": version, "capabilities": facts.capabilities, "serverInfo": facts.info}
    return who if facts.instructions is None else {**who, "instructions": facts.instructions}


async def _discover(errand: Errand, asked: HostRequest) -> Result:
    facts = errand.bridge.facts
    what = {"supportedVersions": list(STATELESS), "capabilities": facts.capabilities}
    told = what if facts.instructions is None else {**what, "instructions": facts.instructions}
    return as_stateless(asked.method, told, facts.info)


async def _ping(_errand: Errand, _asked: HostRequest) -> Result:
    return {}


_HANDSHAKE_ONLY = frozenset(
    ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"]
)
_STATELESS_ONLY = frozenset(["server/discover", LISTEN])

_INSTEAD: Mapping[str, Callable[[Errand, HostRequest], Awaitable[Result]]] = {
    "initialize": _initialize,
    "server/discover": _discover,
    "ping": _ping,
    LISTEN: errand_changes.listen,
    "resources/subscribe": errand_changes.subscribe,
    "resources/unsubscribe": errand_changes.unsubscribe,
    "logging/setLevel": errand_changes.set_log_level,
}
