"""Reads, calls and exits of each stdio driver while a model writes a view."""

import json
import signal

import pytest

pytestmark = pytest.mark.matrix(quick=1)  # the session decides; each driver is tried with some of these
ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOLS = [
    {"name": "echo", "inputSchema": {"type": "object"}},
    {"name": "rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS},
]
FRAGMENT = """<style></style><template><p class="view"></p></template>
<script>function render(data, ui) { ui.root.append("drawn slowly"); }</script><!--end-->"""


@pytest.fixture
def behind(serve, tmp_path):
    """Start the driver with a model that writes in pieces of half a second."""

    def start(**generation):
        (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
        (tmp_path / "answers").mkdir()
        recording = {"text": FRAGMENT + " " * 1200}
        (tmp_path / "answers" / "1.json").write_text(json.dumps(recording))
        made = {"replay": str(tmp_path / "answers"), "generation": {"timeout_ms": 120_000, **generation}}
        host = serve("--tools", tmp_path / "tools.json", upstream=made)
        host.connect()
        host.request("tools/list")
        return host

    return start


def page_of(answer):
    return answer["result"]["contents"][0]["text"]


def told(host, method):
    return sum(json.loads(line).get("method") == method for line in list(host.lines))


def test_a_read_waits_for_its_view_and_a_call_does_not_wait_for_the_read(behind, call):
    host = behind(serve_within_ms=120_000)
    host.send("resources/read", {"uri": "ui://rows"}, id="read")
    assert call(host, "echo", text="meanwhile") == "meanwhile"
    assert not any(b'"read"' in line for line in list(host.lines))
    assert "drawn slowly" in page_of(host.answer("read"))
    assert host.close() == 0


def address_of(host, name):
    (tool,) = (each for each in host.request("tools/list")["result"]["tools"] if each["name"] == name)
    return tool["_meta"]["ui"]["resourceUri"]


def test_a_list_has_the_address_of_the_view_that_was_made_since_the_last_list(behind):
    host = behind(serve_within_ms=120_000)
    minimal, made = address_of(host, "rows"), page_of(host.request("resources/read", {"uri": "ui://rows"}))
    assert "drawn slowly" in made
    assert address_of(host, "rows") != minimal
    assert host.close() == 0


def test_a_host_that_rereads_at_every_notification_causes_one_generation(behind):
    host = behind(serve_within_ms=1)
    assert "a richer view is being made" in page_of(host.request("resources/read", {"uri": "ui://rows"}))
    for times in range(1, 3):
        host.wait_for(lambda: told(host, "notifications/resources/updated"))
        assert "drawn slowly" in page_of(host.request("resources/read", {"uri": "ui://rows"})), times
    assert host.close() == 0
    assert host.log_text().count("generation_started") == 1


def test_an_exit_during_a_generation_is_clean(behind):
    host = behind(serve_within_ms=120_000)
    host.send("resources/read", {"uri": "ui://rows"}, id="read")
    host.wait_for(lambda: any(b"generation_started" in line for line in list(host.log)))
    host.child.send_signal(signal.SIGTERM)
    assert host.wait() == 0
    assert "Traceback" not in host.log_text()
