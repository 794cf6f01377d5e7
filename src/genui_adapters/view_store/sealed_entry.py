"""Sealed entries: a stored view or history as bytes, with a seal that only this program can write.

The first line names the format and holds a keyed hash of the rest, which is JSON. An entry that was changed,
cut, swapped or written by another program is refused. `PersistedStore` writes such files at the end of the
process (``cache.persistOnShutdown``). `RecordingStore` writes views unsealed, for a person (``--debug``).
"""

import hmac
import json
import tempfile
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from anyio import Lock
from anyio.to_thread import run_sync
from attrs import asdict, evolve
from cattrs import BaseValidationError, Converter

from genui_adapters.view_store.private_files import hashed, replace_whole
from genui_core.application.defaults import Answer, AroundStore
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.views.stored_view import CACHE_VERSION, StoredView, ViewHistory
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.view_histories import ViewHistories
from genui_core.ports.view_store import ViewStore

_Kind = TypeVar("_Kind")

_VIEW_HEAD = b"mcp-gen-ui view "
_HISTORY_HEAD = b"mcp-gen-ui history "
_MAC_DIGITS = 64
MOST_HISTORY_BYTES = 64 * 1024 * 1024
"""A larger history is neither written nor read."""
_MOST_AROUND_BYTES = 1_000_000
"""The bytes of an entry besides its source, of which JSON may write each byte as six."""
_converter = Converter(forbid_extra_keys=True)
_converter.register_structure_hook_func(lambda wanted: wanted is object, lambda value, _: value)


class NotOurs(Exception):
    """An entry was not written by this program, or is damaged; the text says why."""


def seal(view: StoredView, secret: bytes) -> bytes:
    """Return the bytes of a view's file."""
    return _seal(_VIEW_HEAD, asdict(view), secret)


def unseal(data: bytes, secret: bytes, name: str) -> StoredView:
    """Return the view in an entry; ``name`` is the entry's name, the hash of the view's key.

    Raises NotOurs if the entry is damaged, of another version, foreign, or for another key.
    """
    content = _open(_VIEW_HEAD, data, secret)
    version = content.get("cache_version") if isinstance(content, Mapping) else None
    if version != CACHE_VERSION:
        raise NotOurs(f"it is of version {version}")
    view = _structure(content, StoredView)
    if hashed(view.key) != name:
        raise NotOurs("it belongs under another key")
    return view


def most_bytes(settings: CacheSettings) -> int:
    """Return the most bytes of a sealed view."""
    return 8 * settings.max_entry_size_bytes + _MOST_AROUND_BYTES


