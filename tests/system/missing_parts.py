"""The summary names the missing programs that skipped tests, and on a build server such tests fail.

A test that asks for a variable (its reason says "set GENUI_...") may always be skipped, because it
takes long or fetches something. Any other skip means that this machine lacks a program.
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
    """On a build server, fail a test that was skipped for a missing program."""
    report = yield
    reason = reason_of(report)
    if reason and os.environ.get("CI") and not ASKED_FOR.search(reason):
        report.outcome = "failed"
        report.longrepr = f"{reason}\nWith CI set, a missing part is a failure."
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print each reason once, with the number of tests that it skipped."""
    reports = terminalreporter.stats.get("skipped", [])
    counted = Counter(filter(None, map(reason_of, reports)))
    if counted:
        terminalreporter.section(TITLE)
    for reason, count in counted.most_common():
        terminalreporter.line(f"{count} {'test' if count == 1 else 'tests'}: {reason}")


def reason_of(report: pytest.TestReport) -> str:
    """Return why a test was skipped, or "" if it ran or was expected to fail."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return ""
    words = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return words.removeprefix("Skipped: ")
