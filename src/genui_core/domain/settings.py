"""The settings the core obeys, each with its default (SPEC §11)."""

from typing import Literal

from attrs import Factory, frozen

from genui_core.domain.apps_extension import AppsSetting

Theme = Literal["light", "dark", "system"]


@frozen
class Limits:
    """The bounds of ``generation.limits``."""

    max_prompt_tokens: int = 4000
    max_output_tokens: int = 8000
    max_refinement_history: int = 5
    max_schema_depth: int = 5
    max_output_display_bytes: int = 102_400


@frozen
class Settings:
    """What a `Wrapper` is told; immutable.

    Attributes:
        apps: ``host.apps``, whether hosts get UIs.
        enabled_tools: ``generation.enabledTools``; None means every tool gets a UI.
        default_theme: ``generation.defaultTheme``, for hosts that name no theme.
        limits: ``generation.limits``.
    """

    apps: AppsSetting = AppsSetting.AUTO
    enabled_tools: frozenset[str] | None = None
    default_theme: Theme = "light"
    limits: Limits = Factory(Limits)

    def gives_ui(self, tool_name: str) -> bool:
        """Whether the allow-list lets a tool have a UI (SPEC W13)."""
        return self.enabled_tools is None or tool_name in self.enabled_tools
