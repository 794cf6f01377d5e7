"""Every view store by its name, and the functions that make the built-in ones."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from genui_adapters.environment import user_folder
from genui_adapters.registry import Registry
from genui_core.application.services import SystemClock
from genui_core.domain.settings.cache_settings import BUILT_IN_STORES, CacheSettings
from genui_core.ports.event_log import EventLog
from genui_core.ports.generation_lock import GenerationLock
from genui_core.ports.view_histories import ViewHistories
from genui_core.ports.view_store import ViewStore

if TYPE_CHECKING:
    from genui_adapters.view_store.redis_store import RedisStore

StoreFactory = Callable[[CacheSettings, Mapping[str, str], EventLog], ViewStore]
"""Makes a store from the section ``cache``, the variables it may read, and a log; does not connect."""

STORES = Registry[StoreFactory](
    kind="view store",
    group="mcp_gen_ui.view_stores",
    built_in={name: f"{__name__}:{name}" for name in BUILT_IN_STORES},
)


def memory(cache: CacheSettings, environment: Mapping[str, str], event_log: EventLog) -> ViewStore:
    """Return a store in memory, which may write its views to the cache folder when the process ends.

    Raises OSError if the store writes its views, and the secret can be neither read nor made.
    """
    from genui_core.application.defaults import MemoryStore  # noqa: PLC0415 -- only this store

    if not (cache.persist_on_shutdown and cache.enabled):
        return MemoryStore(cache, SystemClock())
    from genui_adapters.view_store.sealed_entry import PersistedStore  # noqa: PLC0415

    return PersistedStore(MemoryStore(cache, SystemClock()), filesystem(cache, environment, event_log))


def filesystem(cache: CacheSettings, environment: Mapping[str, str], event_log: EventLog) -> ViewStore:
    """Return a store in a folder; the secret that seals its files is in the user's data folder.

    Raises OSError if the secret can be neither read nor made.
    """
    from genui_adapters.view_store.filesystem import FilesystemStore  # noqa: PLC0415 -- only this store

    return FilesystemStore(
        directory=views_folder(cache, environment),
        secret=_secret(environment),
        settings=cache,
        clock=SystemClock(),
        event_log=event_log,
    )


def redis(cache: CacheSettings, environment: Mapping[str, str], event_log: EventLog) -> ViewStore:  # noqa: ARG001
    """Return a store on the server of ``cache.url`` (else `BadStoreUrl`); it connects at its first use."""
    return shared_on_redis(cache, event_log)[0]


def shared_on_redis(
    cache: CacheSettings, event_log: EventLog
) -> "tuple[RedisStore, ViewHistories, GenerationLock]":
    """Return the store, histories and lock on the server of ``cache.url``; else raise `BadStoreUrl`."""
    from genui_adapters.view_store.redis_server import RedisServer, redis_place  # noqa: PLC0415 -- brings a client
    from genui_adapters.view_store.redis_store import RedisHistories, RedisLock, RedisStore  # noqa: PLC0415

    server = RedisServer(place=redis_place(cache.url), clock=SystemClock(), event_log=event_log)
    return RedisStore(server=server, settings=cache), RedisHistories(server), RedisLock(server)


def histories(cache: CacheSettings, environment: Mapping[str, str], event_log: EventLog) -> ViewHistories:
    """Return persistent histories of views: on the shared server, or in the folder of the views.

    Raises:
        BadStoreUrl: ``cache.url`` names no server.
        OSError: The secret can be neither read nor made.
    """
    if cache.type == "redis":
        return shared_on_redis(cache, event_log)[1]
    from genui_adapters.view_store.filesystem import HistoryFiles  # noqa: PLC0415 -- only if they persist

    return HistoryFiles(
        directory=views_folder(cache, environment), secret=_secret(environment), event_log=event_log
    )


def _secret(environment: Mapping[str, str]) -> bytes:
    from genui_adapters.view_store.private_files import read_or_make_secret  # noqa: PLC0415 -- not in memory

    return read_or_make_secret(Path(user_folder("data", environment), "view-secret"))


def views_folder(cache: CacheSettings, environment: Mapping[str, str]) -> Path:
    """Return the folder in which a filesystem store stores its views."""
    if cache.directory:
        return Path(cache.directory).expanduser()
    return Path(user_folder("cache", environment), "views")
