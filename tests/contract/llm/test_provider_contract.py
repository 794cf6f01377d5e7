"""The providers that need no server keep what every provider promises (requirement L2)."""

import json

import anyio
import pytest

from genui_adapters.llm.replay import ManualProvider, ReplayProvider
from genui_core.application.services import SilentEventLog
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.testing.llm_provider import ANSWER, LLMProviderContract, ScriptedProvider

NO_ANSWER = ProviderFailed(ProviderErrorCode.SERVER_ERROR, "out of order")


@pytest.mark.anyio
class TestScriptedProvider(LLMProviderContract):
    async def make(self):
        return ScriptedProvider.saying([ANSWER])

    async def make_failing(self):
        return ScriptedProvider.saying([NO_ANSWER])

    async def make_endless(self):
        return ScriptedProvider.saying([None])


class InFolder(LLMProviderContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.folder = tmp_path


@pytest.mark.anyio
class TestReplayProvider(InFolder):
    async def make(self):
        (self.folder / "1.json").write_text(json.dumps({"text": ANSWER}))
        return ReplayProvider(self.folder)

    async def make_failing(self):
        return ReplayProvider(self.folder)

    async def make_endless(self):
        await self.make()
        return ReplayProvider(self.folder, pace_s=3600)


@pytest.mark.anyio
class TestManualProvider(InFolder):
    @pytest.fixture(autouse=True)
    async def person(self):
        """A person who answers every question in the folder."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.answer)
            yield
            tasks.cancel_scope.cancel()

    async def answer(self):
        while True:
            for question in self.folder.glob("*.prompt.md"):
                answer = question.with_name(question.name.replace(".prompt.", ".answer."))
                if not answer.exists():
                    answer.write_text(ANSWER, encoding="utf-8")
            await anyio.sleep(0.02)

    async def make(self):
        return ManualProvider(self.folder, SilentEventLog())

    async def make_failing(self):
        (self.folder / "file").touch()
        return ManualProvider(self.folder / "file" / "questions", SilentEventLog())

    async def make_endless(self):
        return ManualProvider(self.folder / "elsewhere", SilentEventLog())
