"""Measure the prompts for recorded tools: their length, and how often a rule decides the kind of a view.

No model is asked. Tokens are characters / 4. A result has a shape here if its data holds three values or more,
or its texts have three lines or more, independent of the wrapper's own decision.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from attrs import evolve, frozen
from recorded_views import CORPUS, RecordedTool, calls_of, folders, tools_of

from genui_core.application.generation.shape_learning import ShapeLearning, facts_of
from genui_core.application.services import built_prompts
from genui_core.domain.prompting.prompts import Facts, PromptWriter
from genui_core.domain.settings.settings import Limits, Settings
from genui_core.domain.tools.classification import UiType, classify
from genui_core.domain.tools.tool import Tool

CHARACTERS_A_TOKEN = 4
FEWEST_PARTS = 3
NONCE = "0" * 32
EXAMPLES = """
examples:
  .venv/bin/python benchmarks/prompt_numbers.py                        # over the corpus that the tests use
  .venv/bin/python benchmarks/prompt_numbers.py --undetermined         # and name what no rule decides
  .venv/bin/python benchmarks/prompt_numbers.py --recordings tests/corpus/sample
"""


@frozen
class Measured:
    """The measurements of one tool with a recorded result.

    Attributes:
        tool: The tool.
        has_shape: Whether its result has a shape.
        by_definition: The kind that the definition alone decides.
        by_shape: The kind that the definition and the shape of the result decide.
        tokens: The length of the prompt for the first view, with the system prompt.
        learned: The learned shape, as in the prompt.
    """

    tool: RecordedTool
    has_shape: bool
    by_definition: UiType
    by_shape: UiType
    tokens: float
    learned: str


def work_at_once(work, then, report):  # noqa: ANN001, ANN201
    """Finish work before this function returns; learning a shape needs no generation worker here."""
    try:
        work(None, report).send(None)
    except StopIteration as done:
        then(done.value)


def main() -> None:
    """Measure all tools and print the figures."""
    said = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    said.add_argument("--recordings", type=Path, default=CORPUS, help="a folder of recorded servers")
    said.add_argument("--undetermined", action="store_true", help="name each tool that no rule decides")
    given = said.parse_args()
    tools = [each for folder in folders(given.recordings) for each in tools_of(folder)]
    every = Counter(str(classify(Tool(each.definition))) for each in tools)
    print(f"{len(tools)} tools by definition: {_shares(every)}")
    measured = [each for folder in folders(given.recordings) for each in measure(folder)]
    shaped = [each for each in measured if each.has_shape]
    print(f"{len(measured)} tools with a result; {len(shaped)} of them have a shape")
    print(f"  by definition: {_shares(Counter(str(each.by_definition) for each in shaped))}")
    print(f"  with the first shape: {_shares(Counter(str(each.by_shape) for each in shaped))}")
    print(f"prompt for the first view: median {median(each.tokens for each in measured):,.0f} tokens,")
    print(f"  largest {max(each.tokens for each in measured):,.0f}, system prompt {_system_tokens():,.0f}")
    if given.undetermined:
        for each in shaped:
            if each.by_shape is not UiType.RICH:
                print(f"{each.tool.server} / {each.tool.name}: {each.by_shape}; {each.learned[:160]}")


def measure(folder: Path) -> Iterator[Measured]:
    """Yield each tool of a server that has a recorded result, measured after its first result."""
    tools = {each.name: each for each in tools_of(folder)}
    seen: set[str] = set()
    for call in calls_of(folder):
        if call.result.get("isError") or call.tool.name in seen or call.tool.name not in tools:
            continue
        seen.add(call.tool.name)
        yield _measured(call.tool, call.result, [Tool(each.definition) for each in tools.values()])


def _measured(recorded: RecordedTool, result: dict[str, Any], tools: list[Tool]) -> Measured:
    tool = Tool(recorded.definition)
    facts = learned_facts(tool, result, tools)
    prompt = PromptWriter(built_prompts(), Limits().max_prompt_tokens, False, NONCE).write(facts)
    return Measured(
        tool=recorded,
        has_shape=has_shape(result),
        by_definition=classify(tool),
        by_shape=classify(tool, facts.learned_shape),
        tokens=(len(prompt.system) + len(prompt.text)) / CHARACTERS_A_TOKEN,
        learned=str(facts.variables()["learnedShape"]),
    )


def learned_facts(tool: Tool, result: dict[str, Any], tools: list[Tool]) -> Facts:
    """Return the facts about a tool for a prompt, after this result has passed through."""
    settings = evolve(Settings(), ui_type={tool.name: "rich"})
    learning = ShapeLearning(settings.share_result_values)
    learning.see(tool.name, result, work_at_once)
    return facts_of(tool, tools, settings, learning)


def has_shape(result: dict[str, Any]) -> bool:
    """Return whether a result holds more than a sentence."""
    texts = [each["text"] for each in result.get("content") or () if isinstance(each.get("text"), str)]
    values = [result.get("structuredContent") or None, *texts]
    return max(map(_parts, values), default=0) >= FEWEST_PARTS


def _parts(value: object) -> int:
    """Return how many values data holds, or how many lines a text has; data in a text is data."""
    if isinstance(value, dict):
        return sum(map(_parts, value.values()))
    if isinstance(value, list):
        return sum(map(_parts, value))
    if not isinstance(value, str):
        return int(value is not None)
    try:
        inner = json.loads(value)
    except ValueError:
        inner = None
    if isinstance(inner, dict | list):
        return _parts(inner)
    return len([each for each in value.split("\n") if each.strip()])


def _system_tokens() -> float:
    return len(built_prompts().templates["system"]) / CHARACTERS_A_TOKEN


def _shares(counts: Counter[str]) -> str:
    total = max(1, counts.total())
    return ", ".join(f"{kind} {number} ({number / total:.0%})" for kind, number in counts.most_common())


if __name__ == "__main__":
    main()
