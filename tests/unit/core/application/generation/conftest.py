"""View services whose model, validator, store and clock the test controls."""

import anyio
import pytest
from attrs import define, field

from genui_core.application.built_kit import built_prompts
from genui_core.application.generation.generator import Generator
from genui_core.application.generation.leases import GenerationLeases
from genui_core.application.generation.validated_store import ValidatedStore
from genui_core.application.generation.view_service import ViewService
from genui_core.application.generation.view_warming import ViewWarming
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.settings.settings import GenerationSettings, Limits
from genui_core.domain.views.cache_key import ViewConfiguration
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.identity import NumberedIdentity
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.view_store import DictStore
from genui_core.testing.view_validator import FirstWordValidator

PROMPTS = built_prompts()


@define
class Workshop:
    """A view service, with the parts that tests look at."""

    service: ViewService
    provider: ScriptedProvider
    store: DictStore
    clock: HandClock
    event_log: RecordingEventLog
    changes: list = field(factory=list)
    tasks: object = None

    @property
    def warming(self):
        slots = self.service.generator.slots
        return ViewWarming(self.service, slots, self.tasks, NumberedIdentity(), self.event_log)

    async def read(self, tool):
        return await self.service.read(Facts(tool=tool), "read-1")

    @property
    def asked(self):
        """How often the model was asked."""
        return len(self.provider.requests)


@pytest.fixture
async def workshop():
    """Set up workshops; whatever still goes on in them ends with the test."""
    async with anyio.create_task_group() as tasks:

        def workshop(*answers, store=None, leases=None, revalidation=None, **settings):
            provider = ScriptedProvider.saying(answers)
            event_log, clock, changes = RecordingEventLog(), HandClock(), []
            kept = DictStore() if store is None else store
            generator = Generator(
                provider=provider,
                validator=FirstWordValidator(),
                prompts=PROMPTS,
                settings=GenerationSettings(**settings),
                limits=Limits(),
                clock=clock,
                identity=NumberedIdentity(),
                event_log=event_log,
            )
            service = ViewService(
                generator=generator,
                stored=ValidatedStore(
                    store=kept, clock=clock, event_log=event_log, revalidation=revalidation
                ),
                configuration=ViewConfiguration("set", "1", "hash", 1),
                clock=clock,
                event_log=event_log,
                tasks=tasks,
                serve_within_ms=generator.settings.serve_within_ms,
                leases=leases or GenerationLeases(),
                changed=lambda tool, _view: changes.append(tool.name),
            )
            return Workshop(service, provider, kept, clock, event_log, changes, tasks)

        yield workshop
        tasks.cancel_scope.cancel()
