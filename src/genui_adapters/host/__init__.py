"""Doors for hosts: how a host reaches the wrapper.

`attach` is found here, and loaded only when it is asked for: the stdio door does without the SDK.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genui_adapters.host.in_process import attach

__all__ = ["attach"]


def __getattr__(name: str) -> object:
    if name != "attach":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from genui_adapters.host.in_process import attach  # noqa: PLC0415 -- see above

    return attach
