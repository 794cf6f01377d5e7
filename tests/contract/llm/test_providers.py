"""Every provider with a server on a real socket: its requests, answers and failures (requirement L1)."""

import anyio
import pytest

from genui_adapters.llm.anthropic import AnthropicProvider
from genui_adapters.llm.ollama import OllamaProvider
from genui_adapters.llm.openai import OpenAIProvider
from genui_adapters.llm.provider_shell import MOST_ANSWER_BYTES, ProviderOptions
from genui_adapters.llm.sdk_provider import MOST_LINE_BYTES
from genui_core.domain.generation.completion import FinishReason
from genui_core.testing.llm_provider import ANSWER, LLMProviderContract

from .questions import asking, failure_of
from .wire_server import TEXT, USAGE, Reply, WireServer

pytestmark = pytest.mark.anyio

KEY = "canary-key-4711"


@pytest.fixture
def anyio_backend():
    """Run on asyncio, as the server does."""
    return "asyncio"


@pytest.fixture
async def server():
    async with WireServer().running() as server:
        yield server


PROVIDERS = {
    "anthropic": lambda url: AnthropicProvider(ProviderOptions(model="m", api_key=KEY, base_url=url)),
    "responses": lambda url: OpenAIProvider(
        ProviderOptions(model="m", api_key=KEY, base_url=f"{url}/v1", api="responses")
    ),
    "chat": lambda url: OpenAIProvider(ProviderOptions(model="m", api_key=KEY, base_url=f"{url}/v1")),
    "ollama": lambda url: OllamaProvider(ProviderOptions(model="m", api_key=KEY, base_url=url)),
}


@pytest.fixture(params=PROVIDERS)
async def provider(request, server):
    one = PROVIDERS[request.param](server.origin)
    yield one
    await one.close()


class TestEachProvider(LLMProviderContract):
    """Each provider keeps the promises of its port."""

    @pytest.fixture(autouse=True)
    def behind(self, provider, server):
        self.provider, self.server = provider, server

    async def make(self):
        self.server.reply = Reply(text=ANSWER)
        return self.provider

    async def make_failing(self):
        self.server.reply = Reply(status=500)
        return self.provider

    async def make_endless(self):
        self.server.reply = Reply(breaks="hang")
        return self.provider


async def test_an_answer_is_read_to_its_end_piece_by_piece(provider):
    pieces = []
    completion = await provider.complete(asking(), pieces.append)
    assert completion.text == TEXT == "".join(pieces)
    assert len(pieces) > 1
    assert completion.finish is FinishReason.STOP
    assert (completion.input_tokens, completion.output_tokens) == USAGE
    assert (completion.model, completion.request_id) == ("model-x", "r-1")


async def test_a_provider_sends_each_request_once_and_streams(provider, server):
    await provider.complete(asking(model="other", temperature=0.5))
    (request,) = server.requests
    body = request.body
    assert body["model"] == "other"
    assert body["stream"] is True
    text = str(body)
    assert "You write views." in text
    assert "Write one." in text
    assert "4096" in text
    assert KEY not in text
    assert KEY in str(request.headers)


async def test_a_long_prompt_fits_into_the_context_of_a_local_model(server):
    provider = PROVIDERS["ollama"](server.origin)
    await provider.complete(asking(prompt="word " * 20_000))
    assert server.requests[0].body["options"]["num_ctx"] >= 100_000 // 3 + 4096
    await provider.close()


async def test_an_answer_that_was_cut_says_so(provider, server):
    server.reply = Reply(finish="length")
    assert (await provider.complete(asking())).finish is FinishReason.MAX_TOKENS


@pytest.mark.parametrize("finish", ["refusal", "filter"])
@pytest.mark.parametrize("name", ["anthropic", "responses", "chat"])
async def test_a_refusal_is_a_failure(server, name, finish):
    server.reply = Reply(finish=finish)
    provider = PROVIDERS[name](server.origin)
    error = await failure_of(provider)
    assert (error.code, error.retryable) == ("CONTENT_FILTERED", False)
    await provider.close()


STATUSES = {
    400: ("INVALID_REQUEST", False),
    401: ("AUTHENTICATION", False),
    403: ("AUTHENTICATION", False),
    404: ("INVALID_REQUEST", False),
    408: ("TIMEOUT", True),
    413: ("INVALID_REQUEST", False),
    429: ("RATE_LIMIT", True),
    500: ("SERVER_ERROR", True),
    502: ("SERVER_ERROR", True),
    503: ("SERVER_ERROR", True),
    504: ("TIMEOUT", True),
    529: ("SERVER_ERROR", True),
}


@pytest.mark.parametrize("status", STATUSES)
async def test_each_status_has_its_error_code_and_is_requested_once(provider, server, status):
    server.reply = Reply(status=status)
    error = await failure_of(provider)
    assert (error.code, error.retryable) == STATUSES[status]
    assert len(server.requests) == 1
    assert KEY not in str(error)


@pytest.mark.parametrize(
    ("header", "milliseconds"), [(("retry-after", "7"), 7000), (("retry-after-ms", "1500"), 1500)]
)
async def test_a_provider_reports_the_servers_retry_delay(provider, server, header, milliseconds):
    server.reply = Reply(status=429, headers=(header,))
    assert (await failure_of(provider)).retry_after_ms == milliseconds


