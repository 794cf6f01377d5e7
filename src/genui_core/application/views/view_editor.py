"""Changes a view for a person or for the host's own model: refinements, drafts, earlier versions."""

from collections.abc import Awaitable, Callable
from itertools import count

import anyio
from attrs import Factory, evolve, field, frozen

from genui_core.application.generation.generation_run import GenerationTask, prompt_writer
from genui_core.application.generation.present_view import (
    VARIANT,
    Change,
    ChangeStatus,
    PresentView,
    Version,
    present_view,
    stored_outcome,
)
from genui_core.application.generation.single_flight import SingleFlight
from genui_core.application.views.view_service import Report, ViewService
from genui_core.domain.generation.outcome import Outcome
from genui_core.domain.prompting.prompts import Facts, Prompt
from genui_core.domain.settings.llm_settings import GenerationMode
from genui_core.domain.tools.classification import UiType, ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.finding import ValidationReport
from genui_core.domain.views.stored_view import Refinements
from genui_core.errors import InvalidArguments, NotValidated, ToolChanged

CHANGE_TIMEOUT_S = 45.0
"""How many seconds a call waits for a change; after that the change continues in the background."""


@frozen
class ViewEditor:
    """Changes views. Changes of one tool happen one after the other.

    Until a change has succeeded, reads return the old view. If a change fails, the view and the
    refinements stay as they were.
    """

    service: ViewService
    _timeout_s: float = CHANGE_TIMEOUT_S
    _locks: dict[str, anyio.Lock] = Factory(dict)
    _changes: SingleFlight[PresentView] = field(
        init=False, default=Factory(lambda editor: SingleFlight(editor.service.tasks), takes_self=True)
    )
    _numbers: "count[int]" = field(init=False, factory=count)

    def is_changing(self, tool: Tool) -> bool:
        """Whether a change of the tool's view is under way."""
        lock = self._locks.get(tool.name)
        return lock is not None and lock.locked()

    async def refine(self, facts: Facts, feedback: str, request_id: str, report: Report) -> Change:
        """Change a tool's view by one more refinement.

        Raises:
            InvalidArguments: The feedback is empty.
        """
        if not feedback.strip():
            raise InvalidArguments("feedback must say in words what to change.")
        service, tool = self.service, facts.tool

        async def attempt() -> PresentView:
            await service.recall(facts)
            present = service.present(tool)
            refinements = service.memory.refinements(tool.name).with_one_more(
                feedback, at=service.services.clock.now(), key_before=service.key(tool)
            )
            source = present.source if present is not None else ""
            task = _task(service.task_for(facts, request_id), refinements, UiType.RICH, source)
            return await self._attempt(task, refinements, report, f"refined: {feedback}")

        return await self._in_turn(tool, attempt)

    async def regenerate(
        self,
        facts: Facts,
        request_id: str,
        report: Report,
        *,
        clear_refinements: bool = False,
        ui_type: UiType | None = None,
        variants: int = 1,
    ) -> Change:
        """Make a tool's view again, even if the store holds one.

        With 2 ``variants``, two rich views are made to choose between. The second is shown until a person
        chooses the first; if the second fails, the first is shown.
        """
        service, tool = self.service, facts.tool

        async def attempt() -> PresentView:
            await service.recall(facts)
            present = service.memory.refinements(tool.name)
            refinements = evolve(present, all=()) if clear_refinements else present
            if ui_type is not None:
                service.decide_kind(tool, ui_type)
            kind = ui_type or (UiType.RICH if refinements.all or variants > 1 else None)
            task = _task(service.task_for(facts, request_id), refinements, kind)
            if variants == 1:
                return await self._attempt(task, refinements, report, "regenerated")
            return await self._two_variants(task, refinements, report)

        return await self._in_turn(tool, attempt)

    async def _two_variants(
        self, task: GenerationTask, refinements: Refinements, report: Report
    ) -> PresentView:
        first = await self._attempt(task, refinements, report, "regenerated")
        if first.state is ViewState.FALLBACK:
            return first
        report("The first variant is ready; the second is next")
        others = evolve(task.facts, refinements=(*task.facts.refinements, _UNLIKE_THE_FIRST))
        occasion = f"{VARIANT}{self.service.memory.number_of(task.facts.tool.name, first)}"
        second = await self._attempt(evolve(task, facts=others), refinements, report, occasion)
        if second.state is ViewState.FALLBACK:
            return evolve(first, reason=f"There is one variant only: {second.reason}")
        return second

    async def roll_back(self, facts: Facts, number: int) -> Version:
        """Return to an earlier view of a tool, with the refinements of that time.

        A model or configuration other than the present one may have made that view.

        Raises:
            InvalidArguments: There is no such version (the message lists the versions); or it does not pass
                validation; or it was made for another definition of the tool or another page template.
            ToolChanged: The tool was changed or removed in the meantime.
        """
        service = self.service
        removals = service.removals[facts.tool.name]
        await service.recall(facts)
        version = self._under_present_key(facts.tool, await self.version(facts, number))
        async with self._locks.setdefault(facts.tool.name, anyio.Lock()):
            await service.adopt(
                facts.tool, version.view, version.occasion, version.refinements, removals=removals
            )
        return version

    def _under_present_key(self, tool: Tool, version: Version) -> Version:
        """Return a version under the tool's present key; raise if it does not fit the tool or the page."""
        service, stored = self.service, version.view.stored
        what = f"Version {version.number} of {tool.name!r}"
        if stored is not None and not stored.is_made_for(tool.hash):
            raise InvalidArguments(f"{what} was made for another definition of the tool, which has changed.")
        if stored is not None and stored.template_version != service.services.configuration.template_version:
            raise InvalidArguments(f"{what} was made for another version of the page template.")
        return evolve(version, view=version.view.under_key(service.key(tool, version.refinements)))

    async def version(self, facts: Facts, number: int) -> Version:
        """Return a remembered version of a tool's view.

        Raises:
            InvalidArguments: There is no such version (the message lists the versions); or it does not pass
                validation.
        """
        tool = facts.tool
        versions = {each.number: each for each in self.service.memory.versions(tool.name)}
        if number not in versions:
            known = ", ".join(map(str, versions)) or "none yet"
            raise InvalidArguments(f"There is no version {number} of {tool.name!r}; there are: {known}.")
        view = await self.service.stored.revalidate(facts, versions[number].view)
        if view is None:
            raise InvalidArguments(f"Version {number} of {tool.name!r} no longer passes the checks of views.")
        return evolve(versions[number], view=view)

    async def _attempt(
        self, task: GenerationTask, refinements: Refinements, report: Report, occasion: str
    ) -> PresentView:
        service, tool = self.service, task.facts.tool
        removals, key = service.removals[tool.name], service.key(tool, refinements)
        view = await service.make(task, key, report)
        if view.state is ViewState.FALLBACK:
            return view
        try:
            await service.adopt(tool, view, occasion, refinements, removals=removals)
        except ToolChanged as error:
            return PresentView(state=ViewState.FALLBACK, key=key, reason=str(error))
        return view

    async def _in_turn(self, tool: Tool, attempt: Callable[[], Awaitable[PresentView]]) -> Change:
        clock = self.service.services.clock
        started_ms = clock.monotonic_ms()

        async def work() -> PresentView:
            async with self._locks.setdefault(tool.name, anyio.Lock()):
                return await attempt()

        name = f"{tool.name} {next(self._numbers)}"
        view = await self._changes.join(name, work, timeout_s=self._timeout_s)
        has_failed = view is not None and view.state is ViewState.FALLBACK
        shown = self.service.present(tool) if view is None or has_failed else view
        done = ChangeStatus.FAILED if has_failed else ChangeStatus.DONE
        return Change(
            status=ChangeStatus.RUNNING if view is None else done,
            seconds=(clock.monotonic_ms() - started_ms) / 1000,
            ui_type=UiType.MINIMAL if shown is None else shown.kind,
            reason="" if view is None else view.reason,
            error_type=None if view is None else view.error_type,
        )


