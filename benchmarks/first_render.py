"""Measure in Chromium the time to a view's first paint, and what each 10 KB of script add to it.

All pages are about equally long and shown in turn, in one run: one without script, one whose script is
evaluated and draws nothing, a form of 50 properties of many kinds, one of 50 plain properties, and a result of
1,000 rows. Each has the build of the kit that its tool gets. Copies of the whole kit, under other names, stand
for more script. No two pages have the same script, or the engine would have compiled it already. Times are
medians, or the best of all rounds, which says most when the machine is busy.

Form and result are also shown without the policy. The form is shown again with the kit of written views, which
has the guard: with policy and guard, without the guard, without both, and with the code for the next view. The
costs of these are ratios, and so is the cost of hashing the scripts when a page is built.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any, Literal

from attrs import evolve, frozen
from playwright.sync_api import CDPSession, Page
from recorded_views import open_browser

from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import page_needs
from genui_core.domain.pages.minimal_view import minimal_page, page_data
from genui_core.domain.pages.page_frame import PageParts, PagePolicy, kit_scripts
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

ORIGIN = "http://first-render.test"
ROWS = 1000
PROPERTIES = 50
KINDS = (
    {"type": "string", "description": "What it is called"},
    {"type": "integer", "minimum": 0, "maximum": 100, "default": 10},
    {"type": "boolean"},
    {"enum": ["first", "second", "third"]},
    {"type": "array", "items": {"type": "string"}},
    {"type": "string", "format": "date-time"},
    {"type": ["number", "null"], "description": "As precise as may be"},
    {"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string"}}},
    {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    {"type": "boolean", "default": False},
)
FORM = {
    "name": "form",
    "inputSchema": {
        "type": "object",
        "properties": {f"property_{number}": KINDS[number % len(KINDS)] for number in range(PROPERTIES)},
        "required": ["property_0", "property_1"],
    },
}
PLAIN_FORM = {
    "name": "form",
    "inputSchema": {
        "type": "object",
        "properties": {f"property_{number}": KINDS[number % 4] for number in range(PROPERTIES)},
        "required": ["property_0", "property_1"],
    },
}
TABLE = {"name": "table", "inputSchema": {"type": "object"}}
RESULT = {
    "content": [],
    "structuredContent": {
        "rows": [
            {
                "name": f"Row {n}",
                "count": n * 7,
                "share": n / 3,
                "day": f"2026-01-{n % 28 + 1:02}",
                "done": n % 2 == 0,
            }
            for n in range(ROWS)
        ]
    },
}
PROBE = """
const probe = { begun: performance.now() };
probe.end = new Promise((resolve) => { probe.resolve = resolve; });
probe.paint = (from) => {
  document.body.offsetHeight;
  probe.laidOut = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { probe.painted = performance.now(); probe.from = from; probe.resolve(); };
  requestAnimationFrame(() => port2.postMessage(0));
};
// As it is before the guard, which keeps messages to the runtime.
const listen = addEventListener.bind(window);
probe.await = () => {
  listen("message", ({ data }) => {
    if (data.method !== "ui/notifications/tool-result") return;
    const from = performance.now();
    new MutationObserver((_, seen) => {
      if (!document.querySelector("tbody tr")) return;
      seen.disconnect();
      probe.drawn = performance.now();
      probe.paint(from);
    }).observe(document.body, { childList: true, subtree: true });
  });
};
"""
HOST = """<!DOCTYPE html><title>Host</title><style>body { margin: 0 } iframe { border: 0; width: 800px; height: 2000px }</style>
<script>
const result = %s;
addEventListener("message", ({ data, source }) => {
  const tell = (words) => source.postMessage({ jsonrpc: "2.0", ...words }, "*");
  if (data.method === "ui/initialize") tell({ id: data.id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "host", version: "1" }, hostCapabilities: {}, hostContext: {} } });
  if (data.method === "ui/notifications/initialized" && result) tell({ method: "ui/notifications/tool-result", params: result });
});
</script><iframe src="%s"></iframe>"""


Layers = Literal["none", "policy", "all"]
"""The protection of a page: nothing, its policy, or policy and guard."""


@frozen
class Subject:
    """A kind of page: its copies of the kit, what it draws, its protection, and its kind of view.

    The kit of minimal views has no guard, because they hold no code of a model.
    """

    name: str
    copies: int = 1
    tool: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    layers: Layers = "policy"
    written: bool = False
    live: bool = False


FORM_NAME, RESULT_NAME = f"form of {PROPERTIES} properties", f"result of {ROWS} rows"
WRITTEN_NAME, LIVE_NAME = "form, kit of written views", "form, kit of pages that change"
SUBJECTS = (
    Subject("no script", 0),
    Subject("script, nothing drawn"),
    Subject(FORM_NAME, 1, FORM),
    Subject(f"plain {FORM_NAME}", 1, PLAIN_FORM),
    Subject(RESULT_NAME, 1, TABLE, RESULT),
    Subject("form, 2 times the script", 2, FORM),
    Subject("form, 3 times the script", 3, FORM),
    Subject("form, no policy", 1, FORM, layers="none"),
    Subject("result, no policy", 1, TABLE, RESULT, layers="none"),
    Subject(WRITTEN_NAME, 1, FORM, layers="all", written=True),
    Subject(LIVE_NAME, 1, FORM, layers="all", written=True, live=True),
    Subject("written, no guard", 1, FORM, layers="policy", written=True),
    Subject("written, no policy, no guard", 1, FORM, layers="none", written=True),
)
MOST_COPIES = max(each.copies for each in SUBJECTS)
BASE, FORM_ALONE, FORM_AND_MORE = SUBJECTS[0].name, FORM_NAME, SUBJECTS[6].name
COMPARED = {
    (FORM_NAME, "form, no policy"): "form: with the policy",
    (RESULT_NAME, "result, no policy"): "result: with the policy",
    ("written, no guard", "written, no policy, no guard"): "form, kit of written views: with the policy",
    (WRITTEN_NAME, "written, no policy, no guard"): "form, kit of written views: with policy and guard",
    (LIVE_NAME, WRITTEN_NAME): "form, kit of written views: with what puts the next view into its place",
}
"""Pairs of pages to compare, and what the first one has in addition."""
STEPS = ("evaluate", "draw", "lay out", "first picture", "processor")
PICTURE = "first picture"
KIT = BuiltViewKit()
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
{policy}<style>{style}</style>
</head>
<body>
<h1>A tool</h1>
<script>{probe}</script>
{brought}
{rest}
</body></html>
"""


