"""The validator: turns a model's answer into a report."""

from genui_core.domain.validation.context import ValidationContext
from genui_core.domain.validation.document_validation import document_of, validate_document
from genui_core.domain.validation.finding import Block, Finding, ValidationReport
from genui_core.domain.validation.fragment_validation import fragment_of, validate_fragment
from genui_core.domain.validation.hijack import leaks
from genui_core.domain.validation.rule_match import RuleMatch, SourceText, refused, unfinished, without_view
from genui_core.domain.validation.rules import MAX_BYTES


def validate(text: str, context: ValidationContext) -> ValidationReport:
    """Return the report on a model's answer, whatever its text is. It never raises.

    Extracts the view from the answer, makes mechanical repairs, and validates the result. The same
    text in the same context gets the same report.
    """
    try:
        return _report(text, context)
    except Exception:  # noqa: BLE001 -- a view that crashes the validator must not be served
        return unfinished()


def _report(text: str, context: ValidationContext) -> ValidationReport:
    answer = text.encode("utf-8", "replace").decode("utf-8")
    leak = next(leaks(answer, context.nonce), None)
    if leak is not None:
        return refused(_finding(answer, leak))
    if len(answer.encode()) > 2 * MAX_BYTES:
        return refused(_finding("", RuleMatch("size.too_large")))
    report = _document(answer, context) if context.mode == "document" else _fragment(answer, context)
    if len(report.source.encode()) > MAX_BYTES:
        return refused(_finding("", RuleMatch("size.too_large")))
    return report


def _fragment(answer: str, context: ValidationContext) -> ValidationReport:
    fragment = fragment_of(answer, context.repairing)
    if fragment is None:
        return without_view(_finding("", RuleMatch("view.missing")))
    if len(fragment.text.encode()) > MAX_BYTES:
        return refused(_finding("", RuleMatch("size.too_large")))
    return validate_fragment(fragment, context)


def _document(answer: str, context: ValidationContext) -> ValidationReport:
    document = document_of(answer, context.repairing)
    if document is None:
        return without_view(_finding("", RuleMatch("view.missing")))
    if len(document.encode()) > MAX_BYTES:
        return refused(_finding("", RuleMatch("size.too_large")))
    return validate_document(document, context)


def _finding(text: str, rule_match: RuleMatch) -> Finding:
    return SourceText(text, Block.DOCUMENT).finding(rule_match)
