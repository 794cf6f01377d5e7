"""The core of mcp-gen-ui: the domain, the ports and the application, which need no adapter."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # most commands need one module of the core, not all
    from genui_core.application.augmentation import augment_with_ui
    from genui_core.application.wrapper import Wrapper

__all__ = ["Wrapper", "augment_with_ui"]

_MODULES: Final = {"Wrapper": "wrapper", "augment_with_ui": "augmentation"}


def __getattr__(name: str) -> object:
    """Import the module of a public name at the first access."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"genui_core.application.{_MODULES[name]}"), name)
