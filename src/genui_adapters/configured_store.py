"""Where views are kept, as it is configured."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from genui_core.application.defaults.system import SilentEventLog
from genui_core.domain.settings.settings import Settings
from genui_core.ports.event_log import EventLog

if TYPE_CHECKING:
    from genui_core.ports.generation_lock import GenerationLock
    from genui_core.ports.view_histories import ViewHistories
    from genui_core.ports.view_store import ViewStore


class Kept(NamedTuple):
    """Where views are kept, and with whom that is shared.

    Attributes:
        store: The store of the views; None for memory.
        histories: The store of refinements and versions, or None.
        lock: The lock of the wrappers that share the store, or None.
    """

    store: "ViewStore | None"
    histories: "ViewHistories | None"
    lock: "GenerationLock | None" = None


def kept_from(
    settings: Settings, environment: Mapping[str, str], event_log: EventLog, *, has_model: bool
) -> Kept:
    """Return the stores of views and refinements, and the generation lock.

    Args:
        settings: What is configured.
        environment: The variables that stores may read.
        event_log: For stores that have something to say.
        has_model: Whether there is a model whose views are worth keeping; without one, and with
            nothing outside of memory, there is no store.

    Raises:
        UnknownAdapter: There is no store of that name.
        BrokenAdapter: It cannot be loaded.
        OSError: A folder or file that it needs cannot be used.
    """
    cache = settings.cache
    if cache.type == "redis":
        from genui_adapters.view_store.factories import shared_on_redis  # noqa: PLC0415 -- only for who has that

        shared = shared_on_redis(cache, event_log)
        histories = shared.histories if settings.refinements == "persist" else None
        if not cache.enabled:
            return Kept(store_from(settings, environment, event_log), histories)
        return Kept(shared.store, histories, shared.lock)
    keeps = has_model or cache.type != "memory" or cache.persist_on_shutdown
    store = store_from(settings, environment, event_log) if keeps else None
    return Kept(store, _histories_from(settings, environment, event_log))


def histories_from(
    settings: Settings, environment: Mapping[str, str], event_log: EventLog
) -> "ViewHistories":
    """Return where histories are kept if they are kept at all, whatever ``generation.refinements`` says now.

    Raises:
        BadStoreUrl: ``cache.url`` names no server.
        OSError: The secret can neither be read nor made.
    """
    if settings.cache.type == "redis":
        from genui_adapters.view_store.factories import shared_on_redis  # noqa: PLC0415 -- only for who has that

        return shared_on_redis(settings.cache, event_log).histories
    from genui_adapters.view_store.factories import history_files  # noqa: PLC0415 -- only for who wants them

    return history_files(settings.cache, environment, event_log)


def _histories_from(
    settings: Settings, environment: Mapping[str, str], event_log: EventLog
) -> "ViewHistories | None":
    if settings.refinements != "persist":
        return None
    return histories_from(settings, environment, event_log)


def store_from(
    settings: Settings, environment: Mapping[str, str], event_log: EventLog | None = None
) -> "ViewStore":
    """Return where views are kept; one that keeps nothing where the cache is off.

    Raises:
        UnknownAdapter: There is no store of that name.
        BrokenAdapter: It cannot be loaded.
        OSError: A folder or file that it needs cannot be used.
    """
    from genui_adapters.view_store.factories import STORES  # noqa: PLC0415 -- only for who has views written
    from genui_core.application.defaults.stores import NoStore  # noqa: PLC0415

    cache = settings.cache
    if not cache.enabled:
        return NoStore()
    return STORES.find(cache.type)(cache, environment, event_log or SilentEventLog())
