"""A lock that is trusted to say who makes a view, and not with keeping its promise never to raise."""

from attrs import define, field

from genui_core.application.guarding import guarded
from genui_core.ports.event_log import EventLog
from genui_core.ports.generation_lock import GenerationLock


@define
class GuardedLock(GenerationLock):
    """Grants what another lock fails to answer, and tells the event log: it costs a model call, never a view."""

    inner: GenerationLock
    event_log: EventLog
    lease_ms: int = field(init=False)

    @lease_ms.default
    def _as_inside(self) -> int:
        return self.inner.lease_ms

    async def take(self, key: str) -> bool:
        """Take the lock of a view unless another wrapper has it; say whether it was taken."""
        return await guarded(self.event_log, "take", lambda: self.inner.take(key), otherwise=True)

    async def prolong(self, key: str) -> None:
        """Hold a lock that was taken for another `lease_ms`."""
        await guarded(self.event_log, "prolong", lambda: self.inner.prolong(key), otherwise=None)

    async def give_back(self, key: str) -> None:
        """Let the next one have it."""
        await guarded(self.event_log, "give_back", lambda: self.inner.give_back(key), otherwise=None)
