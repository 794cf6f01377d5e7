"""Extracts a view from a model's answer, validates it and makes mechanical repairs (requirements V1 to V3)."""

from abc import abstractmethod
from typing import Protocol

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import ValidationReport

__all__ = ["ValidationContext", "ViewValidator"]


class ViewValidator(Protocol):
    """Validates models' answers.

    Validations may be asked for at the same time, in one event loop, which they do not hold up:
    parsing happens elsewhere, within a limit. The same text in the same context gets the same
    report.
    """

    async def prepare(self) -> None:
        """Set up in advance if that takes time: a text to validate will follow soon."""
        return

    @abstractmethod
    async def validate(self, text: str, context: ValidationContext) -> ValidationReport:
        """Return the report on a model's answer. A text that takes too long to validate is refused."""
