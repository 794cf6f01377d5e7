"""Fixtures that show views on pages of the real core, and find and use what a person sees there."""

import base64
import re
import struct
import zlib
from pathlib import Path

import pytest
from attrs import define
from playwright.sync_api import Locator, expect
from view_host import adaptive_page, written_page

WRITTEN = Path(__file__).parents[2] / "written_views"


@define
class Screen:
    """The parts of a view that a person sees and uses; ``host`` is the host that shows it."""

    host: object

    @property
    def frame(self):
        return self.host.frame

    @property
    def result(self) -> Locator:
        # Not by its role: in the page's own world, which `all_inner_texts` uses, the guard hides the window
        # that roles are computed with.
        return self.frame.locator("section.result")

    @property
    def state(self) -> Locator:
        """The live region with the state of a call."""
        return self.frame.locator("header").get_by_role("status")

    @property
    def notices(self) -> Locator:
        """The notes of the page about its view."""
        return self.frame.get_by_role("note")

    @property
    def run_button(self) -> Locator:
        return self.frame.locator("form button[type=submit]")

    @property
    def arguments(self) -> Locator:
        """The line with the arguments of the result; a click on it opens the form."""
        return self.frame.get_by_role("button", name=re.compile("^Arguments"))

    @property
    def form(self) -> Locator:
        return self.frame.get_by_role("form", name="Arguments")

    @property
    def raw(self) -> Locator:
        """The text box for raw arguments."""
        return self.frame.get_by_role("textbox", name="Raw arguments (JSON)")

    def control(self, label) -> Locator:
        """Return the control with a label, required or not."""
        return self.frame.get_by_label(re.compile(rf"^{re.escape(label)}(\s\*)?$"))

    def button(self, name) -> Locator:
        return self.frame.get_by_role("button", name=name, exact=True)

    def choose(self, item):
        """Open the menu and choose one of its items."""
        self.button("More").click()
        self.frame.locator("[role^=menuitem]").get_by_text(item, exact=True).click()

    def open_form(self):
        """Open the form if a result or a running call has taken its place."""
        if self.run_button.is_visible():
            return
        opener = self.button("Edit").or_(self.arguments).locator("visible=true")
        # A call without arguments shows neither these nor the menu until it has ended.
        expect(opener.or_(self.button("More")).first).to_be_visible()
        if opener.count():
            opener.first.click()
        else:
            self.choose("Edit")

    def unfold(self):
        """Open the options that a large form folds."""
        self.frame.locator("details.more-options:not([open]) > summary").click()

    def problem_of(self, control):
        """Return the error text of a control, which is shown only while its value is wrong."""
        described = control.get_attribute("aria-describedby")
        return self.frame.locator(", ".join(f"#{one}" for one in described.split())).last

    def write_raw(self, text):
        """Fill in raw arguments; first switch to them, or unfold them, if necessary."""
        self.open_form()
        switch = self.frame.get_by_role("radio", name="Raw arguments (JSON)")
        folded = self.frame.get_by_text("Add arguments", exact=True)
        if switch.count():
            switch.check()
        if folded.count() and not self.raw.is_visible():
            folded.click()
        self.raw.fill(text)

    def submit(self):
        """Run the tool and return the arguments of that call."""
        before = len(self.host.calls)
        self.open_form()
        self.run_button.click()
        return self.host.wait_for_calls(before + 1)[-1]["arguments"]


@pytest.fixture
def show(mount):
    """Show the minimal view of a tool, or another page of the tool; options go to the host."""

    def show(definition, *, tool=None, made_for="system", page="", **options):
        html = page or adaptive_page(definition, made_for)
        screen = Screen(mount(html, tool=tool or definition, **options))
        if options.get("tool_input"):
            expect(screen.arguments).to_be_visible()
            screen.open_form()
        return screen

    return show


@pytest.fixture
def show_fragment(mount):
    """Show a tool whose view is a fragment: the name of one of the written ones, or the fragment itself."""

    def show_fragment(source, definition=None, *, notice=None, related=None, **options):
        definition = {"name": "tool", "inputSchema": {"type": "object"}} | (definition or {})
        page = written_page(
            definition, written("fragments", source), "fragment", notice=notice, related=related
        )
        return Screen(mount(page, tool=definition, **options))

    return show_fragment


@pytest.fixture
def show_document(mount):
    """Show a tool whose view is a document: the name of one of the written ones, or the document itself."""

    def show_document(source, definition=None, *, related=None, **options):
        definition = {"name": "tool", "inputSchema": {"type": "object"}} | (definition or {})
        return mount(
            written_page(definition, written("documents", source), "document", related=related),
            tool=definition,
            **options,
        )

    return show_document


def written(folder, source):
    return source if "<" in source else (WRITTEN / folder / f"{source}.html").read_text(encoding="utf-8")


@pytest.fixture
def show_form(show):
    """Show the minimal view of a tool with these properties."""

    def show_form(properties, *required, **options):
        schema = {"type": "object", "properties": properties, "required": list(required)}
        return show({"name": "tool", "inputSchema": schema}, **options)

    return show_form


@pytest.fixture
def show_result(show):
    """Show a result that the host sends to the view of a tool without arguments."""

    def show_result(*content, structured=None, is_error=None, **options):
        screen = show({"name": "tool", "inputSchema": {"type": "object"}}, **options)
        result = {"content": list(content), "structuredContent": structured, "isError": is_error}
        screen.host.send_result({key: value for key, value in result.items() if value is not None})
        return screen

    return show_result


@pytest.fixture
def text():
    """Make a text item of a result."""
    return lambda words: {"type": "text", "text": words}


@pytest.fixture(scope="session")
def red_png():
    """Return a red picture of 48 by 48 pixels, as base64."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 48, 48, 8, 2, 0, 0, 0))
    rows = chunk(b"IDAT", zlib.compress((b"\0" + b"\xff\0\0" * 48) * 48))
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + header + rows + chunk(b"IEND", b"")).decode()


MIDDLE_PIXEL = """async data => {
  const bytes = Uint8Array.from(atob(data), char => char.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  return [...canvas.getImageData(picture.width / 2, picture.height / 2, 1, 1).data].slice(0, 3);
}"""


@pytest.fixture
def painted():
    """Return the colour that the browser painted in the middle of an area of the screen."""

    def painted(screen, locator):
        picture = base64.b64encode(locator.screenshot()).decode()
        return screen.host.page.evaluate(MIDDLE_PIXEL, picture)

    return painted
