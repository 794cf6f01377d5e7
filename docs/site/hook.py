"""What the site of the documentation adds to its pages, which are written for a reader of the repository.

The navigation comes from the tables of `docs/README.md`. Pages and code outside of `docs/` that a page links to
become pages of the site. The gallery gets live views, and the API page is made from the source.
"""

import posixpath
import re
import sys
import tomllib
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generators"))

from api_page import site_page
from live_views import ROOT, live_views

_CODE: Final = re.compile(r"(^ *```.*?^ *```|`[^`\n]*`)", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"(\]\()([^)\s#]+)")
_LANGUAGES: Final = {
    ".py": "python",
    ".ts": "typescript",
    ".mjs": "javascript",
    ".sql": "sql",
    ".toml": "toml",
}
_API, _GALLERY, _INDEX = "reference/api.md", "gallery.md", "README.md"
_LIVE_MARK: Final = "<!-- live -->"
_PROJECT: Final = ("CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set what is written elsewhere: the project's address, the anchors of GitHub, the navigation."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    if address := about["tool"]["mcp-gen-ui"][
        "address"
    ]:  # `repo_url` would have readers fetch numbers from elsewhere
        config.extra["social"] = [{"icon": "fontawesome/brands/git-alt", "link": address, "name": "Source"}]
    config.mdx_configs["toc"] |= {"slugify": anchor}
    config.nav = navigation((ROOT / "docs" / _INDEX).read_text(encoding="utf-8"))
    return config


def anchor(heading: str, _separator: str) -> str:
    """Return the anchor of a heading as GitHub makes it, for links that work in both places."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def navigation(index: str) -> list[dict[str, object]]:
    """Return the navigation of the site: one tab for each table of the index, the examples, the project's pages."""
    tables = re.finditer(r"^\| to (?P<title>[^|]+?) \|.*\n(?P<rows>(?:\|.*\n)+)", index, re.MULTILINE)
    tabs = {
        each["title"].capitalize(): re.findall(r"^\| .*? \|", each["rows"], re.MULTILINE) for each in tables
    }
    tabs["Examples"] = [index.partition("The examples:")[2]]
    middle = [{title: _entries(cells)} for title, cells in tabs.items()]
    return [{"Home": _INDEX}, *middle, {"Project": [*_PROJECT]}]


def _entries(cells: list[str]) -> list[object]:
    """Return the pages to which cells of the index link; what an index of its own lists stands below it."""
    entries: list[object] = []
    for title, target in (link for cell in cells for link in re.findall(r"\[([^\]]+)\]\(([^)]+)\)", cell)):
        place = _site_path(posixpath.normpath(f"docs/{target}"))
        inner = sorted((ROOT / "docs" / place).parent.glob("0*.md"))
        below = [each.relative_to(ROOT / "docs").as_posix() for each in inner]
        entries.append({title[0].upper() + title[1:]: [place, *below] if below else place})
    return entries


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages outside of `docs/`, the pictures of the site, and the live views."""
    for path in sorted(_outside()):
        files.append(File.generated(config, _site_path(path), content=_as_page(path)))
    icon = ROOT / "src" / "genui_cli" / "preview" / "assets" / "icon.svg"
    files.append(File.generated(config, "images/icon.svg", abs_src_path=str(icon)))
    for name, content in live_views().files().items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Return a page's text for the site."""
    place = page.file.src_uri
    if place == _API:
        return site_page()
    if place == _GALLERY:
        markdown = markdown.replace(_LIVE_MARK, live_views().markup())
    path = f"docs/{place}" if (ROOT / "docs" / place).is_file() else place
    text = _relinked(markdown, path)
    if place == _INDEX:
        page.meta["hide"] = ["navigation"]  # it would list this page only
        opening = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
        text = f"{_relinked(opening, 'README.md')}\n{text.replace('# ', '## ', 1)}"
    return text


def _relinked(markdown: str, path: str) -> str:
    """Return the text of a file of the repository with its links as the site has their targets."""

    def led(link: re.Match[str]) -> str:
        if ":" in link[2]:
            return link[0]
        return link[1] + posixpath.relpath(
            _site_path(_target(path, link[2])), posixpath.dirname(_site_path(path)) or "."
        )

    pieces = _CODE.split(markdown)
    return "".join(piece if number % 2 else _LINK.sub(led, piece) for number, piece in enumerate(pieces))


def _target(path: str, link: str) -> str:
    """Return the file of the repository to which a link in a file leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _site_path(path: str) -> str:
    """Return where a file of the repository is among the sources of the site: code has a page of its own."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return path if path.endswith(".md") else f"{path}.md"


def _as_page(path: str) -> str:
    """Return a file outside of `docs/` as a page: Markdown as it is, code as a block."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".md"):
        return text
    language = _LANGUAGES.get(posixpath.splitext(path)[1], "text")
    return f"# {posixpath.basename(path)}\n\n`{path}`\n\n````{language}\n{text.rstrip()}\n````\n"


def _outside() -> set[str]:
    """Return every file outside of `docs/` to which the pages lead, directly or through each other."""
    found = {*_PROJECT}
    pages = [page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md")] + [*found]
    while pages:
        page = pages.pop()
        links = _LINK.finditer(_CODE.sub("", (ROOT / page).read_text(encoding="utf-8")))
        targets = {_target(page, link[2]) for link in links if ":" not in link[2]}
        new = {each for each in targets if not each.startswith("docs/") and each != _INDEX} - found
        found |= new
        pages += [each for each in new if each.endswith(".md")]
    return found
