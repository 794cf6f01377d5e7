"""The provider keeps what every provider promises, and the promises of its own."""

import shlex
import sys

import pytest
from program_provider import program_provider

from genui_core.application.services import SilentEventLog
from genui_core.domain.settings.llm_settings import LlmSettings
from genui_core.errors import ProviderFailed
from genui_core.testing.llm_provider import ANSWER, LLMProviderContract, a_question

pytestmark = pytest.mark.anyio


def provider_of(program):
    command = shlex.join([sys.executable, "-c", program])
    return program_provider(LlmSettings(model=command), {}, SilentEventLog())


def printing(text):
    return f"import sys; sys.stdout.buffer.write({text.encode()!r})"


class TestProgramProvider(LLMProviderContract):
    async def make(self):
        return provider_of(printing(ANSWER))

    async def make_failing(self):
        return provider_of("raise SystemExit('no answer today')")

    async def make_endless(self):
        return provider_of("import time; time.sleep(3600)")


async def test_the_program_reads_the_whole_prompt():
    echo = provider_of("import sys; sys.stdout.write(sys.stdin.read())")
    completion = await echo.complete(a_question(prompt="x" * 500_000))
    assert completion.text == f"You write views.\n\n{'x' * 500_000}"


async def test_a_program_that_does_not_read_is_no_obstacle():
    completion = await provider_of(printing(ANSWER)).complete(a_question(prompt="x" * 500_000))
    assert completion.text == ANSWER


async def test_it_sees_no_variable_that_it_needs_not():
    told = program_provider(
        LlmSettings(model=shlex.join([sys.executable, "-c", "import os; print(sorted(os.environ))"])),
        {"PATH": "/bin", "SECRET_KEY": "k"},
        SilentEventLog(),
    )
    assert "SECRET_KEY" not in (await told.complete(a_question())).text


@pytest.mark.parametrize("model", [None, "", "no-such-program-here"])
async def test_what_cannot_be_started_is_said(model):
    with pytest.raises(ProviderFailed, match=r"say which program|no-such-program-here"):
        await program_provider(LlmSettings(model=model), {}, SilentEventLog()).complete(a_question())
