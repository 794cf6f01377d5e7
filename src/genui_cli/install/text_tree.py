"""A YAML or JSON text as a tree of parts with positions, so that one part changes and the rest stays."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from attrs import field, frozen

from genui_core.domain.mcp.json_text import Edit


@frozen(eq=False)
class Part:
    """A value in the text.

    Attributes:
        end: Where its last character ends; comments and empty lines after it are not part of it.
        shared: Whether it has an anchor or stands for one, so that it is not only here.
    """

    start: int
    end: int
    shared: bool = field(default=False, kw_only=True)

    def plain(self) -> object:
        """Return the value: in YAML, numbers and truth values as texts, and None for an alias or an anchor."""
        return None


@frozen(eq=False)
class Scalar(Part):
    """A value without positions of parts in it: a JSON number, truth value or null."""

    value: object

    def plain(self) -> object:
        """Return the value."""
        return self.value


@frozen(eq=False)
class Text(Scalar):
    """A text; in YAML also a number, a truth value or nothing at all."""

    value: str


@frozen(eq=False)
class Items(Part):
    """A list; `is_flow` where it is written in brackets."""

    is_flow: bool
    items: tuple[Part, ...]

    def plain(self) -> list[object]:
        """Return the items."""
        return [each.plain() for each in self.items]


@frozen(eq=False)
class Pairs(Part):
    """A mapping; `is_flow` where it is written in braces."""

    is_flow: bool
    pairs: tuple[tuple[Part, Part], ...]

    def plain(self) -> dict[str, object]:
        """Return the values by their keys."""
        return {str(key.plain()): value.plain() for key, value in self.pairs}

    def get(self, name: str) -> Part | None:
        """Return the value of a key."""
        return next((value for key, value in self.pairs if key.plain() == name), None)

    def key_of(self, value: Part) -> Part:
        """Return the key of a value that is in it."""
        return next(key for key, each in self.pairs if each is value)


@frozen(eq=False)
class Unread(Scalar):
    """A list or mapping whose members have no positions before they are read."""

    read: Callable[[], Part]

    @cached_property
    def part(self) -> Part:
        """The list or mapping with its members, read once."""
        return self.read()


def parts_of(part: Part) -> Iterator[Part]:
    """Yield a part and all that is in it."""
    yield part
    inner: Iterable[Part] = part.items if isinstance(part, Items) else ()
    if isinstance(part, Pairs):
        inner = chain.from_iterable(part.pairs)
    for each in inner:
        yield from parts_of(each)


def in_common(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many items two sequences have in common at their beginning."""
    differs = (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    return next(differs, min(len(one), len(other)))


def out_of_brackets(inside: Sequence[tuple[Part, Part]], first: int, after: int) -> Edit:
    """Return the change that takes things out of brackets, with one comma for each."""
    if after < len(inside):
        return Edit(inside[first][0].start, inside[after][0].start, "")
    start = inside[first - 1][1].end if first else inside[0][0].start
    return Edit(start, inside[-1][1].end, "")


def into_brackets(part: Part, inside: Sequence[tuple[Part, Part]], new: str, first: int = 0) -> Edit:
    """Return the change that puts a text in place of the first few things in brackets.

    Args:
        part: The brackets with all in them.
        inside: What is in them, each by where it begins and where it ends.
        new: The text, without a comma after it.
        first: How many give way to it.
    """
    if not inside:
        return Edit(part.start + 1, part.start + 1, new)
    start = inside[0][0].start
    if first == len(inside):
        return Edit(start, inside[-1][1].end, new)
    return Edit(start, inside[first][0].start, f"{new}, " if new else "")


def opened(part: Part | None) -> Part | None:
    """Return a part; a list or mapping with its members."""
    return part.part if isinstance(part, Unread) else part
