"""Measure in Chromium how long a view takes to its first picture, and what each 10 KB of script add to that.

All pages are equally long and shown in turn, in one run: one without script, one whose script is
evaluated and draws nothing, a form of 50 properties, and a result of 1,000 rows. Copies of the
whole kit, under other names, stand for more script. No page has the very script of another, or the
engine would have it compiled already. Times are medians, or the best of all rounds, which says most when the machine is busy.
"""

import argparse
import json
import statistics
from collections.abc import Callable, Iterable
from itertools import count

from attrs import frozen
from playwright.sync_api import Page
from recorded_views import adaptive_page, open_browser

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
PROBE = """<script>
const probe = { begun: performance.now() };
probe.paint = (from) => {
  document.body.offsetHeight;
  probe.laidOut = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { probe.painted = performance.now(); probe.from = from };
  requestAnimationFrame(() => port2.postMessage(0));
};
probe.await = () => {
  addEventListener("message", ({ data }) => {
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
</script>"""
HOST = """<!DOCTYPE html><title>Host</title><style>body { margin: 0 } iframe { border: 0; width: 800px; height: 2000px }</style>
<script>
const result = %s;
addEventListener("message", ({ data, source }) => {
  const tell = (words) => source.postMessage({ jsonrpc: "2.0", ...words }, "*");
  if (data.method === "ui/initialize") tell({ id: data.id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "host", version: "1" }, hostCapabilities: {}, hostContext: {} } });
  if (data.method === "ui/notifications/initialized" && result) tell({ method: "ui/notifications/tool-result", params: result });
});
</script><iframe src="%s"></iframe>"""


@frozen
class Subject:
    """A kind of page: how many copies of the kit it evaluates, and what it draws."""

    name: str
    copies: int = 1
    tool: dict | None = None
    result: dict | None = None


SUBJECTS = (
    Subject("no script", 0),
    Subject("script, nothing drawn"),
    Subject(f"form of {PROPERTIES} properties", 1, FORM),
    Subject(f"result of {ROWS} rows", 1, TABLE, RESULT),
    Subject("form, 2 times the script", 2, FORM),
    Subject("form, 3 times the script", 3, FORM),
)
MOST_COPIES = max(each.copies for each in SUBJECTS)
BASE, FORM_ALONE, FORM_AND_MORE = SUBJECTS[0].name, SUBJECTS[2].name, SUBJECTS[5].name
STEPS = ("evaluate", "draw", "lay out", "first picture")


@frozen
class Kit:
    """The parts of an adaptive page."""

    head: str
    data: str
    script: str
    start: str

    @classmethod
    def of(cls, tool: dict) -> "Kit":
        """Take the page of a tool apart."""
        head, data, script, start = adaptive_page(tool).split("<script")
        return cls(
            head, *(each.partition(">")[2].partition("</script>")[0] for each in (data, script, start))
        )


def page_of(subject: Subject, nonce: int) -> str:
    """Return a page that tells when it was drawn; ``nonce`` keeps the engine from knowing its script."""
    kit = Kit.of(subject.tool or FORM)
    scripts = [
        f"/* {nonce} */" + kit.script.replace('"McpGenUi"', f'"McpGenUi{number or ""}"')
        for number in range(MOST_COPIES)
    ]
    start = kit.start if subject.tool else ""
    wait = "probe.await();" if subject.result else ""
    done = "" if subject.result else "probe.drawn = performance.now(); probe.paint(probe.begun);"
    return "\n".join(
        [
            kit.head,
            "<h1>A tool</h1>",
            PROBE,
            f'<script type="application/json" id="mcp-gen-ui-page">{kit.data}</script>',
            *(f"<script>{each}</script>" for each in scripts[: subject.copies]),
            *(f'<script type="text/plain">{each}</script>' for each in scripts[subject.copies :]),
            f"<script>{wait} probe.evaluated = performance.now(); {start} {done}</script>",
            "</body></html>",
        ]
    )


def measure(page: Page, subject: Subject, nonce: int) -> dict[str, float]:
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
    frame.wait_for_function("probe.painted !== undefined")
    probe = frame.evaluate("probe")
    before_drawing = probe["from"] if subject.result else probe["evaluated"]
    steps = (
        probe["evaluated"] - probe["begun"],
        probe["drawn"] - before_drawing,
        probe["laidOut"] - probe["drawn"],
    )
    return dict(zip(STEPS, (*steps, probe["painted"] - probe["from"]), strict=True))


def measure_all(page: Page, rounds: int) -> dict[str, list[dict[str, float]]]:
    """Show all pages in turn, so often; the first round only warms up."""
    nonces = count()
    seen: dict[str, list[dict[str, float]]] = {each.name: [] for each in SUBJECTS}
    for number in range(rounds + 1):
        for subject in SUBJECTS:
            steps = measure(page, subject, next(nonces))
            if number:
                seen[subject.name].append(steps)
    return seen


def report(seen: dict[str, list[dict[str, float]]], typical: Callable[[Iterable[float]], float]) -> None:
    """Print a table of what is typical, and what more script costs."""
    picture = STEPS[-1]
    size = len(Kit.of(FORM).script) / 1024
    print(f"{'ms':<28}{'script KB':>10}" + "".join(f"{step:>15}" for step in STEPS) + f"{'x no script':>13}")
    for subject in SUBJECTS:
        rows = seen[subject.name]
        ratio = typical(row[picture] for row in rows) / typical(row[picture] for row in seen[BASE])
        times = (typical(row[step] for row in rows) for step in STEPS)
        print(f"{subject.name:<28}{size * subject.copies:>10.1f}" + "".join(f"{each:>15.2f}" for each in times) + f"{ratio:>13.2f}")  # fmt: skip
    for step in (STEPS[0], picture):
        alone, more = ([row[step] for row in seen[name]] for name in (FORM_ALONE, FORM_AND_MORE))
        added = (typical(more) - typical(alone)) / ((MOST_COPIES - 1) * size / 10)
        share = added / typical(row[picture] for row in seen[FORM_ALONE])
        print(f"10 KB more of script: {added:+.2f} ms to {step} ({share:+.1%} of the form's first picture)")


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
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": given.slower})
        report(measure_all(page, given.rounds), min if given.best else statistics.median)


if __name__ == "__main__":
    main()
