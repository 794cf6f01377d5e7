"""Which layer of a page stops which attempt, without the validator and without a host's policy (requirement V5).

`layers.json` beside `spellings.py` lists per group of attempts and set of layers the attempts that get
through; the table in docs/security.md is made from it. A normal run makes only attempts that can share a page.
``GENUI_GUARD=full`` makes each attempt in its own page, and ``GENUI_GUARD=record`` writes the file.
"""

import contextlib
import json
import os
from pathlib import Path

import pytest
from playwright.sync_api import Error as PlaywrightError
from spellings import GROUPS, LAYERS, TOOL, listener, page_of
from view_host import ViewHost

WHOLE_BROWSER = "the record holds which requests of blocked frames it reports"

MODE = os.environ.get("GENUI_GUARD", "")
RECORDED = Path(__file__).parents[1] / "layers.json"
AT_ONCE = tuple(each for each in GROUPS if each.startswith(("network", "call")))
"""The groups whose attempts can share a page, because they do not change it."""
LIMIT_MS, PAUSE_MS = 4000, 50
SEEN = "({ ...[...document.querySelectorAll('*')].find((each) => each.dataset && Object.keys(each.dataset).some((key) => /^(done|t\\d+)$/.test(key)))?.dataset })"


@pytest.fixture
def make_attempts(browser, host_origins):
    """Make attempts in one page and return the names of those that got through."""
    host = ViewHost(browser, host_origins)

    def make_attempts(attempts, layers):
        with contextlib.ExitStack() as stack:
            ears = {name: stack.enter_context(listener()) for name in attempts}
            ports = {name: port for name, (port, _) in ears.items()}
            page = page_of(attempts, "fragment", layers, ports)
            called = {"content": [{"type": "text", "text": "x"}]}
            view = host.mount(page, profile="bare", tool=TOOL, call=lambda *_: called)
            got = set()
            with contextlib.suppress(PlaywrightError):
                view.frame.evaluate("window.realMark = 'real'")
                view.send_result(called)
                for _ in range(LIMIT_MS // PAUSE_MS + len(attempts)):
                    view.context(theme="light")  # some attempts wait for a message of the host
                    seen = view.frame.evaluate(SEEN)
                    got = {value for key, value in seen.items() if key != "done"}
                    if "done" in seen:
                        break
                    view.page.wait_for_timeout(PAUSE_MS)
            view.page.wait_for_timeout(100)
            got |= {name for name, (_, heard) in ears.items() if heard}
            got |= {
                name for name, port in ports.items() if any(f":{port}/" in each for each in view.requests)
            }
            got |= {each["arguments"]["way"] for each in view.calls if each["name"] == "delete_all"}
            return got

    yield make_attempts
    host.close()


def recorded():
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def test_the_record_has_every_attempt():
    assert {group: each["attempts"] for group, each in recorded().items()} == {
        group: len(attempts) for group, attempts in GROUPS.items()
    }


@pytest.mark.matrix
@pytest.mark.parametrize("layers", LAYERS)
@pytest.mark.parametrize("group", AT_ONCE)
def test_attempts_get_through_the_layers_as_the_table_says(make_attempts, group, layers):
    assert make_attempts(GROUPS[group], layers) == set(recorded()[group][layers])


@pytest.mark.skipif(MODE != "full", reason="takes one page for each attempt; set GENUI_GUARD=full")
@pytest.mark.parametrize("layers", LAYERS)
@pytest.mark.parametrize("group", GROUPS)
def test_each_attempt_alone_gets_through_the_layers_as_the_table_says(make_attempts, group, layers):
    got = {name for name, body in GROUPS[group].items() if make_attempts({name: body}, layers)}
    assert got == set(recorded()[group][layers])


@pytest.mark.skipif(MODE != "record", reason="writes the record; set GENUI_GUARD=record")
@pytest.mark.parametrize("group", GROUPS)
def test_the_record_of_the_layers_is_written(make_attempts, group):
    attempts = GROUPS[group]
    made = {"attempts": len(attempts)}
    for layers in LAYERS:
        alone = {name for name, body in attempts.items() if make_attempts({name: body}, layers)}
        made[layers] = sorted(alone)
    RECORDED.write_text(json.dumps(recorded() | {group: made}, indent=1) + "\n", encoding="utf-8")
