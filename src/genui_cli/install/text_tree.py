"""The tree of a YAML or JSON text, with the position of each part, for edits of single parts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from attrs import field, frozen

from genui_core.domain.mcp.json_text import Edit


@frozen(eq=False, repr=False)
class Part:
    """A value in the text.

    Attributes:
        end: The position after its last character, before comments and empty lines.
        shared: Whether it has an anchor or is an alias, so that an edit would change other places.
        value: The value; in YAML, numbers and truth values as texts, and None for an alias.
    """

    start: int
    end: int
    shared: bool = field(default=False, kw_only=True)
    value: object


@frozen(eq=False, repr=False)
class Text(Part):
    """A text; in YAML also a number, a truth value or an empty value."""

    value: str


@frozen(eq=False, repr=False)
class Items(Part):
    """A list; `is_flow` if it stands in brackets. Its items are found on demand."""

    value: list[object]
    is_flow: bool
    _find: Callable[[], tuple[Part, ...]]

    @cached_property
    def items(self) -> tuple[Part, ...]:
        """The items with their positions."""
        return self._find()


@frozen(eq=False, repr=False)
class Pairs(Part):
    """A mapping; `is_flow` if it stands in braces. Its pairs are found on demand."""

    value: dict[str, object]
    is_flow: bool
    _find: Callable[[], tuple[tuple[Part, Part], ...]]

    @cached_property
    def pairs(self) -> tuple[tuple[Part, Part], ...]:
        """The keys and values with their positions."""
        return self._find()

    def get(self, name: str) -> Part | None:
        """Return the part of a key's value, or None."""
        return next((value for key, value in self.pairs if key.value == name), None)

    def key_of(self, value: Part) -> Part:
        """Return the key of a value of this mapping."""
        return next(key for key, each in self.pairs if each is value)


def parts_of(part: Part) -> Iterator[Part]:
    """Yield a part and all parts in it."""
    yield part
    inner: Iterable[Part] = part.items if isinstance(part, Items) else ()
    if isinstance(part, Pairs):
        inner = chain.from_iterable(part.pairs)
    for each in inner:
        yield from parts_of(each)


def in_common(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the number of equal items at the beginning of two sequences."""
    differs = (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    return next(differs, min(len(one), len(other)))


def out_of_brackets(inside: Sequence[tuple[Part, Part]], first: int, after: int) -> Edit:
    """Return the edit that removes the items from `first` up to `after` from brackets, with their commas."""
    if after < len(inside):
        return Edit(inside[first][0].start, inside[after][0].start, "")
    start = inside[first - 1][1].end if first else inside[0][0].start
    return Edit(start, inside[-1][1].end, "")


def into_brackets(part: Part, inside: Sequence[tuple[Part, Part]], new: str, first: int = 0) -> Edit:
    """Return the edit that replaces the first items in brackets by a text.

    Args:
        part: The list or mapping in brackets.
        inside: The items, each as the parts at its beginning and its end.
        new: The text, without a comma after it.
        first: The number of items that it replaces.
    """
    if not inside:
        return Edit(part.start + 1, part.start + 1, new)
    start = inside[0][0].start
    if first == len(inside):
        return Edit(start, inside[-1][1].end, new)
    return Edit(start, inside[first][0].start, f"{new}, " if new else "")
