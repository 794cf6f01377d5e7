"""Models of OpenAI, and of every server that speaks one of its two APIs."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from genui_adapters.llm.provider_shell import Answer, ProviderOptions
from genui_adapters.llm.sdk_provider import SdkProvider, client_of, failure, stream_aborted
from genui_core.domain.generation.completion import Completion, CompletionRequest
from genui_core.errors import ProviderErrorCode, ProviderFailed

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionChunk
    from openai.types.responses import Response, ResponseStreamEvent

_CACHE_KEY = "mcp-gen-ui"
"""The key by which OpenAI routes requests with the same beginning to the same cache."""


class OpenAIProvider(SdkProvider):
    """Streams answers from the Responses API of OpenAI, or from Chat Completions of another server.

    If a model refuses the temperature, the provider repeats the request without it, and stops sending it.
    """

    name = "openai"

    _client: "AsyncOpenAI"

    def __init__(self, options: ProviderOptions) -> None:
        super().__init__(options)
        self._api = options.api or ("chat" if options.base_url else "responses")
        self._without_temperature: set[str] = set()

    def _make_client(self) -> "AsyncOpenAI":
        import openai  # noqa: PLC0415 -- takes seconds, and only requests need it

        self._sdk = openai
        return client_of(
            openai.AsyncOpenAI, openai.DefaultAsyncHttpxClient, openai.OpenAIError, self._options
        )

    async def _answer(self, request: CompletionRequest, answer: Answer) -> Completion:
        """Ask with the temperature, or without it if the model refuses it."""
        model = request.model or self.model
        ask = self._ask_responses if self._api == "responses" else self._ask_chat
        if request.temperature is not None and model not in self._without_temperature:
            try:
                return await ask(request, model, {"temperature": request.temperature}, answer)
            except self._sdk.BadRequestError as error:
                if error.param != "temperature":
                    raise
                self._without_temperature.add(model)
        return await ask(request, model, {}, answer)

    async def _ask_responses(
        self, request: CompletionRequest, model: str, more: dict[str, Any], answer: Answer
    ) -> Completion:
        if self._options.effort:
            more["reasoning"] = {"effort": self._options.effort}
        stream = await self._client.responses.create(
            model=model,
            instructions=request.system or None,
            input=request.prompt,
            max_output_tokens=max(16, request.max_tokens),
            store=False,
            prompt_cache_key=_CACHE_KEY,
            extra_headers={"x-client-request-id": request.request_id},
            stream=True,
            **more,
        )
        async with stream:
            return await _from_responses(stream, request, answer)

    async def _ask_chat(
        self, request: CompletionRequest, model: str, more: dict[str, Any], answer: Answer
    ) -> Completion:
        if self._options.effort:
            more["reasoning_effort"] = self._options.effort
        if request.stop:
            more["stop"] = [*request.stop]
        system = [{"role": "system", "content": request.system}] if request.system else []
        messages: Any = [*system, {"role": "user", "content": request.prompt}]
        stream = await self._client.chat.completions.create(
            model=model,
            messages=messages,
            max_tokens=request.max_tokens,
            extra_headers={"x-client-request-id": request.request_id},
            stream=True,
            stream_options={"include_usage": True},
            **more,
        )
        async with stream:
            return await _from_chat(stream, request, answer)

    def _failure(self, error: Exception, model: str) -> ProviderFailed | None:  # noqa: ARG002 -- see Ollama
        if not isinstance(error, self._sdk.APIError):
            return None
        names = (error.code, error.type)
        known = self._failure_in(self._sdk, error, *names)
        return known or failure(error.message, *names)


async def _from_responses(
    stream: AsyncIterator["ResponseStreamEvent"], request: CompletionRequest, answer: Answer
) -> Completion:
    response = None
    async for event in stream:
        if event.type == "response.output_text.delta":
            answer.take(event.delta)
        elif event.type == "error":
            raise failure(event.message, event.code)
        elif event.type in {"response.completed", "response.incomplete", "response.failed"}:
            response = event.response
    if response is None:
        raise stream_aborted()
    return _from_response(response, request)


def _from_response(response: "Response", request: CompletionRequest) -> Completion:
    if response.status == "failed":
        error = response.error
        raise failure(error.message, error.code) if error else failure("failed")
    reason = response.incomplete_details.reason if response.incomplete_details else None
    refused = any(
        part.type == "refusal" for item in response.output if item.type == "message" for part in item.content
    )
    if refused or reason == "content_filter":
        raise ProviderFailed(
            ProviderErrorCode.CONTENT_FILTERED, "The model refused, or its answer was filtered."
        )
    whole, usage = Answer(request), response.usage
    whole.take(response.output_text)  # may differ from the pieces before it
    read, written = (usage.input_tokens, usage.output_tokens) if usage else (0, 0)
    is_cut = response.status == "incomplete"
    return whole.completion(response.model, is_cut=is_cut, read=read, written=written)


async def _from_chat(
    stream: AsyncIterator["ChatCompletionChunk"], request: CompletionRequest, answer: Answer
) -> Completion:
    refusal, model, finish_reason, usage = Answer(request), "", None, None
    async for chunk in stream:
        model = chunk.model or model
        usage = chunk.usage or usage
        for choice in chunk.choices[:1]:
            finish_reason = choice.finish_reason or finish_reason
            refusal.take(choice.delta.refusal)
            answer.take(choice.delta.content)
    if finish_reason is None:
        raise stream_aborted()
    if refusal.text or finish_reason == "content_filter":
        raise ProviderFailed(ProviderErrorCode.CONTENT_FILTERED, refusal.text or "The answer was filtered.")
    read, written = (usage.prompt_tokens, usage.completion_tokens) if usage else (0, 0)
    return answer.completion(model, is_cut=finish_reason == "length", read=read, written=written)