def script_of(subject: Subject) -> str:
    """Return the script that the page of a subject carries."""
    needs = page_needs(Tool(subject.tool or FORM), "<p>" if subject.written else "")
    return kit_parts(KIT, evolve(needs, live=subject.live)).script


def page_of(subject: Subject, nonce: int) -> str:
    """Return a page that reports when it was drawn; ``nonce`` makes its script unique for the engine."""
    script = script_of(subject)
    scripts = [
        f"/* {nonce} */" + script.replace('"McpGenUi"', f'"McpGenUi{number or ""}"')
        for number in range(MOST_COPIES)
    ]
    start = "McpGenUi.startAdaptiveView();" if subject.tool else ""
    wait = "probe.await();" if subject.result else ""
    done = "" if subject.result else "probe.drawn = performance.now(); probe.paint(probe.begun);"
    last = f"{wait} probe.evaluated = performance.now(); {start} {done}"
    run = scripts[: subject.copies]
    data = page_data(
        Tool(subject.tool or FORM), Settings(default_theme="system", page_policy=subject.layers == "all")
    )
    policy = PagePolicy(is_on=subject.layers != "none").head((PROBE, *run, last))
    first = kit_scripts(data, run[0]) if run else ""
    more = (f"<script>{each}</script>" for each in (*run[1:], last))
    unused = (f'<script type="text/plain">{each}</script>' for each in scripts[subject.copies :])
    rest = "\n".join((*unused, *more))
    return PAGE.format(policy=policy, style=KIT.style, probe=PROBE, brought=first, rest=rest)


def processor_ms(metrics: CDPSession) -> float:
    """Return the processor time of the page's thread so far, which other programs change least."""
    told = metrics.send("Performance.getMetrics")["metrics"]
    return 1000 * next(each["value"] for each in told if each["name"] == "TaskDuration")


