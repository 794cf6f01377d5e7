"""Anthropic's models, through the Messages API."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from genui_adapters.llm.provider_shell import Answer
from genui_adapters.llm.sdk_provider import SdkProvider, client_of, stream_aborted
from genui_core.domain.generation.completion import Completion, CompletionRequest
from genui_core.errors import ProviderErrorCode, ProviderFailed

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import RawMessageStreamEvent

_CUT = ("max_tokens", "model_context_window_exceeded")


class AnthropicProvider(SdkProvider):
    """Streams answers from the Messages API; sends no temperature, since the API accepts none."""

    name = "anthropic"

    _client: "AsyncAnthropic"

    def _make_client(self) -> "AsyncAnthropic":
        import anthropic  # noqa: PLC0415 -- takes seconds, and only requests need it

        self._sdk = anthropic
        return client_of(
            anthropic.AsyncAnthropic,
            anthropic.DefaultAsyncHttpxClient,
            anthropic.AnthropicError,
            self._options,
        )

    async def _answer(self, request: CompletionRequest, answer: Answer) -> Completion:
        sdk = self._sdk
        stream = await self._client.messages.create(
            model=request.model or self.model,
            max_tokens=request.max_tokens,
            messages=[{"role": "user", "content": request.prompt}],
            system=[{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}]
            if request.system
            else sdk.omit,
            stop_sequences=[*request.stop] if request.stop else sdk.omit,
            extra_body={"output_config": {"effort": self._options.effort}} if self._options.effort else None,
            extra_headers={"x-client-request-id": request.request_id},
            stream=True,
        )
        async with stream:
            return await _collect(stream, answer)

    def _failure(self, error: Exception, model: str) -> ProviderFailed | None:  # noqa: ARG002 -- see Ollama
        names = (getattr(error, "type", None), getattr(error, "error_code", None))
        return self._failure_in(self._sdk, error, *names)


async def _collect(stream: AsyncIterator["RawMessageStreamEvent"], answer: Answer) -> Completion:
    model, stop_reason, read, written, complete = "", None, 0, 0, False
    async for event in stream:
        if event.type == "message_start":
            usage = event.message.usage
            model = event.message.model
            read = (
                usage.input_tokens
                + (usage.cache_read_input_tokens or 0)
                + (usage.cache_creation_input_tokens or 0)
            )
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            answer.take(event.delta.text)
        elif event.type == "message_delta":
            stop_reason, written = event.delta.stop_reason, event.usage.output_tokens
        elif event.type == "message_stop":
            complete = True
    if not complete:
        raise stream_aborted()
    if stop_reason == "refusal":
        raise ProviderFailed(ProviderErrorCode.CONTENT_FILTERED, "The model refused.")
    return answer.completion(model, is_cut=stop_reason in _CUT, read=read, written=written)
