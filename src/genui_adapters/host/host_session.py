"""What is kept of a host of the handshake generations, from its handshake to its end."""

import anyio
from attrs import define, field

from genui_adapters.host.callers import host_facts, sharing_key
from genui_adapters.host.connections import Connections
from genui_adapters.host.lines import SessionOwner
from genui_adapters.host.listeners import Mailbox, SessionListener
from genui_adapters.host.middleware import Exchange
from genui_adapters.host.parked_call import can_be_asked
from genui_adapters.host.upstream_connection import UpstreamConnection
from genui_core.ports.identity import Identity

_STATE = "genui.session"


@define(eq=False)
class HostSession:
    """A host with a session.

    Attributes:
        upstream: The connection that it uses.
        listener: Where it is told what changes.
        version: The version of the protocol that it speaks.
        session_id: Its id, where its transport gives it one.
    """

    upstream: UpstreamConnection
    listener: SessionListener
    version: str
    session_id: str | None = None
    _telling: anyio.CancelScope = field(factory=anyio.CancelScope)
    _has_ended: bool = False

    def __attrs_post_init__(self) -> None:
        """Listen from the beginning, so that the host misses no notification."""
        self.upstream.listeners.add(self.listener)
        if self.session_id is not None:
            self.upstream.sessions.append(self.session_id)

    async def tell(self) -> None:
        """Tell the host what changes, until its end."""
        with self._telling:
            await self.listener.mailbox.run()

    def end(self) -> None:
        """Give back what it holds. May be called again."""
        if self._has_ended:
            return
        self._has_ended = True
        self._telling.cancel()
        self.upstream.listeners.remove(self.listener)
        if self.upstream.is_shared:
            self.upstream.let_go(self.listener.subscribed)
        if self.session_id is not None:
            self.upstream.sessions.remove(self.session_id)
        self.upstream.leave()


def session_of(exchange: Exchange) -> HostSession | None:
    """Return the session that a message belongs to, if it was begun."""
    session = exchange.connection.state.get(_STATE)
    return session if isinstance(session, HostSession) else None


def begun(exchange: Exchange, connections: Connections, identity: Identity) -> HostSession:
    """Return the session of a host that shakes hands; it ends with the host's connection.

    A host that can be asked gets a connection to the upstream of its own, others share one.

    Raises:
        UpstreamUnreachable: Too many connections are in use.
    """
    earlier = session_of(exchange)
    if earlier is not None:
        earlier.end()
    host, owner = host_facts(exchange), SessionOwner(exchange.connection, exchange.session_line)
    if can_be_asked(host.capabilities):
        upstream = connections.acquire(host, identity.nonce(), owner, is_shared=False)
    else:
        upstream = connections.acquire(host, sharing_key(host), None, is_shared=True)
    gets_apps = upstream.router.gets_apps(host.capabilities)
    listener = SessionListener(Mailbox(owner), gets_apps, has_own_upstream=not upstream.is_shared)
    session = HostSession(upstream, listener, host.protocol_version, exchange.connection.session_id)
    exchange.connection.state[_STATE] = session
    exchange.connection.exit_stack.callback(session.end)
    return session
