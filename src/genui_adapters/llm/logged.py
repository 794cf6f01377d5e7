"""A provider whose questions and answers go into the log, word for word (``--debug``)."""

from collections.abc import Iterator

from attrs import field, frozen

from genui_adapters.llm.around_provider import AroundProvider
from genui_core.domain.completion import Completion, CompletionRequest
from genui_core.domain.redaction import redacted
from genui_core.errors import ProviderFailed
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.llm_provider import OnDelta

_PLAIN_CHARACTERS, _OTHER_CHARACTERS = 1500, 250
"""A line of the log holds so much even where each character takes two bytes, or twelve."""


@frozen
class LoggedProvider(AroundProvider):
    """Has another provider answer, and logs what is asked and answered in pieces that a log line holds.

    Args:
        inner: The other provider.
        event_log: Where it goes.
        secrets: What is known to be secret; None logs everything as it is. A text is looked through
            before it is cut, since a secret may stand where it is cut.
    """

    event_log: EventLog
    secrets: frozenset[str] | None = field(default=frozenset(), repr=False)

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Ask the other provider."""
        self._asked("system", request.request_id, request.system)
        self._asked("user", request.request_id, request.prompt)
        pieces: list[str] = []

        def take(piece: str) -> None:
            pieces.append(piece)
            if on_delta is not None:
                on_delta(piece)

        try:
            completion = await self.inner.complete(request, take)
        except ProviderFailed:
            self._said("aborted", request.request_id, "".join(pieces))
            raise
        self._said("whole", request.request_id, completion.text)
        return completion

    def _asked(self, part: str, request_id: str, text: str) -> None:
        for fields in self._fields(part, request_id, text):
            self.event_log.record(Level.DEBUG, "llm", "prompt", **fields)

    def _said(self, part: str, request_id: str, text: str) -> None:
        for fields in self._fields(part, request_id, text):
            self.event_log.record(Level.DEBUG, "llm", "response", **fields)

    def _fields(self, part: str, request_id: str, text: str) -> Iterator[dict[str, str]]:
        pieces = [*_pieces(text if self.secrets is None else redacted(text, self.secrets))]
        for number, piece in enumerate(pieces, 1):
            place = f"{number}/{len(pieces)}"
            yield {"request_id": request_id, "part": part, "piece": place, "text": piece}


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        piece = text[start : start + _PLAIN_CHARACTERS]
        piece = (
            piece if piece.isascii() and piece.replace("\n", "").isprintable() else piece[:_OTHER_CHARACTERS]
        )
        yield piece
        start += len(piece)
