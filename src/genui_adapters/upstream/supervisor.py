"""Keeps one connection to an upstream up: makes it, notices its loss, makes it anew."""

from random import random

import anyio
from attrs import define

from genui_adapters.upstream.agreed import AgreedConnection
from genui_adapters.upstream.connecting import Connector
from genui_adapters.upstream.lending import Lending
from genui_adapters.upstream.link import AskDifferently, SessionLost
from genui_adapters.upstream.restoration import Restoration
from genui_core.errors import GenUiError, UpstreamDied, UpstreamUnreachable
from genui_core.ports.journal import Journal, Level


@define(eq=False)
class Supervisor:
    """Owns the connections to an upstream, one after the other.

    Attributes:
        name: What to call the upstream in the journal.
        lending: Is given every connection while it stands.
        restoration: Brings every connection but the first to where the one before was.
    """

    name: str
    lending: Lending
    restoration: Restoration
    _connector: Connector
    _journal: Journal
    _was_connected: bool = False

    async def run(self) -> None:
        """Keep a connection up until cancelled."""
        backoff, failures = self._connector.options.backoff, 0
        while True:
            began = anyio.current_time()
            end = await self._one_connection()
            lived_ms = (anyio.current_time() - began) * 1000
            if isinstance(end, AskDifferently):
                continue
            if isinstance(end, SessionLost) and lived_ms > backoff.initial_ms:
                continue
            failures = backoff.failures_after(failures, lived_ms)
            await anyio.sleep(backoff.delay_ms(failures, random()) / 1000)  # noqa: S311 -- jitter

    async def _one_connection(self) -> GenUiError:
        """Make a connection and wait for its end; return why it ended, or why there was none."""
        agreed = None
        try:
            async with self._connector.connect() as agreed:
                self._begin(agreed)
                await agreed.connection.lost()
                self.lending.withdraw()
        except AskDifferently as hint:
            return hint
        except Exception as error:  # noqa: BLE001 -- whatever it was, the upstream is tried again
            if agreed is None:
                return self._failed(error)
            self._fault(error)
        loss = agreed.connection.loss or UpstreamDied()
        self.lending.withdraw()
        self._record(Level.ERROR, "upstream_died", reason=str(loss))
        return loss

    def _begin(self, agreed: AgreedConnection) -> None:
        if self._was_connected:
            agreed.connection.tasks.start_soon(self.restoration.restore, agreed)
        event = "upstream_restarted" if self._was_connected else "upstream_connected"
        self._record(Level.INFO, event, version=agreed.facts.protocol_version)
        self._was_connected = True
        self.lending.offer(agreed)

    def _failed(self, error: Exception) -> GenUiError:
        """Take note that no connection could be made."""
        if not isinstance(error, GenUiError):
            self._fault(error)
        trouble = error if isinstance(error, GenUiError) else UpstreamUnreachable("of a fault of ours")
        self.lending.withdraw(trouble)
        self._record(Level.ERROR, "upstream_unreachable", reason=str(trouble))
        return trouble

    def _fault(self, error: Exception) -> None:
        self._record(Level.ERROR, "fault", error=repr(error))

    def _record(self, level: Level, event: str, **metadata: object) -> None:
        self._journal.record(level, "tool_proxy", event, upstream=self.name, **metadata)
