"""Answers hosts' requests about notifications: subscriptions and log levels."""

from genui_adapters.host.errand import Errand
from genui_adapters.host.listening import ListenStream
from genui_core.application.host_request import HostRequest
from genui_core.domain.mcp.subscriptions import CHANGES, granted, wanted_by, wanted_uris
from genui_core.errors import UpstreamFailed
from genui_core.ports.tool_source import Result


async def listen(errand: Errand, asked: HostRequest) -> Result:
    """Serve the stream of a stateless host: what the upstream says unasked, and what we say of views."""
    upstream, wanted = errand.upstream, wanted_by(asked.params)
    views, held = list[str](), list[str]()
    try:
        for uri in wanted_uris(wanted):
            if await upstream.router.owns(uri, asked, errand.ask):
                views.append(uri)
            elif await _is_held(errand, uri):
                held.append(uri)
        ours = granted(wanted, kinds=CHANGES, uris=(*views, *held))
        stream = ListenStream(errand.line, errand.request_id, wanted, ours)
        with upstream.listeners.hearing(stream):
            return await stream.serve()
    finally:
        upstream.let_go(held)


async def _is_held(errand: Errand, uri: str) -> bool:
    try:
        await errand.upstream.resources.hold(uri, errand.bridge.source)
    except UpstreamFailed:
        return False
    return True


async def subscribe(errand: Errand, asked: HostRequest) -> Result:
    """Subscribe a host with a session to a resource of the upstream."""
    listener, uri = errand.listener, asked.params.get("uri")
    if listener is None or listener.has_own_upstream or not isinstance(uri, str):
        return await errand.ask(asked)
    if uri in listener.subscribed:
        return {}
    result = await errand.upstream.resources.hold(uri, errand.bridge.source)
    listener.subscribed.add(uri)
    return result


async def unsubscribe(errand: Errand, asked: HostRequest) -> Result:
    """Unsubscribe a host with a session."""
    listener, uri = errand.listener, asked.params.get("uri")
    if listener is None or not isinstance(uri, str) or uri not in listener.subscribed:
        return await errand.ask(asked)
    listener.subscribed.discard(uri)
    return await errand.upstream.resources.release(uri, errand.bridge.source)


async def set_log_level(errand: Errand, asked: HostRequest) -> Result:
    """Keep how much of the log a host wants; a stateless upstream reads it in each request."""
    listener, level = errand.listener, asked.params.get("level")
    if listener is not None:
        listener.log_level = level
    return (
        {} if errand.bridge.facts.stateless else await errand.upstream.want_log(level, errand.bridge.source)
    )
