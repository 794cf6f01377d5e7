"""Compare views blind: the wrapper's views with and without a model, and pages of another maker.

Writers and judges are people or models outside of this program; it hands them files and reads theirs. The method is
in docs/how-to/compare-views.md.
"""

import argparse
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from preference_cases import CASES, Case, case_of, choose, recorded_calls
from preference_pages import CHARACTERS_A_TOKEN, NARROW, WIDE, minimal_page, pictures, prompt, serve
from preference_tally import MINIMAL, OURS, PEER, makers_by_letter, report, votes
from recorded_views import CORPUS, open_host

EXAMPLES = """
examples, in the order of a round:
  .venv/bin/python benchmarks/preference.py choose --folder /tmp/round1 --seed 7 --round 1
  .venv/bin/python benchmarks/preference.py prompts --folder /tmp/round1     # cases/NN/prompt.md
      a writer answers each in cases/NN/answer.md; another maker's page goes to cases/NN/peer.html
  .venv/bin/python benchmarks/preference.py serve --folder /tmp/round1       # cases/NN/ours.html, minimal.html
  .venv/bin/python benchmarks/preference.py pictures --folder /tmp/round1    # sets/NN/{A,B,C}.png, tool.txt; key.json
      each judge gets sets/ and briefs/, nothing else, and answers in judges/NAME.json
  .venv/bin/python benchmarks/preference.py tally --folder /tmp/round1
"""
BRIEFS = {
    "designer.txt": "You are a product designer and hard to please. For each set, look at the pictures and at what "
    "the user wanted. Give each picture 0 to 10 overall, after weighing: is it right for the task, is it clear at first "
    "sight, is it well designed, does it look as if one could act on it. Rank them.",
    "user.txt": "You use chat assistants every day. For each set, say which picture you would want beside the answer, "
    "which second, which last, and give each 0 to 10. Begin with the last set.",
}
ANSWER_FORM = """
Name each picture that states something that the others show to be wrong or unknown. Write one sentence for each set.
Answer with JSON and nothing else, one entry for each set:
[{"set": 1, "overall": {"A": 7, "B": 5, "C": 8}, "rank": ["C", "A", "B"], "misleading": [], "words": "…"}]
"""


def main() -> None:
    """Do one step of a round."""
    given = _options().parse_args()
    steps = {"choose": _choose, "prompts": _prompts, "serve": _serve, "pictures": _pictures, "tally": _tally}
    steps[given.step](given)


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("step", choices=["choose", "prompts", "serve", "pictures", "tally"])
    options.add_argument("--folder", type=Path, required=True, help="the folder of this round")
    options.add_argument("--recordings", type=Path, default=CORPUS, help="recorded servers (choose)")
    options.add_argument("--seed", type=int, default=1, help="of the whole comparison (choose; default: 1)")
    options.add_argument(
        "--round", type=int, default=1, help="no tool of an earlier round (choose; default: 1)"
    )
    options.add_argument("--cases", type=int, default=CASES, help=f"how many (choose; default: {CASES})")
    return options


def _choose(given: argparse.Namespace) -> None:
    """Write the list of tools to compare."""
    try:
        cases = choose(recorded_calls(given.recordings), given.seed, given.round, given.cases)
    except ValueError as error:
        raise SystemExit(f"The round cannot be chosen: {error}") from error
    given.folder.mkdir(parents=True, exist_ok=True)
    chosen = {"seed": given.seed, "round": given.round, "recordings": str(given.recordings.resolve())}
    _write(given.folder / "round.json", {**chosen, "cases": [each.as_data() for each in cases]})
    for case in cases:
        print(f"{case.name}  {case.kind:<16}{case.call.tool.server} / {case.call.tool.name}")


def _prompts(given: argparse.Namespace) -> None:
    """Write the prompt of each case."""
    recordings, cases = _round(given.folder)
    for case in cases:
        folder = _case_folder(given.folder, case)
        text = prompt(case, recordings, folder / "work")
        (folder / "prompt.md").write_text(text, encoding="utf-8")
        shutil.rmtree(folder / "work")
        print(f"{case.name}  {len(text) / CHARACTERS_A_TOKEN:,.0f} tokens  {folder / 'prompt.md'}")


