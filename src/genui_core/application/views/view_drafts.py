"""Views that the host's own model writes: it is given the prompt, and hands in what it wrote (SPEC §8)."""

from attrs import Factory, define, evolve, frozen

from genui_core.application.generation.generation_run import prompt_writer
from genui_core.application.generation.present_view import PresentView, plan_context
from genui_core.application.generation.view_state import ViewState
from genui_core.application.services import Services
from genui_core.application.views.view_service import ViewService
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.prompting.prompts import Prompt
from genui_core.domain.settings.settings import GenerationMode
from genui_core.domain.validation.context import ValidationContext
from genui_core.domain.validation.finding import Ruling, ValidationReport
from genui_core.domain.views.stored_view import StoredView
from genui_core.errors import NotValidated

WRITTEN_BY_HOST = "host"
"""The model name of a submitted view: the host does not say which model wrote it."""

_DOCUMENT_SIGNS = ("<!doctype html", "<html")


@frozen
class Submission:
    """What became of a view that was handed in.

    Attributes:
        report: The validation report.
        view: The view as it is served from now on, or None where it was refused.
    """

    report: ValidationReport
    view: PresentView | None


@define
class ViewDrafts:
    """Gives prompts away, and takes in what was written to them.

    Args:
        service: Serves the accepted views.
    """

    _service: ViewService
    _nonces: dict[str, str] = Factory(dict)

    @property
    def _services(self) -> Services:
        return self._service.services

    async def prompt(self, facts: Facts) -> Prompt:
        """Return what a model would be told now to write the tool's view."""
        await self._service.recall(facts)
        nonce = self._nonces[facts.tool.name] = self._services.identity.nonce()
        writer = prompt_writer(self._services, nonce)
        return writer.write(evolve(facts, refinements=self._service.refinements(facts.tool).feedback))

    async def submit(self, facts: Facts, html: str, request_id: str) -> Submission:
        """Validate a view, and make it the tool's present one if it passes.

        Raises:
            NotValidated: The validator failed.
            ToolChanged: The tool has changed since the view was submitted.
        """
        tool, service = facts.tool, self._service
        removals = service.standing.removals(tool)
        await service.recall(facts)
        mode = self._mode_of(html)
        context = ValidationContext(
            mode=mode,
            callable_tools=facts.told_names,
            nonce=self._nonces.get(tool.name) or self._services.identity.nonce(),
            strict=self._services.settings.generation.strict,
        )
        try:
            report = await self._services.validator.validate(html, context)
        except Exception as error:
            raise NotValidated(error) from error
        if report.ruling not in (Ruling.ACCEPTED, Ruling.REPAIRED):
            return Submission(report, None)
        view = self._view(facts, report, mode, request_id)
        await service.adopt(tool, view, "handed in", removals=removals)
        return Submission(report, view)

    def _mode_of(self, html: str) -> GenerationMode:
        """A document says that it is one; whatever else comes is of the mode that was asked for."""
        text = html.lower()
        return (
            "document"
            if any(sign in text for sign in _DOCUMENT_SIGNS)
            else self._services.settings.generation.mode
        )

    def _view(
        self, facts: Facts, report: ValidationReport, mode: GenerationMode, request_id: str
    ) -> PresentView:
        service = self._service
        key = service.key(facts.tool)
        stored = StoredView(
            key=key,
            tool_name=facts.tool.name,
            html=report.source,
            generated_at=service.services.clock.now().isoformat(timespec="milliseconds"),
            generation_duration_ms=0,
            prompt_version=service.services.configuration.prompt_set_version,
            template_version=service.services.configuration.template_version,
            request_id=request_id,
            llm_model=WRITTEN_BY_HOST,
            context={
                **plan_context(report.plan),
                "toolHash": facts.tool.hash,
                "mode": mode,
                "uiType": "rich",
                "repairs": list(report.repairs),
            },
            findings=tuple(each.as_data() for each in report.findings),
        )
        return PresentView(state=ViewState.GENERATED, key=key, source=report.source, stored=stored)
