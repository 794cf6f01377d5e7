"""Requests that the tests send to a provider."""

import pytest

from genui_core.domain.generation.completion import CompletionRequest
from genui_core.errors import ProviderFailed


def asking(**more):
    return CompletionRequest(
        **{
            "system": "You write views.",
            "prompt": "Write one.",
            "max_tokens": 4096,
            "request_id": "r-1",
            **more,
        }
    )


async def failure_of(provider, on_delta=None, **more):
    with pytest.raises(ProviderFailed) as caught:
        await provider.complete(asking(**more), on_delta)
    return caught.value
