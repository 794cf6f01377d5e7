"""Shows markup and scripts in Chromium and records what they do: run, load, navigate or reach out."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, frozen
from playwright.sync_api import Browser, Error, Playwright, sync_playwright
from view_host import CHROMIUM_ARGUMENTS, chromium_path

BATCH: Final = 40
_ARGUMENTS: Final = [
    *CHROMIUM_ARGUMENTS,
    "--disable-features=IsolateSandboxedIframes,SitePerProcess",
    "--disable-site-isolation-trials",
]
"""Keeps all frames in one process, so that the browser still reports a frame that navigates to another site."""
_HOST: Final = "http://host.test/"
_SETTLED_MS: Final = 6_000
_LOADS: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "media-src data: blob:; form-action 'none'; base-uri 'none'; "
)
_NO_SCRIPTS: Final = "script-src 'nonce-own'"
_OWN_SCRIPTS: Final = "script-src-elem 'unsafe-inline'; script-src-attr 'none'; script-src 'none'"

_WATCH: Final = """(() => {
  const host = parent, post = host.postMessage.bind(host), later = setTimeout;
  const tell = what => post({ oracle: what }, "*");
  addEventListener("securitypolicyviolation", event => tell(event.effectiveDirective), true);
  const guarded = /Blocked a frame|permission to navigate|Unsafe attempt/;
  addEventListener("error", event => guarded.test(event.message) && tell("frame"), true);
  addEventListener("unhandledrejection", event => guarded.test(event.reason) && tell("frame"));
  addEventListener("message", event => event.source === host && tell("stayed"));
  const press = one => {
    try {
      one.click ? one.click() : one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    } catch {}
  };
  addEventListener("load", () => {
    const template = document.getElementById("oracle-template");
    if (template) document.body.append(template.content.cloneNode(true));
    later(() => {
      document.querySelectorAll("a, area, button, input, summary, label, form *").forEach(press);
      later(() => tell("settled"), 60);
    }, 40);
  });
})();"""

_HEAD: Final = (
    '<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    f'<script nonce="own">{_WATCH.replace("{", "{{").replace("}", "}}")}</script>'
)
_PROLOGUE: Final = f"<!DOCTYPE html><html><head>{_HEAD.format(policy=_LOADS + _NO_SCRIPTS)}</head>"

_ELSEWHERE: Final = """<script>parent.postMessage({ oracle: "settled" }, "*")</script>"""

_OWN_PAGE: Final = f"<!DOCTYPE html>{_ELSEWHERE}<body>"
_SHOW: Final = """([pages, limit]) => {
  const frames = [], seen = pages.map(() => []), loads = pages.map(() => 0), start = performance.now();
  addEventListener("message", event => {
    const index = frames.findIndex(frame => frame.contentWindow === event.source);
    if (index >= 0) seen[index].push(event.data?.oracle ?? "message");
  });
  pages.forEach((page, index) => {
    const frame = document.createElement("iframe");
    frame.name = `page-${index}`;
    frame.sandbox = "allow-scripts allow-forms";
    frame.srcdoc = page;
    frame.addEventListener("load", () => {
      if (++loads[index] < 2) return;
      seen[index].push("left", "settled");
      frame.contentWindow.postMessage("still there?", "*");
    });
    frames.push(frame);
    document.body.append(frame);
  });
  const finished = () => seen.every(one => one.includes("settled")) || performance.now() - start > limit;
  const look = () => setTimeout(finished() ? () => (globalThis.seen = seen) : look, finished() ? 200 : 40);
  look();
}"""


@frozen
class Shown:
    """What a page did in the browser.

    Attributes:
        deeds: What policies and guards stopped, and requests and navigations: sorted, each once.
        settled: Whether the page finished; a page that hangs or navigates does not.
    """

    deeds: tuple[str, ...]
    settled: bool

    @property
    def acts(self) -> bool:
        """Whether the page did anything that no view may do."""
        return bool(self.deeds)


def page_of_document(document: str) -> str:
    """Return a document that may run the scripts it holds, but none of its handlers, and load nothing."""
    head = _HEAD.format(policy=_LOADS + _OWN_SCRIPTS)
    return document.replace("<head>", f"<head>{head}", 1)


def page_of_template(markup: str) -> str:
    """Return a page that inserts the content of a template, as the page of a fragment does."""
    return f'{_PROLOGUE}<body><template id="oracle-template">{markup}</template>'


def page_of_script(script: str) -> str:
    """Return a page that runs the script of a fragment, as a function's body."""
    inside = script.replace("</", "<\\/")
    return f'{_PROLOGUE}<body><p id="x"></p><script nonce="own">(function () {{ "use strict";\n{inside}\n}})();</script>'


