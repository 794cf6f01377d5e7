"""A model for tests: it answers what it was told to answer."""

from collections.abc import Iterable

import anyio
from attrs import Factory, define

from genui_core.domain.completion import Completion, CompletionRequest, FinishReason
from genui_core.errors import ProviderFailed
from genui_core.ports.llm_provider import LLMProvider, OnDelta

Scripted = str | ProviderFailed | None
"""A text, a failure, or an answer that never comes."""


@define
class ScriptedProvider(LLMProvider):
    """Gives its answers in order, the last one again and again.

    Attributes:
        delay_s: How long each answer takes.
        requests: What it was asked, in order.
        cancelled: How many questions were given up before they were answered.
        closed: Whether it was closed.
    """

    answers: list[Scripted]
    delay_s: float = 0.0
    requests: list[CompletionRequest] = Factory(list)
    cancelled: int = 0
    closed: bool = False

    @classmethod
    def saying(cls, answers: Iterable[Scripted]) -> "ScriptedProvider":
        """Return one that gives these answers."""
        return cls([*answers])

    @property
    def name(self) -> str:
        """It is called scripted."""
        return "scripted"

    @property
    def model(self) -> str:
        """It has one model."""
        return "script-1"

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Give the next answer."""
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        try:
            await (anyio.sleep_forever() if answer is None else anyio.sleep(self.delay_s))
        except anyio.get_cancelled_exc_class():
            self.cancelled += 1
            raise
        if isinstance(answer, ProviderFailed):
            raise answer
        text = str(answer)
        if on_delta is not None:
            on_delta(text)
        return Completion(
            text=text,
            model=request.model or self.model,
            finish=FinishReason.STOP,
            request_id=request.request_id,
            input_tokens=len(request.prompt) // 3,
            output_tokens=len(text) // 3,
        )

    async def close(self) -> None:
        """Take note."""
        self.closed = True
