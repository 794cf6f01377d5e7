"""What every wrapper starts with unless it is given another: clock, identities, no log, the built-in kit and prompts."""

import json
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Final, TypedDict
from uuid import uuid4

from genui_core.domain.pages.page_frame import PageNeeds
from genui_core.domain.prompting.prompt_set import PromptSet, agent_document
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.identity import Identity
from genui_core.ports.view_kit import ViewKit

if TYPE_CHECKING:
    from datetime import datetime


_PROMPTS: Final = ("classify", "document", "generate", "refine", "repair", "system")


class SystemClock(Clock):
    """The clocks of the system: the default."""

    def monotonic_ms(self) -> int:
        """Return the system's monotonic clock."""
        return int(monotonic() * 1000)

    def now(self) -> "datetime":
        """Return the system's time."""
        from datetime import UTC, datetime  # noqa: PLC0415 -- loaded with the first view that needs a date

        return datetime.now(UTC)


class RandomIdentity(Identity):
    """Identity out of the system's randomness: the default."""

    def request_id(self) -> str:
        """Return a random UUID (RFC 9562, version 4)."""
        return str(uuid4())

    def nonce(self) -> str:
        """Return 32 random hex digits."""
        return uuid4().hex


class SilentEventLog(EventLog):
    """Drops every event: the default without a log."""

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Let the event go."""


class _Build(TypedDict):
    apiVersion: int
    build: str


@cache
def _data(name: str) -> str:
    """Return a data file of this package. `importlib.resources` takes 25 times as long to import."""
    from pkgutil import get_data  # noqa: PLC0415 -- not before a view is asked for

    data = get_data("genui_core", f"data/{name}")
    if data is None:
        raise FileNotFoundError(f"genui_core/data/{name}")
    return data.decode()


class BuiltViewKit(ViewKit):
    """The kit that ``view/`` was built into: the files of ``genui_core/data/kit``."""

    def __init__(self) -> None:
        """Read what names the build."""
        self._named: _Build = json.loads(_data("kit/build.json"))

    @property
    def style(self) -> str:
        """The built style sheet."""
        return self.style_for(PageNeeds())

    @property
    def script(self) -> str:
        """The built script."""
        return self.script_for(PageNeeds())

    def style_for(self, needs: PageNeeds) -> str:
        """Return the built style sheet of a page."""
        more = _data("kit/schemas.css") if needs.any_schema else ""
        written = _data("kit/written.css") if needs.written else ""
        return _data("kit/view.css") + more + written + (_data("kit/likeness.css") if needs.likeness else "")

    def script_for(self, needs: PageNeeds) -> str:
        """Return the built script of a page."""
        name = "live" if needs.live else "written" if needs.written else "minimal"
        script = _data(f"kit/{name if needs.any_schema else f'plain-{name}'}.js")
        likeness = _data("kit/likeness.js") if needs.likeness else ""
        files = _data("kit/files.js") if needs.files else ""
        return likeness + files + (_data("kit/chat.js") if needs.chat else "") + script

    @property
    def document_script(self) -> str:
        """The built script for documents."""
        return _data("kit/document.js")

    @property
    def standalone_script(self) -> str:
        """The built script for pages that leave the wrapper."""
        return _data("kit/standalone.js")

    @property
    def api_version(self) -> int:
        """The version of what views may call."""
        return self._named["apiVersion"]

    @property
    def build(self) -> str:
        """The hash that names this build."""
        return self._named["build"]


@cache
def built_prompts() -> PromptSet:
    """Return the built-in prompts: the files of ``genui_core/data/prompts``."""
    return PromptSet.of({name: _data(f"prompts/{name}.mustache") for name in _PROMPTS})


def built_document(uri: str, prompts: PromptSet) -> bytes:
    """Return one of the pages for agents, of ``genui_core/data/docs``, as the JSON text of a ``contents`` entry."""
    return agent_document(uri, _data(f"docs/{uri.rpartition('/')[2]}.mustache"), prompts)
