"""Goose's config file, in YAML: an edit changes only the lines of one extension and keeps comments."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import field, frozen

from genui_cli.cli_error import CliError
from genui_cli.install.entries import Entry
from genui_cli.install.text_tree import Items, Pairs, Part, parts_of
from genui_cli.install.yaml_edits import Editor, parsed
from genui_core.domain.mcp.json_text import Edit, spliced

_OURS = {"cmd": "command", "envs": "env", "uri": "url"}
_THEIRS = {ours: theirs for theirs, ours in _OURS.items()}
_TYPES = {"http": "streamable_http"}
_IGNORED_KEYS = ("uri", "headers")
"""The keys that Goose ignores in an entry that starts a program."""


def _from_goose(entry: Mapping[str, object]) -> Entry:
    """Return an extension with the keys of other hosts."""
    ignored = _IGNORED_KEYS if "cmd" in entry else ()
    return {_OURS.get(key, key): value for key, value in entry.items() if key not in ignored}


def _to_goose(entry: Mapping[str, object]) -> Entry:
    """Return an entry with Goose's keys."""
    data = {_THEIRS.get(key, key): value for key, value in entry.items()}
    return {**data, "type": _TYPES.get(str(data["type"]), data["type"])} if "type" in data else data


def _replaced_variables(entry: Mapping[str, object]) -> list[str]:
    """Return the variables in headers, ``$NAME`` or ``${NAME}``, that Goose replaces by values."""
    envs, keys, headers = (entry.get(each) for each in ("envs", "env_keys", "headers"))
    texts = " ".join(map(str, headers.values())) if isinstance(headers, Mapping) else ""
    known = {*(envs if isinstance(envs, Mapping) else ()), *(keys if isinstance(keys, list) else ())}
    return sorted(known.intersection(re.findall(r"\$(?:\{\s*)?([A-Za-z_]\w*)", texts)))


_LIST = "extensions"
_CREATED = "# mcp-gen-ui install created this file, and --undo removes it.\n"


@frozen
class GooseFile:
    """Goose's config file, parsed."""

    path: Path
    content: str | None
    _root: Pairs = field(eq=False, repr=False)
    _listed: Pairs | None = field(eq=False, repr=False)

    @classmethod
    def of(cls, path: Path, content: str | None) -> "GooseFile":
        """Parse a text; None stands for no file. Raises ValueError if it is not a config file of Goose."""
        root = parsed(content or "") or Pairs(0, 0, {}, is_flow=False, find=tuple)
        listed = root.get(_LIST) if isinstance(root, Pairs) else None
        if not isinstance(root, Pairs) or not isinstance(listed, Pairs | None):
            raise ValueError(f"it lists no {_LIST} as Goose does; where there are none, write {_LIST}: {{}}")  # noqa: TRY004 -- an error of the text
        return cls(path, content, root, listed)

    @property
    def servers(self) -> Mapping[str, object]:
        """The extensions by name, with the keys of other hosts."""
        listed = self._listed.value if self._listed is not None else {}
        return {
            name: _from_goose(entry) if isinstance(entry, Mapping) else entry
            for name, entry in listed.items()
        }

    def with_server(self, name: str, entry: Mapping[str, object] | None) -> "GooseFile":
        """Return the file with one extension added, changed or removed; all else stays as it is.

        Raises CliError if the lines of the extension cannot be edited safely.
        """
        try:
            text = spliced(self.content or "", self._edits(name, entry))
            # A file that was created is marked, and removed with its last extension.
            marked = text + _CREATED if self.content is None else text
            after = self.of(self.path, None if text == _CREATED else marked)
        except ValueError as error:
            raise self._not_understood(name) from error
        if not self._is_only_change(after, name, entry):
            raise self._not_understood(name)
        return after

    def _edits(self, name: str, entry: Mapping[str, object] | None) -> Iterator[Edit]:
        listed, editor = self._listed, Editor(self.content or "")
        found = listed.get(name) if listed is not None else None
        if listed is None or found is None:
            # Goose requires these keys; the timeout is long, since a model may write a view for minutes.
            usual = {"name": name, "enabled": True, "description": ""}
            new = {name: {**usual, **_to_goose(entry or {}), "timeout": 300}}
            if listed is None:
                yield editor.appended({_LIST: new})
            else:
                yield editor.inserted(listed, self._root.key_of(listed), new)
        elif entry is None:
            is_last = len(listed.pairs) == 1 and not listed.is_flow
            within, gone = (self._root, _LIST) if is_last else (listed, name)
            yield from editor.removed(within, [gone])
        elif isinstance(found, Pairs) and not any(part.shared for part in parts_of(found)):
            target, old = _to_goose(entry), found.value
            variables = _replaced_variables(old) if "cmd" in target and "cmd" not in old else []
            if variables:  # the wrapper would send the names in place of the values
                raise CliError(
                    f"Goose replaces {', '.join(variables)} in the headers of {name!r}, and mcp-gen-ui cannot",
                    hint="write the values themselves into its headers",
                )
            yield from self._change(listed.key_of(found), found, target)
        else:
            raise self._not_understood(name)

    def _change(self, key: Part, found: Pairs, entry: Mapping[str, object]) -> Iterator[Edit]:
        moving = [part for part in (found.get("cmd"), found.get("args")) if part is not None]
        spelled = [each for part in moving for each in parts_of(part)]
        editor, old, args = Editor(self.content or "", spelled), found.value, found.get("args")
        ignored = {each: old[each] for each in _IGNORED_KEYS if each in old and "cmd" in entry}
        target = {**ignored, **entry}
        words = target.get("args")
        if words == [] and isinstance(args, Items) and editor.is_made(args):
            del target["args"]
        elif args is None and isinstance(words, list):
            del target["args"]
            yield editor.inserted_list(found, key, "args", words)
        for each, part in found.pairs:
            if isinstance(part, Pairs) and part.is_flow:  # it stays, even if it becomes empty
                target.setdefault(str(each.value), {})
        yield from editor.changed(key, found, target)

    def _is_only_change(self, after: "GooseFile", name: str, entry: Mapping[str, object] | None) -> bool:
        """Whether the new text has the entry, and all else is unchanged."""
        before, now = dict(self.servers), dict(after.servers)
        before.pop(name, None)
        made = now.pop(name, None)
        is_right = entry is None and made is None
        if isinstance(made, Mapping) and entry is not None:
            says = {"args": [], **_to_goose(made)}
            is_right = all(says.get(key) == value for key, value in _to_goose(entry).items())
        return is_right and before == now and self._rest() == after._rest()  # noqa: SLF001 -- the same class

    def _rest(self) -> dict[str, object]:
        return {key: value for key, value in self._root.value.items() if key != _LIST}

    def _not_understood(self, name: str) -> CliError:
        return CliError(
            f"{self.path}: the extension {name!r} is written in a way that cannot be changed and undone",
            hint="write cmd and args as plain texts, without anchors and aliases",
        )
