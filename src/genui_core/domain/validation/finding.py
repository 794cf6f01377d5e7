"""The findings of the validator in a model's answer, and what they lead to (SPEC §7)."""

from collections.abc import Mapping
from enum import StrEnum

from attrs import frozen

from genui_core.domain.validation.document_plan import DocumentPlan


class Severity(StrEnum):
    """How much a finding matters."""

    WARNING = "warning"
    ERROR = "error"


class Block(StrEnum):
    """The part of an answer that a finding is about."""

    STYLE = "style"
    TEMPLATE = "template"
    SCRIPT = "script"
    DOCUMENT = "document"


@frozen(kw_only=True)
class Finding:
    """One thing that a rule has to say.

    Attributes:
        severity: Whether it stands in the way of serving the view.
        line: From 1, within the block.
    """

    rule: str
    severity: Severity
    message: str
    block: Block
    line: int
    column: int
    excerpt: str = ""
    advice: str = ""

    def as_data(self) -> Mapping[str, object]:
        """Return it as JSON, for prompts, logs and stores."""
        return {
            "rule": self.rule,
            "severity": str(self.severity),
            "message": self.message,
            "block": str(self.block),
            "line": self.line,
            "column": self.column,
            "excerpt": self.excerpt,
            "advice": self.advice,
        }


class Ruling(StrEnum):
    """What becomes of a model's answer."""

    ACCEPTED = "accepted"
    REPAIRED = "repaired"
    FIXABLE = "fixable"
    """The wrapper may ask the model once to repair it."""
    REFUSED = "refused"


@frozen(kw_only=True)
class ValidationReport:
    """The validation report on an answer.

    Attributes:
        source: The view to serve and store, extracted and repaired; where it is fixable, what was
            extracted; "" where it is refused.
        broken: Where it is fixable: the block to repair; None where the answer holds no part of a view.
        excerpt: Where it is fixable: the source of that block.
    """

    ruling: Ruling
    source: str
    findings: tuple[Finding, ...] = ()
    repairs: tuple[str, ...] = ()
    broken: Block | None = None
    excerpt: str = ""
    plan: DocumentPlan | None = None
