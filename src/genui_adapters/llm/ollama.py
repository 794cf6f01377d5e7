"""Models on an Ollama server, usually on the same machine."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, cast

from genui_adapters.llm.provider_shell import Answer
from genui_adapters.llm.sdk_provider import SdkProvider, bound_response, failure, stream_aborted
from genui_core.domain.generation.completion import Completion, CompletionRequest
from genui_core.errors import ProviderErrorCode, ProviderFailed

if TYPE_CHECKING:
    from ollama import AsyncClient, ChatResponse

_SMALLEST_CONTEXT_TOKENS = 8192
_BYTES_A_TOKEN = 3
_NOT_FOUND = 404

_headers: ContextVar[Mapping[str, str] | None] = ContextVar("headers", default=None)
"""The headers of the current response, which the library's errors do not hold."""


class OllamaProvider(SdkProvider):
    """Streams answers from the chat API, with a context that is large enough for prompt and answer.

    Ollama's default context is so small that Ollama would cut the prompt without an error.
    """

    name = "ollama"

    _client: "AsyncClient"

    def _make_client(self) -> "AsyncClient":
        import ollama  # noqa: PLC0415 -- only requests need it

        self._sdk, options = ollama, self._options
        key = {"Authorization": f"Bearer {options.api_key}"} if options.api_key else {}
        return ollama.AsyncClient(
            host=options.base_url,
            headers=key,
            timeout=None,
            event_hooks={"response": [_keep_headers, bound_response]},
        )

    async def close(self) -> None:
        """Close the client's connections, if there is a client."""
        if self._client is not None:
            await self._client._client.aclose()  # noqa: SLF001 -- the library has no public method

    async def _answer(self, request: CompletionRequest, answer: Answer) -> Completion:
        async with aclosing(await self._stream(request)) as stream:
            return await _collect(stream, answer, request.model)

    async def _stream(self, request: CompletionRequest) -> AsyncGenerator["ChatResponse", None]:
        needed = len((request.system + request.prompt).encode()) // _BYTES_A_TOKEN + request.max_tokens
        options: dict[str, object] = {
            "num_predict": request.max_tokens,
            "num_ctx": max(_SMALLEST_CONTEXT_TOKENS, needed),
        }
        if request.temperature is not None:
            options["temperature"] = request.temperature
        if request.stop:
            options["stop"] = [*request.stop]
        system = [{"role": "system", "content": request.system}] if request.system else []
        stream = await self._client.chat(
            model=request.model or self.model,
            messages=[*system, {"role": "user", "content": request.prompt}],
            options=options,
            think=False,
            stream=True,
        )
        # The library declares an iterator, which has no method to close it.
        return cast('AsyncGenerator["ChatResponse", None]', stream)

    def _failure(self, error: Exception, model: str) -> ProviderFailed | None:
        if isinstance(error, self._sdk.ResponseError):
            if error.status_code == _NOT_FOUND:
                hint = f"The model {model!r} is not there; get it with: ollama pull {model}"
                return ProviderFailed(ProviderErrorCode.INVALID_REQUEST, hint)
            return failure(error.error, status=error.status_code, headers=_headers.get())
        return None


async def _keep_headers(response: Any) -> None:
    _headers.set(response.headers)


async def _collect(
    stream: AsyncIterator["ChatResponse"], answer: Answer, asked_model: str | None
) -> Completion:
    last: ChatResponse | None = None
    async for part in stream:
        answer.take(part.message.content)
        last = part
    if last is None or not last.done:
        raise stream_aborted()
    model, is_cut = last.model or asked_model or "", last.done_reason == "length"
    return answer.completion(model, is_cut=is_cut, read=last.prompt_eval_count, written=last.eval_count)
