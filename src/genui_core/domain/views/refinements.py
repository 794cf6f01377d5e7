"""A person's refinements of one tool's view, in order (SPEC §8)."""

from collections.abc import Mapping
from datetime import datetime

from attrs import evolve, frozen

from genui_core.domain.views.cache_key import refinement_hash


@frozen(kw_only=True)
class Refinement:
    """One refinement.

    Attributes:
        timestamp: When it was uttered, in ISO 8601, UTC.
        feedback: Its words.
        generation_hash_before: The key of the view it was about.
    """

    timestamp: str
    feedback: str
    generation_hash_before: str

    def as_data(self) -> Mapping[str, object]:
        """Return it as SPEC §8 names its parts."""
        return {
            "timestamp": self.timestamp,
            "feedback": self.feedback,
            "generationHashBefore": self.generation_hash_before,
        }


@frozen
class Refinements:
    """All refinements for one tool so far; immutable. The newest few count, the others are only stored.

    Attributes:
        all: Oldest first.
        most: ``limits.maxRefinementHistory``: how many of the newest count.
    """

    all: tuple[Refinement, ...] = ()
    most: int = 5

    @property
    def feedback(self) -> tuple[str, ...]:
        """The words that count, oldest first."""
        return tuple(each.feedback for each in self.all[-self.most :])

    @property
    def hash(self) -> str:
        """What of them goes into the cache key."""
        return refinement_hash(self.feedback)

    def with_one_more(self, feedback: str, *, at: datetime, key_before: str) -> "Refinements":
        """Return them with a new refinement at the end."""
        wish = Refinement(
            timestamp=at.isoformat(timespec="milliseconds"),
            feedback=feedback,
            generation_hash_before=key_before,
        )
        return evolve(self, all=(*self.all, wish))
