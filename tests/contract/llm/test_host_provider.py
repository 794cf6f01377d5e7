"""The host's own model as a provider: its requests, answers and refusals (requirement L1)."""

import anyio
import pytest

from genui_adapters.llm.host import HostProvider, host_model
from genui_core.domain.generation.completion import FinishReason
from genui_core.errors import GenUiError, HostRefused, NoSampling

from .questions import asking, failure_of

pytestmark = pytest.mark.anyio

TEXT = {"type": "text", "text": "a view"}
ANSWER = {"role": "assistant", "content": TEXT, "model": "model-x", "stopReason": "endTurn"}


class OfferedModel:
    """A host's model with a scripted outcome."""

    def __init__(self, outcome):
        self.outcome, self.asked, self.cancelled = outcome, [], False

    async def answer(self, params):
        self.asked.append(params)
        if self.outcome is None:
            try:
                await anyio.sleep_forever()
            except anyio.get_cancelled_exc_class():
                self.cancelled = True
                raise
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


@pytest.fixture
def offer():
    tokens = []

    def offer(outcome):
        offered = OfferedModel(outcome)
        tokens.append(host_model.set(offered.answer))
        return offered

    yield offer
    if tokens:
        host_model.set(None)


async def test_the_host_models_answer_is_read(offer):
    offer(ANSWER)
    pieces = []
    completion = await HostProvider().complete(asking(), pieces.append)
    assert completion.text == "".join(pieces) == "a view"
    assert completion.finish is FinishReason.STOP
    assert (completion.model, completion.request_id) == ("model-x", "r-1")


async def test_the_host_gets_each_request_once(offer):
    offered = offer(ANSWER)
    await HostProvider("opus").complete(asking(temperature=0.5, stop=("<!--end-->",)))
    (params,) = offered.asked
    assert params == {
        "messages": [{"role": "user", "content": {"type": "text", "text": "Write one."}}],
        "systemPrompt": "You write views.",
        "maxTokens": 4096,
        "temperature": 0.5,
        "stopSequences": ["<!--end-->"],
        "modelPreferences": {"hints": [{"name": "opus"}]},
        "metadata": {"requestId": "r-1"},
    }


async def test_settings_without_a_value_are_not_sent(offer):
    offered = offer(ANSWER)
    await HostProvider().complete(asking())
    assert offered.asked[0].keys() == {"messages", "systemPrompt", "maxTokens", "metadata"}


async def test_several_text_blocks_are_one_text_and_other_blocks_are_ignored(offer):
    blocks = [{"type": "text", "text": "a "}, {"type": "audio", "data": ""}, {"type": "text", "text": "view"}]
    offer({**ANSWER, "content": blocks})
    assert (await HostProvider().complete(asking())).text == "a view"


async def test_an_answer_that_was_cut_says_so(offer):
    offer({**ANSWER, "stopReason": "maxTokens"})
    assert (await HostProvider().complete(asking())).finish is FinishReason.MAX_TOKENS


@pytest.mark.parametrize(
    "content", [None, {}, [], {"type": "image", "data": ""}, {"type": "text", "text": 7}]
)
async def test_an_answer_without_a_text_is_a_failure_without_a_retry(offer, content):
    offer({**ANSWER, "content": content})
    error = await failure_of(HostProvider())
    assert (error.code, error.retryable) == ("SERVER_ERROR", False)


ERRORS = {
    (-1, "User rejected sampling request"): ("ABORTED", False),
    (-32603, "The user declined"): ("ABORTED", False),
    (-32603, "Blocked by content policy"): ("CONTENT_FILTERED", False),
    (-32601, "Method not found"): ("INVALID_REQUEST", False),
    (-32602, "Invalid params"): ("INVALID_REQUEST", False),
    (-32603, "Internal error"): ("SERVER_ERROR", True),
    (-32603, "Rate limit reached"): ("RATE_LIMIT", True),
    (-32000, "Connection closed"): ("NETWORK_ERROR", True),
    ("odd", None): ("SERVER_ERROR", True),
}


@pytest.mark.parametrize("said", ERRORS)
async def test_each_error_has_its_code(offer, said):
    code, message = said
    offer(HostRefused({"code": code, "message": message}))
    error = await failure_of(HostProvider())
    assert (error.code, error.retryable) == ERRORS[said]


async def test_a_host_that_is_gone_may_be_asked_again(offer):
    offer(GenUiError("The host cannot be asked."))
    error = await failure_of(HostProvider())
    assert (error.code, error.retryable) == ("NETWORK_ERROR", True)


async def test_no_host_is_asked_without_a_host_model():
    with pytest.raises(NoSampling) as caught:
        await HostProvider().complete(asking())
    assert not caught.value.retryable


async def test_a_cancelled_completion_cancels_the_request_to_the_host(offer):
    offered = offer(None)
    with anyio.move_on_after(0.05):
        await HostProvider().complete(asking())
    assert offered.cancelled
