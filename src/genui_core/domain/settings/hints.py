"""A person's hints for the views of one tool (``generation.hints.NAME``)."""

from typing import Literal

from attrs import field, frozen

from genui_core.domain.settings.setting import note

ViewKind = Literal["chart", "table", "form", "card", "list", "map", "timeline"]


@frozen(kw_only=True)
class Hints:
    """The hints; each field carries its own description."""

    kind: ViewKind | None = field(
        default=None,
        metadata=note("kind", "What the view should be; the minimal view draws `map` and `timeline` too."),
    )
    interactivity: str | None = field(
        default=None,
        metadata=note("interactivity", "How much a person is to do in the view, in your own words."),
    )
    theme: Literal["light", "dark", "system"] | None = field(
        default=None, metadata=note("theme", "The theme to expect first.")
    )

    def as_data(self) -> dict[str, str]:
        """Return what is wished, as JSON, for cache keys and for people."""
        wishes = {"kind": self.kind, "interactivity": self.interactivity, "theme": self.theme}
        return {key: wish for key, wish in wishes.items() if wish is not None}
