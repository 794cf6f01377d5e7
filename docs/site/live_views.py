"""The live views of the gallery: exported pages, and answers of their tools to play in the reader's browser.

The tools and answers come from the example servers, which run while the site is built, and from the recorded view in
`tests/written_views`. `mcp-gen-ui export` writes the pages; the recordings of a model's answers stand for a model.
`gallery.js` is the host of the pages.
"""

import functools
import html
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "tutorial"))

from host import Server

ROOT: Final = Path(__file__).resolve().parents[2]

_CITIES: Final = ("Oslo", "Lisbon", "Nairobi", "Tokyo")
_SPENT: Final = (
    "SELECT c.name, sum(o.quantity * p.price_eur) AS spent_eur FROM orders o JOIN customers c ON c.id = o.customer_id "
    "JOIN products p ON p.id = o.product_id GROUP BY c.id ORDER BY spent_eur DESC"
)
_ASKED: Final = '\n{"name":"%s",'  # how a prompt begins the definition of the tool whose view it asks for
_RECORDED: Final = ROOT / "tests" / "written_views"
_PLAYER: Final = ROOT / "tests" / "corpus" / "recorded_upstream.py"

Recording = dict[str, Any]


@frozen
class Exhibit:
    """A view in the gallery.

    Attributes:
        title: Its heading.
        words: What to try.
        tool: The tool that it belongs to.
        arguments: The calls whose answers the page has; the first is the example.
        server: The example server that has the tool; without one, the recorded view of that name.
        answer: The file with the model's answer; without one, the view is the minimal one.
        shows_call: Whether the first call is shown at once; otherwise the form is.
    """

    title: str
    words: str
    tool: str
    arguments: tuple[Mapping[str, Any], ...]
    server: str
    answer: str | None = None
    shows_call: bool = True


EXHIBITS: Final = (
    Exhibit(
        "A forecast that a model drew",
        "Press **Edit**, choose another city or number of days, and run the tool again.",
        "get_forecast",
        tuple({"city": city, "days": days} for city in _CITIES for days in (5, 10)),
        "weather-server/weather_server.py",
        "benchmarks/screenshot_answers/first.txt",
    ),
    Exhibit(
        "The same server without a model",
        "The form comes from the tool's schema, and the card from the shape of its result.",
        "get_current_weather",
        tuple({"city": city, "units": units} for city in _CITIES for units in ("metric", "imperial")),
        "weather-server/weather_server.py",
    ),
    Exhibit(
        "A table that a model drew",
        "A row opens one more tool of the server, which the view calls itself.",
        "list_issues",
        (),
        "",
        "tests/written_views/fragments/issues.html",
    ),
    Exhibit(
        "A query without a model",
        "Numbers by name become bars, with their table behind them.",
        "query",
        ({"sql": _SPENT}, {"sql": "SELECT * FROM products"}),
        "database-server/database_server.py",
    ),
    Exhibit(
        "A tool that deletes",
        "The tool says that it deletes something, so its view asks before it runs. Try the products 7 and 8.",
        "delete_product",
        ({"product_id": 8}, {"product_id": 7}),
        "database-server/database_server.py",
        shows_call=False,
    ),
)


