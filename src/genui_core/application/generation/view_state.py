"""What a tool's view can be; apart from views themselves, as every start needs it."""

from enum import StrEnum


class ViewState(StrEnum):
    """What a tool's view is at the moment."""

    MINIMAL = "minimal"
    """What the tool deserves, or all there is without a model."""
    PROVISIONAL = "provisional"
    """The minimal UI, while a model writes."""
    GENERATED = "generated"
    FALLBACK = "fallback"
    """The minimal UI, because a generation failed."""