def seal_what_fits(history: ViewHistory, secret: bytes) -> bytes | None:
    """Return the bytes of a history; drop the older half of its views until it fits `MOST_HISTORY_BYTES`.

    The present view is never dropped. None if the history does not fit even so.
    """
    while len(data := _seal(_HISTORY_HEAD, asdict(history), secret)) > MOST_HISTORY_BYTES:
        others = [each for each in history.views if each.number != history.present]
        if not others:
            return None
        gone = {each.number for each in others[: (len(others) + 1) // 2]}
        history = evolve(history, views=tuple(each for each in history.views if each.number not in gone))
    return data


def unseal_history(data: bytes, secret: bytes) -> ViewHistory:
    """Return the history in an entry; views of another cache version are left out.

    Raises NotOurs if the entry is damaged or foreign.
    """
    history = _structure(_open(_HISTORY_HEAD, data, secret), ViewHistory)
    return evolve(
        history, views=tuple(each for each in history.views if each.view.cache_version == CACHE_VERSION)
    )


def _seal(head: bytes, content: object, secret: bytes) -> bytes:
    body = json.dumps(content, separators=(",", ":")).encode()
    return head + _mac(body, secret) + b"\n" + body


def _open(head: bytes, data: bytes, secret: bytes) -> object:
    first, _, body = data.partition(b"\n")
    if not first.startswith(head) or len(first) != len(head) + _MAC_DIGITS:
        raise NotOurs("it does not begin as it should")
    if not hmac.compare_digest(first.removeprefix(head), _mac(body, secret)):
        raise NotOurs("its content is not what was written")
    content: object = json.loads(body)
    return content


def _structure(content: object, kind: type[_Kind]) -> _Kind:
    if not isinstance(content, Mapping):
        raise NotOurs("it holds something else")
    try:
        return _converter.structure(content, kind)
    except (BaseValidationError, TypeError, ValueError) as error:
        raise NotOurs("it lacks what belongs in it") from error


def _mac(body: bytes, secret: bytes) -> bytes:
    return hmac.new(secret, body, sha256).hexdigest().encode()


def history_name(tool_name: str, upstream_name: str) -> str:
    """Return the hash of the names of an upstream and its tool: 64 hexadecimal digits."""
    return sha256(json.dumps([upstream_name, tool_name]).encode()).hexdigest()


class SealedHistories(ViewHistories):
    """Stores one sealed value per tool, under a hashed name; each subclass is for one place."""

    event_log: EventLog
    secret: bytes

    async def load(self, tool_name: str, upstream_name: str = "") -> ViewHistory | None:
        """Return the history of a tool, or None."""
        try:
            history = await self._load("load", history_name(tool_name, upstream_name))
        except (OSError, NotOurs, ValueError) as error:
            self._warn("history_not_read", tool_name, str(error))
            return None
        return history if history is not None and history.is_of(tool_name, upstream_name) else None

    async def save(self, history: ViewHistory) -> bool:
        """Store a history; return whether it is stored."""
        data = await run_sync(seal_what_fits, history, self.secret)
        name = history_name(history.tool_name, history.upstream_name)
        reason = "it is too large" if data is None else await self._write(name, data)
        if reason:
            self._warn("history_not_kept", history.tool_name, reason)
        return not reason

    async def drop(self, tool_name: str, upstream_name: str = "") -> None:
        """Delete the history of a tool."""
        await self._remove("drop", history_name(tool_name, upstream_name))

    async def clear(self, tool_name: str | None = None) -> int:
        """Delete all histories, or those of a tool's name; return how many there were."""
        names = await self._names()
        return sum(
            [await self._remove("clear", each) for each in names if await self._is_of(each, tool_name)]
        )

    async def _is_of(self, name: str, tool_name: str | None) -> bool:
        """Whether a history is of this tool, or ``tool_name`` is None; an unreadable one is of no tool."""
        if tool_name is None:
            return True
        with suppress(OSError, NotOurs, ValueError):
            history = await self._load("clear", name)
            return history is not None and history.tool_name == tool_name
        return False

    async def _load(self, operation: str, name: str) -> ViewHistory | None:
        data = await self._read(operation, name)
        return None if data is None else await run_sync(unseal_history, data, self.secret)

    def _warn(self, event: str, tool_name: str, reason: str) -> None:
        self.event_log.record(Level.WARN, "cache", event, tool_name=tool_name, reason=reason)

    @abstractmethod
    async def _read(self, operation: str, name: str) -> bytes | None:
        """Return a value, or None; raise `OSError` or `NotOurs` if it cannot be read."""

    @abstractmethod
    async def _write(self, name: str, data: bytes) -> str:
        """Replace a value; return why it is not stored, or "" if it is."""

    @abstractmethod
    async def _remove(self, operation: str, name: str) -> bool:
        """Delete a value; return whether there was one."""

    @abstractmethod
    async def _names(self) -> Collection[str]:
        """Return the names of all values."""


class PersistedStore(AroundStore):
    """A store in memory that loads another store's views at first use, and writes all back at `close`.

    It writes nothing if no view was read or stored. It deletes views in both stores.
    """

    def __init__(self, memory: ViewStore, lasting: ViewStore) -> None:
        self.inner = memory
        self.lasting = lasting
        self._is_restored = self._is_used = False
        self._turn = Lock()

    async def close(self) -> None:
        """Write the views to the other store, if any was read or stored, and close both."""
        if self._is_used:
            for view in await self.inner.entries():
                await self.lasting.set(view)
        await self.inner.close()
        await self.lasting.close()

    async def _ask(
        self, operation: str, ask: Callable[[ViewStore], Awaitable[Answer]], otherwise: Answer
    ) -> Answer:
        await self._restore()
        self._is_used |= operation in ("get", "set")
        if operation in ("invalidate", "discard", "clear"):
            await ask(self.lasting)
        return await super()._ask(operation, ask, otherwise)

    async def _restore(self) -> None:
        async with self._turn:
            if not self._is_restored:
                for view in await self.lasting.entries():
                    await self.inner.set(view)
                self._is_restored = True


class RecordingStore(AroundStore):
    """A store around another one that also writes every new view to a file for a person (``--debug``).

    The folder is made with the first view, and only this user can read it. No file is named after a tool: the
    log names the tool of each file.
    """

    def __init__(self, inner: ViewStore, event_log: EventLog) -> None:
        self.inner = inner
        self.event_log = event_log
        self._folder: Path | None = None
        self._number = 0

    async def set(self, view: StoredView) -> bool:
        """Write the view to a file, and store it in the other store."""
        if view.html:
            await self._write(view)
        return await self.inner.set(view)

    async def _write(self, view: StoredView) -> None:
        self._number += 1
        name = f"{self._number:03}-{view.key[:8]}.html"
        try:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="mcp-gen-ui-debug-"))
                self.event_log.record(Level.INFO, "wrapper", "debug_folder", folder=str(self._folder))
            content = view.html.encode(errors="replace")
            await run_sync(replace_whole, self._folder / name, content)
        except OSError as error:
            self.event_log.record(Level.WARN, "wrapper", "html_not_kept", reason=str(error))
            return
        self.event_log.record(
            Level.DEBUG,
            "wrapper",
            "html_kept",
            tool_name=view.tool_name,
            request_id=view.request_id,
            file=name,
        )
