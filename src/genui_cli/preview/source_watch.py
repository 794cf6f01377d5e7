"""Noticing that files have changed which the server read when it started."""

from collections.abc import Awaitable, Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread

from genui_core.domain.settings.configuration import Configuration


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

    Args:
        sources: Files, or folders with all that is in them, by name.
        changed: Called after a change.
        sleep: Waits between the looks.
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
    files = path.rglob("*") if path.is_dir() else (path,)
    return frozenset(one for each in files if (one := _traits(each)) is not None)


def _traits(file: Path) -> tuple[str, int, int] | None:
    try:
        traits = file.stat()
    except OSError:
        return None
    return str(file), traits.st_mtime_ns, traits.st_size
