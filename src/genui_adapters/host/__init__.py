"""Transports: how a host reaches the wrapper.

This package exports `attach` and `middleware_for`, and imports them at first use: the stdio
transport does not need the SDK.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genui_adapters.host.in_process import attach, middleware_for

__all__ = ["attach", "middleware_for"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from genui_adapters.host import in_process  # noqa: PLC0415 -- see above

    return getattr(in_process, name)
