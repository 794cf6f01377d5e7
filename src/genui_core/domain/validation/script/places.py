"""Places where values come together: a name that is written more than once, what a function returns."""

from typing import Final

from attrs import Factory, define, evolve

from genui_core.domain.validation.addresses import HOLE, brings_data
from genui_core.domain.validation.script.values import (
    NO_MARKUP,
    NOTHING,
    UNKNOWN_TEXT,
    Value,
    any_of,
    written_out,
)


@define(eq=False, kw_only=True)
class Place:
    """A place that gets values from several sources.

    Attributes:
        value: All that it can hold.
        sources: What each source puts there; an unknown value counts, too.
    """

    value: Value = NOTHING
    sources: dict[object, Value] = Factory(dict)

    def put(self, source: object, value: Value, *, grows: bool = False) -> bool:
        """Set what a source puts here, and tell whether the place can now hold something else.

        Args:
            source: Whatever stands for the source.
            value: What it puts here.
            grows: Whether the value is added to what the source put here before; it takes its place otherwise.
        """
        known = self.sources.get(source)
        if known is None:
            self.sources[source] = known = NOTHING
        if value is known or value == known:
            return False
        added = _shortened(known, value)
        joined = known | added
        new = value if added is value and not grows else joined
        self.sources[source] = new
        before = self.value
        self.value = before | new if new == joined else any_of(self.sources.values())
        return not self.value == before  # noqa: SIM201 -- quicker for this class

    def settle(self) -> bool:
        """Count what is still unknown of a source as any text; tell whether that changes the place."""
        unknown = [each for each in self.sources.values() if not each.is_said] if self.value.texts else []
        whole = any_of(Value(texts=each.as_texts) for each in unknown)
        if self.value.members is not None and any(map(_may_be_object, self.sources.values())):
            whole |= _HOLDS_ANYTHING
        return not whole.is_nothing and self.put(Place, whole, grows=True)


def _shortened(known: Value, value: Value) -> Value:
    """Return what a source puts somewhere, without the longer and longer texts that a script makes of its own."""
    added = value.texts - known.texts
    many = known.texts and len(known.texts) + len(added) > _MOST_GROWN
    if not many or not added or any(map(brings_data, added)):
        return value
    return evolve(value, texts=NO_MARKUP.texts)


_MOST_GROWN: Final = 32


def _may_be_object(value: Value) -> bool:
    """Tell whether a value may be an object of which nothing is known."""
    return value.members is None and (HOLE in value.texts or not value.is_said)


_HOLDS_ANYTHING: Final = written_out([(HOLE, UNKNOWN_TEXT)])


def add_unknown(place: Place) -> None:
    """Let a place hold any text besides what it is known to hold."""
    place.put(UNKNOWN_TEXT, UNKNOWN_TEXT)
