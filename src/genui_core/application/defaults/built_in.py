"""What every wrapper has unless it is given another: the built-in kit, prompts and pages for agents."""

import json
from functools import cache
from typing import Final, TypedDict

from genui_core.domain.pages.page_frame import PageNeeds
from genui_core.domain.prompting.prompt_set import PromptSet, agent_document
from genui_core.ports.view_kit import ViewKit

_PROMPTS: Final = ("classify", "document", "generate", "refine", "repair", "system")


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
