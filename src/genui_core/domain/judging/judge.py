"""The validator: turns a model's answer into a report."""

from genui_core.domain.finding import Block, Finding, Verdict
from genui_core.domain.judging.brief import JudgeBrief
from genui_core.domain.judging.document_judging import document_of, judge_document
from genui_core.domain.judging.fragment_judging import fragment_of, judge_fragment
from genui_core.domain.judging.hijack import leaks
from genui_core.domain.judging.rules import MAX_BYTES
from genui_core.domain.judging.ruling import refused, unjudged, without_view
from genui_core.domain.judging.sighting import Sighting, SourceText


def judge(text: str, brief: JudgeBrief) -> Verdict:
    """Return the verdict on a model's answer, whatever its text is. It never raises.

    Extracts the view from the answer, makes mechanical repairs, and validates the result. The same
    text with the same brief gets the same report.
    """
    try:
        return _verdict(text, brief)
    except Exception:  # noqa: BLE001 -- a view that crashes the validator must not be served
        return unjudged()


def _verdict(text: str, brief: JudgeBrief) -> Verdict:
    answer = text.encode("utf-8", "replace").decode("utf-8")
    leak = next(leaks(answer, brief.nonce), None)
    if leak is not None:
        return refused(_finding(answer, leak))
    if len(answer.encode()) > 2 * MAX_BYTES:
        return refused(_finding("", Sighting("size.too_large")))
    verdict = _document(answer, brief) if brief.mode == "document" else _fragment(answer, brief)
    if len(verdict.source.encode()) > MAX_BYTES:
        return refused(_finding("", Sighting("size.too_large")))
    return verdict


def _fragment(answer: str, brief: JudgeBrief) -> Verdict:
    fragment = fragment_of(answer, brief.repairing)
    if fragment is None:
        return without_view(_finding("", Sighting("view.missing")))
    if len(fragment.text.encode()) > MAX_BYTES:
        return refused(_finding("", Sighting("size.too_large")))
    return judge_fragment(fragment, brief)


def _document(answer: str, brief: JudgeBrief) -> Verdict:
    document = document_of(answer, brief.repairing)
    if document is None:
        return without_view(_finding("", Sighting("view.missing")))
    if len(document.encode()) > MAX_BYTES:
        return refused(_finding("", Sighting("size.too_large")))
    return judge_document(document, brief)


def _finding(text: str, sighting: Sighting) -> Finding:
    return SourceText(text, Block.DOCUMENT).finding(sighting)
