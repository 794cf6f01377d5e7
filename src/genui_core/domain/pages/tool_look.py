"""The look of a tool's page: the name and accent of its server, and the icon of the tool."""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Final

from attrs import evolve, frozen

from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.settings.brand import Brand
from genui_core.domain.tools.tool import Tool

HUES: Final = {
    "indigo": ("#4851d5", "#99abfe", "#5d6aff", "#8194fe"),
    "blue": ("#026bc9", "#78b4fe", "#0485f7", "#50a0ff"),
    "teal": ("#007270", "#54d1cd", "#039a97", "#02b5b2"),
    "green": ("#017b3d", "#65d68a", "#05a152", "#24c369"),
    "ochre": ("#8c5f01", "#f1b557", "#bd8207", "#e59e0a"),
    "orange": ("#b14500", "#fd9567", "#ec6107", "#f97b40"),
    "pink": ("#c32775", "#f689b4", "#e3348a", "#ed6ba2"),
    "violet": ("#8944ca", "#c499f9", "#a457ef", "#b680f3"),
}
"""Each hue as text in light and dark, and as a shape in light and dark."""

ACCENTS: Final = tuple(hue for hue in HUES if hue != "ochre")
"""The hues of servers: all but ochre, which is brown as text, and near the colour of a warning."""

_SERIES: Final = (4, 2, 6, 3)
"""The distances in `HUES` from the accent to the hues of a chart's further series."""

_OFFSET, _PRIME, _MASK = 0x811C9DC5, 0x01000193, 0xFFFFFFFF
_MIX_FIRST, _MIX_SECOND = 0x85EBCA6B, 0xC2B2AE35

_NO_BRAND: Final = Brand()

_MAX_ICON_CHARACTERS: Final = 12_000
_ICON: Final = re.compile(r"data:(image/(?:png|jpeg|webp|gif));base64,([A-Za-z0-9+/]+={0,2})")
"""The pictures that a page can draw without loading anything."""


def hue_of(server: str) -> str:
    """Return the hue of a server: always the same one for one name, and all hues equally often."""
    return ACCENTS[_hash(server) % len(ACCENTS)]


def accent(hue: str) -> dict[str, str]:
    """Return the custom properties of a hue: the accent, its fill and the further series of charts."""
    names = list(HUES)
    text_light, text_dark, fill_light, fill_dark = HUES[hue]
    series = [HUES[names[(names.index(hue) + step) % len(names)]] for step in _SERIES]
    return {
        "--accent": both(text_light, text_dark),
        "--fill": both(fill_light, fill_dark),
        **{f"--s{place}": both(each[2], each[3]) for place, each in enumerate(series, 1)},
    }


def both(light: str, dark: str) -> str:
    """Return the CSS for a colour in light and in dark themes."""
    return f"light-dark({light},{dark})"


def _hash(name: str) -> int:
    """Return FNV-1a of a name, mixed by murmur3's finalizer, so that similar names get different hues."""
    value = _OFFSET
    for byte in name.encode(errors="surrogatepass"):
        value = (value ^ byte) * _PRIME & _MASK
    value = (value ^ value >> 16) * _MIX_FIRST & _MASK
    value = (value ^ value >> 13) * _MIX_SECOND & _MASK
    return value ^ value >> 16


def picture_of(icons: object) -> str:
    """Return the first of a definition's ``icons`` that is a small picture in a data URI, or ""."""
    sources = [as_object(each).get("src") for each in icons] if isinstance(icons, list) else []
    return next((each for each in sources if isinstance(each, str) and _is_picture(each)), "")


def _is_picture(source: str) -> bool:
    found = _ICON.fullmatch(source) if len(source) <= _MAX_ICON_CHARACTERS else None
    if found is None:
        return False
    try:
        return bool(base64.b64decode(found[2], validate=True))
    except binascii.Error:
        return False


@frozen
class ServerLook:
    """The look of the pages of a server's tools.

    Attributes:
        name: The server's name for itself; "" if unknown.
        picture: The server's own icon in a data URI, or "".
        brand: A team's own look, which overrides the server's.
    """

    name: str = ""
    picture: str = ""
    brand: Brand = _NO_BRAND

    def told(self, server_info: object) -> "ServerLook":
        """Return the look with the name and icon in a ``serverInfo``, or this look if that has no name."""
        info = as_object(server_info)
        name = info.get("name")
        if not isinstance(name, str) or not name:
            return self
        return evolve(self, name=name, picture=picture_of(info.get("icons")))

    @property
    def title(self) -> str:
        """The name that people see."""
        return self.brand.name or self.name

    @property
    def properties(self) -> Mapping[str, str]:
        """The custom properties of the pages."""
        return {**accent(hue_of(self.name)), **self.brand.properties}

    def icon_of(self, tool: Tool) -> Mapping[str, str]:
        """Return the ``picture`` of the brand, tool or server for a tool's page, or else its ``outline``."""
        picture = self.brand.logo or picture_of(tool.definition.get("icons")) or self.picture
        return {"picture": picture} if picture else {"outline": outline_of(tool)}


