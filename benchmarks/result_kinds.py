"""Print how each recorded result is shown: table, chart, card, list, words, code, picture, text or error.

A result whose words hold JSON is marked with JSON, because the view could have drawn its data.
"""

import argparse
from collections import Counter
from pathlib import Path

from recorded_views import CORPUS, REPOSITORY, adaptive_page, calls_of, folders, open_host, settle

KINDS = REPOSITORY / "tests" / "corpus" / "kinds.js"


def main() -> None:
    """Show every result, and print a line for each and the sum."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--recordings", type=Path, default=CORPUS, help="a folder of recorded servers")
    given = said.parse_args()
    look = KINDS.read_text(encoding="utf-8")
    counts: Counter[str] = Counter()
    with open_host() as host:
        for call in (each for folder in folders(given.recordings) for each in calls_of(folder)):
            tool = call.tool.definition
            view = host.mount(adaptive_page(tool), tool=tool, tool_input=call.arguments)
            view.send_result(call.result)
            settle(view, quiet_ms=30)
            shown = view.frame.evaluate(look)
            kinds = [*shown["kinds"], *(["JSON"] if shown["json"] else [])]
            counts.update(kinds)
            print(f"{call.tool.server + ' / ' + call.tool.name + f' #{call.number}':<60} {', '.join(kinds)}")
    print("\n" + "\n".join(f"{kind:<10}{count:>5}" for kind, count in counts.most_common()))


if __name__ == "__main__":
    main()
