"""The settings of an upstream reach the part that connects to it."""

import pytest

from genui_adapters.io.process import UpstreamCommand
from genui_adapters.upstream.openers import tool_source_opener
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.application.services import SilentEventLog
from genui_core.domain.settings.upstream_settings import UpstreamSettings

COMMAND = UpstreamCommand(("server",), {})
SETTINGS = UpstreamSettings(1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    "upstream", [COMMAND, RemoteUpstream("http://x/mcp"), RemoteUpstream("http://x/", transport="sse")]
)
def test_the_settings_are_followed_by_every_kind_of_source(upstream):
    opener = tool_source_opener(upstream, event_log=SilentEventLog(), settings=SETTINGS, protocol="legacy")
    assert (opener.settings, opener.protocol) == (SETTINGS, "legacy")


def test_without_settings_the_defaults_are_those_of_the_specification():
    opener = tool_source_opener(COMMAND, event_log=SilentEventLog())
    settings = opener.settings
    assert (settings.start_timeout_ms, settings.call_timeout_ms, settings.max_line_bytes) == (
        120_000,
        None,
        33_554_432,
    )
    assert opener.protocol == "auto"
    assert [settings.delay_ms(number) for number in (1, 2, 10)] == [1000, 2000, 30_000]


def test_the_name_of_an_upstream_holds_no_secret():
    names = [
        tool_source_opener(RemoteUpstream(url), event_log=SilentEventLog()).name
        for url in ("https://u:p@x.example:8443/mcp?key=k#f", "http://[", "x")
    ]
    assert names == ["https://x.example:8443/mcp", "(no address)", "x"]