def measure(page: Page, metrics: CDPSession, subject: Subject, nonce: int) -> dict[str, float]:
    """Show a page once and return how long each step took, in milliseconds."""
    address = f"{ORIGIN}/{nonce}"
    bodies = {
        address: page_of(subject, nonce),
        f"{ORIGIN}/host": HOST % (json.dumps(subject.result), address),
    }
    page.unroute_all()
    page.route(
        f"{ORIGIN}/**", lambda route: route.fulfill(body=bodies[route.request.url], content_type="text/html")
    )
    page.goto(f"{ORIGIN}/host")
    frame = page.frames[1]
    # In the page's own world, where its policy forbids what playwright waits with.
    probe = frame.evaluate("probe.end.then(() => probe)")
    before_drawing = probe["from"] if subject.result else probe["evaluated"]
    steps = (
        probe["evaluated"] - probe["begun"],
        probe["drawn"] - before_drawing,
        probe["laidOut"] - probe["drawn"],
    )
    whole = probe["painted"] - probe["from"], processor_ms(metrics)
    return dict(zip(STEPS, (*steps, *whole), strict=True))


def measure_all(page: Page, metrics: CDPSession, rounds: int) -> dict[str, list[dict[str, float]]]:
    """Show all pages in turn, for a number of rounds; the first round only warms up."""
    nonces = count()
    seen: dict[str, list[dict[str, float]]] = {each.name: [] for each in SUBJECTS}
    for number in range(rounds + 1):
        for subject in SUBJECTS:
            steps = measure(page, metrics, subject, next(nonces))
            if number:
                seen[subject.name].append(steps)
    return seen


def report(seen: dict[str, list[dict[str, float]]], typical: Callable[[Iterable[float]], float]) -> None:
    """Print a table of typical times, and the cost of more script."""
    print(f"{'ms':<28}{'script KB':>10}" + "".join(f"{step:>15}" for step in STEPS) + f"{'x no script':>13}")
    for subject in SUBJECTS:
        rows, size = seen[subject.name], len(script_of(subject)) / 1024
        ratio = typical(row[PICTURE] for row in rows) / typical(row[PICTURE] for row in seen[BASE])
        times = (typical(row[step] for row in rows) for step in STEPS)
        print(f"{subject.name:<28}{size * subject.copies:>10.1f}" + "".join(f"{each:>15.2f}" for each in times) + f"{ratio:>13.2f}")  # fmt: skip
    for step in (STEPS[0], PICTURE):
        alone, more = ([row[step] for row in seen[name]] for name in (FORM_ALONE, FORM_AND_MORE))
        added = (typical(more) - typical(alone)) / ((MOST_COPIES - 1) * len(KIT.script) / 10_240)
        share = added / typical(row[PICTURE] for row in seen[FORM_ALONE])
        print(f"10 KB more of script: {added:+.2f} ms to {step} ({share:+.1%} of the form's first picture)")
    for names, what in COMPARED.items():
        for step in (PICTURE, "processor"):
            given, bare = (typical(row[step] for row in seen[name]) for name in names)
            print(f"{what}, {step}: {given / bare:.2f} times that without")


def report_building(rounds: int) -> None:
    """Print the cost of the policy when the page of the form is built, for a new kit and later."""
    tool = Tool(FORM)
    data = page_data(tool, Settings(default_theme="system"))
    nonces = count()

    def build(policy: PagePolicy, *, is_new: bool) -> float:
        script = f"{KIT.script}// {next(nonces)}" if is_new else KIT.script  # which no page had before
        kit = PageParts(KIT.style, script, KIT.document_script)
        begun = time.perf_counter()
        minimal_page(tool, data, kit, policy)
        return time.perf_counter() - begun

    off, on = PagePolicy(is_on=False), PagePolicy()
    build(on, is_new=False)
    without, new, later = (
        min(build(policy, is_new=is_new) for _ in range(rounds * 20))
        for policy, is_new in ((off, False), (on, True), (on, False))
    )
    print(f"building the form's page: {without * 1e6:.0f} us without the policy, {new / without:.2f} times that when its scripts are hashed, {later / without:.2f} times that afterwards")  # fmt: skip


def main() -> None:
    """Measure and print."""
    said = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    said.add_argument("--rounds", type=int, default=15, help="how often each page is shown (default: 15)")
    said.add_argument(
        "--slower", type=float, default=1, help="slow the processor down so many times, as 4 for a phone"
    )
    said.add_argument(
        "--best", action="store_true", help="take the best of all rounds, not the median: for a busy machine"
    )
    given = said.parse_args()
    with open_browser() as browser:
        page = browser.new_page()
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": given.slower})
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        report(measure_all(page, session, given.rounds), min if given.best else statistics.median)
    report_building(given.rounds)


if __name__ == "__main__":
    main()
