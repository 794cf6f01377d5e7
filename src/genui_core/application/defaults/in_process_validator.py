"""A validator without a process of its own: the default of `Wrapper`."""

from attrs import evolve, frozen

from genui_core.domain.pages.page_policy import PagePolicy
from genui_core.domain.settings.settings import Settings
from genui_core.domain.validation.finding import ValidationReport
from genui_core.ports.view_validator import ValidationContext, ViewValidator


class InProcessValidator(ViewValidator):
    """Validates in the calling thread, and blocks the generation worker's event loop while it does."""

    async def validate(self, text: str, context: ValidationContext) -> ValidationReport:
        """Return the report."""
        from genui_core.domain.validation.validate import validate  # noqa: PLC0415 -- parsers: not before they are needed

        return validate(text, context)


@frozen
class PageAwareValidator(ViewValidator):
    """Tells a validator whether the page of a view will have a policy of its own.

    Attributes:
        validator: The validator.
        settings: What decides about the policy.
    """

    validator: ViewValidator
    settings: Settings

    async def prepare(self) -> None:
        """Get ready."""
        await self.validator.prepare()

    async def validate(self, text: str, context: ValidationContext) -> ValidationReport:
        """Return the report on a view for its page."""
        policy = PagePolicy(is_on=self.settings.page_policy)
        has_policy = policy.is_in(context.mode, self.settings.host_runtime)
        return await self.validator.validate(text, evolve(context, page_policy=has_policy))
