"""A provider of one's own: the model is any program that reads a prompt and prints an answer.

``mcp-gen-ui --llm "program:my-model --quiet"`` starts ``my-model --quiet`` for every question.
"""

import shlex
from codecs import getincrementaldecoder
from collections.abc import Mapping
from subprocess import PIPE

import anyio
from anyio.abc import ByteReceiveStream, Process
from attrs import frozen

from genui_core.domain.generation.completion import Completion, CompletionRequest, FinishReason
from genui_core.domain.settings.llm_settings import LlmSettings
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.event_log import EventLog
from genui_core.ports.llm_provider import LLMProvider, OnDelta

_PASSED_ON = ("PATH", "HOME", "LANG", "SYSTEMROOT")


@frozen
class ProgramProvider(LLMProvider):
    """Starts a program for each question, writes the prompt to its input and reads its output.

    Attributes:
        command: The words that start it.
        variables: All that it finds in its environment.
    """

    command: tuple[str, ...]
    variables: Mapping[str, str]

    @property
    def name(self) -> str:
        """What stands after ``--llm``."""
        return "program"

    @property
    def model(self) -> str:
        """The command: another command makes other views."""
        return shlex.join(self.command)

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Run the program once; end it if the caller is cancelled.

        Raises:
            ProviderFailed: It cannot be started, fails, or says nothing.
        """
        try:
            process = await anyio.open_process(
                self.command, stdin=PIPE, stdout=PIPE, stderr=None, env=self.variables
            )
        except OSError as error:
            raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, f"{self.model}: {error}") from error
        async with process:
            text = await _router(process, f"{request.system}\n\n{request.prompt}", on_delta)
            status = await process.wait()
        if status or not text.strip():
            reason = f"ended with status {status}" if status else "said nothing"
            raise ProviderFailed(ProviderErrorCode.SERVER_ERROR, f"{self.model} {reason}")
        return Completion(
            text=text, model=self.model, finish=FinishReason.STOP, request_id=request.request_id
        )

    async def close(self) -> None:
        """Nothing outlives a question."""


def program_provider(llm: LlmSettings, environment: Mapping[str, str], _event_log: EventLog) -> LLMProvider:
    """Return the provider of the section ``llm``; nothing is started yet.

    Raises:
        ProviderFailed: No command is named.
    """
    command = shlex.split(llm.model or "")
    if not command:
        raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, "say which program: --llm program:COMMAND")
    known = {name: environment[name] for name in _PASSED_ON if name in environment}
    return ProgramProvider(tuple(command), known)


async def _router(process: Process, prompt: str, on_delta: OnDelta | None) -> str:
    """Write the prompt while the answer is read: a program may begin to print before it has read all."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError("both were asked for")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_write, process.stdin, prompt.encode())
        text = await _read(process.stdout, on_delta)
    return text  # noqa: RET504 -- the type checker does not see that a group passes it on


async def _write(stdin: anyio.abc.ByteSendStream, data: bytes) -> None:
    try:
        async with stdin:
            await stdin.send(data)
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        pass  # It knows enough without the rest.


async def _read(stdout: ByteReceiveStream, on_delta: OnDelta | None) -> str:
    """Read to the end; a letter that is cut in two by the pipe is put together."""
    decoder, pieces = getincrementaldecoder("utf-8")("replace"), []
    async for data in stdout:
        pieces.append(decoder.decode(data))
        if on_delta is not None and pieces[-1]:
            on_delta(pieces[-1])
    return "".join(pieces)
