"""Runs attack strings, or views that the validator accepts, in Chromium and records which act.

    PYTHONPATH=tests/security:tests/browser python -m attack.survey [--accepted]

Writes ``acting.txt``: the hashes of the strings that act in their place, none of the strings themselves.
With ``--accepted`` it runs the views that the validator accepts instead, and lists those that still act.
Both take some minutes; the browser's results are cached in the cache folder, and only new views run.
"""

import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from attack.browser_oracle import oracle
from attack.contexts import Place, attempts
from attack.sources import cache_folder

from genui_core.domain.validation.finding import Ruling
from genui_core.domain.validation.validate import validate

ACTING: Final = Path(__file__).with_name("acting.txt")
EXCEPTIONS: Final = Path(__file__).with_name("exceptions.txt")
STOPPED: Final = {"img-src", "media-src"}
"""The directives that the browser reports if the page's policy blocks a picture, a film or a sound."""
_SERVED: Final = {Ruling.ACCEPTED, Ruling.REPAIRED}


def mark(place: Place, text: str) -> str:
    """Return the entry of a string and its place in the lists."""
    return f"{place.name} {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def listed(file: Path) -> frozenset[str]:
    """Return the marks in a list, without comments, which begin with ``#``."""
    return frozenset(each for each in file.read_text().splitlines() if each and not each.startswith("#"))


def main(arguments: list[str]) -> None:
    """Run the survey."""
    if "--accepted" in arguments:
        _show_what_passes()
    else:
        _write_acting()


def _write_acting() -> None:
    tried = list(attempts())
    deeds = _asked(place.page(place.answer(text)) for place, text in tried)
    acting = [mark(place, text) for (place, text), done in zip(tried, deeds, strict=True) if done]
    ACTING.write_text("".join(f"{each}\n" for each in sorted(acting)))
    print(f"{len(acting)} of {len(tried)} act")  # noqa: T201


def _show_what_passes() -> None:
    reports = ((place, text, validate(place.answer(text), place.context)) for place, text in attempts())
    passed = [each for each in reports if each[2].ruling in _SERVED]
    deeds = _asked(place.page(report.source) for place, _, report in passed)
    missed = [(each, done) for each, done in zip(passed, deeds, strict=True) if set(done) - STOPPED]
    for (place, text, report), done in missed:
        print(f"{mark(place, text)} {report.ruling} {' '.join(done)}: {text[:160]!r}")  # noqa: T201
    print(f"{len(missed)} of {len(passed)} that pass act")  # noqa: T201
    sys.exit(1 if missed else 0)


def _asked(pages: Iterable[str]) -> list[list[str]]:
    """Return what each page does; show only pages without a cached result."""
    asked = [(hashlib.sha256(page.encode()).hexdigest(), page) for page in pages]
    file = cache_folder() / "answers.jsonl"
    known = dict(map(json.loads, file.read_text().splitlines())) if file.is_file() else {}
    new = {name: page for name, page in asked if name not in known}
    with oracle() as browser, file.open("a") as answers:
        for name, shown in zip(new, browser.shown(list(new.values())), strict=True):
            known[name] = list(shown.deeds)
            answers.write(json.dumps([name, known[name]]) + "\n")
    return [known[name] for name, _ in asked]


if __name__ == "__main__":
    main(sys.argv[1:])