def _task(
    task: GenerationTask, refinements: Refinements, ui_type: UiType | None, source: str = ""
) -> GenerationTask:
    """Return a task with other refinements. A person who refines a view wants more than a minimal view."""
    facts = evolve(task.facts, refinements=refinements.feedback)
    return evolve(task, facts=facts, source=source, ui_type=ui_type or task.ui_type)


_UNLIKE_THE_FIRST = "Lay the result out in another way than comes to mind first: another main part, drawn and ordered differently."
"""The instruction to the model for the second of two variants. It is not stored as a refinement."""

WRITTEN_BY_HOST = "host"
"""The model name of a submitted view: the host does not say which model wrote it."""

_DOCUMENT_SIGNS = ("<!doctype html", "<html")
"""A draft that contains one of these is a document; any other draft is in the configured mode."""


@frozen
class Submission:
    """The result of validating a submitted view.

    Attributes:
        report: The validation report.
        view: The view in the form to serve; None if it did not pass.
    """

    report: ValidationReport
    view: PresentView | None


@frozen
class ViewDrafts:
    """Returns prompts for views, and accepts views that others wrote from these prompts."""

    _service: ViewService
    _nonces: dict[str, str] = Factory(dict)

    async def prompt(self, facts: Facts) -> Prompt:
        """Return the prompt with which a model would write the tool's view now."""
        await self._service.recall(facts)
        nonce = self._nonces[facts.tool.name] = self._service.services.identity.nonce()
        writer = prompt_writer(self._service.services, nonce)
        return writer.write(
            evolve(facts, refinements=self._service.memory.refinements(facts.tool.name).feedback)
        )

    async def submit(self, facts: Facts, html: str, request_id: str) -> Submission:
        """Validate a view, and make it the tool's present one if it passes.

        Raises:
            NotValidated: The validator failed.
            ToolChanged: The tool has changed since the view was submitted.
        """
        tool, service = facts.tool, self._service
        removals = service.removals[tool.name]
        await service.recall(facts)
        submission = await self.check(facts, html, request_id)
        if submission.view is not None:
            await service.adopt(tool, submission.view, "handed in", removals=removals)
        return submission

    async def check(self, facts: Facts, html: str, request_id: str) -> Submission:
        """Validate a view without serving it.

        Raises:
            NotValidated: The validator failed.
        """
        services, text, nonce = self._service.services, html.lower(), self._nonces.get(facts.tool.name, "")
        is_document = any(sign in text for sign in _DOCUMENT_SIGNS)
        mode: GenerationMode = "document" if is_document else services.settings.generation.mode
        try:
            report = await services.validate(html, mode, facts.told_names, nonce)
        except Exception as error:
            raise NotValidated(error) from error
        return Submission(report, self._view(facts, report, mode, request_id) if report.is_valid else None)

    def _view(
        self, facts: Facts, report: ValidationReport, mode: GenerationMode, request_id: str
    ) -> PresentView:
        outcome = Outcome(
            ui_type=UiType.RICH,
            source=report.source,
            findings=report.findings,
            repairs=report.repairs,
            model=WRITTEN_BY_HOST,
        )
        services, key = self._service.services, self._service.key(facts.tool)
        stored = stored_outcome(services, outcome, facts, key, request_id, mode, was_decided=True)
        return present_view(stored, report.plan)
