"""A YAML or JSON text as a tree of parts with positions, so that one part changes and the rest stays."""

from collections.abc import Callable, Iterator
from functools import cached_property

from attrs import field, frozen


@frozen(eq=False)
class Part:
    """A value in the text.

    Attributes:
        start: Where it begins, in characters.
        end: Where its last character ends; comments and empty lines after it are not part of it.
        shared: Whether it has an anchor or stands for one, so that it is not only here.
    """

    start: int
    end: int
    shared: bool = field(default=False, kw_only=True)

    def plain(self) -> object:
        """Return the value: in YAML, numbers and truth values as texts, and None for an alias or an anchor."""
        return None

    def parts(self) -> Iterator["Part"]:
        """Yield it and all that is in it."""
        yield self


@frozen(eq=False)
class Text(Part):
    """A text, a number, a truth value or nothing at all."""

    value: str

    def plain(self) -> str:
        """Return the text."""
        return self.value


@frozen(eq=False)
class Scalar(Part):
    """A JSON number, truth value or null."""

    value: object

    def plain(self) -> object:
        """Return the value."""
        return self.value


@frozen(eq=False)
class Items(Part):
    """A list; `is_flow` where it is written in brackets."""

    is_flow: bool
    items: tuple[Part, ...]

    def plain(self) -> list[object]:
        """Return the items."""
        return [each.plain() for each in self.items]

    def parts(self) -> Iterator[Part]:
        """Yield it and all that is in it."""
        yield self
        for each in self.items:
            yield from each.parts()


@frozen(eq=False)
class Pairs(Part):
    """A mapping; `is_flow` where it is written in braces."""

    is_flow: bool
    pairs: tuple[tuple[Part, Part], ...]

    def plain(self) -> dict[str, object]:
        """Return the values by their keys."""
        return {str(key.plain()): value.plain() for key, value in self.pairs}

    def parts(self) -> Iterator[Part]:
        """Yield it and all that is in it."""
        yield self
        for each in (each for pair in self.pairs for each in pair):
            yield from each.parts()

    def get(self, name: str) -> Part | None:
        """Return the value of a key."""
        return next((value for key, value in self.pairs if key.plain() == name), None)

    def key_of(self, value: Part) -> Part:
        """Return the key of a value that is in it."""
        return next(key for key, each in self.pairs if each is value)


@frozen(eq=False)
class Unread(Part):
    """A list or mapping whose members have no positions before they are read.

    Attributes:
        value: Its value.
        read: Reads the members; the values in them may be unread again.
    """

    value: object
    read: Callable[[], Part]

    def plain(self) -> object:
        """Return the value."""
        return self.value

    @cached_property
    def part(self) -> Part:
        """The list or mapping with its members, read once."""
        return self.read()

    def parts(self) -> Iterator[Part]:
        """Yield the list or mapping and all that is in it."""
        yield from self.part.parts()


def opened(part: Part | None) -> Part | None:
    """Return a part; a list or mapping with its members."""
    return part.part if isinstance(part, Unread) else part
