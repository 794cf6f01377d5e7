"""A person, or a model that only a person can reach: the prompt goes into a file, the answer comes out of one."""

from contextlib import suppress
from pathlib import Path

import anyio
from anyio.to_thread import run_sync
from attrs import define

from genui_adapters.view_store.private_files import replace_private
from genui_core.domain.generation.completion import Completion, CompletionRequest, FinishReason
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.llm_provider import LLMProvider, OnDelta

_LOOK_EVERY_S = 0.25


@define
class ManualProvider(LLMProvider):
    """Writes ``REQUEST.prompt.md`` and waits for ``REQUEST.answer.md`` beside it.

    It waits without a time limit; the caller sets one. Cancelling a request deletes its file.
    """

    folder: Path
    event_log: EventLog

    @property
    def name(self) -> str:
        """It is called manual."""
        return "manual"

    @property
    def model(self) -> str:
        """A fixed name, since the model is unknown."""
        return "manual"

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Ask, and wait for the answer's file to hold something and to stop growing.

        Raises:
            ProviderFailed: The question cannot be written.
        """
        question = self.folder / f"{request.request_id}.prompt.md"
        answer = self.folder / f"{request.request_id}.answer.md"
        try:
            await _asked(question, request)
            self.event_log.record(
                Level.WARN,
                "llm",
                "answer_wanted",
                request_id=request.request_id,
                prompt=str(question),
                answer=str(answer),
            )
            text = await _when_written(answer)
        finally:
            with suppress(OSError):
                question.unlink()
        await run_sync(answer.unlink)
        if on_delta is not None:
            on_delta(text)
        return Completion(
            text=text, model=self.model, finish=FinishReason.STOP, request_id=request.request_id
        )

    async def close(self) -> None:
        """There is nothing to close."""


async def _asked(question: Path, request: CompletionRequest) -> None:
    try:
        await run_sync(_ask, question, request)
    except OSError as error:
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, f"nothing can be asked: {error}") from error


def _ask(question: Path, request: CompletionRequest) -> None:
    question.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_private(question, f"{request.system}\n\n{request.prompt}".encode())  # it may tell of results


async def _when_written(answer: Path) -> str:
    before = None
    while True:
        text = await run_sync(_text_of, answer)
        if text and text == before:
            return text
        before = text
        await anyio.sleep(_LOOK_EVERY_S)


def _text_of(answer: Path) -> str:
    try:
        # Reading a pipe would wait for a writer, and nothing could end that.
        return answer.read_text(encoding="utf-8") if answer.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""
