"""Delivers an upstream's notifications in order, in a task of their own."""

from collections.abc import Hashable

import anyio
from attrs import define, field

from genui_core.domain.logging.redaction import logged_error
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import Notice, Params

MAX_WAITING = 1000
"""More notices than these do not wait; the oldest are let go and the event log says how many."""


@define(eq=False)
class Notices:
    """Keeps notices until they are taken, so that who reads from the upstream never waits.

    Of notices that say only that something changed, the same one does not wait twice.
    """

    notice: Notice
    event_log: EventLog
    _waiting: dict[Hashable, tuple[str, Params]] = field(factory=dict)
    _dropped: int = 0
    _changed: anyio.Event = field(factory=anyio.Event)

    def put(self, method: str, params: Params) -> None:
        """Take a notice."""
        self._waiting.setdefault(_sameness(method, params), (method, params))
        if len(self._waiting) > MAX_WAITING:
            self._take_oldest()
            self._dropped += 1
        self._changed.set()

    async def run(self) -> None:
        """Hand the notices on until cancelled."""
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            while self._waiting:
                await self._forward(*self._take_oldest())
            if self._dropped:
                self.event_log.record(Level.WARN, "relay", "notifications_dropped", count=self._dropped)
                self._dropped = 0

    async def _forward(self, method: str, params: Params) -> None:
        try:
            await self.notice(method, params)
        except Exception as fault:  # noqa: BLE001 -- one host's fault is not all hosts' connection
            self.event_log.record(
                Level.ERROR, "tool_proxy", "fault", method=method, error=logged_error(fault)
            )

    def _take_oldest(self) -> tuple[str, Params]:
        return self._waiting.pop(next(iter(self._waiting)))


def _sameness(method: str, params: Params) -> Hashable:
    if method.endswith("/list_changed"):
        return method
    if method == "notifications/resources/updated":
        return method, str(params.get("uri"))
    return object()
