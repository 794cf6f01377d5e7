"""Results of an upstream arrive unchanged: every value, every type, the order of keys (requirement W4)."""

import json

import pytest
from every_transport import EVERY_HOST, EVERY_TRANSPORT

from genui_core.testing.scripted_upstream import ERRORS, RESULTS

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

ENVELOPE = ("resultType", "ttlMs", "cacheScope")


def exact(value):
    """Return a value as text, in which ``1`` is not ``1.0`` and the order of keys counts."""
    return json.dumps(value)


@EVERY_HOST
@EVERY_TRANSPORT
async def test_results_are_forwarded_unchanged_within_an_era(open_transport, transport, stateless):
    async with open_transport(transport) as opened, opened.host(stateless=stateless) as host:
        await host.connect()
        for name, text in RESULTS.items():
            assert exact(await host.call("answer", name=name)) == exact(json.loads(text)), name


@EVERY_HOST
@EVERY_TRANSPORT
async def test_errors_are_forwarded_unchanged(open_transport, transport, stateless):
    async with open_transport(transport) as opened, opened.host(stateless=stateless) as host:
        await host.connect()
        for name, text in ERRORS.items():
            answer = await host.request("tools/call", {"name": "answer", "arguments": {"name": name}})
            said, got = json.loads(text), answer["error"]
            for key in ("code", "message", "data"):
                assert exact(got.get(key)) == exact(said.get(key)), name
