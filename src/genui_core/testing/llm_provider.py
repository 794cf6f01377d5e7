"""A provider with scripted answers for tests, and the contract suite of all providers."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

import anyio
from attrs import Factory, define

from genui_core.domain.generation.completion import Completion, CompletionRequest, FinishReason
from genui_core.errors import ProviderFailed
from genui_core.ports.llm_provider import LLMProvider, OnDelta

Scripted = str | ProviderFailed | None
"""A text, a failure, or an answer that never comes."""


@define
class ScriptedProvider(LLMProvider):
    """Gives its answers in order, the last one again and again.

    Attributes:
        delay_s: How long each answer takes.
        requests: The requests that it got, in order.
        cancelled: How many requests were cancelled before they were answered.
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


ANSWER = "<template>\u00e9 \u4e2d \U0001f600</template>\n<script>function render() {}</script>\n"
"""What the model of a contract suite writes."""


class LLMProviderContract(ABC):
    """Inherit, say how to make the provider in three moods, and let pytest run the rest, marked for anyio's plugin.

    The subclass decides what stands in for the model: a server, a program, a file.
    """

    @abstractmethod
    async def make(self) -> LLMProvider:
        """Return a provider whose model writes ``ANSWER``, however often it is asked."""

    @abstractmethod
    async def make_failing(self) -> LLMProvider:
        """Return a provider whose model gives no answer."""

    @abstractmethod
    async def make_endless(self) -> LLMProvider:
        """Return a provider whose model never comes to an end."""

    async def test_it_says_who_it_is(self) -> None:
        """Logs and cache keys name both."""
        provider = await self.make()
        assert provider.name
        assert provider.model
        await provider.close()

    async def test_the_answer_is_the_text_and_the_pieces_are_its_parts(self) -> None:
        """A listener gets the whole text, in order."""
        provider = await self.make()
        pieces: list[str] = []
        completion = await provider.complete(a_question(), pieces.append)
        assert completion.text == ANSWER == "".join(pieces)
        assert completion.finish is FinishReason.STOP
        await provider.close()

    async def test_an_answer_carries_the_id_of_its_question_and_names_its_model(self) -> None:
        """So that a log can be followed."""
        provider = await self.make()
        completion = await provider.complete(a_question(request_id="r-7"))
        assert completion.request_id == "r-7"
        assert completion.model
        assert min(completion.input_tokens, completion.output_tokens) >= 0
        await provider.close()

    async def test_questions_may_be_asked_at_the_same_time(self) -> None:
        """Each gets the answer that is its own."""
        provider, answered = await self.make(), set[str]()

        async def ask(name: str) -> None:
            completion = await provider.complete(a_question(request_id=name))
            assert completion.text == ANSWER
            answered.add(completion.request_id)

        async with anyio.create_task_group() as questions:
            for name in ("r-1", "r-2", "r-3"):
                questions.start_soon(ask, name)
        assert answered == {"r-1", "r-2", "r-3"}
        await provider.close()

    async def test_no_answer_is_a_failure_in_the_words_of_the_port(self) -> None:
        """Never an error of a library's own, and never an empty text."""
        provider = await self.make_failing()
        failure = None
        try:
            await provider.complete(a_question())
        except ProviderFailed as error:
            failure = error
        assert failure is not None, "there was an answer, or no failure"
        assert str(failure)
        await provider.close()

    async def test_a_question_that_is_given_up_ends_at_once(self) -> None:
        """The caller decides how long to wait."""
        provider = await self.make_endless()
        with anyio.fail_after(10):
            with anyio.move_on_after(0.2) as patience:
                await provider.complete(a_question())
            assert patience.cancelled_caught
            await provider.close()

    async def test_it_may_be_closed_twice(self) -> None:
        """Clean-up code need not check whether it is closed."""
        provider = await self.make()
        await provider.close()
        await provider.close()


def a_question(*, prompt: str = "Write one.", request_id: str = "r-1") -> CompletionRequest:
    """Return a question; name what matters to the test."""
    return CompletionRequest(system="You write views.", prompt=prompt, request_id=request_id, max_tokens=4096)
