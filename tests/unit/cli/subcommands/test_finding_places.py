"""The place of a finding in a validated file."""

import pytest

from genui_cli.subcommands.validate import place_in
from genui_core.domain.validation.finding import Block, Finding, Severity

TEXT = "<style>\n.a{}\n</style>\n<script>let a = 1;\n  eval(a)\n</script>\n<script>\neval(b)\n</script>"


def found(block, line, excerpt, column=1):
    return Finding(
        rule="r",
        severity=Severity.ERROR,
        message="",
        block=block,
        line=line,
        column=column,
        excerpt=excerpt,
    )


@pytest.mark.parametrize(
    ("finding", "place"),
    [
        (found(Block.STYLE, 1, ".a{}"), (2, 1)),
        (found(Block.STYLE, 2, ".a{}"), (2, 1)),
        (found(Block.SCRIPT, 1, "let a"), (4, 9)),
        (found(Block.SCRIPT, 2, "eval(a)"), (5, 3)),
        (found(Block.SCRIPT, 2, "a", 8), (5, 8)),
        (found(Block.SCRIPT, 2, "a", 9), (5, 5)),
        (found(Block.SCRIPT, 1, "eval(b)…"), (8, 1)),
        (found(Block.DOCUMENT, 5, "eval(a)\nmore"), (5, 3)),
        (found(Block.SCRIPT, 7, "eval(a)"), None),
        (found(Block.TEMPLATE, 1, "eval(a)"), None),
        (found(Block.SCRIPT, 1, ""), None),
    ],
)
def test_a_finding_is_found_again_in_its_file(finding, place):
    assert place_in(TEXT, finding) == place
