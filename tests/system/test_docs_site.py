"""The documentation site builds without a warning, needs no network, and has a working gallery."""

import functools
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

LOADED = {"link", "script", "img", "iframe", "source"}
PATIENCE_MS = 20_000


class Document(HTMLParser):
    """The links, the loaded resources and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors = {"", "__skip"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        for name in {"href", "src", "data-src"} & given.keys():
            (self.loads if tag in LOADED else self.links).append(given[name])


@pytest.fixture(scope="module")
def site(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site and return its folder."""
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(
        words, cwd=repository, env=environment, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    assert not re.search(r"WARNING|ERROR|excluded from the built site", built.stderr), built.stderr
    return folder


@pytest.fixture(scope="module")
def documents(site: Path) -> dict[str, Document]:
    """Every page of the site, parsed, by its path in a browser."""
    pages = {path.relative_to(site).as_posix(): path for path in site.rglob("*.html")}
    written = {name: path for name, path in pages.items() if not name.startswith("live/")}
    return {
        f"/{name.removesuffix('index.html')}": Document(path.read_text("utf-8"))
        for name, path in written.items()
    }


def test_every_link_of_the_site_leads_to_a_page_and_to_an_anchor_of_it(
    site: Path, documents: dict[str, Document]
) -> None:
    dead = []
    for place, document in documents.items():
        for target in document.links + document.loads:
            there = urlsplit(urljoin(f"http://site{place}", target))
            if there.hostname != "site":
                continue
            path = unquote(there.path)
            found = documents.get(path)
            file = site / path.lstrip("/")
            known = unquote(there.fragment) in found.anchors if found else file.is_file()
            if not known:
                dead.append(f"{place}: {target}")
    assert dead == []
    assert sum(len(each.links) for each in documents.values()) > 1000


def test_every_page_of_the_repositorys_documentation_is_on_the_site(
    repository: Path, documents: dict[str, Document]
) -> None:
    pages = [
        path.relative_to(repository / "docs").with_suffix("") for path in (repository / "docs").rglob("*.md")
    ]
    places = {f"/{page.parent if page.name == 'README' else page}/".replace("/./", "/") for page in pages}
    assert places <= documents.keys()
    reference = {"genui_core.Wrapper.open", "genui_core.ports.llm_provider.LLMProvider.complete", "viewstore"}
    assert reference <= documents["/reference/api/"].anchors


def test_nothing_is_loaded_from_elsewhere_and_nothing_names_this_machine(
    site: Path, documents: dict[str, Document], repository: Path
) -> None:
    loads = {target for document in documents.values() for target in document.loads}
    assert [each for each in loads if urlsplit(each).scheme not in {"", "data"}] == []
    for path in site.rglob("*"):
        if path.is_file() and path.suffix in {".html", ".js", ".css", ".json"}:
            text = path.read_text(encoding="utf-8")
            assert str(repository) not in text, path
            assert path.suffix != ".css" or not re.search(r"(?:url\(|@import)[\s\"']*https?:", text), path


class Quiet(SimpleHTTPRequestHandler):
    """A plain server of files."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Serve the site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The gallery in a browser that can reach only the site; an error or another request fails the test."""
    context: BrowserContext = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme="dark"
    )
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    wrong: list[str] = []
    opened.on("console", lambda said: wrong.append(said.text) if said.type in {"error", "warning"} else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on(
        "request",
        lambda sent: None if sent.url.startswith((address, "data:", "blob:")) else wrong.append(sent.url),
    )
    opened.goto(f"{address}gallery/")
    yield opened
    context.close()
    assert wrong == []


def view(page: Page, title: str) -> FrameLocator:
    """Scroll to a live view, which loads only then, and return its document."""
    page.locator(f'iframe[title="{title}"]').scroll_into_view_if_needed()
    return page.frame_locator(f'iframe[title="{title}"]')


def test_the_views_of_the_gallery_run_and_answer_from_recordings(page: Page) -> None:
    forecast = view(page, "A forecast that a model drew")
    expect(forecast.get_by_text("Oslo, ")).to_be_visible(timeout=PATIENCE_MS)
    assert forecast.locator("html").evaluate("page => getComputedStyle(page).colorScheme") == "dark"
    page.locator("form.md-header__option label:visible").click()
    expect(forecast.locator("html")).to_have_css("color-scheme", "light", timeout=PATIENCE_MS)
    forecast.get_by_role("button", name="Edit").click()
    forecast.get_by_label("City").fill("Lisbon")
    forecast.get_by_role("button", name="Run").click()
    expect(forecast.get_by_text("Lisbon, ")).to_be_visible(timeout=PATIENCE_MS)
    forecast.get_by_role("button", name="Edit").click()
    forecast.get_by_label("City").fill("Paris")
    forecast.get_by_role("button", name="Run").click()
    expect(forecast.get_by_text("no recorded answer")).to_be_visible(timeout=PATIENCE_MS)

    issues = view(page, "A table that a model drew")
    issues.get_by_role("button", name="The table is too wide").click()
    expect(issues.get_by_text("On a telephone.")).to_be_visible(timeout=PATIENCE_MS)


def test_the_search_of_the_site_finds_words_of_a_page(page: Page) -> None:
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("Redis")
    expect(page.locator(".md-search-result__link").first).to_be_visible(timeout=PATIENCE_MS)
