"""The log holds the model's requests and answers, complete and without secrets."""

import pytest

from genui_adapters.llm.provider_shell import LoggedProvider
from genui_adapters.telemetry.configured_event_log import _json_line
from genui_core.domain.generation.completion import CompletionRequest
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.llm_provider import ScriptedProvider

pytestmark = pytest.mark.anyio

SECRET = "canary-4711-key"


def logged(answer, secrets=frozenset((SECRET,))):
    event_log = RecordingEventLog()
    return LoggedProvider(ScriptedProvider.saying([answer]), event_log, secrets), event_log


def asking(prompt):
    return CompletionRequest(system="You write views.", prompt=prompt, max_tokens=9, request_id="r-1")


def text(event_log, event, part):
    said = [each.metadata for each in event_log.named(event)]
    return "".join(each["text"] for each in said if each["part"] == part)


@pytest.mark.parametrize("prompt", ["short", "long " * 5000, "ünïcode\n😀" * 3000])
async def test_every_word_of_a_prompt_is_logged_in_lines_within_the_limit(prompt):
    provider, event_log = logged("an answer")
    pieces = []
    completion = await provider.complete(asking(prompt), pieces.append)
    assert (completion.text, pieces) == ("an answer", ["an answer"])
    assert text(event_log, "prompt", "system") == "You write views."
    assert text(event_log, "prompt", "user") == prompt
    assert text(event_log, "response", "whole") == "an answer"
    assert {each.metadata["request_id"] for each in event_log.events} == {"r-1"}
    for each in event_log.events:
        when = type("When", (), {"isoformat": lambda *_, **__: ""})()
        assert b'"cut"' not in _json_line(when, each.level, each.component, each.event, each.metadata)


@pytest.mark.parametrize("start", range(1480, 1502, 3))
async def test_a_secret_is_left_out_even_where_the_text_is_cut(start):
    provider, event_log = logged("x" * start + SECRET)
    await provider.complete(asking("x" * start + SECRET))
    whole = str([each.metadata for each in event_log.events])
    assert "canary" not in whole
    assert "4711" not in whole


async def test_everything_is_logged_without_redaction():
    provider, event_log = logged(SECRET, secrets=None)
    await provider.complete(asking("one"))
    assert text(event_log, "response", "whole") == SECRET


async def test_a_logged_failure_is_raised_again():
    provider, _ = logged(ProviderFailed(ProviderErrorCode.TIMEOUT, "late"))
    with pytest.raises(ProviderFailed):
        await provider.complete(asking("one"))
    await provider.close()
    assert provider.inner.closed
