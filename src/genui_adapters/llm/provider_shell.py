"""The common parts of all providers: options, limits, redaction and debug logging."""

from collections.abc import Iterator
from typing import Final

from attrs import field, frozen

from genui_core.domain.generation.completion import Completion, CompletionRequest, FinishReason, sound_failure
from genui_core.domain.logging.redaction import redacted
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.llm_provider import LLMProvider, OnDelta


class AroundProvider(LLMProvider):
    """A provider around another one, with its name and model, so that the keys of views stay the same."""

    inner: LLMProvider

    @property
    def name(self) -> str:
        """The name of the other provider."""
        return self.inner.name

    @property
    def model(self) -> str:
        """The model of the other provider."""
        return self.inner.model

    async def close(self) -> None:
        """Close the other provider."""
        await self.inner.close()


@frozen(eq=False, repr=False)
class RedactingProvider(AroundProvider):
    """Forwards requests to another provider, and redacts secrets in its errors.

    A server may repeat the request's API key in an error. The text of an error goes to pages, stores and
    logs, so it is redacted here, where it enters the wrapper.
    """

    inner: LLMProvider
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Ask the other provider; raise `ProviderFailed` for any error that it raises."""
        try:
            return await self.inner.complete(request, on_delta)
        except Exception as error:  # noqa: BLE001 -- a library's error may hold a key, too
            # A traceback would show the cause, with the secret.
            raise sound_failure(error, self.name, self.secrets) from None


_PLAIN_CHARACTERS, _OTHER_CHARACTERS = 1500, 250
"""The characters that fit a log line even if each takes two bytes, or twelve."""


@frozen(eq=False, repr=False)
class LoggedProvider(AroundProvider):
    """Forwards requests to another provider, and logs prompts and answers in pieces that fit a log line.

    Args:
        secrets: The known secrets; None logs everything unchanged. A text is redacted before it is cut,
            since a cut may split a secret.
    """

    inner: LLMProvider
    event_log: EventLog
    secrets: frozenset[str] | None = field(default=frozenset(), repr=False)

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Ask the other provider, and log the prompts and the answer."""
        self._log_prompt("system", request.request_id, request.system)
        self._log_prompt("user", request.request_id, request.prompt)
        pieces: list[str] = []

        def take(piece: str) -> None:
            pieces.append(piece)
            if on_delta is not None:
                on_delta(piece)

        try:
            completion = await self.inner.complete(request, take)
        except ProviderFailed:
            self._log_response("aborted", request.request_id, "".join(pieces))
            raise
        self._log_response("whole", request.request_id, completion.text)
        return completion

    def _log_prompt(self, part: str, request_id: str, text: str) -> None:
        for fields in self._fields(part, request_id, text):
            self.event_log.record(Level.DEBUG, "llm", "prompt", **fields)

    def _log_response(self, part: str, request_id: str, text: str) -> None:
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

A server may ignore the limit of tokens in the request, and send without end.
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

        Raises ProviderFailed, not retryable, if the text is too long. The reader of the answer then closes
        its connection.
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
    """The options with which a provider reaches a model.

    Attributes:
        model: The model's name.
        api_key: Never shown, not even in this object's own text.
        base_url: The URL of another server than the provider's own.
        api: ``responses`` or ``chat``, if a provider has both; None for the server's default.
        effort: How much a reasoning model should think, as a word of its provider.
    """

    model: str
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    api: str | None = None
    effort: str | None = None
