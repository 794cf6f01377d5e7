"""The table of layers in docs/security.md agrees with what a browser test recorded."""

import json
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
LAYERS = ("none", "policy", "guard", "names", "all")


def table():
    recorded = json.loads((REPOSITORY / "tests/browser/layers.json").read_text(encoding="utf-8"))
    lines = [
        "| what a script tries | attempts | no layer | policy | + guard | + names | + gate |",
        "|---|---|---|---|---|---|---|",
    ]
    for group, each in sorted(recorded.items()):
        cells = (group, each["attempts"], *(len(each[layers]) for layers in LAYERS))
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def test_the_table_of_layers_says_what_was_recorded():
    assert table() in (REPOSITORY / "docs/security.md").read_text(encoding="utf-8")