def _serve(given: argparse.Namespace) -> None:
    """Write the pages that the wrapper serves for the answers, and without a model."""
    recordings, cases = _round(given.folder)
    for case in cases:
        folder = _case_folder(given.folder, case)
        (folder / "minimal.html").write_text(
            minimal_page(case, recordings, folder / "work"), encoding="utf-8"
        )
        answer = folder / "answer.md"
        if not answer.is_file():
            print(f"{case.name}  no answer: write {answer}")
            continue
        text = answer.read_text(encoding="utf-8")
        served = serve(case, recordings, folder / "work", text, folder / "repair.prompt.md")
        if served.page:
            (folder / "ours.html").write_text(served.page, encoding="utf-8")
        asked = len((folder / "prompt.md").read_text(encoding="utf-8"))
        tokens = {
            "prompt_tokens": asked / CHARACTERS_A_TOKEN,
            "answer_tokens": len(text) / CHARACTERS_A_TOKEN,
        }
        _write(folder / "served.json", {"outcome": served.outcome, "reason": served.reason, **tokens})
        print(f"{case.name}  {served.outcome}  {served.reason}")


def _pictures(given: argparse.Namespace) -> None:
    """Write the sets for the judges, the pictures in the dark theme for finding faults, and the key."""
    _, cases = _round(given.folder)
    seed = json.loads((given.folder / "round.json").read_text(encoding="utf-8"))["seed"]
    key = {}
    with open_host(device_scale_factor=2) as host:
        for case in cases:
            folder, shown = _case_folder(given.folder, case), given.folder / "sets" / case.name
            pages = _pages(folder)
            letters = makers_by_letter(seed, case.number, pages)
            key[str(case.number)] = letters
            shown.mkdir(parents=True, exist_ok=True)
            (shown / "tool.txt").write_text(described(case, folder / "want.txt"), encoding="utf-8")
            errors = {}
            for letter, maker in letters.items():
                wide, errors[maker] = pictures(host, case, pages[maker], WIDE)
                (shown / f"{letter}.png").write_bytes(wide)
                narrow, _ = pictures(host, case, pages[maker], NARROW)
                (folder / f"{maker}-narrow-dark.png").write_bytes(narrow)
            _write(folder / "errors.json", errors)
    _write(given.folder / "key.json", key)
    briefs = given.folder / "briefs"
    briefs.mkdir(exist_ok=True)
    for name, words in BRIEFS.items():
        (briefs / name).write_text(words + "\n" + ANSWER_FORM, encoding="utf-8")


def _tally(given: argparse.Namespace) -> None:
    """Print the figures, and write them to report.txt."""
    _, cases = _round(given.folder)
    key = _read(given.folder / "key.json")
    found = sorted((given.folder / "judges").glob("*.json"))
    if not found:
        raise SystemExit(
            f"There are no answers in {given.folder / 'judges'}. Each judge writes one NAME.json."
        )
    try:
        said = [vote for each in found for vote in votes(each.stem, _read(each), key)]
    except ValueError as error:
        raise SystemExit(f"The answers cannot be counted: {error}") from error
    text = report(said, [_served(_case_folder(given.folder, case)) for case in cases])
    (given.folder / "report.txt").write_text(text, encoding="utf-8")
    print(text, end="")


def _served(folder: Path) -> Mapping[str, object]:
    errors = _read(folder / "errors.json") if (folder / "errors.json").is_file() else {}
    counted = {maker: len(each) for maker, each in errors.items()}
    served = folder / "served.json"
    known = _read(served) if served.is_file() else {"outcome": "not written"}
    return {**known, "console_errors": counted}


def described(case: Case, want: Path) -> str:
    """Return the description of a case for judges: the tool, and what its user wants."""
    definition = case.call.tool.definition
    words = str(definition.get("description") or "").strip().partition("\n")[0]
    wanted = want.read_text(encoding="utf-8").strip() if want.is_file() else _wanted(case)
    return f"{definition.get('title') or case.call.tool.name}\n{words}\nThe user wants: {wanted}\n"


def _wanted(case: Case) -> str:
    given = ", ".join(
        f"{name} {json.dumps(value, ensure_ascii=False)}" for name, value in case.call.arguments.items()
    )
    return f"the answer of {case.call.tool.name}" + (f" for {given[:200]}" if given else "")


def _pages(folder: Path) -> dict[str, str]:
    pages = {maker: folder / f"{maker}.html" for maker in (OURS, MINIMAL, PEER)}
    found = {maker: path.read_text(encoding="utf-8") for maker, path in pages.items() if path.is_file()}
    if len(found) == 0:
        raise SystemExit(f"There is no page in {folder}. Run the step serve first.")
    return found


def _round(folder: Path) -> tuple[Path, list[Case]]:
    chosen = folder / "round.json"
    if not chosen.is_file():
        raise SystemExit(f"There is no round in {folder}. Run the step choose first.")
    data = _read(chosen)
    recordings = Path(data["recordings"])
    return recordings, [case_of(each, recordings) for each in data["cases"]]


def _case_folder(folder: Path, case: Case) -> Path:
    path = folder / "cases" / case.name
    path.mkdir(parents=True, exist_ok=True)
    return path


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
