"""What happens in a preview, as the page is told it: events, and the stream that carries them."""

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

    @property
    def is_followed(self) -> bool:
        """Whether anyone follows now; may be asked in any thread."""
        return any(each.statistics().open_receive_streams for each in tuple(self._followers))

    def close(self) -> None:
        """End every stream, also those asked for later."""
        self._closed = True
        for follower in tuple(self._followers):
            self._drop(follower)

    def _drop(self, follower: MemoryObjectSendStream[Event]) -> None:
        self._followers.discard(follower)
        follower.close()


MOST_WAITING = 500
LARGEST_BYTES = 256 * 1024
"""The largest event; a larger one loses its result."""

Happening = dict[str, object]


class Happenings:
    """The events that no program has fetched yet, oldest first, and the page's last description of itself.

    Each happening is told once, to the one who asks first. When too many wait, the oldest are dropped: a gap in
    the numbers shows it.
    """

    def __init__(self, largest_bytes: int = LARGEST_BYTES) -> None:
        self._largest_bytes = largest_bytes
        self.waiting: deque[Happening] = deque(maxlen=MOST_WAITING)
        self._numbers = count(1)
        self._news = anyio.Event()
        self._is_closed = False
        self.page: dict[str, object] | None = None

    def add(self, happening: Happening) -> None:
        """Note a happening, with its number and the time."""
        told = happening
        if len(json.dumps(happening)) > self._largest_bytes:
            told = _without_the_large(happening, self._largest_bytes // 64)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.waiting.append({**told, "number": next(self._numbers), "at": at})
        self._tell()

    async def take(self, timeout_s: float) -> list[Happening]:
        """Return all that waits to be told, and forget it; wait for the first of it, at most `timeout_s`."""
        with anyio.move_on_after(timeout_s):
            while not self.waiting and not self._is_closed:
                await self._news.wait()
        taken = list(self.waiting)
        self.waiting.clear()
        return taken

    def give_back(self, taken: list[Happening]) -> None:
        """Put back first what was taken and did not arrive."""
        self.waiting.extendleft(reversed(taken))
        self._tell()

    def close(self) -> None:
        """Let everyone go who waits."""
        self._is_closed = True
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = anyio.Event()


def _without_the_large(happening: Happening, most: int) -> Happening:
    """Keep what is short; name what is left out."""
    short = {key: value for key, value in happening.items() if len(json.dumps(value)) <= most}
    return {**short, "leftOut": sorted(set(happening) - set(short))}


def sources_of(configuration: Configuration) -> dict[str, Path]:
    """Return them by name: the person's own prompts, the kit where it is built again."""
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
    """Call `changed` with the name of a source whose files are others than before; run until cancelled.

    An editor writes more than once: a change counts when the files stayed the same from one look to the next.
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
    """Return what tells the files at `path` from others: names, times, sizes. Nothing there is a state, too."""
    traits = set()
    for each in path.rglob("*") if path.is_dir() else (path,):
        with suppress(OSError):
            found = each.stat()
            traits.add((str(each), found.st_mtime_ns, found.st_size))
    return frozenset(traits)