@define
class LiveViews:
    """What the gallery of the site has more than the page in the repository.

    Attributes:
        tools: The definition of each tool that occurs, by name.
        calls: The recorded calls, as `tests/corpus/recorded_upstream.py` reads them.
        pages: The exported page of each exhibit, by tool.
    """

    tools: dict[str, Recording] = field(factory=dict)
    calls: list[Recording] = field(factory=list)
    pages: dict[str, str] = field(factory=dict)

    def files(self) -> dict[str, str]:
        """Return the exported pages, by their path in the site."""
        return {f"live/{tool}.html": page for tool, page in self.pages.items()}

    def markup(self) -> str:
        """Return the part of the gallery page that shows the views."""
        return "\n".join(map(self._figure, EXHIBITS))

    def _figure(self, exhibit: Exhibit) -> str:
        calls = [each for each in self.calls if each["exhibit"] == exhibit.tool]
        data = {"tool": self.tools[exhibit.tool], "showsCall": exhibit.shows_call, "calls": calls}
        text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
        title = html.escape(exhibit.title)
        return (
            f"## {exhibit.title}\n\n{exhibit.words}\n\n"
            f'<div class="live-view"><iframe title="{title}" sandbox="allow-scripts allow-forms" loading="lazy" '
            f'data-src="../live/{exhibit.tool}.html"></iframe>\n'
            f'<script type="application/json">{text}</script></div>\n'
        )

    def record(self) -> None:
        """Ask each server for the tools and answers of its exhibits, and read the recorded ones."""
        for server in dict.fromkeys(each.server for each in EXHIBITS):
            exhibits = [each for each in EXHIBITS if each.server == server]
            if server:
                self._ask(Server([sys.executable, str(ROOT / "examples" / server)]), exhibits)
            else:
                self._read(exhibits)

    def _ask(self, server: Server, exhibits: list[Exhibit]) -> None:
        definitions = {each["name"]: each for each in server.ask("tools/list", {})["tools"]}
        for exhibit in exhibits:
            self.tools[exhibit.tool] = definitions[exhibit.tool]
            for arguments in exhibit.arguments:
                result = server.ask("tools/call", {"name": exhibit.tool, "arguments": arguments})
                self._keep(exhibit, exhibit.tool, arguments, result)
        server.leave()

    def _read(self, exhibits: list[Exhibit]) -> None:
        recorded = json.loads((_RECORDED / "results.json").read_text(encoding="utf-8")).values()
        for exhibit in exhibits:
            (main,) = (each for each in recorded if each["tool"]["name"] == exhibit.tool)
            for each in (main, *main.get("related", ())):
                name, result = each["tool"]["name"], each["result"]
                self.tools[name] = each["tool"] | {"outputSchema": {"type": "object"}}
                content = [{"type": "text", "text": json.dumps(result)}]
                answer = {"content": content, "structuredContent": result}
                self._keep(exhibit, name, each["arguments"], answer)

    def _keep(self, exhibit: Exhibit, tool: str, arguments: Mapping[str, Any], result: Recording) -> None:
        call = {"exhibit": exhibit.tool, "tool": tool, "arguments": arguments, "response": {"result": result}}
        self.calls.append(call)

    def export(self, folder: Path) -> None:
        """Export the pages of all exhibits from a player of the recordings.

        Raises:
            subprocess.CalledProcessError: a view could not be made; standard error says why.
        """
        written = {each.tool: each.answer for each in EXHIBITS if each.answer}
        kinds = {each.tool: "rich" if each.tool in written else "minimal" for each in EXHIBITS}
        (folder / "answers").mkdir(parents=True)  # the folder's name is the server's, and decides the accent
        for tool, answer in written.items():
            recording = {"when": [_ASKED % tool], "text": (ROOT / answer).read_text(encoding="utf-8")}
            (folder / "answers" / f"{tool}.json").write_text(json.dumps(recording), encoding="utf-8")
        (folder / "tools.json").write_text(json.dumps({"tools": [*self.tools.values()]}), encoding="utf-8")
        (folder / "calls.json").write_text(json.dumps(self.calls), encoding="utf-8")
        settings = {"generation": {"uiType": kinds, "enabledTools": [*kinds]}}
        (folder / "mcp-gen-ui.json").write_text(json.dumps(settings), encoding="utf-8")
        ours = ["--config", "mcp-gen-ui.json", "--llm", "replay:answers", "-o", "views"]
        words = [sys.executable, "-P", "-m", "genui_cli", "export", *ours]
        subprocess.run(
            [*words, "--", sys.executable, _PLAYER, folder], cwd=folder, check=True, stdout=subprocess.DEVNULL
        )
        for view in json.loads((folder / "views" / "manifest.json").read_text(encoding="utf-8"))["views"]:
            self.pages[view["tool"]] = (folder / "views" / view["file"]).read_text(encoding="utf-8")


@functools.cache
def live_views() -> LiveViews:
    """Make the live views, once for each build."""
    made = LiveViews()
    made.record()
    with tempfile.TemporaryDirectory() as folder:
        made.export(Path(folder) / "gallery")
    return made
