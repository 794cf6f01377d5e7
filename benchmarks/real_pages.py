"""Validates pages that people wrote for other purposes, and lists each refusal with its rules and reasons.

    python benchmarks/real_pages.py --pages FOLDER

FOLDER holds self-contained HTML pages, such as single-file widgets of public repositories. Such a page has no
`App`, so the model would be asked for one (`fixable`): that is no refusal. A refusal is right where the page
does what would work and must not, such as opening a network connection: the excerpts let a reader decide.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import (
    RULES,
    Consequence,
    Finding,
    Ruling,
    Severity,
    ValidationReport,
)
from genui_core.domain.validation.validate import validate

CONTEXT = ValidationContext(mode="document", callable_tools=frozenset({"list"}), nonce="4f1c9a77")
MOST_SHOWN = 5


def main() -> None:
    """Print a line for each rule that refuses a page, and one for all pages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=Path, nargs="+", required=True, help="folders of HTML pages")
    folders = parser.parse_args().pages
    files = sorted(file for folder in folders for file in folder.rglob("*.html"))
    if not files:
        parser.error("the folders have no HTML page")
    rulings = Counter(print_page(file) for file in files)
    print(f"{len(files)} pages:", ", ".join(f"{count} {name}" for name, count in sorted(rulings.items())))


def print_page(file: Path) -> str:
    """Validate a page, print why it is refused, and return the ruling."""
    report = validate(file.read_text("utf-8", errors="replace"), CONTEXT)
    for line in reasons(report):
        print(f"{file.name}: {line}", flush=True)
    return str(report.ruling)


def reasons(report: ValidationReport) -> Iterator[str]:
    """Yield each rule that refuses a page, with the excerpts of its findings."""
    found = [*refusing(report.findings)] if report.ruling is Ruling.REFUSED else []
    for rule in dict.fromkeys(each.rule for each in found):
        of_rule = [each for each in found if each.rule == rule]
        shown = "; ".join(f"line {each.line}: {each.excerpt[:80]!r}" for each in of_rule[:MOST_SHOWN])
        yield f"{rule}, {len(of_rule)} times. {of_rule[0].message} {shown}"


def refusing(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that refuse a page."""
    for each in findings:
        if each.severity is Severity.ERROR and RULES[each.rule].consequence is not Consequence.ASK:
            yield each


if __name__ == "__main__":
    main()
