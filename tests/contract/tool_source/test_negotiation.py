"""The wrapper uses the host's protocol era with upstreams that support it, and forwards the host's facts
(requirement W6).
"""

import pytest
from attrs import evolve

from genui_adapters.upstream import negotiation
from genui_core.errors import UpstreamDied, UpstreamUnreachable
from genui_core.ports.tool_source import HostFacts
from genui_core.testing.source_suite import methods


async def echoes(scene):
    return await scene.structured("echo", text="é")


HOST = HostFacts({"name": "h", "version": "1", "vendor": 1.0}, {"roots": {}, "vendor": [None]}, "2024-11-05")


def test_the_upstream_gets_the_hosts_own_name_and_capabilities(upstreams, play):
    async def scenario(scene):
        seen = await scene.until(lambda _seen: True)
        assert (await scene.source.facts()).protocol_version == "2024-11-05"
        return seen["requests"][0]

    greeting = play(upstreams.opener(upstreams.stdio()), scenario, host=HOST)
    told = {"protocolVersion": "2024-11-05", "capabilities": HOST.capabilities, "clientInfo": HOST.info}
    assert greeting == {"method": "initialize", "params": told}


def test_the_upstream_gets_only_the_handshake_and_the_hosts_requests(upstreams, play):
    async def scenario(scene):
        await echoes(scene)
        return await scene.until(lambda _seen: True)

    seen = play(upstreams.opener(upstreams.stdio()), scenario)
    assert methods(seen["requests"]) == ["initialize", "tools/call", "tools/call"]
    assert methods(seen["notifications"]) == ["notifications/initialized"]


def test_the_source_subscribes_to_the_changes_that_a_stateless_upstream_announces(upstreams, play):
    async def scenario(scene):
        seen = await scene.until(lambda seen: "subscriptions/listen" in methods(seen["requests"]))
        return [each["params"] for each in seen["requests"] if each["method"] == "subscriptions/listen"]

    opener = upstreams.opener(upstreams.stdio("--stateless"))
    wanted = {"toolsListChanged": True, "resourcesListChanged": True}
    assert play(opener, scenario, host=evolve(HOST, protocol_version="2026-07-28")) == [
        {"notifications": wanted}
    ]


def test_an_upstream_that_dies_of_discovery_gets_the_handshake(upstreams, play):
    async def scenario(scene):
        facts = await scene.source.facts()
        assert not facts.stateless
        with pytest.raises(UpstreamDied):
            await scene.call("die")
        return await echoes(scene)

    opener = upstreams.opener(upstreams.stdio("--die-of", "server/discover"))
    assert play(opener, scenario, stateless=True)
    assert len(upstreams.event_log.named("upstream_died")) == 1


def test_an_upstream_that_hangs_on_discovery_gets_the_handshake(upstreams, play, monkeypatch):
    monkeypatch.setattr(negotiation, "DISCOVER_TIMEOUT_MS", 50)
    opener = upstreams.opener(upstreams.stdio("--hang-on", "server/discover"))
    assert play(opener, echoes, stateless=True)


def test_a_slow_stateless_upstream_is_still_served_in_its_own_era(upstreams, play, monkeypatch):
    async def scenario(scene):
        assert (await scene.source.facts()).stateless
        with pytest.raises(UpstreamDied):
            await scene.call("die")
        assert await echoes(scene)
        return (await scene.source.facts()).stateless

    monkeypatch.setattr(negotiation, "DISCOVER_TIMEOUT_MS", 50)
    opener = upstreams.opener(upstreams.stdio("--stateless", "--slow", 0.5))
    assert play(opener, scenario, stateless=True)


def test_an_upstream_of_the_other_era_is_served_in_its_own_era(upstreams, play):
    async def generation(scene):
        assert await echoes(scene)
        return (await scene.source.facts()).protocol_version

    assert play(upstreams.opener(upstreams.stdio("--stateless")), generation) == "2026-07-28"
    assert play(upstreams.opener(upstreams.stdio()), generation, stateless=True) == "2025-11-25"


@pytest.mark.parametrize(("protocol", "flags"), [("modern", ()), ("legacy", ("--stateless",))])
def test_a_configured_era_that_the_upstream_lacks_is_an_error(upstreams, play, protocol, flags):
    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable, match="refused: Method not found"):
            await scene.source.facts()

    play(upstreams.opener(upstreams.stdio(*flags), protocol=protocol), scenario)
