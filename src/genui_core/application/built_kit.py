"""The kit and the prompts that are built into the package: the defaults of a `Wrapper`."""

from typing import TYPE_CHECKING

from attrs import asdict

from genui_core.domain.cache_key import ViewConfiguration
from genui_core.domain.prompting.prompt_set import PromptSet
from genui_core.domain.settings import Settings
from genui_core.ports.view_kit import ViewKit

if TYPE_CHECKING:
    from genui_core.ports.llm_provider import LLMProvider


class BuiltViewKit(ViewKit):
    """The kit that ``view/`` was built into."""

    def __init__(self) -> None:
        """Read the data module; the first time costs about a millisecond."""
        from genui_core.built import view_kit  # noqa: PLC0415 -- not before a view is asked for

        self._built = view_kit

    @property
    def style(self) -> str:
        """The built style sheet."""
        from genui_core.built import view_kit_forms  # noqa: PLC0415 -- see below

        return self._built.STYLE + view_kit_forms.STYLE

    @property
    def plain_style(self) -> str:
        """The built style sheet for tools whose schemas are plain."""
        return self._built.STYLE

    @property
    def script(self) -> str:
        """The built script."""
        from genui_core.built import view_kit_forms  # noqa: PLC0415 -- most tools have plain schemas

        return view_kit_forms.SCRIPT

    @property
    def plain_script(self) -> str:
        """The built script for tools whose schemas are plain."""
        return self._built.PLAIN_SCRIPT

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