@pytest.mark.parametrize(
    ("protocol_name", "reply", "expected"),
    [
        ("responses", Reply(status=429, code="insufficient_quota"), ("RATE_LIMIT", False)),
        ("chat", Reply(status=400, code="content_policy_violation"), ("CONTENT_FILTERED", False)),
        (
            "chat",
            Reply(status=401, kind="invalid_request_error", code="invalid_api_key"),
            ("AUTHENTICATION", False),
        ),
        ("anthropic", Reply(status=401, kind="authentication_error"), ("AUTHENTICATION", False)),
        ("anthropic", Reply(status=500, kind="overloaded_error"), ("SERVER_ERROR", True)),
    ],
)
async def test_an_error_type_in_the_body_overrides_the_status(server, protocol_name, reply, expected):
    server.reply = reply
    provider = PROVIDERS[protocol_name](server.origin)
    error = await failure_of(provider)
    assert (error.code, error.retryable) == expected
    await provider.close()


@pytest.mark.parametrize("name", ["responses", "chat"])
async def test_a_model_that_refuses_the_temperature_is_asked_without_it_from_then_on(server, name):
    provider = PROVIDERS[name](server.origin)
    server.reply = Reply(status=400, param="temperature")
    error = await failure_of(provider, temperature=0.5)
    assert error.code == "INVALID_REQUEST"
    assert ["temperature" in request.body for request in server.requests] == [True, False]
    server.reply = Reply()
    await provider.complete(asking(temperature=0.5))
    assert "temperature" not in server.requests[-1].body
    await provider.close()


BREAKS = {
    "reset": {"NETWORK_ERROR"},
    "clean": {"NETWORK_ERROR"},
    "error": {"SERVER_ERROR"},
    "garbage": {"SERVER_ERROR", "NETWORK_ERROR"},
    "html": {"SERVER_ERROR", "NETWORK_ERROR"},
}


@pytest.mark.parametrize("breaks", BREAKS)
async def test_a_stream_that_breaks_in_any_way_is_a_failure_that_may_be_retried(provider, server, breaks):
    server.reply = Reply(breaks=breaks)
    error = await failure_of(provider)
    assert error.code in BREAKS[breaks]
    assert error.retryable


@pytest.mark.parametrize("breaks", ["silence", "hang"])
async def test_a_cancelled_completion_closes_the_connection_at_once(provider, server, breaks):
    server.reply = Reply(breaks=breaks)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(provider.complete, asking())
            while not server.requests:
                await anyio.sleep(0.01)
            await anyio.sleep(0.2)
            tasks.cancel_scope.cancel()
    with anyio.fail_after(5):
        await server.requests[0].hung_up.wait()


async def test_an_answer_without_end_is_aborted(provider, server):
    server.reply = Reply(breaks="flood")
    heard = []
    with anyio.fail_after(60):
        error = await failure_of(provider, on_delta=heard.append)
    assert (error.code, error.retryable) == ("SERVER_ERROR", False)
    assert "more than 1048576 bytes" in str(error)
    assert 900_000 < sum(map(len, heard)) <= MOST_ANSWER_BYTES
    with anyio.fail_after(5):
        await server.requests[0].hung_up.wait()


async def test_a_line_without_end_is_bounded_and_its_connection_closed(provider, server):
    server.reply = Reply(breaks="line")
    with anyio.fail_after(60):
        error = await failure_of(provider)
    assert (error.code, error.retryable) == ("SERVER_ERROR", False)
    assert f"a line of more than {MOST_LINE_BYTES} bytes" in str(error)
    with anyio.fail_after(5):
        await server.requests[0].hung_up.wait()


@pytest.mark.parametrize("name", ["anthropic", "responses", "chat"])
async def test_an_event_without_end_is_bounded_and_its_connection_closed(server, name):
    server.reply = Reply(breaks="event")
    provider = PROVIDERS[name](server.origin)
    with anyio.fail_after(60):
        error = await failure_of(provider)
    assert (error.code, error.retryable) == ("SERVER_ERROR", False)
    with anyio.fail_after(5):
        await server.requests[0].hung_up.wait()
    await provider.close()


@pytest.mark.parametrize("breaks", ["line", "body"])
async def test_an_error_whose_body_has_no_end_is_bounded_and_its_connection_closed(provider, server, breaks):
    server.reply = Reply(status=500, breaks=breaks)
    with anyio.fail_after(60):
        error = await failure_of(provider)
    assert (error.code, error.retryable) == ("SERVER_ERROR", False)
    with anyio.fail_after(5):
        await server.requests[0].hung_up.wait()


async def test_a_connection_that_was_closed_for_its_length_does_not_harm_the_next_answer(provider, server):
    server.coming = [Reply(breaks="line")]
    await failure_of(provider)
    assert (await provider.complete(asking())).text == TEXT


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_refused_connection_is_a_network_error(name):
    provider = PROVIDERS[name]("http://127.0.0.1:9")
    assert (await failure_of(provider)).code == "NETWORK_ERROR"
    await provider.close()


async def test_simultaneous_completions_do_not_mix(provider, server):
    async with anyio.create_task_group() as tasks:
        for _ in range(8):
            tasks.start_soon(provider.complete, asking())
    assert len(server.requests) == 8
