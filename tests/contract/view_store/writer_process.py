"""Write and read views of one folder until killed; each view's source says what it must hold.

usage: writer_process.py FOLDER NUMBER | FOLDER --list
"""

import json
import random
import sys
from pathlib import Path

import anyio

from genui_adapters.view_store.filesystem import FilesystemStore
from genui_core.application.services import SystemClock
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_store import a_view

KEYS = [f"{number:064x}" for number in range(40)]


def store_in(folder):
    return FilesystemStore(
        directory=Path(folder) / "views",
        secret=b"s" * 32,
        settings=CacheSettings(),
        clock=SystemClock(),
        event_log=RecordingEventLog(),
    )


def is_wrong(view):
    key, _, rest = view.html.partition(" ")
    return key != view.key or set(rest) > {"x"}


async def write_for_ever(folder, number):
    store, chance = store_in(folder), random.Random(number)  # noqa: S311 -- only to be different
    while True:
        key, size = chance.choice(KEYS), chance.randrange(60_000)
        kept = await store.set(a_view(key, html=f"{key} {'x' * size}"))
        seen = await store.get(chance.choice(KEYS))
        wrong = int(seen is not None and is_wrong(seen)) + len(store.event_log.named("set_aside"))
        if kept:
            sys.stdout.write(json.dumps({"key": key, "wrong": wrong}) + "\n")
            sys.stdout.flush()


async def list_all(folder):
    store = store_in(folder)
    views = await store.entries()
    wrong = sum(map(is_wrong, views))
    report = {
        "keys": [view.key for view in views],
        "wrong": wrong,
        "set_aside": len(store.event_log.named("set_aside")),
    }
    sys.stdout.write(json.dumps(report))


if __name__ == "__main__":
    _, folder, what = sys.argv
    if what == "--list":
        anyio.run(list_all, folder)
    else:
        anyio.run(write_for_ever, folder, int(what))
