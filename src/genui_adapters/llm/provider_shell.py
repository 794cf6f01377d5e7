"""What is around every provider: its options, redaction, the log."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from attrs import field, frozen

from genui_core.domain.generation.completion import Completion, CompletionRequest, FinishReason, sound_failure
from genui_core.domain.logging.redaction import redacted
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.llm_provider import LLMProvider, OnDelta


class AroundProvider(LLMProvider):
    """Goes by the other one's name and model, so that views do not depend on what is done around it."""

    inner: LLMProvider

    @property
    def name(self) -> str:
        """That of the other provider."""
        return self.inner.name

    @property
    def model(self) -> str:
        """That of the other provider."""
        return self.inner.model

    async def close(self) -> None:
        """Close the other provider."""
        await self.inner.close()


@frozen
class RedactingProvider(AroundProvider):
    """Has another provider answer, and takes secrets out of what it says when it does not.

    A server may answer a request with the very key that came with it. What a failure says goes
    to pages, stores and logs; so it is cleared here, where it comes in.
    """

    inner: LLMProvider
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Ask the other provider; `ProviderFailed` if it gave no answer, or raised an error of its own."""
        try:
            return await self.inner.complete(request, on_delta)
        except Exception as error:  # noqa: BLE001 -- an error of a library's may hold a key as well
            # Without its cause, which a traceback would show.
            raise sound_failure(error, self.name, self.secrets) from None


_PLAIN_CHARACTERS, _OTHER_CHARACTERS = 1500, 250
"""A line of the log holds so much even where each character takes two bytes, or twelve."""


@frozen
class LoggedProvider(AroundProvider):
    """Has another provider answer, and logs what is asked and answered in pieces that a log line holds.

    Args:
        secrets: What is known to be secret; None logs everything as it is. A text is looked through
            before it is cut, since a secret may stand where it is cut.
    """

    inner: LLMProvider
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
        if not (piece.isascii() and piece.replace("\n", "").isprintable()):
            piece = piece[:_OTHER_CHARACTERS]
        yield piece
        start += len(piece)


MOST_ANSWER_BYTES: Final = 1_048_576
"""The most that is read of an answer, in bytes of UTF-8: twice the largest view that is served.

A server need not keep to the number of tokens that it is told, and may send for as long as it is let.
"""


class Answer:
    """Collects the pieces of an answer to a request."""

    def __init__(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> None:
        self._request = request
        self._on_delta = on_delta
        self._pieces: list[str] = []
        self._bytes = 0

    def take(self, piece: str | None) -> None:
        """Take the next piece.

        Raises ProviderFailed if the text is too long; a retry would not be shorter. The reader of the answer
        closes its connection.
        """
        if not piece:
            return
        self._bytes += len(piece.encode(errors="surrogatepass"))
        if self._bytes > MOST_ANSWER_BYTES:
            words = f"The model wrote more than {MOST_ANSWER_BYTES} bytes, and is not listened to any more."
            raise ProviderFailed(ProviderErrorCode.SERVER_ERROR, words, retryable=False)
        self._pieces.append(piece)
        if self._on_delta is not None:
            self._on_delta(piece)

    @property
    def text(self) -> str:
        """All pieces together."""
        return "".join(self._pieces)

    def completion(self, model: str, *, is_cut: bool, read: int | None, written: int | None) -> Completion:
        """Return the answer of a model, whether it was cut, and the tokens that the model read and wrote."""
        return Completion(
            text=self.text,
            model=model,
            finish=FinishReason.MAX_TOKENS if is_cut else FinishReason.STOP,
            request_id=self._request.request_id,
            input_tokens=read or 0,
            output_tokens=written or 0,
        )


@frozen(kw_only=True)
class ProviderOptions:
    """How to reach a model.

    Attributes:
        model: Its name.
        api_key: Never shown, not even in this object's own text.
        base_url: Another server than the provider's own.
        api: ``responses`` or ``chat``, where a provider has both; None for what fits the server.
        effort: How much a model that thinks is to think, in its provider's own words.
    """

    model: str
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    api: str | None = None
    effort: str | None = None


DEFAULT_MODELS_FILE = Path(__file__).with_name("default_models.json")


@frozen
class DefaultModels:
    """The models of one provider.

    Attributes:
        model: Writes views; None where only the provider knows what it has.
        classify_model: Decides which tools are worth one; None where that is the same model.
    """

    model: str | None = None
    classify_model: str | None = None


@cache
def default_models(provider: str) -> DefaultModels:
    """Return the models of a provider; those of one that is not listed are left to itself."""
    listed = json.loads(DEFAULT_MODELS_FILE.read_text(encoding="utf-8")).get(provider)
    if not isinstance(listed, dict):
        return DefaultModels()
    return DefaultModels(listed.get("model"), listed.get("classifyModel"))
