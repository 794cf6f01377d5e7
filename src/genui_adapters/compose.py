"""The composition root: builds a wrapper with the configured adapters."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from genui_adapters.telemetry.configured_event_log import (
    RedactingEventLog,
    StreamEventLog,
    event_log_from,
    known_secrets,
    secrets_of,
)
from genui_core.application.services import SilentEventLog, SystemClock
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.brand import BrandSettings
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.settings import Settings
from genui_core.errors import GenUiError
from genui_core.ports.event_log import EventLog, Level

if TYPE_CHECKING:
    from genui_core.domain.prompting.prompt_set import PromptSet
    from genui_core.domain.settings.brand import Brand
    from genui_core.domain.settings.configuration import Configuration
    from genui_core.domain.validation.finding import ValidationReport
    from genui_core.domain.views.exported_views import FrozenViews
    from genui_core.ports.generation_lock import GenerationLock
    from genui_core.ports.llm_provider import LLMProvider
    from genui_core.ports.view_histories import ViewHistories
    from genui_core.ports.view_store import ViewStore
    from genui_core.ports.view_validator import ValidationContext, ViewValidator


class DeferredValidator:
    """A `ViewValidator` in a worker process, which is loaded with the first use."""

    async def prepare(self) -> None:
        """Start the worker process."""
        await self._worker.prepare()

    async def validate(self, text: str, context: "ValidationContext") -> "ValidationReport":
        """Return the report, or a refusal if the validation takes too long."""
        return await self._worker.validate(text, context)

    @cached_property
    def _worker(self) -> "ViewValidator":
        from genui_adapters.validator_process import WorkerProcessValidator  # noqa: PLC0415 -- see above

        return WorkerProcessValidator()


class UnusableFile(GenUiError):
    """A configured file or folder cannot be used; the text says which and why."""


def wrapper_from(
    configuration: "Configuration | None" = None,
    environment: Mapping[str, str] | None = None,
    heard: "Callable[[EventLog], EventLog] | None" = None,
    secrets: frozenset[str] = frozenset(),
) -> Wrapper:
    """Return a wrapper with the configured adapters; by default, with default settings and no model.

    Without a model and without a store outside of memory, no view can be generated or found: every
    tool gets its minimal view at once.

    Args:
        configuration: The configuration; None for the defaults.
        environment: The variables that adapters may read; secrets among them are redacted in the log.
        heard: Wraps the event log in a listener that gets the events of every level.
        secrets: More secrets to redact in the log and in prompts, such as those of an upstream that is not
            configured.

    Raises:
        UnknownAdapter: There is no provider or store of a configured name.
        BrokenAdapter: A provider or store cannot be loaded.
        ProviderFailed: The provider lacks a credential or a model.
        GenUiError: A folder of prompts or of exported views, or a file of the brand, cannot be used.
        UnusableFile: Another configured file or folder cannot be used.
    """
    secrets |= known_secrets(configuration, environment or {})
    if configuration is None:
        event_log: EventLog = RedactingEventLog(StreamEventLog(), Level.INFO, secrets)
        return Wrapper(
            settings=Settings(),
            validator=DeferredValidator(),
            event_log=heard(event_log) if heard else event_log,
            secrets=secrets,
        )
    try:
        return _configured_wrapper(configuration, environment or {}, heard, secrets)
    except OSError as error:
        place, reason = error.filename or "a file that is configured", error.strerror or error
        raise UnusableFile(f"{place} cannot be used: {reason}") from error


def _configured_wrapper(
    configuration: "Configuration",
    environment: Mapping[str, str],
    heard: "Callable[[EventLog], EventLog] | None",
    secrets: frozenset[str],
) -> Wrapper:
    event_log = event_log_from(configuration.logging, secrets)
    event_log = heard(event_log) if heard else event_log
    from genui_adapters.llm.choice import choose  # noqa: PLC0415 -- only if views are written

    chosen = choose(configuration.settings, environment)
    settings = chosen.settings
    llm = provider_from(settings, environment, event_log, secrets)
    chosen.log_to(event_log)
    store, histories, lock = _stores_from(settings, environment, event_log, has_model=llm is not None)
    if configuration.debug:
        hidden = secrets if configuration.logging.redact_sensitive_data else None
        llm, store = _with_debug_output(llm, store, event_log, hidden)
    wrapper = Wrapper(
        settings=settings,
        frozen=_frozen_from(configuration, event_log),
        llm=llm,
        store=store,
        histories=histories,
        lock=lock,
        validator=DeferredValidator(),
        prompts=_prompts_from(settings),
        event_log=event_log,
        secrets=secrets,
        brand=_brand_from(settings),
    )
    if configuration.export_dir is not None:
        from genui_adapters.bundle import mirror_views  # noqa: PLC0415 -- only with an export folder

        mirror_views(wrapper, configuration.export_dir)
    return wrapper


def _frozen_from(configuration: "Configuration", event_log: EventLog) -> "FrozenViews | None":
    if configuration.frozen is None:
        return None
    from genui_adapters.bundle import frozen_views_in  # noqa: PLC0415 -- only with frozen views

    return frozen_views_in(configuration.frozen, event_log)


def _no_store() -> "ViewStore":
    """Return a store that stores nothing: every read is a miss."""
    from genui_core.application.defaults import MemoryStore  # noqa: PLC0415 -- see above

    return MemoryStore(CacheSettings(max_entries=0), SystemClock())


def _with_debug_output(
    llm: "LLMProvider | None", store: "ViewStore | None", event_log: EventLog, secrets: frozenset[str] | None
) -> "tuple[LLMProvider | None, ViewStore]":
    """Return a provider that logs prompts and answers, and a store that writes views (``--debug``)."""
    from genui_adapters.llm.provider_shell import LoggedProvider  # noqa: PLC0415 -- only with --debug
    from genui_adapters.view_store.sealed_entry import RecordingStore  # noqa: PLC0415

    logged = None if llm is None else LoggedProvider(llm, event_log, secrets)
    return logged, RecordingStore(store or _no_store(), event_log)


def _prompts_from(settings: Settings) -> "PromptSet | None":
    if settings.prompts_directory is None:
        return None
    from genui_adapters.configured_files import prompts_in  # noqa: PLC0415 -- only with a folder of prompts

    return prompts_in(settings.prompts_directory)


def _brand_from(settings: Settings) -> "Brand | None":
    if settings.brand == BrandSettings():
        return None
    from genui_adapters.configured_files import brand_from  # noqa: PLC0415 -- only with a brand

    return brand_from(settings.brand)


def provider_from(
    settings: Settings,
    environment: Mapping[str, str],
    event_log: EventLog | None = None,
    secrets: frozenset[str] = frozenset(),
) -> "LLMProvider | None":
    """Return the provider that writes views, or None for the provider ``none``.

    The provider's library is loaded with the first request. Its errors are free of the secrets in the
    settings and the environment.

    Args:
        settings: The settings, or those of a `Choice`; for the provider ``auto``, one is chosen.
        environment: The only environment variables that providers may read.
        event_log: The log for providers that log events.
        secrets: More secrets of which the errors are free.

    Raises:
        UnknownAdapter: There is no provider of that name.
        BrokenAdapter: The provider cannot be loaded.
        ProviderFailed: The provider lacks a credential or a model.
    """
    from genui_adapters.llm.choice import PROVIDERS, choose  # noqa: PLC0415 -- only if views are written

    llm = choose(settings, environment).settings.llm
    if llm.provider == "none":
        return None
    from genui_adapters.llm.provider_shell import RedactingProvider  # noqa: PLC0415 -- only for a model

    provider = PROVIDERS.find(llm.provider)(llm, environment, event_log or SilentEventLog())
    return RedactingProvider(provider, secrets | secrets_of(settings, environment))


def _stores_from(
    settings: Settings, environment: Mapping[str, str], event_log: EventLog, *, has_model: bool
) -> "tuple[ViewStore | None, ViewHistories | None, GenerationLock | None]":
    """Return the stores of views and refinements, and the generation lock; raises as `store_from`.

    Without a model there are no views to store, so a store in memory is not made.
    """
    cache, lasts = settings.cache, settings.refinements == "persist"
    if cache.type == "redis" and cache.enabled:
        from genui_adapters.view_store.factories import shared_on_redis  # noqa: PLC0415 -- only with Redis

        store, shared, lock = shared_on_redis(cache, event_log)
        return store, shared if lasts else None, lock
    keeps = has_model or cache.type != "memory" or cache.persist_on_shutdown
    kept = store_from(settings, environment, event_log) if keeps else None
    if not lasts:
        return kept, None, None
    from genui_adapters.view_store.factories import histories  # noqa: PLC0415 -- only if they persist

    return kept, histories(cache, environment, event_log), None


def store_from(
    settings: Settings, environment: Mapping[str, str], event_log: EventLog | None = None
) -> "ViewStore":
    """Return the view store; one that stores nothing if the cache is off.

    Raises:
        UnknownAdapter: There is no store of that name.
        BrokenAdapter: The store cannot be loaded.
        OSError: A folder or file that the store needs cannot be used.
    """
    from genui_adapters.view_store.factories import STORES  # noqa: PLC0415 -- only if views are written

    cache = settings.cache
    if not cache.enabled:
        return _no_store()
    return STORES.find(cache.type)(cache, environment, event_log or SilentEventLog())
