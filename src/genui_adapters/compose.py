"""The composition root: which adapters a wrapper is made of."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from genui_adapters.judge.deferred import DeferredJudge
from genui_adapters.telemetry.redacting_journal import RedactingJournal
from genui_adapters.telemetry.stream_journal import StreamJournal
from genui_core.application.wrapper import Wrapper
from genui_core.domain.redaction import is_secret_name
from genui_core.domain.settings import Settings, UpstreamSettings
from genui_core.ports.journal import Journal, Level, SilentJournal

if TYPE_CHECKING:  # what a relay between two stdio streams never needs
    from genui_adapters.llm.choice import Choice
    from genui_adapters.upstream.options import Generation, RemoteUpstream
    from genui_adapters.upstream.process import UpstreamCommand
    from genui_core.domain.configuration import Configuration, LoggingSettings
    from genui_core.domain.frozen_views import FrozenViews
    from genui_core.domain.prompting.prompt_set import PromptSet
    from genui_core.ports.generation_lock import GenerationLock
    from genui_core.ports.llm_provider import LLMProvider
    from genui_core.ports.tool_source import ToolSourceOpener
    from genui_core.ports.view_histories import ViewHistories
    from genui_core.ports.view_store import ViewStore

_STANDARD_OUTPUT, _STANDARD_ERROR = 1, 2


def wrapper_from(
    configuration: "Configuration | None" = None,
    environment: Mapping[str, str] | None = None,
    heard: "Callable[[Journal], Journal] | None" = None,
) -> Wrapper:
    """Return a wrapper as it is configured; without a configuration everything is as usual, and no model is there.

    Without a model, and with nothing kept outside of memory, there is nobody to ask for a view:
    every tool has its minimal UI at once.

    Args:
        configuration: What is configured.
        environment: The variables that adapters may read; what is secret among them is kept out of the log.
        heard: Puts something in front of the log that hears every event, whatever its level.

    Raises:
        UnknownAdapter: There is no provider or store of a configured name.
        BrokenAdapter: One cannot be loaded.
        ProviderFailed: The provider lacks a credential or a model.
        GenUiError: A folder of prompts, or of exported views, cannot be used.
        OSError: A file or folder that is needed cannot be used.
    """
    secrets = known_secrets(configuration, environment or {})
    if configuration is None:
        journal = _redacting(StreamJournal(), secrets)
        return Wrapper(
            settings=Settings(), judge=DeferredJudge(), journal=heard(journal) if heard else journal
        )
    journal, known = journal_from(configuration.logging, secrets), environment or {}
    journal = heard(journal) if heard else journal
    chosen = provider_choice(configuration.settings, known)
    settings = chosen.settings
    llm = provider_from(settings, known, journal)
    chosen.tell(journal)
    kept = _kept(settings, known, journal, has_model=llm is not None)
    store = kept.store
    if configuration.debug:
        hidden = secrets if configuration.logging.redact_sensitive_data else None
        llm, store = _watched(llm, store, journal, hidden)
    wrapper = Wrapper(
        settings=settings,
        frozen=_frozen_from(configuration, journal),
        llm=llm,
        store=store,
        histories=kept.histories,
        lock=kept.lock,
        judge=DeferredJudge(),
        prompts=_prompts_from(settings),
        journal=journal,
    )
    if configuration.export_dir is not None:
        from genui_adapters.bundle.mirror import mirror_views  # noqa: PLC0415 -- only for who wants that

        mirror_views(wrapper, configuration.export_dir)
    return wrapper


def _frozen_from(configuration: "Configuration", journal: Journal) -> "FrozenViews | None":
    if configuration.frozen is None:
        return None
    from genui_adapters.bundle.reading import frozen_views_in  # noqa: PLC0415 -- only for who has some

    return frozen_views_in(configuration.frozen, journal)


class _Kept(NamedTuple):
    """Where views are kept, and with whom that is shared."""

    store: "ViewStore | None"
    histories: "ViewHistories | None"
    lock: "GenerationLock | None" = None


def _kept(settings: Settings, environment: Mapping[str, str], journal: Journal, *, has_model: bool) -> _Kept:
    cache = settings.cache
    if cache.type == "redis":
        from genui_adapters.view_store.factories import shared_on_redis  # noqa: PLC0415 -- only for who has that

        shared = shared_on_redis(cache, journal)
        histories = shared.histories if settings.refinements == "persist" else None
        if not cache.enabled:
            return _Kept(store_from(settings, environment, journal), histories)
        return _Kept(shared.store, histories, shared.lock)
    keeps = has_model or cache.type != "memory" or cache.persist_on_shutdown
    store = store_from(settings, environment, journal) if keeps else None
    return _Kept(store, _histories_from(settings, environment, journal))


def _watched(
    llm: "LLMProvider | None", store: "ViewStore | None", journal: Journal, secrets: frozenset[str] | None
) -> "tuple[LLMProvider | None, ViewStore]":
    """Return a provider and a store of which a person sees everything (``--debug``)."""
    from genui_adapters.llm.logged import LoggedProvider  # noqa: PLC0415 -- only for who debugs
    from genui_adapters.view_store.kept_sources import SourceKeeper  # noqa: PLC0415
    from genui_core.application.no_store import NoStore  # noqa: PLC0415

    watched = None if llm is None else LoggedProvider(llm, journal, secrets)
    return watched, SourceKeeper(store or NoStore(), journal)


def _histories_from(
    settings: Settings, environment: Mapping[str, str], journal: Journal
) -> "ViewHistories | None":
    if settings.refinements != "persist":
        return None
    from genui_adapters.view_store.factories import history_files  # noqa: PLC0415 -- only for who wants them

    return history_files(settings.cache, environment, journal)


def _prompts_from(settings: Settings) -> "PromptSet | None":
    if settings.prompts_directory is None:
        return None
    from genui_adapters.prompt_source.directory import prompts_in  # noqa: PLC0415 -- only for who has some

    return prompts_in(settings.prompts_directory)


def journal_from(logging: "LoggingSettings", secrets: frozenset[str] = frozenset()) -> Journal:
    """Return what writes the log where it is wanted.

    Args:
        logging: What is configured.
        secrets: What must not be written, unless that is configured.

    Raises:
        OSError: The file cannot be written.
    """
    descriptor = _STANDARD_ERROR
    if logging.destination == "stdout":
        descriptor = _STANDARD_OUTPUT
    elif logging.destination == "file" and logging.file:
        descriptor = os.open(logging.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    journal = StreamJournal(Level[logging.level.upper()], logging.format, descriptor)
    return _redacting(journal, secrets) if logging.redact_sensitive_data else journal


def known_secrets(configuration: "Configuration | None", environment: Mapping[str, str]) -> frozenset[str]:
    """Return the values that are secret by where they stand, or by their names."""
    named = {name: value for name, value in environment.items() if is_secret_name(name)}
    found = set(named.values())
    if configuration is not None:
        upstream = configuration.upstream
        found |= {value for name, value in upstream.env.items() if is_secret_name(name)}
        found |= {*upstream.headers.values()}
        found |= {configuration.settings.llm.api_key or "", configuration.serve.token or ""}
        found |= _secrets_in(configuration.settings.cache.url)
    return frozenset(found - {""})


def _secrets_in(url: str | None) -> frozenset[str]:
    if url is None:
        return frozenset()
    from genui_adapters.view_store.redis_place import BadStoreUrl, redis_place  # noqa: PLC0415 -- only for who has one

    try:
        return redis_place(url).secrets | {url}
    except BadStoreUrl:
        return frozenset({url})


def _redacting(journal: StreamJournal, secrets: frozenset[str]) -> Journal:
    return RedactingJournal(journal, journal.level, secrets)


def tool_source_opener(
    upstream: "UpstreamCommand | RemoteUpstream",
    *,
    journal: Journal,
    settings: UpstreamSettings | None = None,
    protocol: "Generation" = "auto",
) -> "ToolSourceOpener":
    """Return what opens connections to an upstream, each kept up until it is closed.

    Args:
        upstream: The command that starts it, or its URL with headers.
        journal: Takes what happens to the connections, and the log of a started upstream.
        settings: How connections are made; the defaults of SPEC §11 where nothing is given.
        protocol: Which generation the upstream is asked to speak.
    """
    from genui_adapters.upstream.openers import remote_opener, stdio_opener  # noqa: PLC0415
    from genui_adapters.upstream.options import ConnectionOptions, RemoteUpstream  # noqa: PLC0415

    options = ConnectionOptions.of(settings or UpstreamSettings(), protocol)
    if isinstance(upstream, RemoteUpstream):
        return remote_opener(upstream, options, journal)
    return stdio_opener(upstream, options, journal)


def provider_choice(settings: Settings, environment: Mapping[str, str]) -> "Choice":
    """Return which provider the settings and the credentials come to, and why.

    The settings of the choice name it, and its models as far as they are known without asking
    it. Where no provider is named and no credential is set, an Ollama server is looked for, for
    200 ms at most; on a machine without one that is told at once.

    Args:
        settings: What is configured.
        environment: Where credentials are.
    """
    from genui_adapters.llm.choice import choose  # noqa: PLC0415 -- only for who has views written

    return choose(settings, environment)


def provider_from(
    settings: Settings, environment: Mapping[str, str], journal: Journal | None = None
) -> "LLMProvider | None":
    """Return the model that writes views, or None where there is none.

    Its library is loaded when it is first asked.

    Args:
        settings: Those of a `provider_choice`; where they name no provider, one is chosen.
        environment: The variables that providers may read; none reads others.
        journal: For providers that have something to say.

    Raises:
        UnknownAdapter: There is no provider of that name.
        BrokenAdapter: It cannot be loaded.
        ProviderFailed: It lacks a credential or a model.
    """
    from genui_adapters.llm.providers import PROVIDERS  # noqa: PLC0415 -- only for who has views written

    llm = settings.llm
    if llm.provider == "auto":
        llm = provider_choice(settings, environment).settings.llm
    if llm.provider == "none":
        return None
    return PROVIDERS.find(llm.provider)(llm, environment, journal or SilentJournal())


def store_from(
    settings: Settings, environment: Mapping[str, str], journal: Journal | None = None
) -> "ViewStore":
    """Return where views are kept; one that keeps nothing where the cache is off.

    Raises:
        UnknownAdapter: There is no store of that name.
        BrokenAdapter: It cannot be loaded.
        OSError: A folder or file that it needs cannot be used.
    """
    from genui_adapters.view_store.factories import STORES  # noqa: PLC0415 -- only for who has views written
    from genui_core.application.no_store import NoStore  # noqa: PLC0415

    cache = settings.cache
    if not cache.enabled:
        return NoStore()
    return STORES.find(cache.type)(cache, environment, journal or SilentJournal())
