"""The possible values of an expression, known without running the script."""

import itertools
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Final

from attrs import define

from genui_core.domain.validation.addresses import COUNT, HOLE, UNKNOWN, WITHOUT_MARKUP

if TYPE_CHECKING:
    from genui_core.domain.validation.script.tree import Node

MOST_TEXTS: Final = 256
MOST_COMBINED: Final = 64
LONGEST_TEXT: Final = 20_000
LONGEST_LIST: Final = 2_000
"""How many elements a list made of a text may have."""
LONGEST_PATH: Final = 6
DEEPEST: Final = 4
_LONGEST_LIST: Final = 16
_CHARACTERS_A_STEP: Final = 40
_STEPS_A_MEMBER: Final = 2

Path = tuple[str, ...]
"""The keys from the page's global object to another: ``("document", "cookie")``; ``()`` is the global."""

OWN_TOOL: Final = "own tool"
"""The path of the name of the view's tool, which the host provides."""
UNKNOWN_KEY: Final = "?"
"""An unknown key in a path."""


@define(unsafe_hash=True, cache_hash=True)
class Value:
    """The possible values of an expression; an empty one may be anything.

    A value never changes. The class is not frozen because Python is then faster: a page has 10,000 values.

    Attributes:
        texts: The possible texts, with a `HOLE` for each unknown part.
        paths: The paths of the possible objects of the page.
        members: The keys and values of a known array or object.
        functions: The possible functions of the script.
        depth: How many levels of members it has.
        made: The nodes that make the possible objects of the script.
        blank: Whether it may be ``null``, ``undefined``, ``true`` or ``false``, which are no texts.
    """

    texts: frozenset[str] = frozenset()
    paths: frozenset[Path] = frozenset()
    members: "tuple[tuple[str, Value], ...] | None" = None
    functions: "frozenset[Node]" = frozenset()
    depth: int = 0
    made: "frozenset[Node]" = frozenset()
    blank: bool = False

    @staticmethod
    def text(*alternatives: str) -> "Value":
        """Return a value that is one of some texts."""
        short = (each[:LONGEST_TEXT] + HOLE if len(each) > LONGEST_TEXT else each for each in alternatives)
        return Value(texts=frozenset(short))

    @staticmethod
    def path(*keys: str) -> "Value":
        """Return a value that is an object of the page."""
        return Value(paths=frozenset({keys}))

    @staticmethod
    def written_out(members: "Iterable[tuple[str, Value]]") -> "Value":
        """Return an object or an array with known members; members that are too deep become unknown."""
        kept = tuple((key, value if value.depth < DEEPEST else NOTHING) for key, value in members)
        return Value(members=kept, depth=1 + max((value.depth for _, value in kept), default=0))

    @staticmethod
    def array(values: "Iterable[Value]") -> "Value":
        """Return an array with known elements."""
        return Value.written_out((str(index), value) for index, value in enumerate(values))

    @staticmethod
    def any_of(values: "Iterable[Value]") -> "Value":
        """Return a value that is one of some values."""
        several = [*values]
        if len(several) == 1:
            return several[0]
        joined = NOTHING
        for value in dict.fromkeys(several):
            joined |= value
        return joined

    @staticmethod
    def either_of(values: "Iterable[Value]") -> "Value":
        """Return a value that is one of some values; an unknown one among texts may be any text."""
        known = [*values]
        found = Value.any_of(known)
        return found | UNKNOWN_TEXT if found.texts and not all(each.is_known for each in known) else found

    def __or__(self, other: "Value") -> "Value":
        """Return a value that is either of the two."""
        if other is self or other is NOTHING or other.is_nothing:
            return self
        if self is NOTHING or self.is_nothing:
            return other
        if self._includes(other):
            return self
        if self.members is None and other._includes(self):
            return other
        texts = self.texts | other.texts
        return Value(
            texts=texts if len(texts) <= MOST_TEXTS else self.texts | {HOLE},
            paths=self.paths | other.paths,
            members=self._members_with(other),
            functions=self.functions | other.functions,
            depth=max(self.depth, other.depth),
            made=self.made | other.made,
            blank=self.blank or other.blank,
        )

    def __add__(self, other: "Value") -> "Value":
        """Return the texts of this value followed by those of the other."""
        left, right = self.as_texts, other.as_texts
        if len(left) * len(right) > MOST_COMBINED:
            ends = (*(a + WITHOUT_MARKUP for a in _first(left)), *(WITHOUT_MARKUP + b for b in _first(right)))
            return Value.text(*ends)
        return Value.text(*(a + b for a in left for b in right))

    def _includes(self, other: "Value") -> bool:
        """Tell whether the other value adds nothing to this one."""
        return (
            other.texts <= self.texts
            and other.paths <= self.paths
            and other.functions <= self.functions
            and other.made <= self.made
            and other.blank <= self.blank
            and other.depth <= self.depth
            and (other.members is None or other.members == self.members)
            and (len(self.texts) <= MOST_TEXTS or other == self)
        )

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is known of the value; faster than a comparison with `NOTHING`."""
        held = self.texts or self.paths or self.functions or self.made or self.blank
        return not held and self.members is None

    def _members_with(self, other: "Value") -> "tuple[tuple[str, Value], ...] | None":
        if self.members is None or other.members is None or self.members == other.members:
            return other.members if self.members is None else self.members
        known = set(self.members)
        most = max(MOST_TEXTS, len(self.members))
        return (*self.members, *(each for each in other.members if each not in known))[:most]

    @property
    def elements(self) -> "tuple[Value, ...]":
        """The values of its members."""
        return () if self.members is None else tuple(value for _, value in self.members)

    @property
    def size(self) -> int:
        """The steps to handle the value: some for each member at any depth, and some for its texts."""
        held = 0 if self.members is None else self._size_of_members
        return held + sum(map(len, self.texts)) // _CHARACTERS_A_STEP if self.texts else held

    @cached_property
    def _size_of_members(self) -> int:
        return sum(_STEPS_A_MEMBER + each.size for _, each in self.members or ())

    @cached_property
    def spelled(self) -> frozenset[str]:
        """The possible texts as a string, none if unknown; those of a list are its joined elements."""
        return self.texts or self._as_list()

    def _as_list(self) -> frozenset[str]:
        held = self.members or ()
        if not 0 < len(held) <= _LONGEST_LIST or any(key != str(at) for at, (key, _) in enumerate(held)):
            return frozenset()
        choices = itertools.product(*(sorted(value.as_texts) for _, value in held))
        joined = (",".join(each) for each in itertools.islice(choices, MOST_COMBINED))
        return frozenset(each for each in joined if each.strip(f"{UNKNOWN},"))

    @property
    def as_texts(self) -> frozenset[str]:
        """The possible texts of the value converted to a string; a `HOLE` if unknown."""
        return self.spelled or _HOLES

    @cached_property
    def holds_text(self) -> bool:
        """Whether the value is certainly a text with at least one known part."""
        return any(text.strip(UNKNOWN) for text in self.spelled)

    @cached_property
    def exact(self) -> frozenset[str]:
        """The possible texts without unknown parts."""
        return frozenset(text for text in self.spelled if HOLE not in text)

    @property
    def is_known(self) -> bool:
        """Whether anything is known of the value converted to a string."""
        return bool(self.texts or self.functions or self.blank) or (OWN_TOOL,) in self.paths

    @property
    def is_number(self) -> bool:
        """Whether the value is a number or an escaped text, unless data has another kind of ``length``."""
        return bool(self.texts) and self.texts <= _NUMBERS and not self.paths and self.members is None

    @property
    def is_counted(self) -> bool:
        """Whether the value is such a number, or a text of digits."""
        return bool(self.texts) and all(each in _NUMBERS or each.isdecimal() for each in self.texts)

    @property
    def is_global(self) -> bool:
        """Whether the value may be the page's global object."""
        return () in self.paths


NOTHING: Final = Value()
_NUMBERS: Final = frozenset({WITHOUT_MARKUP, COUNT})
_HOLES: Final = frozenset({HOLE})
UNKNOWN_TEXT: Final = Value(texts=_HOLES)
BLANK: Final = Value(blank=True)
NO_MARKUP: Final = Value(texts=frozenset({WITHOUT_MARKUP}))
"""An escaped text, or a number."""
A_COUNT: Final = Value(texts=frozenset({COUNT}))
"""The ``length`` of an unknown value."""


def _first(texts: frozenset[str]) -> list[str]:
    """Return at most `MOST_COMBINED` of some texts, and a hole if there are more."""
    return [*sorted(texts)[:MOST_COMBINED], *([HOLE] if len(texts) > MOST_COMBINED else [])]
