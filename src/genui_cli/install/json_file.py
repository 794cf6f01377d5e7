"""A host's file in JSON, with or without comments: an edit changes only the entry of one server."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve, field, frozen

from genui_cli.install.entries import ORIGINAL, original_members
from genui_cli.install.json_text import JsonText
from genui_cli.install.text_tree import Items, Pairs, Text, in_common
from genui_core.domain.mcp.json_text import Edit


@frozen
class JsonFile:
    """A host's JSON file, parsed."""

    path: Path
    keys: tuple[str, ...]
    content: str | None
    _json: JsonText = field(eq=False, repr=False)

    @classmethod
    def of(cls, path: Path, keys: tuple[str, ...], content: str | None) -> "JsonFile":
        """Parse a text; None stands for no file.

        Raises ValueError if it is not JSON, or a value on the path of keys is not an object.
        """
        json = JsonText.of(content or "")
        for depth in range(1, len(keys) + 1):
            part = json.get(keys[:depth])
            if part is not None and not isinstance(part, Pairs):
                line = json.text.count("\n", 0, part.start) + 1
                raise ValueError(f"line {line}: {'.'.join(keys[:depth])!r} is not an object")
        return cls(path, keys, content, json)

    @property
    def servers(self) -> Mapping[str, object]:
        """The servers by name."""
        listed = self._json.get(self.keys)
        return listed.value if isinstance(listed, Pairs) else {}

    def with_server(self, name: str, entry: Mapping[str, object] | None) -> "JsonFile":
        """Return the file with one server added, changed or removed.

        A file that was created for its first server is removed with its last one.
        """
        keys = [*self.keys, name]
        found = self._json.get(keys)
        if entry is None:
            return self._with(self._json.without(keys))
        if isinstance(found, Pairs):
            edit = Edit(found.start, found.end, self._changed(found, entry))
            return self._with(self._json.with_edits(edit))
        added = self._json.with_member(keys, entry)
        if self.content is None:
            end = len(added.text)
            added = added.with_edits(Edit(end, end, added.layout.newline))
        return self._with(added)

    def _with(self, json: JsonText | None) -> "JsonFile":
        return evolve(self, content=json.text if json else None, json=json or JsonText.of(""))

    def _changed(self, found: Pairs, entry: Mapping[str, object]) -> str:
        """Return the text of a changed entry."""
        json, old = self._json, found.value
        text, indent = json.text[found.start : found.end], json.indent_at(found.start)
        original = _original(old) if "command" not in entry else None
        before = JsonText.of(indent + (original or text), json.layout)
        env = entry.get("env")
        if original is not None and before.root is not None:
            old = original_members(before.root.value)
        elif "url" in old and isinstance(env, Mapping):
            entry = {**entry, "env": {**env, ORIGINAL: text}}
        return _with_value(before, [], entry, _spellings(before, entry), old).text.removeprefix(indent)


def _original(wrapped: Mapping[str, object]) -> str | None:
    """Return the original text of a wrapped URL entry; None if there is none."""
    env = wrapped.get("env")
    text = env.get(ORIGINAL) if isinstance(env, Mapping) else None
    try:
        url = JsonText.of(text).get(["url"]) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return text if isinstance(text, str) and isinstance(url, Text) else None


def _spellings(json: JsonText, new: Mapping[str, object]) -> dict[object, str]:
    """Return the spellings, by value, of the command and of the arguments that will be removed."""
    command, args, kept = json.get(["command"]), json.get(["args"]), new.get("args")
    items = args.items if isinstance(args, Items) else ()
    if isinstance(args, Items) and isinstance(kept, list):
        items = items[: len(items) - in_common(args.value[::-1], kept[::-1])]
    parts = [part for part in (command, *items) if isinstance(part, Text)]
    return {part.value: json.text[part.start : part.end] for part in parts}


def _with_value(
    json: JsonText,
    keys: list[str],
    value: object,
    spelled: Mapping[object, str],
    old: Mapping[str, object] | None = None,
) -> JsonText:
    """Return the text with another value at a path of keys; in an object, only members that differ change.

    `spelled` has the spellings of texts that move to another place; `old` is the value to compare an object
    with, by default the written one.
    """
    part = json.get(keys)
    if part is None and keys == ["args"] and isinstance(value, list) and json.get(["command"]) is not None:
        return json.with_list_after("command", "args", _items(json, value, spelled))
    if part is None:
        return json.with_member(keys, value)
    if isinstance(part, Items) and isinstance(value, list):
        return _with_list(json, keys, part, value, spelled)
    if isinstance(part, Pairs) and isinstance(value, Mapping):
        old = part.value if old is None else old
        # In reverse, since each new member is inserted before all others.
        for name in [name for name in value if name not in old or old[name] != value[name]][::-1]:
            json = _with_value(json, [*keys, name], value[name], spelled)
        for name in [name for name in old if name not in value]:
            json = json.without([*keys, name]) or json
        return json
    known = spelled.get(value) if isinstance(value, str) else None
    text = known or json.spelled(value, json.indent_at(part.start), one_line=json.layout.one_line)
    return json.with_edits(Edit(part.start, part.end, text))


def _with_list(
    json: JsonText, keys: Sequence[str], part: Items, value: Sequence[object], spelled: Mapping[object, str]
) -> JsonText:
    """Return the text with the beginning of a list changed; equal items at its end stay untouched."""
    text, items = json.text, part.items
    if not value and text[part.start + 1].isspace():
        return json.without(keys) or json
    kept = in_common(part.value[::-1], value[::-1])
    first = len(items) - kept
    new = _items(json, value[: len(value) - kept], spelled)
    if not items:
        return json.with_edits(Edit(part.start + 1, part.start + 1, json.separator("").join(new)))
    separator = json.separator(text[part.start + 1 : items[0].start])
    start = items[0].start
    if kept:
        return json.with_edits(Edit(start, items[first].start, "".join(each + separator for each in new)))
    end = json.after_comma(items[-1].end) if not new else items[-1].end
    return json.with_edits(Edit(start, end, separator.join(new)))


def _items(json: JsonText, values: Sequence[object], spelled: Mapping[object, str]) -> list[str]:
    known = [spelled.get(each) if isinstance(each, str) else None for each in values]
    return [text or json.spelled(each, "", one_line=True) for text, each in zip(known, values, strict=True)]
