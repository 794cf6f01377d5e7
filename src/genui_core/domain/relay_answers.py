"""Which answers of the upstream the relay waits for, and what it does with them."""

import json
from collections.abc import Callable, Mapping
from typing import Protocol

from attrs import define, field, frozen

from genui_core.domain.json_text import Edit, Member, elements, members, spliced
from genui_core.domain.jsonrpc import PARSE_DEPTH_ERRORS, RequestId

ENCODING = ("utf-8", "surrogateescape")
"""Bytes that are not UTF-8 survive the way to text and back."""


@frozen
class Edited:
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

    def replace_error(self, error: Mapping[str, object]) -> str | None:
        """Return the JSON text of a result to be given instead of an error, or None to pass the error on."""
        ...


_MARKS = frozenset(("jsonrpc", "method", "result", "error"))
"""What tells a JSON-RPC message from other JSON."""

_UNREADABLE = {"code": -32603, "message": "The upstream's answer cannot be read."}


@frozen
class _Memo:
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
class Answers:
    """The answers that are outstanding, by request id."""

    _editors: dict[RequestId, AnswerEditor] = field(factory=dict)
    _own: dict[RequestId, Callable[[Mapping[str, object]], None]] = field(factory=dict)
    _memos: dict[str, _Memo] = field(factory=dict)

    @property
    def outstanding(self) -> bool:
        """Whether the upstream's lines have to be looked at."""
        return bool(self._editors or self._own)

    def await_edit(self, request_id: RequestId, editor: AnswerEditor) -> None:
        """Have the answer to a host's request edited."""
        self._editors[request_id] = editor

    def await_own(self, request_id: RequestId, then: Callable[[Mapping[str, object]], None]) -> None:
        """Have the answer to a request of ours swallowed and delivered."""
        self._own[request_id] = then

    def forget(self, request_id: object) -> None:
        """Stop waiting for the answer to a request that the host has cancelled."""
        if isinstance(request_id, str | int | float):
            self._editors.pop(request_id, None)

    def forget_all_edits(self) -> None:
        """Stop waiting for answers to earlier requests of a host that begins anew."""
        self._editors.clear()

    def give_up(self, request_id: RequestId, error: Mapping[str, object]) -> None:
        """Tell whoever asked for us that no answer will come."""
        then = self._own.pop(request_id, None)
        if then is not None:
            then({"error": error})

    def abandon(self, error: Mapping[str, object]) -> tuple[RequestId, ...]:
        """Give up on all answers: tell whoever asked for us, and return the host's open ids."""
        open_ids = tuple(self._editors)
        self._editors.clear()
        for request_id in tuple(self._own):
            self.give_up(request_id, error)
        return open_ids

    def examine(self, line: bytes) -> bytes | None:
        """Return what an upstream line becomes on its way to the host.

        The line itself unless it is an answer to be edited; nothing where it answered a
        request of ours; None where it is no JSON-RPC message.
        """
        known = self._from_memo(line)
        if known is not None:
            return known
        text = line.decode(*ENCODING)
        return self._batch(text, line) if text.lstrip()[:1] == "[" else self._single(text, line)

    def _single(self, text: str, line: bytes) -> bytes | None:
        try:
            parts = {each.key: each for each in members(text)}
        except PARSE_DEPTH_ERRORS:
            return self._unreadable(text, line)
        if parts.keys().isdisjoint(_MARKS):
            return None
        request_id = parts["id"].value if "id" in parts and "method" not in parts else None
        if not isinstance(request_id, str | int | float):
            return line
        if request_id in self._own:
            self._own.pop(request_id)({key: each.value for key, each in parts.items()})
            return b""
        editor = self._editors.pop(request_id, None)
        return line if editor is None else self._edited(text, line, parts, editor)

    def _unreadable(self, text: str, line: bytes) -> bytes | None:
        """Beyond what can be read here a host may still read it; but what it answers is answered now."""
        if text.lstrip()[:1] != "{" or text.rstrip()[-1:] != "}":
            return None
        ours = next((each for each in self._own if json.dumps(each) in text), None)
        if ours is not None:
            self.give_up(ours, _UNREADABLE)
            return b""
        for request_id in tuple(self._editors):
            if json.dumps(request_id) in text:
                self.forget(request_id)
        return line

    def _batch(self, text: str, line: bytes) -> bytes | None:
        try:
            spans = tuple(elements(text))
        except PARSE_DEPTH_ERRORS:
            return None
        edits = []
        for each in spans:
            piece = text[each.start : each.end]
            answer = self._single(piece, piece.encode(*ENCODING))
            edits.append(Edit(each.start, each.end, piece if answer is None else answer.decode(*ENCODING)))
        if all(each.text for each in edits):
            return spliced(text, edits).encode(*ENCODING) if edits else line
        kept = ",".join(each.text for each in edits if each.text)
        return f"[{kept}]\n".encode(*ENCODING) if kept else b""

    def _edited(self, text: str, line: bytes, parts: Mapping[str, Member], editor: AnswerEditor) -> bytes:
        result, error = parts.get("result"), parts.get("error")
        if result is not None:
            try:
                edited = editor.edit_result(text[result.start : result.end])
            except Exception:  # noqa: BLE001 -- what cannot be edited still serves a host that needs no UI
                return line
            edit = Edit(result.start, result.end, edited.result)
            line = spliced(text, [edit]).encode(*ENCODING)
            if edited.reusable and editor.memo_key is not None:
                self._memos = {editor.memo_key: _memo(text, line, parts["id"], edit)}
            return line
        instead = editor.replace_error(error.value) if error and isinstance(error.value, Mapping) else None
        if error is None or instead is None:
            return line
        return spliced(text, [Edit(error.key_start, error.end, f'"result":{instead}')]).encode(*ENCODING)

    def _from_memo(self, line: bytes) -> bytes | None:
        for request_id, editor in self._editors.items():
            memo = self._memos.get(editor.memo_key) if editor.memo_key is not None else None
            edited = memo.edited(line, json.dumps(request_id).encode()) if memo is not None else None
            if edited is not None:
                del self._editors[request_id]
                return edited
        return None


def _memo(text: str, edited: bytes, request_id: Member, edit: Edit) -> _Memo:
    head, tail = text[: request_id.start].encode(*ENCODING), text[request_id.end :].encode(*ENCODING)
    id_bytes = len(text[request_id.start : request_id.end].encode(*ENCODING))
    if request_id.end <= edit.start:
        return _Memo(head, tail, head, edited[len(head) + id_bytes :])
    return _Memo(head, tail, edited[: len(edited) - len(tail) - id_bytes], tail)
