import json
import signal
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

SIZE = {"viewport": {"width": 1280, "height": 800}}
SAMPLE = (sys.executable, str(Path(__file__).parent / "sample_server.py"))
RUN = """
import sys, anyio
from genui_cli.preview.server import PreviewOptions
from genui_cli.preview.server import serve_preview
announce = lambda line: print(line, flush=True)
options = PreviewOptions(proxy_argv=tuple(sys.argv[1:]), title="Sample", publish_address=announce, announce=announce, open_browser=False, has_model=HAS_MODEL)
anyio.run(serve_preview, options)
"""


class RunningPreview:
    """A preview in its own process, started as the command line starts it."""

    def __init__(self, *argv, has_model=True):
        run = RUN.replace("HAS_MODEL", str(has_model))
        self.process = subprocess.Popen([sys.executable, "-c", run, *argv], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.origin, _, self.token = self.address.partition("/#token=")
        self.port = int(self.origin.rpartition(":")[2])

    def follow(self, path):
        """Return the next events that the preview sends a subscribed program; None if there are none."""
        asked = urllib.request.Request(self.origin + path, headers={"authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(asked) as answer:
            return json.loads(answer.read() or "null")

    def stop(self):
        """Ask it to end; return its exit code and what else it announced."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=20)
        with self.process.stdout as output:  # `communicate` would lose what came together with the address
            return code, output.read()


@contextmanager
def previews():
    started = []

    def start(*argv, **words):
        started.append(RunningPreview(*(argv or SAMPLE), **words))
        return started[-1]

    yield start
    for preview in started:
        if preview.process.poll() is None:
            preview.stop()


@pytest.fixture
def start_preview():
    """Start a preview of a command, or of the sample server."""
    with previews() as start:
        yield start


@pytest.fixture(scope="module")
def preview():
    """A preview of the sample server, for tests that stop neither of them."""
    with previews() as start:
        yield start()


def opened_in(context, complaints):
    """Open a new page and record its errors."""
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page


@pytest.fixture
def new_page(browser):
    """Open a page with a new browser profile; an error of the page fails the test."""
    contexts, complaints = [], []

    def open_page(**options):
        contexts.append(browser.new_context(**SIZE, **options))
        return opened_in(contexts[-1], complaints)

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def emptied_profile(browser):
    """A browser context that is emptied for each page."""
    context = browser.new_context(**SIZE)
    yield context
    context.close()


@pytest.fixture
def page(emptied_profile, preview):
    """The preview in a new page; an error of the page fails the test."""
    complaints = []
    page = opened_in(emptied_profile, complaints)
    page.goto(preview.address)
    yield page
    stored = {"origin": preview.origin, "storageTypes": "all"}
    emptied_profile.new_cdp_session(page).send("Storage.clearDataForOrigin", stored)
    emptied_profile.unroute_all()
    for each in emptied_profile.pages:
        each.close()
    assert complaints == []


@pytest.fixture
def choose(page):
    """Choose a tool by a click and wait for its card to reach a state; returns the frame of its view."""

    def choose(name, state="live"):
        page.locator(f"#tools a[data-tool={name}]").click()
        page.locator("#about-name", has_text=name).wait_for()
        page.locator(f"#card[data-state={state}]").wait_for()
        return page.frame_locator("#card iframe").frame_locator("iframe")

    return choose
