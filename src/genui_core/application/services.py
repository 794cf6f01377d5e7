"""The services of one wrapper: those that its caller passes, and defaults for the others.

The default clock, identity, event log, view kit and prompts are here.
"""

import json
from collections.abc import Collection, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from attrs import Factory, asdict, evolve, field, frozen

from genui_core.domain.logging.redaction import logged_error
from genui_core.domain.pages.page_frame import TEMPLATE_VERSION, WITHOUT_POLICY, PageNeeds
from genui_core.domain.prompting.prompt_set import PromptSet, agent_document
from genui_core.domain.settings.brand import Brand
from genui_core.domain.settings.llm_settings import HOST
from genui_core.domain.settings.settings import Settings
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.identity import Identity
from genui_core.ports.view_kit import ViewKit

if TYPE_CHECKING:  # modules that only generations need are loaded with the first one
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from genui_core.application.defaults import PageStates
    from genui_core.domain.settings.llm_settings import GenerationMode
    from genui_core.domain.validation.finding import ValidationReport
    from genui_core.domain.views.exported_views import FrozenViews
    from genui_core.domain.views.stored_view import ViewConfiguration
    from genui_core.ports.generation_lock import GenerationLock
    from genui_core.ports.llm_provider import LLMProvider
    from genui_core.ports.view_histories import ViewHistories
    from genui_core.ports.view_store import ViewStore
    from genui_core.ports.view_validator import ViewValidator

_MOST_LIVE_HOSTS = 100
_READ_TIMEOUT_S, AT_ONCE_S = 8.0, 0.02
"""How long a read waits: for a model, and for a store alone (no model answers within 0.02 s)."""


class SystemClock(Clock):
    """The default clock: the system's clocks."""

    def monotonic_ms(self) -> int:
        """Return the system's monotonic clock."""
        return int(monotonic() * 1000)

    def now(self) -> "datetime":
        """Return the system's time."""
        from datetime import UTC, datetime  # noqa: PLC0415 -- loaded with the first view that needs a date

        return datetime.now(UTC)


class RandomIdentity(Identity):
    """The default identity: ids and nonces from the system's randomness."""

    def request_id(self) -> str:
        """Return a random UUID (RFC 9562, version 4)."""
        return str(uuid4())

    def nonce(self) -> str:
        """Return 32 random hex digits."""
        return uuid4().hex


