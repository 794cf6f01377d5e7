"""Measure the cost of validating a view of about 30 KB, as a ratio to parsing the same text with html5lib.

The views are the benign documents and the written views of the tests, several in one, and any FILES. Each
round times the validator and the parser in turn, with nothing cached, and the best of all rounds counts.
The process is prepared as the validator's own process is: the garbage collector runs as often as there.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "security"))

import html5lib
from large_pages import large_document, large_fragment

from genui_adapters.validator_process import prepare_process
from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.markup.source import markup_in_script
from genui_core.domain.validation.style_rules import style_rules
from genui_core.domain.validation.validate import validate


def views(files: list[Path]) -> dict[str, tuple[str, str]]:
    """Return the mode and the text of each view, by its name."""
    made = {
        "document": ("document", large_document()),
        "fragment": ("fragment", large_fragment()),
    }
    return made | {file.name: ("document", file.read_text("utf-8", errors="replace")) for file in files}


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of a function, with nothing cached."""
    style_rules.cache_clear()
    markup_in_script.cache_clear()
    begun = time.process_time()
    work()
    return time.process_time() - begun


def measured(mode: str, text: str, rounds: int) -> tuple[float, float]:
    """Return the best times of the validator and of the parser."""
    context = ValidationContext(mode=mode, callable_tools=frozenset({"list"}), nonce="4f1c9a77")
    pairs = [
        (seconds(lambda: validate(text, context)), seconds(lambda: html5lib.parse(text)))
        for _ in range(rounds)
    ]
    return min(own for own, _ in pairs), min(parser for _, parser in pairs)


def main() -> None:
    """Print a table."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("files", metavar="FILES", type=Path, nargs="*", help="documents to validate, too")
    given.add_argument("--rounds", type=int, default=9, help="how often each is measured (default: 9)")
    options = given.parse_args()
    prepare_process()
    print(f"{'view':<32}{'KB':>6}{'ms':>8}{'ms/30 KB':>10}{'x html5lib':>12}")
    for name, (mode, text) in views(options.files).items():
        own, parser = measured(mode, text, options.rounds)
        size = len(text.encode()) / 1000
        print(
            f"{name[:31]:<32}{size:>6.1f}{own * 1000:>8.0f}{own * 30_000 / size:>10.0f}{own / parser:>12.1f}"
        )


if __name__ == "__main__":
    main()
