"""Edits of a JSON text that keep every byte outside of the edits, and that can be undone exactly.

A member that `install` adds and later removes leaves no trace: `without` reverses `with_member`. An object
that had to be created around the member is marked by a space before its closing brace, so that it is removed
together with its last member.
"""

import json
import re
from collections.abc import Sequence

from attrs import field, frozen

from genui_cli.install.json_parsing import after_trivia, parsed
from genui_cli.install.text_tree import Pairs, Part
from genui_core.domain.mcp.json_text import Edit, spliced

_FIRST_INDENT = re.compile(r"\n([ \t]+)\S")
_INDENT = re.compile(r"[ \t]*")
_WHITE = re.compile(r"[ \t\r\n]*")
_CREATED, _PADDING = " ", "  "


@frozen
class Layout:
    """The formatting of a JSON text.

    Attributes:
        newline: The line end.
        unit: The indentation of one level.
        space: The space after a colon and a comma on one line.
        one_line: Whether a new value goes on one line.
    """

    newline: str
    unit: str
    space: str
    one_line: bool

    @classmethod
    def of(cls, text: str, root: Part | None) -> "Layout":
        """Return the layout of a text; its default indentation is two spaces."""
        found = _FIRST_INDENT.search(text)
        pairs = root.pairs if isinstance(root, Pairs) else ()
        tight = any(text[key.end : value.start].endswith(":") for key, value in pairs)
        inside = text[root.start : root.end] if root and pairs else "\n"
        newline = "\r\n" if "\r\n" in text else "\n"
        return cls(newline, found[1] if found else "  ", "" if tight else " ", "\n" not in inside)


