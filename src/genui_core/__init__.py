"""The pure heart of mcp-gen-ui: domain, rules, ports and use-cases, free of effects."""

from typing import TYPE_CHECKING

from genui_core.application.wrapper import Wrapper

if TYPE_CHECKING:  # a proxy never needs it
    from genui_core.application.augmentation import augment_with_ui

__all__ = ["Wrapper", "augment_with_ui"]


def __getattr__(name: str) -> object:
    """Load what only a library's user asks for, when it is asked for."""
    if name != "augment_with_ui":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from genui_core.application.augmentation import augment_with_ui  # noqa: PLC0415

    return augment_with_ui
