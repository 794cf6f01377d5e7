"""Keeps one upstream connection up: connects, detects its loss, reconnects."""

import anyio
from attrs import define

from genui_adapters.upstream.link import AskDifferently
from genui_adapters.upstream.pacing import Pacing
from genui_adapters.upstream.supervision.agreed import AgreedConnection
from genui_adapters.upstream.supervision.connecting import Connector
from genui_adapters.upstream.supervision.lending import Lending
from genui_adapters.upstream.supervision.restoration import Restoration
from genui_core.domain.logging.logged_error import logged_error
from genui_core.errors import GenUiError, UpstreamUnreachable
from genui_core.ports.event_log import EventLog, Level


@define(eq=False)
class Supervisor:
    """Owns the connections to an upstream, one after the other.

    Attributes:
        name: What to call the upstream in the event log.
        lending: Is given every connection while it stands.
        restoration: Brings every connection but the first to where the one before was.
    """

    name: str
    lending: Lending
    restoration: Restoration
    _connector: Connector
    _event_log: EventLog
    _is_shared: bool
    _was_connected: bool = False

    async def run(self) -> None:
        """Keep a connection up until cancelled."""
        pacing = Pacing.of(self._connector.options.backoff, is_shared=self._is_shared)
        while True:
            pacing.begin()
            end = await self._one_connection()
            if isinstance(end, AskDifferently):
                continue
            pause_s = pacing.pause_s()
            self.lending.withdraw(end, next_in_s=pause_s)
            await anyio.sleep(pause_s)

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
        except GenUiError as error:
            return self._ended("upstream_unreachable", error)
        except Exception as error:  # noqa: BLE001 -- whatever it was, the upstream is tried again
            self._record(Level.ERROR, "fault", error=logged_error(error))
            if agreed is None:
                return self._ended("upstream_unreachable", UpstreamUnreachable("an error in mcp-gen-ui"))
        return self._ended("upstream_died", agreed.connection.loss or UpstreamUnreachable("it was lost"))

    def _begin(self, agreed: AgreedConnection) -> None:
        if self._was_connected:
            agreed.connection.tasks.start_soon(self.restoration.restore, agreed)
        event = "upstream_restarted" if self._was_connected else "upstream_connected"
        self._record(Level.INFO, event, version=agreed.facts.protocol_version)
        self._was_connected = True
        self.lending.offer(agreed)

    def _ended(self, event: str, error: GenUiError) -> GenUiError:
        self._record(Level.ERROR, event, reason=str(error))
        return error

    def _record(self, level: Level, event: str, **metadata: object) -> None:
        self._event_log.record(level, "tool_proxy", event, upstream=self.name, **metadata)