@frozen
class JsonText:
    """A JSON text whose root is an object, or that is empty."""

    text: str
    layout: Layout
    root: Pairs | None = field(eq=False, repr=False)

    @classmethod
    def of(cls, text: str, layout: Layout | None = None) -> "JsonText":
        """Parse a text.

        Raises ValueError if the text is not a JSON object. The message names the line.
        """
        root = parsed(text)
        if root is not None and not isinstance(root, Pairs):
            line = text.count("\n", 0, root.start) + 1
            raise ValueError(f"line {line}: the file is not a JSON object")
        return cls(text, layout or Layout.of(text, root), root)

    def get(self, keys: Sequence[str]) -> Part | None:
        """Return the value at a path of keys."""
        part: Part | None = self.root
        for key in keys:
            part = part.get(key) if isinstance(part, Pairs) else None
        return part

    def with_edits(self, *edits: Edit) -> "JsonText":
        """Return the text with some edits, parsed again."""
        return JsonText.of(spliced(self.text, edits), self.layout)

    def indent_at(self, at: int) -> str:
        """Return the indentation of the line at a position."""
        found = _INDENT.match(self.text, self.text.rfind("\n", 0, at) + 1)
        return found[0] if found else ""

    def spelled(self, value: object, indent: str, *, one_line: bool) -> str:
        """Return the JSON of a value whose first line is already indented."""
        if one_line:
            space = self.layout.space
            return _dumped(value, separators=(f",{space}", f":{space}"))
        return _dumped(value, indent=self.layout.unit).replace("\n", self.layout.newline + indent)

    def separator(self, white: str) -> str:
        """Return the separator of list items; `white` is the white space before the first item."""
        if "\n" in white and not white.strip():
            return f",{self.layout.newline}{_last_line(white)}"
        return f",{self.layout.space}"

    def after_comma(self, at: int) -> int:
        """Return the end of the comma after the value that ends at `at`; `at` if there is none."""
        comma = after_trivia(self.text, at)
        return comma + 1 if self.text.startswith(",", comma) else at

    def with_member(self, keys: Sequence[str], value: object) -> "JsonText":
        """Return the text with a new first member of an object; missing objects on its path are created."""
        if self.root is None:
            return self._with_root(keys, value)
        parent, depth = self.root, 0
        while isinstance(inner := parent.get(keys[depth]), Pairs):
            parent, depth = inner, depth + 1
        return self.with_edits(self._insertion(parent, keys[depth:], value))

    def with_list_after(self, key: str, name: str, items: Sequence[str]) -> "JsonText":
        """Return the text with a new list in its root after the member `key`; white space marks the list."""
        within = self.root or Pairs(0, 0, {}, is_flow=True, find=tuple)
        at = next(index for index, pair in enumerate(within.pairs) if pair[0].value == key)
        lead, end = self._lead(within, at), within.pairs[at][1].end
        opening = f"{_dumped(name)}:{self.layout.space}[{_CREATED}"
        first, last = "", ""
        if "\n" in lead:
            opening, first, last = f"{_dumped(name)}: [", lead + self.layout.unit, lead
        inside = self.separator(first).join(items)
        return self.with_edits(Edit(end, end, f",{lead}{opening}{first}{inside}{last}]"))

    def without(self, keys: Sequence[str]) -> "JsonText | None":
        """Return the text without a member and the objects created for it; None if nothing is left."""
        parent, name = self.get(keys[:-1]), keys[-1]
        if not isinstance(parent, Pairs) or parent.get(name) is None:
            return self
        at = next(index for index, pair in enumerate(parent.pairs) if pair[0].value == name)
        if len(parent.pairs) > 1:
            return self.with_edits(*self._removal(parent, at))
        edit = self._emptied(parent)
        if edit is not None:
            return self.with_edits(edit)
        return self.without(keys[:-1]) if len(keys) > 1 else self._without_root(parent)

    def _with_root(self, keys: Sequence[str], value: object) -> "JsonText":
        """Return a text that has no root yet with one; its comments stay before or after the root."""
        before, after = self.text, ""
        if self.text.strip(" \t\r\n\ufeff") and not self.text.endswith("\n"):
            before, after = after, before
        indent = JsonText(before, self.layout, None).indent_at(len(before))
        root = self._created(keys, value, indent, one_line=False)
        return JsonText.of(before + root + after)

    def _without_root(self, root: Pairs) -> "JsonText | None":
        before, after = self.text[: root.start], self.text[root.end :]
        return None if (before, after) == ("", self.layout.newline) else JsonText.of(before + after)

    def _member(self, keys: Sequence[str], value: object, indent: str, *, one_line: bool) -> str:
        inner = self._created(keys[1:], value, indent, one_line=one_line)
        return f"{_dumped(keys[0])}:{self.layout.space if one_line else ' '}{inner}"

    def _created(self, keys: Sequence[str], value: object, indent: str, *, one_line: bool) -> str:
        """Return the text of a value inside new objects, each marked as created."""
        if not keys:
            return self.spelled(value, indent, one_line=one_line)
        deeper = indent + self.layout.unit
        member = self._member(keys, value, deeper, one_line=one_line)
        lead, trail = ("", "") if one_line else (self.layout.newline + deeper, self.layout.newline + indent)
        return f"{{{lead}{member}{_CREATED}{trail}}}"

    def _insertion(self, within: Pairs, keys: Sequence[str], value: object) -> Edit:
        """Return the edit that adds a first member; comments stay next to what they describe."""
        text, layout, start = self.text, self.layout, within.start + 1
        if within.pairs:
            first = within.pairs[0][0].start
            one_line, indent = "\n" not in text[start:first], self.indent_at(first)
            at, lead = self._after_white(start), ""
            behind = f",{layout.space}" if one_line else f",{layout.newline}{indent}"
        else:
            one_line, outer = layout.one_line, self.indent_at(within.start)
            indent, at, trail = outer + layout.unit, start, "" if one_line else layout.newline + outer
            lead = "" if one_line else layout.newline + indent
            # `_emptied` recognises the padding.
            behind = trail if text.startswith("}", start) else _PADDING
        return Edit(at, at, lead + self._member(keys, value, indent, one_line=one_line) + behind)

    def _emptied(self, within: Pairs) -> Edit | None:
        """Return the edit that removes an object's only member; None if the object was created for it."""
        (key, value), start, close = within.pairs[0], within.start + 1, within.end - 1
        end = self.after_comma(value.end)
        lead, rest = self.text[start : key.start], self.text[end:close]
        if lead.strip():
            return Edit(key.start, end, "")
        trail = self.layout.newline + self.indent_at(within.start) if "\n" in lead else ""
        if rest == _CREATED + trail:
            return None
        return Edit(start, close, "" if rest == trail else rest.removeprefix(_PADDING))

    def _removal(self, within: Pairs, at: int) -> list[Edit]:
        """Return the edits that remove one of several members, with one comma; comments stay."""
        text, (key, value) = self.text, within.pairs[at]
        before = self.after_comma(within.pairs[at - 1][1].end) if at else 0
        if at and not text[before : key.start].strip():
            return [Edit(before - 1, value.end, "")]
        comma = after_trivia(text, value.end)
        is_last = not text.startswith(",", comma)
        gone = Edit(before - 1, before, "") if is_last else Edit(comma, self._after_white(comma + 1), "")
        return [Edit(key.start, value.end, ""), gone]

    def _after_white(self, start: int) -> int:
        found = _WHITE.match(self.text, start)
        return found.end() if found else start

    def _lead(self, within: Pairs, at: int) -> str:
        """Return the white space before a member, without empty lines."""
        start = within.pairs[at][0].start
        white = self.text[len(self.text[:start].rstrip(" \t\r\n")) : start]
        return self.layout.newline + _last_line(white) if "\n" in white else self.layout.space


def _last_line(white: str) -> str:
    return white.rpartition("\n")[2]


def _dumped(value: object, *, indent: str | None = None, separators: tuple[str, str] | None = None) -> str:
    """Return JSON that UTF-8 can encode: lone surrogates are escaped."""
    dumped = json.dumps(value, indent=indent, separators=separators, ensure_ascii=False)
    if dumped.isascii() or not re.search(r"[\ud800-\udfff]", dumped):
        return dumped
    return json.dumps(value, indent=indent, separators=separators)
