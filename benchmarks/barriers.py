"""Run axe-core on the views of recorded tools in every state that a person meets, light and dark.

The tools cover all servers and all features of schemas, and are always the same for a number of tools.
The states are: the empty form with all parts open, a refused form, raw arguments that are no JSON, the
question before a tool that makes changes, a running call and a failed one. Every recorded call adds its
result, as it comes and with all parts open. The exit status is 1 if axe-core found anything.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from attrs import frozen
from recorded_views import (
    CORPUS,
    MountedView,
    RecordedCall,
    RecordedTool,
    ViewHost,
    adaptive_page,
    barriers,
    calls_of,
    folders,
    open_host,
    sample_arguments,
    settle,
    spread,
    tools_of,
)

FAILURE = {"content": [{"type": "text", "text": "The disk is full of herrings."}], "isError": True}
MOST_OPENED = 40
OPEN_ALL = f"""() => {{
  for (const one of document.querySelectorAll("details:not([open])")) one.open = true;
  const closed = "button.opener[aria-expanded=false], td button[aria-expanded=false], th button[aria-expanded=false]";
  for (const one of [...document.querySelectorAll(closed)].slice(0, {MOST_OPENED})) one.click();
  for (const words of ["Columns", "Raw JSON"]) [...document.querySelectorAll("button")].find((one) => one.textContent === words)?.click();
}}"""


@frozen
class State:
    """One state of a view, and the function that brings a newly shown view into it."""

    name: str
    reach: Callable[[MountedView], None]


def run(view: MountedView) -> None:
    """Press the button that calls the tool."""
    view.frame.get_by_role("button", name=re.compile("^Run")).click()


def open_all(view: MountedView) -> None:
    """Open all folded parts."""
    view.frame.evaluate(OPEN_ALL)


def enter_raw(view: MountedView) -> None:
    """Write arguments that are no JSON."""
    choice = view.frame.get_by_role("radio", name="Raw arguments (JSON)")
    if choice.is_visible():
        choice.check()
        view.frame.get_by_role("textbox", name="Raw arguments (JSON)").fill("{")


def call(arguments: dict[str, Any], view: MountedView) -> None:
    """Run the tool with arguments; a tool that makes changes asks first, any other call stays pending."""
    view.send_input(arguments)
    settle(view)
    run(view)


def fail(view: MountedView) -> None:
    """Show a failed result."""
    view.send_result(FAILURE)


def show_result(recorded: RecordedCall, view: MountedView) -> None:
    """Show the result of a recorded call."""
    view.send_input(recorded.arguments)
    view.send_result(recorded.result)


def open_result(recorded: RecordedCall, view: MountedView) -> None:
    """Show the result of a recorded call, with all parts open."""
    show_result(recorded, view)
    settle(view)
    open_all(view)


def states_of(tool: RecordedTool) -> Iterator[State]:
    """Yield the states of a tool's form."""
    yield State("form", open_all)
    yield State("refused", run)
    yield State("raw", enter_raw)
    yield State("called", partial(call, sample_arguments(tool.definition.get("inputSchema") or {})))
    yield State("failed", fail)


def states_after(recorded: RecordedCall) -> Iterator[State]:
    """Yield the states of a view with a recorded result."""
    yield State(f"result {recorded.number}", partial(show_result, recorded))
    yield State(f"result {recorded.number}, open", partial(open_result, recorded))


def found_in(host: ViewHost, tool: RecordedTool, state: State) -> list[str]:
    """Return the violations of a view in a state."""
    view = host.mount(adaptive_page(tool.definition), tool=tool.definition, call=lambda *_: None)
    state.reach(view)
    settle(view)
    return [*barriers(view), *view.complaints]


def main() -> None:
    """Check all tools and print the violations."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--recordings", type=Path, default=CORPUS, help="a folder of recorded servers")
    parser.add_argument("--tools", type=int, default=120, help="how many forms to look at (default: 120)")
    parser.add_argument("--without-results", action="store_true", help="leave the recorded calls out")
    given = parser.parse_args()
    recorded = folders(given.recordings)
    tools = spread([tool for folder in recorded for tool in tools_of(folder)], given.tools)
    looks = [(tool, state) for tool in tools for state in states_of(tool)]
    if not given.without_results:
        calls = [each for folder in recorded for each in calls_of(folder)]
        looks += [(each.tool, state) for each in calls for state in states_after(each)]
    bad = 0
    with open_host() as host:
        for tool, state in looks:
            found = found_in(host, tool, state)
            bad += bool(found)
            for words in found:
                print(f"{tool.server} / {tool.name}, {state.name}: {words[:400]}", flush=True)
    print(f"{len(looks)} states of {len(tools)} tools, each light and dark: {bad} with something wrong")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
