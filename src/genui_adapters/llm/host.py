"""The provider that asks the host's model, over MCP sampling: no API key, and a person may refuse."""

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar

from attrs import frozen

from genui_core.domain.generation.completion import (
    MOST_READ_CHARACTERS,
    Completion,
    CompletionRequest,
    FinishReason,
)
from genui_core.domain.mcp.jsonrpc import APPLICATION_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, Params, Result
from genui_core.domain.settings.llm_settings import HOST
from genui_core.errors import GenUiError, HostRefused, NoSampling, ProviderErrorCode, ProviderFailed
from genui_core.ports.llm_provider import LLMProvider, OnDelta

host_model: ContextVar[Callable[[Params], Awaitable[Result]] | None] = ContextVar("host_model", default=None)
"""Asks the model of the host for which the generation worker runs; None if it offers no sampling.

Raises `HostRefused` with the host's error, or another `GenUiError`. Cancelling it withdraws the request.
"""

_NO_SAMPLING = "the host offers no sampling, so its model cannot write views"
_USER_REFUSED = -1
_BY_CODE = {
    _USER_REFUSED: ProviderErrorCode.ABORTED,
    METHOD_NOT_FOUND: ProviderErrorCode.INVALID_REQUEST,
    INVALID_PARAMS: ProviderErrorCode.INVALID_REQUEST,
    -32001: ProviderErrorCode.TIMEOUT,
    APPLICATION_ERROR: ProviderErrorCode.NETWORK_ERROR,
}
_BY_WORD = (
    (("filter", "policy", "safety", "moderat"), ProviderErrorCode.CONTENT_FILTERED),
    (("reject", "refus", "declin", "denied", "not allow"), ProviderErrorCode.ABORTED),
    (("rate limit", "too many"), ProviderErrorCode.RATE_LIMIT),
)


@frozen
class HostProvider(LLMProvider):
    """Asks the model of the host for which a view is made.

    Args:
        preferred_model: The name of the model that the host should use if it can.
    """

    preferred_model: str | None = None
    name = HOST

    @property
    def model(self) -> str:
        """The preferred model; the host decides which model it uses."""
        return self.preferred_model or HOST

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Ask the host without a time limit, since hosts first show the request to a person.

        Raises:
            NoSampling: The view is made for no host, or its host offers no sampling.
            ProviderFailed: The host answered with an error, or without a text.
        """
        ask_host = host_model.get()
        if ask_host is None:
            raise NoSampling(_NO_SAMPLING)
        try:
            result = await ask_host(self._params(request))
        except HostRefused as refused:
            raise _failure(refused.error) from refused
        except ProviderFailed:
            raise
        except GenUiError as error:
            raise ProviderFailed(ProviderErrorCode.NETWORK_ERROR, str(error)) from error
        text = _text_of(result.get("content"))
        if not text:
            raise ProviderFailed(
                ProviderErrorCode.SERVER_ERROR, "the host's model answered without a text", retryable=False
            )
        if on_delta is not None:
            on_delta(text)
        model, is_cut = result.get("model"), result.get("stopReason") == "maxTokens"
        return Completion(
            text=text,
            model=model if isinstance(model, str) and model else HOST,
            finish=FinishReason.MAX_TOKENS if is_cut else FinishReason.STOP,
            request_id=request.request_id,
        )

    async def close(self) -> None:
        """Do nothing: nothing is open."""

    def _params(self, request: CompletionRequest) -> Params:
        params: dict[str, object] = {
            "messages": [{"role": "user", "content": {"type": "text", "text": request.prompt}}],
            "systemPrompt": request.system,
            "maxTokens": request.max_tokens,
            "metadata": {"requestId": request.request_id},
        }
        preferred_model = request.model or self.preferred_model
        if preferred_model is not None:
            params["modelPreferences"] = {"hints": [{"name": preferred_model}]}
        if request.temperature is not None:
            params["temperature"] = request.temperature
        if request.stop:
            params["stopSequences"] = list(request.stop)
        return params


def _text_of(content: object) -> str:
    """Return the text of a content block, or of a list of them (2025-11-25)."""
    blocks = content if isinstance(content, list) else [content]
    texts = [each.get("text") for each in blocks if isinstance(each, Mapping) and each.get("type") == "text"]
    return "".join(each for each in texts if isinstance(each, str))


def _failure(error: Mapping[str, object]) -> ProviderFailed:
    """Return the failure for a host's error, by code and words, since hosts use different codes."""
    code, message = error.get("code"), str(error.get("message") or "no words")[:MOST_READ_CHARACTERS]
    text = message.lower()
    known = _BY_CODE.get(code) if isinstance(code, int) else None
    if known is None or known is ProviderErrorCode.NETWORK_ERROR:
        known = next((each for words, each in _BY_WORD if any(word in text for word in words)), known)
    return ProviderFailed(known or ProviderErrorCode.SERVER_ERROR, f"the host: {message}")
