"""What happened, to every page that is listening."""

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

_WAITING_EVENTS = 1000

Event = dict[str, object]


class Events:
    """Hands each event to every follower; one that does not keep up is dropped and has to come again."""

    def __init__(self) -> None:
        self._followers: set[MemoryObjectSendStream[Event]] = set()
        self._closed = False

    def publish(self, event: Event) -> None:
        """Give `event` to all who follow now."""
        for follower in tuple(self._followers):
            try:
                follower.send_nowait(event)
            except (anyio.WouldBlock, anyio.BrokenResourceError):
                self._drop(follower)

    def follow(self) -> MemoryObjectReceiveStream[Event]:
        """Return a stream of the events from now on; closing it is leaving."""
        follower, stream = anyio.create_memory_object_stream[Event](_WAITING_EVENTS)
        if self._closed:
            follower.close()
        else:
            self._followers.add(follower)
        return stream

    def close(self) -> None:
        """End every stream, also those asked for later."""
        self._closed = True
        for follower in tuple(self._followers):
            self._drop(follower)

    def _drop(self, follower: MemoryObjectSendStream[Event]) -> None:
        self._followers.discard(follower)
        follower.close()
