"""The kit and the prompts that are built into the package: the defaults of a `Wrapper`."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from attrs import asdict

from genui_core.domain.cache_key import ViewConfiguration
from genui_core.domain.page_frame import PageNeeds
from genui_core.domain.prompting.prompt_set import PromptSet
from genui_core.domain.settings import Settings
from genui_core.ports.view_kit import ViewKit

if TYPE_CHECKING:
    from genui_core.ports.llm_provider import LLMProvider


_SCRIPTS: Final = {
    PageNeeds(any_schema=False, written=False): "plain_minimal_script",
    PageNeeds(any_schema=True, written=False): "minimal_script",
    PageNeeds(any_schema=False, written=True): "plain_written_script",
    PageNeeds(any_schema=True, written=True): "written_script",
}
"""The modules of the built scripts."""


class BuiltViewKit(ViewKit):
    """The kit that ``view/`` was built into."""

    def __init__(self) -> None:
        """Read the data module; the first time costs about a millisecond."""
        from genui_core.built import view_kit  # noqa: PLC0415 -- not before a view is asked for

        self._built = view_kit

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
        more = self._built.SCHEMA_STYLE if needs.any_schema else ""
        return self._built.STYLE + more + (self._built.WRITTEN_STYLE if needs.written else "")

    def script_for(self, needs: PageNeeds) -> str:
        """Return the built script of a page. Each is in a module of its own, since most pages need one of them."""
        built: str = import_module(f"genui_core.built.{_SCRIPTS[needs]}").SCRIPT
        return built

    @property
    def document_script(self) -> str:
        """The built script for documents."""
        return self._built.DOCUMENT_SCRIPT

    @property
    def standalone_script(self) -> str:
        """The built script for pages that leave the wrapper."""
        return self._built.STANDALONE_SCRIPT

    @property
    def api_version(self) -> int:
        """The version of what views may call."""
        return self._built.API_VERSION

    @property
    def build(self) -> str:
        """The hash that names this build."""
        return self._built.BUILD


def built_prompts() -> PromptSet:
    """Return the built-in prompts."""
    from genui_core.built import prompts  # noqa: PLC0415 -- not before a view is asked for

    return PromptSet(
        prompts.PROMPT_SET_ID, prompts.PROMPT_SET_VERSION, prompts.PROMPT_SET_HASH, prompts.TEMPLATES
    )


def view_configuration(
    settings: Settings, kit: ViewKit, prompts: PromptSet, llm: "LLMProvider | None"
) -> ViewConfiguration:
    """Return whatever besides the tool decides what its view looks like.

    Args:
        settings: Kinds, hints, examples and limits.
        kit: What pages are made of.
        prompts: What models are told.
        llm: The model, if any.
    """
    generation = settings.generation
    return ViewConfiguration(
        prompt_set_id=prompts.set_id,
        prompt_set_version=prompts.version,
        prompt_set_hash=prompts.content_hash,
        kit_api_version=kit.api_version,
        provider="none" if llm is None else llm.name,
        model=None if llm is None else llm.model,
        temperature=None if llm is None else generation.temperature,
        mode=generation.mode,
        theme=settings.default_theme,
        ui_type={name: str(kind) for name, kind in settings.ui_type.items()},
        hints={name: asdict(hints) for name, hints in settings.hints.items()},
        examples=settings.examples,
        limits=settings.limits,
    )
