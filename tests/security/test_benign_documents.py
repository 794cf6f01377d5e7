"""The validator refuses no document of the kind that models write, even if parts look like an attack
(requirement V4).
"""

from pathlib import Path

import pytest

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import Ruling, Severity
from genui_core.domain.validation.validate import validate

CONTEXT = ValidationContext(mode="document", callable_tools=frozenset({"list"}), nonce="4f1c9a77")
DOCUMENTS = sorted((Path(__file__).parent / "benign").glob("*.html"))


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: file.stem)
def test_a_benign_document_is_served(file):
    report = validate(file.read_text(encoding="utf-8"), CONTEXT)
    assert [each for each in report.findings if each.severity is Severity.ERROR] == []
    assert report.ruling in (Ruling.ACCEPTED, Ruling.REPAIRED)


def test_the_benign_documents_are_many():
    assert len(DOCUMENTS) >= 43
