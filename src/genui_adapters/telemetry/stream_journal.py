"""A journal that writes one line an event to a descriptor, as text or as JSON (SPEC §15)."""

import contextlib
import json
import os
import select
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

from attrs import define

from genui_core.ports.journal import Journal, Level

LogFormat = Literal["text", "json"]

_PLACED = ("request_id", "tool_name", "duration_ms", "cache_key")
_JSON_NAMES = {"request_id": "requestId"}
_MAX_LINE_BYTES = 4096
"""A pipe takes a write of this size whole or says that it is full (POSIX PIPE_BUF on Linux)."""


@define
class StreamJournal(Journal):
    """Writes events of a level and above to a descriptor, standard error by default.

    A reader that does not read cannot stop us: a line that would block is dropped and the
    next one that fits says how many were.
    """

    level: Level = Level.INFO
    format: LogFormat = "text"
    fd: int = 2
    _dropped: int = 0

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Write the event unless it is below the level or the descriptor is full."""
        if level < self.level:
            return
        if self._dropped:
            metadata["dropped_before"] = self._dropped
        render = _json_line if self.format == "json" else _text_line
        line = render(datetime.now(UTC), level, component, event, metadata)
        if self._write(line.encode("utf-8", "backslashreplace")):
            self._dropped = 0
        else:
            self._dropped += 1

    def _write(self, line: bytes) -> bool:
        if not _takes(self.fd):
            return False
        with contextlib.suppress(OSError):
            os.write(self.fd, line)
        return True


def _takes(fd: int) -> bool:
    if sys.platform == "win32":  # select() knows only sockets there
        return True
    try:
        return bool(select.select((), (fd,), (), 0)[1])
    except (OSError, ValueError):
        return False


def _text_line(
    when: datetime, level: Level, component: str, event: str, metadata: Mapping[str, object]
) -> str:
    fields = "".join(f" {key}={_shown(value)}" for key, value in metadata.items() if value is not None)
    line = f"{when:%H:%M:%S} {level.name.lower():5} {component} {event}{fields}"
    return f"{_short(line)}\n"


def _json_line(
    when: datetime, level: Level, component: str, event: str, metadata: Mapping[str, object]
) -> str:
    record: dict[str, object] = {
        "timestamp": when.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": level.name.lower(),
        "component": component,
        "event": event,
    }
    record |= {_JSON_NAMES.get(key, key): metadata[key] for key in _PLACED if key in metadata}
    record["metadata"] = {key: _bounded(value) for key, value in metadata.items() if key not in _PLACED}
    return json.dumps(record, default=str) + "\n"


def _shown(value: object) -> str:
    """Control characters would let an upstream's text draw on a terminal: they are shown escaped."""
    if not isinstance(value, str):
        return json.dumps(value, default=str)
    plain = value.isprintable() and not any(mark in value for mark in " \"'=\\")
    return value if plain and value else json.dumps(value, ensure_ascii=not value.isprintable())


def _bounded(value: object) -> object:
    return _short(value) if isinstance(value, str) else value


def _short(text: str) -> str:
    most = _MAX_LINE_BYTES // 4
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
