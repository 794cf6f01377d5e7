"""Fixtures that validate parts of views."""

import pytest

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import Severity
from genui_core.domain.validation.validate import validate

FRAGMENT = ValidationContext(
    mode="fragment", callable_tools=frozenset({"list", "read_file"}), nonce="4f1c9a77"
)


@pytest.fixture
def context():
    return FRAGMENT


@pytest.fixture
def validated():
    """Validate a fragment that is correct except for the given parts."""

    def of(*, script="", template="<p></p>", style="", render="function render(data, ui) {}", **changes):
        text = (
            f"<style>\n{style}\n</style>\n<template>\n{template}\n</template>\n"
            f"<script>\n{render}\n{script}\n</script>\n<!--end-->\n"
        )
        return validate(
            text,
            ValidationContext(
                **{
                    "mode": "fragment",
                    "callable_tools": FRAGMENT.callable_tools,
                    "nonce": FRAGMENT.nonce,
                    **changes,
                }
            ),
        )

    return of


@pytest.fixture
def errors(validated):
    """Return the rules of the errors in a view."""

    def of(**parts):
        return {each.rule for each in validated(**parts).findings if each.severity is Severity.ERROR}

    return of