def page_of_fragment(template: str, script: str) -> str:
    """Return a page that runs the script of a fragment after its template, and then clicks on every element."""
    inside = script.replace("</", "<\\/")
    clicks = 'document.querySelectorAll("body :not(script)").forEach((each) => each.click?.())'
    return (
        f'{_PROLOGUE}<body>{template}<script nonce="own">(function () {{ "use strict";\n{inside}\n}})();</script>'
        f'<script nonce="own">{clicks}</script>'
    )


@define
class BrowserOracle:
    """A browser that shows pages, many at a time, each in a frame like that of a host."""

    playwright: Playwright
    browser: Browser

    def shown(self, pages: Sequence[str]) -> Iterator[Shown]:
        """Yield what each page does. If one page of a batch hangs, show unfinished pages again, alone."""
        for start in range(0, len(pages), BATCH):
            batch = list(pages[start : start + BATCH])
            answers = self._show(batch)
            for page, answer in zip(batch, answers, strict=True):
                yield answer if answer.settled or answer.acts or len(batch) == 1 else self._show([page])[0]

    def close(self) -> None:
        """End the browser."""
        self.browser.close()

    def _show(self, pages: list[str]) -> list[Shown]:
        left: dict[str, list[str]] = {}
        try:
            seen = self._seen(pages, left)
        except Error:  # one of them does not let go of the processor
            self.browser.close()
            self.browser = _launched(self.playwright)
            seen = [[] for _ in pages]
        return [_shown_by(told, left.get(f"page-{index}", [])) for index, told in enumerate(seen)]

    def _seen(self, pages: list[str], left: dict[str, list[str]]) -> list[list[str]]:
        def requested(route) -> None:
            if route.request.url == _HOST:  # a frame that goes to a place in itself comes here
                left.setdefault(route.request.frame.name, []).append("stayed")
                route.fulfill(body=_OWN_PAGE, content_type="text/html")
                return
            with contextlib.suppress(Error):
                left.setdefault(route.request.frame.name, []).append(route.request.resource_type)
            if route.request.is_navigation_request():
                route.fulfill(body=_ELSEWHERE, content_type="text/html")
            else:
                route.abort()

        context = self.browser.new_context()
        context.route("**/*", requested)
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.dismiss())
        page.goto(_HOST)
        page.evaluate(_SHOW, [pages, _SETTLED_MS])
        page.wait_for_function("globalThis.seen", timeout=2 * _SETTLED_MS)
        seen = page.evaluate("globalThis.seen")
        context.close()
        return seen


def _shown_by(told: list[str], left: list[str]) -> Shown:
    deeds = {*told, *left} - {"settled", "stayed"}
    if "stayed" in (*told, *left):
        deeds.discard("left")
    return Shown(tuple(sorted(deeds)), settled="settled" in told)


def _launched(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=chromium_path(), args=_ARGUMENTS)


@contextlib.contextmanager
def oracle() -> Iterator[BrowserOracle]:
    """Run the browser oracle."""
    with sync_playwright() as playwright:
        asked = BrowserOracle(playwright, _launched(playwright))
        yield asked
        asked.close()
