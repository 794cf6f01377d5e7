"""With models that hang, drip, refuse or abort, the command still answers reads in time and exits cleanly."""

import time

import pytest
from attrs import define
from wire_server import Reply, WireServer

from .made_views import HERE, MadeViews, command, tool
from .model_server import serving

KEY = "canary-key-4711"
FRAGMENT = (HERE / "recordings" / "fragments" / "plain.txt").read_text()
GOOD = Reply(text=FRAGMENT)
BUSY = Reply(status=429, kind="rate_limit_error", headers=(("retry-after", "1"),))
DOWN = Reply(status=500, kind="api_error")
UNENDING = {
    "is silent": Reply(breaks="silence"),
    "hangs amid its answer": Reply(text=FRAGMENT, breaks="hang"),
    "drips": Reply(text=FRAGMENT, pause_s=0.5),
}
PASSING = {
    "is busy for a second": BUSY,
    "is down once": DOWN,
    "resets the connection amid its answer": Reply(text=FRAGMENT, breaks="reset"),
    "ends amid its answer": Reply(text=FRAGMENT, breaks="clean"),
    "tells of an error amid its answer": Reply(text=FRAGMENT, breaks="error"),
}
SERVE_WITHIN_S, TIMEOUT_S = 0.3, 8.0
BUDGET = {
    "serveWithinMs": int(SERVE_WITHIN_S * 1000),
    "timeoutMs": int(TIMEOUT_S * 1000),
    "retryDelayMs": 50,
    "maxRetries": 2,
}
LLM = {
    "anthropic": lambda origin: {"provider": "anthropic", "model": "m", "baseUrl": origin},
    "chat": lambda origin: {"provider": "openai", "model": "m", "baseUrl": f"{origin}/v1"},
}
KINDS = (*UNENDING, *PASSING, "is down", "refuses the key")


def name_of(kind):
    return kind.replace(" ", "_")


@define
class CommandWithModel:
    """The command with a wire server as its model."""

    made: MadeViews
    server: WireServer

    def asked(self, kind):
        """Return the requests for a tool's view that the model got."""
        return [each for each in self.server.requests if f'"{name_of(kind)}"' in str(each.body)]

    def read(self, kind):
        """Read a tool's view, which must come in time, whatever the model does."""
        begun = time.monotonic()
        page = self.made.page(name_of(kind))
        assert time.monotonic() - begun < TIMEOUT_S - 1
        return page

    def until_made(self, kind):
        deadline = time.monotonic() + 50
        while "drawn as plain" not in self.read(kind):
            assert time.monotonic() < deadline, self.made.host.log_text()[-3000:]
            time.sleep(0.1)


@pytest.fixture(scope="module", params=list(LLM))
def behind(request, start_host, tmp_path_factory, module_environment):
    with serving() as server:
        folder = tmp_path_factory.mktemp("provider")
        words = command(
            folder,
            [tool(name_of(kind)) for kind in ("works", *KINDS)],
            llm=LLM[request.param](server.origin),
            generation=BUDGET,
            cache={"fallbackTtlMs": 300},
        )
        keys = {"ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY}
        made = MadeViews(start_host(*words, env={**module_environment, **keys}))
        made.host.connect()
        server.reply = GOOD
        behind = CommandWithModel(made, server)
        behind.until_made("works")  # by then the provider's library is loaded
        yield behind
        assert made.host.close() == 0
        assert KEY not in made.host.log_text()


@pytest.mark.matrix
@pytest.mark.parametrize("kind", UNENDING)
def test_a_model_that_never_ends_is_cancelled_at_the_deadline_and_asked_again_later(behind, kind):
    behind.server.reply = UNENDING[kind]
    assert "a richer view is being made" in behind.read(kind)
    fallback = behind.made.wait_for_event("fallback_used", tool_name=name_of(kind))
    (request,) = behind.asked(kind)
    assert fallback["metadata"]["reason"] == f"no view within {BUDGET['timeoutMs']} ms"
    assert waited(request.hung_up.is_set)
    assert time.monotonic() - request.at < TIMEOUT_S + 10
    behind.server.reply = GOOD
    behind.until_made(kind)
    assert behind.made.told("notifications/resources/updated")


@pytest.mark.matrix
@pytest.mark.parametrize("kind", PASSING)
def test_a_temporary_failure_is_retried(behind, kind):
    behind.server.coming = [PASSING[kind]]
    behind.server.reply = GOOD
    behind.until_made(kind)
    first, second = (each.at for each in behind.asked(kind))
    assert second - first >= (1.0 if PASSING[kind] is BUSY else 0.05)
    assert not behind.made.events("fallback_used", tool_name=name_of(kind))


def test_a_model_that_stays_down_is_asked_three_times_and_at_once_when_a_person_says_so(behind):
    behind.server.reply = DOWN
    behind.read("is down")
    behind.made.wait_for_event("fallback_used", tool_name="is_down")
    assert len(behind.asked("is down")) == 3
    told = behind.made.events("fallback_used", tool_name="is_down")[0]["metadata"]
    assert "it went wrong" in told["reason"]
    behind.server.reply = GOOD
    assert behind.made.call("_ui_regenerate", toolName="is_down")["structuredContent"]["status"] == "done"
    assert "drawn as plain" in behind.read("is down")


def test_a_key_that_is_refused_is_not_tried_again(behind):
    behind.server.reply = Reply(status=401, kind="authentication_error")
    behind.read("refuses the key")
    told = behind.made.wait_for_event("fallback_used", tool_name="refuses_the_key")
    assert "it went wrong" in told["metadata"]["reason"]
    assert len(behind.asked("refuses the key")) == 1


def waited(condition, within_s=20):
    deadline = time.monotonic() + within_s
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()
