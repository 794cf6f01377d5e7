"""What a model has written so far, and where that is too much."""

from typing import Final

from attrs import define, field

from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.llm_provider import OnDelta

MOST_ANSWER_BYTES: Final = 1_048_576
"""The most that is read of an answer, in bytes of UTF-8: twice the largest view that is served.

A server need not keep to the number of tokens that it is told, and may send for as long as it is let.
"""


@define
class CollectedText:
    """Collects the pieces of an answer.

    Args:
        on_delta: Called with each piece.
    """

    _on_delta: OnDelta | None = None
    _pieces: list[str] = field(factory=list, init=False)
    _bytes: int = field(default=0, init=False)

    def take(self, piece: str | None) -> None:
        """Take the next piece.

        Raises:
            ProviderFailed: The text is too long; a retry would not be shorter. The reader of the answer
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
