"""View services whose model, validator, store and clock the test controls."""

import anyio
import pytest
from attrs import define, evolve, field

from genui_core.application.generation.shape_learning import ShapeLearning
from genui_core.application.services import Services
from genui_core.application.upstream_tools import UpstreamTools
from genui_core.application.views.view_service import ViewService
from genui_core.application.worker.generation_worker import ViewWarming
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Settings
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.identity import NumberedIdentity
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.view_store import DictStore
from genui_core.testing.view_validator import FirstWordValidator


@define
class OpenService:
    """A view service, with its services that tests inspect."""

    service: ViewService
    provider: ScriptedProvider
    store: DictStore
    clock: HandClock
    event_log: RecordingEventLog
    changes: list = field(factory=list)
    lock: object = None
    histories: object = None

    @property
    def warming(self):
        return ViewWarming(self.service)

    async def read(self, tool):
        return await self.service.read(Facts(tool=tool), "read-1")

    @property
    def asked(self):
        """The number of requests to the model."""
        return len(self.provider.requests)


@pytest.fixture
async def open_service():
    """Return a function that opens view services; their tasks end with the test."""
    async with anyio.create_task_group() as tasks:

        def open_service(
            *answers,
            store=None,
            lock=None,
            validator=None,
            histories=None,
            frozen=None,
            shapes=None,
            upstream_name="",
            configured=None,
            **settings,
        ):
            provider = ScriptedProvider.saying(answers)
            event_log, clock, changes = RecordingEventLog(), HandClock(), []
            kept = DictStore() if store is None else store
            services = Services(
                settings=Settings(generation=GenerationSettings(**settings)),
                llm=provider,
                validator=validator or FirstWordValidator(),
                store=kept,
                lock=lock,
                histories=histories,
                frozen=frozen,
                clock=clock,
                identity=NumberedIdentity(),
                event_log=event_log,
            )
            if configured:
                object.__setattr__(services, "configuration", evolve(services.configuration, **configured))
            tools = UpstreamTools(services.settings, services.brand)
            tools.know_upstream({"name": upstream_name})
            service = ViewService(
                services,
                tasks,
                lambda tool, _view: changes.append(tool.name),
                tools,
                shapes or ShapeLearning(keeps_values=False),
            )
            return OpenService(service, provider, kept, clock, event_log, changes, lock, histories)

        yield open_service
        tasks.cancel_scope.cancel()
