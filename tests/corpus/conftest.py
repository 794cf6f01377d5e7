"""Recordings of real servers, where they are at hand: a folder each, with ``tools.json`` and ``calls.json``."""

import json
import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "corpus"
CORPUS = Path(os.environ.get("MCP_RECORDINGS", BESIDE))


def pytest_generate_tests(metafunc):
    """Run a test that asks for ``recording`` once for each recorded server."""
    if "recording" in metafunc.fixturenames:
        folders = sorted(each.parent for each in CORPUS.glob("*/tools.json"))
        absent = pytest.param(
            None, marks=pytest.mark.skip(reason="no recordings at hand: set MCP_RECORDINGS")
        )
        metafunc.parametrize(
            "recording", folders or [absent], ids=[each.name for each in folders] or ["none"]
        )


@pytest.fixture
def recorded_tools(recording):
    """The tools of the recorded server."""
    return json.loads((recording / "tools.json").read_text())["tools"]