def outline_of(tool: Tool) -> str:
    """Return the SVG path of a tool's outline, chosen by the words of its name or else by its hints."""
    words = _words(f"{tool.name} {tool.title}")
    hints = as_object(tool.definition.get("annotations"))
    named = next((name for name, known in _RULES.items() if not known.isdisjoint(words)), None)
    return OUTLINES[named or ("bolt" if hints.get("readOnlyHint") is False else "box")]


def _words(name: str) -> list[str]:
    """Return the words of a name, in lower case and in the singular as well."""
    parted = re.sub(r"([a-z\d])([A-Z])", r"\1 \2", name[:300])
    found = re.findall(r"[a-z]+", parted.lower())
    return [*found, *(each[:-1] for each in found if len(each) > _SHORT and each.endswith("s"))]


_SHORT: Final = 3


_ICONS: Final = {
    "sun": "weather forecast temperature climate sunrise sunset | M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5V4m0 16v1.5M4 12H2.5m19 0H20M5.3 5.3l1 1m11.4 11.4 1 1m0-13.4-1 1M6.3 17.7l-1 1",
    "commit": "git commit branch merge diff repo repository repositories pull rebase checkout stash blame | M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M2.5 12h6m7 0h6",
    "mail": "mail email inbox newsletter | M4.5 5.5h15a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17V7a1.5 1.5 0 0 1 1.5-1.5M3.5 7l8.5 6 8.5-6",
    "chat": "message chat channel conversation comment reply sms slack thread echo say | M5 4.5h14A1.5 1.5 0 0 1 20.5 6v9a1.5 1.5 0 0 1-1.5 1.5h-7L7.5 20v-3.5H5A1.5 1.5 0 0 1 3.5 15V6A1.5 1.5 0 0 1 5 4.5M8 9h8m-8 3.5h5",
    "calendar": "calendar event meeting appointment schedule booking date holiday | M5 5h14a1.5 1.5 0 0 1 1.5 1.5v12A1.5 1.5 0 0 1 19 20H5a1.5 1.5 0 0 1-1.5-1.5v-12A1.5 1.5 0 0 1 5 5M3.5 9.5h17M8 3v4m8-4v4",
    "clock": "time clock timezone timer duration hour wait delay cron history | M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 7.5V12l3 2",
    "pin": "map location place geocode coordinates address route directions distance nearby | M12 21c-4.5-4.6-6.5-8-6.5-11a6.5 6.5 0 0 1 13 0c0 3-2 6.4-6.5 11M12 7.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4",
    "people": "user people person contact member customer employee team author account profile entity | M12 4.5a3.7 3.7 0 1 0 0 7.4 3.7 3.7 0 0 0 0-7.4M4.5 20c.6-3.6 3.4-5.5 7.5-5.5s6.9 1.9 7.5 5.5",
    "database": "sql database query table schema row column record postgres sqlite mysql | M12 3.5c4.4 0 7.5 1.2 7.5 2.8S16.4 9 12 9 4.5 7.9 4.5 6.3 7.6 3.5 12 3.5M4.5 6.3v11.4c0 1.6 3.1 2.8 7.5 2.8s7.5-1.2 7.5-2.8V6.3M4.5 12c0 1.6 3.1 2.8 7.5 2.8s7.5-1.2 7.5-2.8",
    "image": "image picture photo screenshot icon logo thumbnail draw camera | M5 4.5h14A1.5 1.5 0 0 1 20.5 6v12a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18V6A1.5 1.5 0 0 1 5 4.5M3.5 16.5l5-5 4 4 3-3 5 5M15.5 7.6a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4",
    "chart": "chart stat statistics metric report analytics analysis analyze trend summary usage benchmark | M4 4v16h16M8.5 16v-4m4 4V7.5m4 8.5v-6",
    "coin": "price cost budget invoice payment currency stock balance bank tax salary finance money | M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M14.8 9.3C14.3 8.3 13.3 8 12 8c-1.6 0-2.8.8-2.8 2s1 1.7 2.8 2 2.9.8 2.9 2-1.3 2-2.9 2c-1.4 0-2.5-.5-3-1.5M12 6.5V8m0 8v1.5",
    "pot": "recipe menu cake bakery cook cooking eat food meal dish ingredient kitchen restaurant | M5 10h14v6.5a2.5 2.5 0 0 1-2.5 2.5h-9A2.5 2.5 0 0 1 5 16.5V10M2.5 12.5H5m14 0h2.5M4 7h16M10 7V5h4v2",
    "cart": "order cart product shop purchase inventory | M3 4h2.5l2 11h10l2-8H6.3M9 18.2a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6M16.5 18.2a1.3 1.3 0 1 0 0 2.6 1.3 1.3 0 0 0 0-2.6",
    "folder": "folder directory directories tree workspace project | M3.5 18V6.5A1.5 1.5 0 0 1 5 5h4.5l2 2.5H19A1.5 1.5 0 0 1 20.5 9v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18",
    "file": "file document doc docx page note text markdown pdf content resource template heading paragraph slide presentation word | M6.5 3.5h7l5 5v10a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2M13.5 3.5v5h5M8.5 13h7m-7 3.5h5",
    "lock": "password secret token key encrypt decrypt login auth credential | M6.5 10.5h11A1.5 1.5 0 0 1 19 12v7a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 19v-7a1.5 1.5 0 0 1 1.5-1.5M8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2",
    "shield": "security firewall permission policy vulnerability audit scan | M12 3.5l7 2.5v5.5c0 4.2-2.8 7.4-7 9-4.2-1.6-7-4.8-7-9V6l7-2.5",
    "server": "server host cpu memory system process container docker pod cluster vm deployment disk machine | M5 4.5h14A1.5 1.5 0 0 1 20.5 6v3.5A1.5 1.5 0 0 1 19 11H5a1.5 1.5 0 0 1-1.5-1.5V6A1.5 1.5 0 0 1 5 4.5M5 13h14a1.5 1.5 0 0 1 1.5 1.5V18a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18v-3.5A1.5 1.5 0 0 1 5 13M7.5 7.8h.010M7.5 16.2h.010",
    "alert": "error problem alert incident warning bug issue diagnostics lint failure | M12 4.5l8.5 15h-17L12 4.5M12 10v4.5m0 2.5v.010",
    "task": "task todo reminder checklist ticket milestone plan step | M4 6.5l1.5 1.5L8.5 5M4 12.5 5.5 14l3-3M4 18.5 5.5 20l3-3M12 7h8m-8 6h8m-8 6h8",
    "link": "link bookmark | M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1",
    "graph": "graph node relation network dependency dependencies knowledge | M6 15.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M18 15.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M12 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M10.8 8.2 7.2 15.8m6-7.6 3.6 7.6",
    "globe": "web url http fetch site website domain dns ip browser crawl country translate language | M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M3.5 12h17M12 3.5c5 5 5 12 0 17-5-5-5-12 0-17",
    "code": "code function class symbol script json xml html css regex format parse encode decode hash uuid | M8.5 7.5 4 12l4.5 4.5m7-9L20 12l-4.5 4.5M13.5 5l-3 14",
    "ruler": "convert unit calculate calculator calc math sum multiply number measure evaluate | M15.5 3.5l5 5-12 12-5-5 12-12M12.5 6.5l2 2m-5 1 2 2m-5 1 2 2",
    "book": "book library article wiki wikipedia paper documentation dictionary definition news | M12 6.5C10 5 7.5 4.5 4 4.5v14c3.5 0 6 .5 8 2 2-1.5 4.5-2 8-2v-14c-3.5 0-6 .5-8 2m0 0v14",
    "tag": "tag label category topic | M4 4.5h7.5l9 9-7 7-9-9L4 4.5M8.2 8.5v.010",
    "gear": "config configuration setting option environment env tool version | M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 3v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.2 2.2m8.4 8.4 2.2 2.2m0-12.8-2.2 2.2m-8.4 8.4-2.2 2.2",
    "bin": "delete remove drop clear purge destroy | M4.5 6.5h15M9.5 6.5v-2h5v2M6.5 6.5l1 13h9l1-13M10 10.5v5m4-5v5",
    "pencil": "edit update rename write change replace modify set patch | M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19 4 20M13.5 7l3.5 3.5",
    "plus": "create new add insert append generate make | M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M12 8v8m-4-4h8",
    "search": "search find lookup discover filter look match | M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.3 15.3 20.5 20.5",
    "play": "run execute start trigger invoke launch test | M7 4.5l12 7.5-12 7.5v-15",
    "list": "list all show items collection | M4 6.5h.010M4 12h.010M4 17.5h.010M8 6.5h12M8 12h12M8 17.5h12",
    "bolt": " | M13 3 5 13.5h6L10.5 21 19 10.5h-6L13 3",
    "box": " | M12 3.5l8 4.2v8.6l-8 4.2-8-4.2V7.7l8-4.2M4 7.7l8 4.3 8-4.3M12 12v8.5",
}
"""The words that select an icon, nouns before verbs (the first that fits), and its outline in 24 x 24."""

OUTLINES: Final = {name: icon.partition(" | ")[2] for name, icon in _ICONS.items()}
_RULES: Final = {name: frozenset(icon.partition(" | ")[0].split()) for name, icon in _ICONS.items()}
