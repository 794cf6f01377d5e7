"""Negotiates a connection's protocol era: the host's if the upstream supports it, else the other.

For a host with a handshake, the wrapper tries a handshake first: every real server answers it, while
some hang or die at an unknown ``server/discover``. For a stateless host, the wrapper tries
``server/discover`` first, so that the host's requests can pass unchanged.
"""

from attrs import define, evolve

from genui_adapters.upstream.connection import Connection
from genui_adapters.upstream.link import AskDifferently, Rejected
from genui_adapters.upstream.options import ProtocolEra
from genui_core.domain.mcp.envelope import LATEST_HANDSHAKE, LATEST_STATELESS, STATELESS, server_info_of
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import INTERNAL_ERROR, UNSUPPORTED_VERSION, Result
from genui_core.errors import UpstreamDied, UpstreamFailed, UpstreamTimeout
from genui_core.ports.tool_source import UpstreamFacts

DISCOVER_TIMEOUT_MS = 5000
"""How long ``server/discover`` may go unanswered before the handshake is tried."""

_REFUSALS = (UpstreamFailed, Rejected)


@define(eq=False, repr=False)
class Experience:
    """The facts about an upstream that are kept from one connection to the next.

    Attributes:
        discovery_harms: Whether the upstream died at ``server/discover``, or did not answer it.
    """

    discovery_harms: bool = False


async def agree(connection: Connection, protocol: ProtocolEra, experience: Experience) -> UpstreamFacts:
    """Agree on an era, set it for the connection's requests, and return the upstream's facts.

    Raises:
        UpstreamFailed: The upstream refused.
        AskDifferently: The upstream died at an unknown request.
        GenUiError: The connection was lost.
    """
    if protocol == "modern":
        return await _discover(connection)
    if protocol == "legacy" or connection.link.handshake_only:
        return await _initialize(connection)
    if connection.host.stateless and not experience.discovery_harms:
        facts = await _try_discover(connection, experience)
        if facts is not None:
            return facts
    try:
        return await _initialize(connection)
    except UpstreamFailed as refused:
        try:
            return await _discover(connection)
        except _REFUSALS:
            raise refused from None


async def _try_discover(connection: Connection, experience: Experience) -> UpstreamFacts | None:
    """Try ``server/discover`` on an upstream that may not know it, and remember whether it does harm."""
    experience.discovery_harms = True
    facts = None
    try:
        facts = await _discover(connection, DISCOVER_TIMEOUT_MS)
    except _REFUSALS:
        pass
    except UpstreamTimeout:
        return None
    except UpstreamDied:
        raise AskDifferently("it stopped at server/discover") from None
    experience.discovery_harms = False
    return facts


async def _discover(connection: Connection, timeout_ms: float | None = None) -> UpstreamFacts:
    connection.stamp = evolve(connection.stamp, version=LATEST_STATELESS)
    try:
        result = await connection.request("server/discover", {}, timeout_ms=timeout_ms, cancellable=False)
        facts = _facts_of_discovery(result)
    except Exception:
        connection.stamp = evolve(connection.stamp, version=None)
        raise
    connection.stamp = evolve(connection.stamp, version=facts.protocol_version)
    return facts


async def _initialize(connection: Connection) -> UpstreamFacts:
    host = connection.host
    offered = LATEST_HANDSHAKE if host.stateless else host.protocol_version
    hello = {"protocolVersion": offered, "capabilities": host.capabilities, "clientInfo": host.info}
    result = await connection.request("initialize", hello, cancellable=False)
    version = result.get("protocolVersion")
    if not isinstance(version, str):
        raise UpstreamFailed(
            {"code": INTERNAL_ERROR, "message": "The answer to initialize has no protocolVersion."}
        )
    connection.stamp = evolve(connection.stamp, version=version)
    await connection.notify("notifications/initialized", None)
    return _facts(result, version, result.get("serverInfo"), stateless=False)


def _facts_of_discovery(result: Result) -> UpstreamFacts:
    offered = result.get("supportedVersions")
    known = [each for each in STATELESS if isinstance(offered, list) and each in offered]
    if not known:
        raise UpstreamFailed(
            {"code": UNSUPPORTED_VERSION, "message": "It offers no version that the wrapper supports."}
        )
    return _facts(result, known[-1], server_info_of(result), stateless=True)


def _facts(result: Result, version: str, info: object, *, stateless: bool) -> UpstreamFacts:
    instructions = result.get("instructions")
    return UpstreamFacts(
        protocol_version=version,
        stateless=stateless,
        capabilities=as_object(result.get("capabilities")),
        info=as_object(info),
        instructions=instructions if isinstance(instructions, str) else None,
    )