class SilentEventLog(EventLog):
    """The default event log: drops every event."""

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Drop the event."""


_PROMPTS: Final = ("classify", "document", "generate", "refine", "repair", "system")


@cache
def _data(name: str) -> str:
    """Return the text of a data file; `importlib.resources` would take 25 times as long to import."""
    from pkgutil import get_data  # noqa: PLC0415 -- loaded with the first view

    data = get_data("genui_core", f"data/{name}")
    if data is None:
        raise FileNotFoundError(f"genui_core/data/{name}")
    return data.decode()


class BuiltViewKit(ViewKit):
    """The built-in view kit: the files in ``genui_core/data/kit``, built from ``view/``."""

    def __init__(self) -> None:
        """Read the API version and the hash of the build."""
        self._named: dict[str, Any] = json.loads(_data("kit/build.json"))

    @property
    def style(self) -> str:
        """The built style sheet."""
        return self.style_for(PageNeeds())

    @property
    def script(self) -> str:
        """The built script."""
        return self.script_for(PageNeeds())

    def style_for(self, needs: PageNeeds) -> str:
        """Return the built style sheet of a page."""
        more = _data("kit/schemas.css") if needs.any_schema else ""
        written = _data("kit/written.css") if needs.written else ""
        return _data("kit/view.css") + more + written + (_data("kit/likeness.css") if needs.likeness else "")

    def script_for(self, needs: PageNeeds) -> str:
        """Return the built script of a page."""
        name = "live" if needs.live else "written" if needs.written else "minimal"
        script = _data(f"kit/{name if needs.any_schema else f'plain-{name}'}.js")
        likeness = _data("kit/likeness.js") if needs.likeness else ""
        files = _data("kit/files.js") if needs.files else ""
        return likeness + files + (_data("kit/chat.js") if needs.chat else "") + script

    @property
    def document_script(self) -> str:
        """The built script for documents."""
        return _data("kit/document.js")

    @property
    def standalone_script(self) -> str:
        """The built script for pages that work without the wrapper."""
        return _data("kit/standalone.js")

    @property
    def api_version(self) -> int:
        """The version of the API that views may call."""
        return int(self._named["apiVersion"])

    @property
    def build(self) -> str:
        """The hash that names this build."""
        return str(self._named["build"])


@cache
def built_prompts() -> PromptSet:
    """Return the built-in prompts: the files of ``genui_core/data/prompts``."""
    return PromptSet.of({name: _data(f"prompts/{name}.mustache") for name in _PROMPTS})


def built_document(uri: str, prompts: PromptSet) -> bytes:
    """Return a page for agents from ``genui_core/data/docs``, as JSON text of a ``contents`` entry."""
    return agent_document(uri, _data(f"docs/{uri.rpartition('/')[2]}.mustache"), prompts)


@frozen(eq=False, repr=False, kw_only=True)
class Services:
    """The services of one wrapper; all fields except `live_hosts` are arguments of `Wrapper`.

    The properties supply the defaults; `store` also catches the errors of other packages' stores.
    """

    settings: Settings = Factory(Settings)
    clock: Clock = Factory(SystemClock)
    event_log: EventLog = Factory(SilentEventLog)
    identity: Identity = Factory(RandomIdentity)
    brand: Brand = Factory(Brand)
    llm: "LLMProvider | None" = None
    frozen: "FrozenViews | None" = None
    _kit: ViewKit | None = None
    _store: "ViewStore | None" = None
    histories: "ViewHistories | None" = None
    lock: "GenerationLock | None" = None
    _validator: "ViewValidator | None" = None
    _prompts: PromptSet | None = None
    secrets: Collection[str] = field(default=(), repr=False)
    live_hosts: set[str] = field(factory=set, eq=False)

    @cached_property
    def kit(self) -> ViewKit:
        """The view kit."""
        return self._kit or BuiltViewKit()

    @cached_property
    def prompts(self) -> PromptSet:
        """The prompt templates."""
        return self._prompts or built_prompts()

    @cached_property
    def configuration(self) -> "ViewConfiguration":
        """Those parts of the settings, kit, prompts and model that decide how a view looks."""
        from genui_core.domain.views.stored_view import ViewConfiguration  # noqa: PLC0415 -- only generations need it

        settings, generation, prompts, llm = self.settings, self.settings.generation, self.prompts, self.llm
        return ViewConfiguration(
            prompt_set_id=prompts.set_id,
            prompt_set_version=prompts.version,
            prompt_set_hash=prompts.content_hash,
            kit_api_version=self.kit.api_version,
            template_version=TEMPLATE_VERSION,
            provider="none" if llm is None else llm.name,
            model=None if llm is None else llm.model,
            temperature=None if llm is None else generation.temperature,
            mode=generation.mode,
            theme=settings.default_theme,
            ui_type={name: str(kind) for name, kind in settings.ui_type.items()},
            hints={name: asdict(hints) for name, hints in settings.hints.items()},
            examples=settings.examples,
            limits=settings.limits,
        )

    @cached_property
    def validator(self) -> "ViewValidator":
        """The validator of views that models write."""
        from genui_core.application.defaults import InProcessValidator  # noqa: PLC0415 -- only generations need it

        return self._validator or InProcessValidator()

    async def validate(
        self,
        text: str,
        mode: "GenerationMode",
        callable_tools: frozenset[str],
        nonce: str = "",
        *,
        repairing: "ValidationReport | None" = None,
    ) -> "ValidationReport":
        """Validate a view for its page and return the report; it must not contain its prompt's nonce."""
        from genui_core.domain.validation.extraction import ValidationContext  # noqa: PLC0415 -- only generations need it

        settings = self.settings
        context = ValidationContext(
            mode=mode,
            callable_tools=callable_tools,
            nonce=nonce or self.identity.nonce(),
            strict=settings.generation.strict,
            repairing=repairing,
            page_policy=settings.page_policy and (mode, settings.host_runtime) not in WITHOUT_POLICY,
        )
        return await self.validator.validate(text, context)

    @cached_property
    def store(self) -> "ViewStore":
        """The view store; an error of the store counts as a miss."""
        from genui_core.application.defaults import GuardedStore  # noqa: PLC0415 -- only generations need it

        return GuardedStore(self._bare_store, self.event_log)

    @cached_property
    def _bare_store(self) -> "ViewStore":
        from genui_core.application.defaults import MemoryStore  # noqa: PLC0415 -- only generations need it

        return self._store or MemoryStore(self.settings.cache, self.clock)

    @cached_property
    def asks_host(self) -> bool:
        """Whether the model is the host's own, which is asked only when a person opens a view."""
        return self.llm is not None and self.llm.name == HOST

    @cached_property
    def page_states(self) -> "PageStates":
        """The states of open pages."""
        from genui_core.application.defaults import PageStates  # noqa: PLC0415 -- only open pages need it

        return PageStates(self.clock)

    def remember_live_host(self, host_name: str) -> None:
        """Remember that pages in this host ask for their next view; at most 100 hosts are remembered."""
        if host_name and len(self.live_hosts) < _MOST_LIVE_HOSTS:
            self.live_hosts.add(host_name)

    def read_timeout_s(self, host_name: str = "") -> float:
        """Return how long a host's read waits for a view, in seconds."""
        generation = self.settings.generation
        if generation.serve_within_ms != "auto":
            return generation.serve_within_ms / 1000
        is_live = host_name in self.live_hosts and generation.mode == "fragment" and not self.asks_host
        return AT_ONCE_S if is_live else _READ_TIMEOUT_S

    @cached_property
    def makes_views(self) -> bool:
        """Whether a tool may get a view other than the minimal one, even if no one submits a view."""
        return any(each is not None for each in (self.llm, self._store, self.histories, self.frozen))

    @cached_property
    def shares_histories(self) -> bool:
        """Whether another process may change a tool's view."""
        return bool(getattr(self.histories, "is_shared", False))  # histories need not inherit from the port

    @property
    def views_outlive_process(self) -> bool:
        """Whether a stored view may be older than the rules of this process."""
        from genui_core.application.defaults import MemoryStore  # noqa: PLC0415 -- only generations need it

        return self.histories is not None or not isinstance(self._bare_store, MemoryStore)

    def with_provider(self, around: "Callable[[LLMProvider], LLMProvider]") -> "Services":
        """Return these services, or a copy around a wrapped provider, which has cached properties of its own."""
        return self if self.llm is None else evolve(self, llm=around(self.llm), store=self._bare_store)

    @contextmanager
    def request(self, method: str, tool_name: str | None) -> "Iterator[str]":
        """Yield an id for a request that the wrapper answers; log its start, and its end with the duration."""
        request_id, began_ms = self.identity.request_id(), self.clock.monotonic_ms()
        about = {"request_id": request_id, "tool_name": tool_name, "method": method}
        self.event_log.record(Level.DEBUG, "wrapper", "request_started", **about)
        try:
            yield request_id
        finally:
            taken_ms = self.clock.monotonic_ms() - began_ms
            self.event_log.record(Level.DEBUG, "wrapper", "request_served", **about, duration_ms=taken_ms)

    def log_failure(
        self,
        method: str,
        error: Exception | Mapping[str, object],
        request_id: str | None = None,
        component: str = "relay",
        **about: object,
    ) -> str:
        """Log a request that fails with an error of the wrapper; return its id in the event log."""
        given = request_id or self.identity.request_id()
        logged = logged_error(error) if isinstance(error, Exception) else error
        self.event_log.record(
            Level.WARN, component, "request_failed", request_id=given, **about, method=method, error=logged
        )
        return given

    async def close(self) -> None:
        """Close the store, which finishes its writes, and the provider."""
        await self.store.close()
        if self.llm is not None:
            try:
                await self.llm.close()
            except Exception as error:  # noqa: BLE001 -- another package's provider may raise anything
                self.event_log.record(Level.WARN, "llm", "close_failed", reason=repr(error))
