"""The validator port: extracts, validates and repairs the view in an answer (requirements V1 to V3)."""

from abc import abstractmethod
from typing import Protocol

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import ValidationReport

__all__ = ["ValidationContext", "ViewValidator"]


class ViewValidator(Protocol):
    """Validates models' answers.

    Validations may run at the same time, in one event loop, and do not block it: parsing happens elsewhere,
    within a time limit. The same text in the same context gets the same report.
    """

    async def prepare(self) -> None:
        """Start what takes time, such as a process: a text to validate follows soon."""
        return

    @abstractmethod
    async def validate(self, text: str, context: ValidationContext) -> ValidationReport:
        """Return the report on a model's answer. A text that takes too long to validate is refused."""
