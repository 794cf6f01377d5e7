"""The events of a preview: those for the page, those from the page, and changes of watched files."""

import json
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from genui_core.domain.settings.configuration import Configuration

_WAITING_EVENTS = 1000

Event = dict[str, object]


class Events:
    """Sends each event to every subscriber; one that falls behind is dropped and must subscribe again."""

    def __init__(self) -> None:
        self._subscribers: set[MemoryObjectSendStream[Event]] = set()
        self._closed = False

    def publish(self, event: Event) -> None:
        """Send `event` to all current subscribers."""
        for subscriber in tuple(self._subscribers):
            try:
                subscriber.send_nowait(event)
            except (anyio.WouldBlock, anyio.BrokenResourceError):
                self._drop(subscriber)

    def subscribe(self) -> MemoryObjectReceiveStream[Event]:
        """Return a stream of the events from now on; closing the stream ends the subscription."""
        subscriber, stream = anyio.create_memory_object_stream[Event](_WAITING_EVENTS)
        if self._closed:
            subscriber.close()
        else:
            self._subscribers.add(subscriber)
        return stream

    @property
    def has_subscribers(self) -> bool:
        """Whether there is a subscriber; any thread may read it."""
        return any(each.statistics().open_receive_streams for each in tuple(self._subscribers))

    def close(self) -> None:
        """End every stream, also those that begin later."""
        self._closed = True
        for subscriber in tuple(self._subscribers):
            self._drop(subscriber)

    def _drop(self, subscriber: MemoryObjectSendStream[Event]) -> None:
        self._subscribers.discard(subscriber)
        subscriber.close()


MOST_WAITING = 500
LARGEST_BYTES = 256 * 1024
"""The size of the largest page event; a larger one loses its long values."""

Happening = dict[str, object]


class Happenings:
    """The page events that no program has fetched yet, oldest first, and the page's last description.

    Each event is returned once, to the first caller of `take`. If too many wait, the oldest are dropped: the
    numbers then have a gap.
    """

    def __init__(self, largest_bytes: int = LARGEST_BYTES) -> None:
        self._largest_bytes = largest_bytes
        self.waiting: deque[Happening] = deque(maxlen=MOST_WAITING)
        self._numbers = count(1)
        self._news = anyio.Event()
        self._is_closed = False
        self.page: dict[str, object] | None = None

    def add(self, happening: Happening) -> None:
        """Add a page event, with its number and the time."""
        kept = happening
        if len(json.dumps(happening)) > self._largest_bytes:
            kept = _without_the_large(happening, self._largest_bytes // 64)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.waiting.append({**kept, "number": next(self._numbers), "at": at})
        self._tell()

    async def take(self, timeout_s: float) -> list[Happening]:
        """Remove and return all waiting events; if there are none, wait up to `timeout_s` seconds for one."""
        with anyio.move_on_after(timeout_s):
            while not self.waiting and not self._is_closed:
                await self._news.wait()
        taken = list(self.waiting)
        self.waiting.clear()
        return taken

    def put_back(self, taken: list[Happening]) -> None:
        """Put back events that were taken and did not arrive, before all others."""
        self.waiting.extendleft(reversed(taken))
        self._tell()

    def close(self) -> None:
        """End all waits, also later ones."""
        self._is_closed = True
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = anyio.Event()


def _without_the_large(happening: Happening, most: int) -> Happening:
    """Return the event with only its short values, and the names of the others as `leftOut`."""
    short = {key: value for key, value in happening.items() if len(json.dumps(value)) <= most}
    return {**short, "leftOut": sorted(set(happening) - set(short))}


def sources_of(configuration: Configuration) -> dict[str, Path]:
    """Return the files and folders to watch, by name: the user's prompts, and the view kit's build."""
    sources = {}
    if configuration.settings.prompts_directory is not None:
        sources["prompts"] = Path(configuration.settings.prompts_directory)
    core = find_spec("genui_core")
    if core is not None and core.origin is not None:
        sources["kit"] = Path(core.origin).with_name("data") / "kit" / "build.json"
    return sources


LOOK_EVERY_S = 1.0

Fingerprint = frozenset[tuple[str, int, int]]


async def watch_sources(
    sources: Mapping[str, Path],
    changed: Callable[[str], None],
    sleep: Callable[[float], Awaitable[Any]] = anyio.sleep,
) -> None:
    """Call `changed` with the name of each source whose files change; run until cancelled.

    Editors write a file more than once, so a change counts when two looks in a row find the same files.
    """
    known = await _look(sources)
    before = known
    while True:
        await sleep(LOOK_EVERY_S)
        now = await _look(sources)
        for name in sources:
            if now[name] == before[name] != known[name]:
                known[name] = now[name]
                changed(name)
        before = now


async def _look(sources: Mapping[str, Path]) -> dict[str, Fingerprint]:
    return await to_thread.run_sync(lambda: {name: fingerprint(path) for name, path in sources.items()})


def fingerprint(path: Path) -> Fingerprint:
    """Return the names, times and sizes of the files at `path`; an empty set if there are none."""
    traits = set()
    for each in path.rglob("*") if path.is_dir() else (path,):
        with suppress(OSError):
            found = each.stat()
            traits.add((str(each), found.st_mtime_ns, found.st_size))
    return frozenset(traits)
