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


@frozen
class OwnAnswer:
    """The upstream's answer to a request of the wrapper's own: it never reaches the host."""

    message: Mapping[str, object]
    _then: Callable[[Mapping[str, object]], None]

    def deliver(self) -> None:
        """Hand it to whoever asked."""
        self._then(self.message)


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

    def abandon(self, error: Mapping[str, object]) -> tuple[RequestId, ...]:
        """Give up on all answers: tell whoever asked for us, and return the host's open ids."""
        own, open_ids = tuple(self._own.values()), tuple(self._editors)
        self._own.clear()
        self._editors.clear()
        for then in own:
            then({"error": error})
        return open_ids

    def examine(self, line: bytes) -> bytes | OwnAnswer | None:
        """Return what is to be done with an upstream line.

        The bytes for the host (the line itself unless it is an answer to be edited), an
        answer of ours to be delivered, or None where the line is no JSON-RPC message.
        """
        known = self._from_memo(line)
        if known is not None:
            return known
        text = line.decode(*ENCODING)
        if text.lstrip()[:1] == "[":
            return self._batch(text, line)
        return self._single(text, line)

    def _single(self, text: str, line: bytes) -> bytes | OwnAnswer | None:
        try:
            parts = {each.key: each for each in members(text)}
        except PARSE_DEPTH_ERRORS:
            # Beyond what can be read here a host may still read it; plain noise does not open an object.
            return line if text.lstrip()[:1] == "{" and text.rstrip()[-1:] == "}" else None
        if (
            "jsonrpc" not in parts
            and "method" not in parts
            and "result" not in parts
            and "error" not in parts
        ):
            return None
        request_id = parts["id"].value if "id" in parts and "method" not in parts else None
        if not isinstance(request_id, str | int | float):
            return line
        if request_id in self._own:
            return OwnAnswer({key: each.value for key, each in parts.items()}, self._own.pop(request_id))
        editor = self._editors.pop(request_id, None)
        return line if editor is None else self._edited(text, line, parts, editor)

    def _batch(self, text: str, line: bytes) -> bytes | None:
        try:
            spans = list(elements(text))
        except PARSE_DEPTH_ERRORS:
            return None
        edits = []
        for each in spans:
            piece = text[each.start : each.end]
            answer = self._single(piece, piece.encode(*ENCODING))
            if isinstance(answer, bytes):
                edits.append(Edit(each.start, each.end, answer.decode(*ENCODING)))
        return spliced(text, edits).encode(*ENCODING) if edits else line

    def _edited(self, text: str, line: bytes, parts: Mapping[str, Member], editor: AnswerEditor) -> bytes:
        result, error = parts.get("result"), parts.get("error")
        if result is not None:
            try:
                edited = editor.edit_result(text[result.start : result.end])
            except PARSE_DEPTH_ERRORS:
                return line  # what cannot be edited still serves a host that needs no UI
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
