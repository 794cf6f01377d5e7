"""Edits the upstream's answers on their way to the host."""

import json
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from attrs import define, field

from genui_core.domain.mcp.json_text import Edit, Member, members, spliced
from genui_core.domain.mcp.jsonrpc import PARSE_DEPTH_ERRORS, RequestId, json_text

ENCODING = ("utf-8", "surrogateescape")
"""Bytes that are not UTF-8 survive the way to text and back."""


class Edited(NamedTuple):
    """A result's JSON text after the edit.

    Attributes:
        result: The text.
        reusable: Whether the same bytes from the upstream, under the same memo key, may be
            answered with this again without asking the editor.
    """

    result: str
    reusable: bool = False


class AnswerEditor(Protocol):
    """Edits the answers to one kind of request."""

    @property
    def memo_key(self) -> str | None:
        """Names what the edit depends on besides the answer; None where a memory is of no use."""
        ...

    def edit_result(self, result: str) -> Edited:
        """Return the result's JSON text, edited.

        Raises:
            ValueError: The result is not what it should be; it is then passed on as it is.
        """
        ...

    def replace_error(self, error: Mapping[str, object]) -> str | Mapping[str, object] | None:
        """Return the JSON text of a result to give instead of an error, or another error object.

        None forwards the error; an empty text says that the editor answers the host itself.
        """
        ...


class _Memo(NamedTuple):
    """An answer as it came and as it went, both without the id between head and tail."""

    head: bytes
    tail: bytes
    edited_head: bytes
    edited_tail: bytes

    def edited(self, line: bytes, request_id: bytes) -> bytes | None:
        """Return the edited line if this is the same answer under another id."""
        middle = len(self.head)
        same = (
            len(line) == middle + len(request_id) + len(self.tail)
            and line.startswith(self.head)
            and line.startswith(request_id, middle)
            and line.endswith(self.tail)
        )
        return self.edited_head + request_id + self.edited_tail if same else None


@define
class AnswerEdits:
    """Has answers edited, and remembers the last edit that may be reused."""

    _memos: dict[str, _Memo] = field(factory=dict)

    def edited(self, line: bytes, request_id: RequestId, editor: AnswerEditor) -> bytes:
        """Return an answer after the edit: unchanged if the edit fails, empty if the editor drops it."""
        memo = self._memos.get(editor.memo_key) if editor.memo_key is not None else None
        known = memo.edited(line, json.dumps(request_id).encode()) if memo is not None else None
        if known is not None:
            return known
        text = line.decode(*ENCODING)
        try:
            parts = {each.key: each for each in members(text)}
        except PARSE_DEPTH_ERRORS:
            return line
        if "result" in parts:
            return self._with_result(line, text, parts, editor)
        return _without_error(line, text, parts.get("error"), editor)

    def _with_result(
        self, line: bytes, text: str, parts: Mapping[str, Member], editor: AnswerEditor
    ) -> bytes:
        result = parts["result"]
        try:
            edited = editor.edit_result(text[result.start : result.end])
            edit = Edit(result.start, result.end, edited.result)
            now = spliced(text, [edit]).encode(*ENCODING)
        except Exception:  # noqa: BLE001 -- what cannot be edited still serves a host that needs no UI
            return line
        if edited.reusable and editor.memo_key is not None:
            self._memos = {editor.memo_key: _memo(text, now, parts["id"], edit)}
        return now


def _without_error(line: bytes, text: str, error: Member | None, editor: AnswerEditor) -> bytes:
    if error is None or not isinstance(error.value, Mapping):
        return line
    instead = editor.replace_error(error.value)
    if instead is None:
        return line
    if not instead:
        return b""
    becomes = f'"result":{instead}' if isinstance(instead, str) else f'"error":{json_text(instead)}'
    return spliced(text, [Edit(error.key_start, error.end, becomes)]).encode(*ENCODING)


def _memo(text: str, edited: bytes, request_id: Member, edit: Edit) -> _Memo:
    head, tail = text[: request_id.start].encode(*ENCODING), text[request_id.end :].encode(*ENCODING)
    id_bytes = len(text[request_id.start : request_id.end].encode(*ENCODING))
    if request_id.end <= edit.start:
        return _Memo(head, tail, head, edited[len(head) + id_bytes :])
    return _Memo(head, tail, edited[: len(edited) - len(tail) - id_bytes], tail)
