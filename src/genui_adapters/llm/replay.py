"""Completions from files: recordings for tests and demos without a key, or a person's answers.

A recording is a JSON file: ``{"when": [...], "text": "...", "model": "..."}``. It answers a request whose
prompt holds every text of ``when``. Recordings are tried in the order of their names; each answers once, but
the last one that fits answers again.
"""

import json
from contextlib import suppress
from pathlib import Path

import anyio
from anyio.to_thread import run_sync
from attrs import evolve, frozen

from genui_adapters.view_store.private_files import replace_whole
from genui_core.domain.generation.completion import Completion, CompletionRequest, FinishReason
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.llm_provider import LLMProvider, OnDelta

_PIECE_CHARACTERS = 400


@frozen
class Recording:
    """One completion in a file."""

    when: tuple[str, ...]
    completion: Completion

    def answers(self, request: CompletionRequest) -> bool:
        """Whether the recording answers this request."""
        return all(text in request.prompt for text in self.when)


class BrokenRecording(ProviderFailed):
    """A file is no recording; the text names it and says what is wrong."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(ProviderErrorCode.INVALID_REQUEST, f"{path} cannot be replayed: {problem}")


class ReplayProvider(LLMProvider):
    """Answers from a folder of recordings.

    Args:
        pace_s: The seconds before each piece of an answer, to imitate a model that writes.
    """

    name = "replay"

    def __init__(self, folder: Path, pace_s: float = 0.0) -> None:
        self.folder = folder
        self.pace_s = pace_s
        self._recordings: list[Recording] | None = None

    @property
    def model(self) -> str:
        """The folder's name, so that each folder has its own views."""
        return self.folder.name

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Return the first recording that answers the request."""
        if self._recordings is None:
            self._recordings = await run_sync(read_recordings, self.folder)
        fitting = [each for each in self._recordings if each.answers(request)]
        if not fitting:
            beginning = request.prompt.strip().partition("\n")[0]
            raise ProviderFailed(
                ProviderErrorCode.INVALID_REQUEST, f"{self.folder} has no recording for: {beginning}"
            )
        if len(fitting) > 1:
            self._recordings.remove(fitting[0])
        completion = fitting[0].completion
        for start in range(0, len(completion.text), _PIECE_CHARACTERS):
            await anyio.sleep(self.pace_s)
            if on_delta is not None:
                on_delta(completion.text[start : start + _PIECE_CHARACTERS])
        return evolve(
            completion,
            request_id=request.request_id,
            input_tokens=len(request.prompt.encode()) // 3,
            output_tokens=len(completion.text.encode()) // 3,
        )

    async def close(self) -> None:
        """Do nothing: nothing is open."""


def read_recordings(folder: Path) -> list[Recording]:
    """Return the recordings of a folder in the order of their names.

    Raises BrokenRecording if a file is no recording, or the folder is missing.
    """
    if not folder.is_dir():
        raise BrokenRecording(folder, "there is no such folder")
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def _read(path: Path) -> Recording:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BrokenRecording(path, str(error)) from error
    recorded = data if isinstance(data, dict) else {}
    text, when, finish = recorded.get("text"), recorded.get("when", []), recorded.get("finish", "stop")
    has_texts = isinstance(when, list) and all(isinstance(one, str) for one in when)
    if not isinstance(text, str) or not has_texts or finish not in [*FinishReason]:
        form = '{"when": [texts], "text": "…"}, and "finish" in it "stop" or "max_tokens"'
        raise BrokenRecording(path, f"it must be {form}")
    model, finish = str(recorded.get("model", path.parent.name)), FinishReason(finish)
    return Recording(tuple(when), Completion(text=text, model=model, finish=finish, request_id=""))


_LOOK_EVERY_S = 0.25


@frozen
class ManualProvider(LLMProvider):
    """Writes ``REQUEST.prompt.md`` and waits for ``REQUEST.answer.md`` beside it.

    It waits without a time limit; the caller sets one. Cancelling a request deletes its file.
    """

    folder: Path
    event_log: EventLog
    name = model = "manual"  # which model a person asks is unknown

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Write the prompt's file, and wait until the answer's file has a text and stops changing.

        Raises ProviderFailed if the prompt's file cannot be written.
        """
        prompt_file = self.folder / f"{request.request_id}.prompt.md"
        answer = self.folder / f"{request.request_id}.answer.md"
        try:
            await run_sync(_write_prompt, prompt_file, request)
            self.event_log.record(
                Level.WARN,
                "llm",
                "answer_wanted",
                request_id=request.request_id,
                prompt=str(prompt_file),
                answer=str(answer),
            )
            text = await _wait_for_answer(answer)
        finally:
            with suppress(OSError):
                prompt_file.unlink()
        await run_sync(answer.unlink)
        if on_delta is not None:
            on_delta(text)
        return Completion(
            text=text, model=self.model, finish=FinishReason.STOP, request_id=request.request_id
        )

    async def close(self) -> None:
        """Do nothing: nothing is open."""


def _write_prompt(prompt_file: Path, request: CompletionRequest) -> None:
    try:
        prompt_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Only this user can read the file, since a prompt may describe results.
        replace_whole(prompt_file, f"{request.system}\n\n{request.prompt}".encode())
    except OSError as error:
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, f"nothing can be asked: {error}") from error


async def _wait_for_answer(answer: Path) -> str:
    before = None
    while True:
        text = await run_sync(_text_of, answer)
        if text and text == before:
            return text
        before = text
        await anyio.sleep(_LOOK_EVERY_S)


def _text_of(answer: Path) -> str:
    try:
        # Reading a pipe would wait for a writer, and could not be cancelled.
        return answer.read_text(encoding="utf-8") if answer.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""
