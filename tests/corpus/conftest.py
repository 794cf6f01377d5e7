"""Recordings of real servers, for tests that run over each of them."""

import pytest
from recordings import folders, tools_of


def pytest_generate_tests(metafunc):
    """Run a test that asks for ``recording`` once for each recorded server."""
    if "recording" in metafunc.fixturenames:
        absent = pytest.param(
            None, marks=pytest.mark.skip(reason="there are no recordings where MCP_RECORDINGS says")
        )
        ids = [each.name for each in folders()] or ["none"]
        metafunc.parametrize("recording", folders() or [absent], ids=ids)


@pytest.fixture
def recorded_tools(recording):
    """The definitions of the recorded server's tools."""
    return [each.definition for each in tools_of(recording)]
