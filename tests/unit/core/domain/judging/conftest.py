"""Fixtures that validate parts of views."""

import pytest

from genui_core.domain.finding import Severity
from genui_core.domain.judging.brief import JudgeBrief
from genui_core.domain.judging.judge import judge

FRAGMENT = JudgeBrief(mode="fragment", callable_tools=frozenset({"list", "read_file"}), nonce="4f1c9a77")


@pytest.fixture
def brief():
    return FRAGMENT


@pytest.fixture
def judged():
    """Validate a fragment that is correct except for the given parts."""

    def of(*, script="", template="<p></p>", style="", render="function render(data, ui) {}", **changes):
        text = (
            f"<style>\n{style}\n</style>\n<template>\n{template}\n</template>\n"
            f"<script>\n{render}\n{script}\n</script>\n<!--end-->\n"
        )
        return judge(
            text,
            JudgeBrief(
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
def errors(judged):
    """Return the rules of what stands in the way of a view."""

    def of(**parts):
        return {each.rule for each in judged(**parts).findings if each.severity is Severity.ERROR}

    return of
