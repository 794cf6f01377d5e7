"""No test is passed over in silence: the summary names what was missing, and a build server fails for it.

A test may always be skipped that asks for a variable (its reason says "set GENUI_..."), because it
takes long or fetches something. Any other skip means that a part of this machine is missing.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator

import pytest

ASKED_FOR = re.compile(r"\bset GENUI_\w+=")
TITLE = "tests that did not run"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """Fail a test on a build server that a missing part keeps from running."""
    report = yield
    reason = reason_of(report)
    if reason and os.environ.get("CI") and not ASKED_FOR.search(reason):
        report.outcome = "failed"
        report.longrepr = f"{reason}\nWith CI set, a missing part is a failure."
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name each reason once, with how many tests did not run for it."""
    reports = terminalreporter.stats.get("skipped", [])
    counted = Counter(filter(None, map(reason_of, reports)))
    if counted:
        terminalreporter.section(TITLE)
    for reason, count in counted.most_common():
        terminalreporter.line(f"{count} {'test' if count == 1 else 'tests'}: {reason}")


def reason_of(report: pytest.TestReport) -> str:
    """Return why a test was skipped; nothing where it ran, or was expected to fail."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return ""
    words = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return words.removeprefix("Skipped: ")
