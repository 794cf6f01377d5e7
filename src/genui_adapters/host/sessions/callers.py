"""A host's request, the key that selects its upstream connection, and the log of its tool calls."""

import json
import time
from collections.abc import Awaitable, Mapping

import anyio
from attrs import frozen

from genui_adapters.host.sessions.suspended_calls import can_be_asked
from genui_core.application.requests.host_request import HostRequest
from genui_core.domain.mcp.envelope import (
    CLIENT_INFO_KEY,
    HANDSHAKE,
    LATEST_HANDSHAKE,
    SHOWS_APPS,
    request_meta,
)
from genui_core.domain.mcp.jsonrpc import RequestId, Result
from genui_core.domain.mcp.results import VerbatimResult
from genui_core.errors import UpstreamForbidden
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import HostChannel, HostFacts


class Credentials:
    """Whether the upstream accepts the configured credentials.

    Attributes:
        refusal: The first refusal, if the upstream had never accepted the credentials before.
    """

    def __init__(self) -> None:
        self.refusal: UpstreamForbidden | None = None
        self._was_accepted = False
        self._refused = anyio.Event()

    def record_acceptance(self) -> None:
        """Record that the upstream has answered: a later refusal may be temporary."""
        self._was_accepted = True

    def record_refusal(self, error: UpstreamForbidden) -> None:
        """Record a refusal."""
        if not self._was_accepted and self.refusal is None:
            self.refusal = error
            self._refused.set()

    async def until_refused(self) -> None:
        """Wait until the upstream refuses credentials that it has never accepted."""
        await self._refused.wait()


_WRAPPER_INFO = {"name": "mcp-gen-ui", "version": "0"}

Origin = tuple[object, ...]
"""A host's address, and the headers that tell hosts apart; empty if the transport has neither."""

SAMPLE_HOST = HostFacts(_WRAPPER_INFO, SHOWS_APPS)
"""A typical host, which shows apps and cannot be asked; the first listing of tools is for it."""


@frozen(eq=False)
class HostCall:
    """One request of a host."""

    request: HostRequest
    request_id: RequestId
    version: str
    channel: HostChannel
    origin: Origin = ()


def handshake_version(wanted: object) -> str:
    """Return the version for a host that wants this one: the same if supported, else the latest."""
    return str(wanted) if wanted in HANDSHAKE else LATEST_HANDSHAKE


def host_facts(call: HostCall) -> HostFacts:
    """Return the facts of the host, from its handshake or from this request."""
    request, params, version = call.request, call.request.params, call.version
    info: object = None
    if request.stateless:
        info = request_meta(params).get(CLIENT_INFO_KEY)
    elif request.method == "initialize":
        info, version = params.get("clientInfo"), handshake_version(params.get("protocolVersion"))
    return HostFacts(
        info=info if isinstance(info, Mapping) else _WRAPPER_INFO,
        capabilities=request.capabilities if isinstance(request.capabilities, Mapping) else {},
        protocol_version=version,
    )


def sharing_key(host: HostFacts, origin: Origin = ()) -> str:
    """Return the key of the upstream connection that this host shares with hosts like it.

    What an upstream offers may depend on the version and the capabilities. A host that can be asked
    shares its connection only with hosts that the wrapper cannot tell apart: a question for one
    person must not reach another.
    """
    shown: list[object] = [host.protocol_version, host.capabilities]
    if can_be_asked(host.capabilities):
        shown += [host.info, list(origin)]
    return json.dumps(shown, sort_keys=True)


async def log_call(event_log: EventLog, tool_name: object, answer: Awaitable[Result]) -> Result:
    """Return the answer to a call of an upstream's tool, and log the call."""
    began_s, result = time.monotonic(), None
    try:
        result = await answer
        return result
    finally:
        record_call(event_log, tool_name, began_s, result)


def record_call(event_log: EventLog, tool_name: object, began_s: float, result: Result | None) -> None:
    """Log a call of an upstream's tool: ``ok``, ``error`` (by the tool), or ``failed`` without a result."""
    outcome, taken_ms = "failed", round(1000 * (time.monotonic() - began_s), 1)
    if result is not None:
        failed = result.says_error if isinstance(result, VerbatimResult) else result.get("isError")
        outcome = "error" if failed else "ok"
    event_log.record(
        Level.DEBUG, "tool_proxy", "tool_called", tool_name=tool_name, duration_ms=taken_ms, outcome=outcome
    )
