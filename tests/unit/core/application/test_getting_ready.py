"""The studio gets ready when there may soon be something to write, and not while the host waits for its tools."""

import pytest
from attrs import define

from genui_core.testing.llm_provider import ScriptedProvider


@define
class Studio:
    """Counts how often it was told to get ready."""

    told: int = 0

    def get_ready(self):
        self.told += 1


@pytest.mark.parametrize("has_model", [True, False])
def test_it_gets_ready_once_right_after_the_first_list_where_there_is_a_model(wire, has_model):
    one = wire()
    one.wrapper._making.llm = ScriptedProvider.saying(["unused"]) if has_model else None
    studio = one.wrapper.studio = Studio()
    one.connect()
    one.list_tools("read_rows", inputSchema={"type": "object"})
    assert studio.told == 0
    one.pass_time(0)
    assert studio.told == has_model
    one.list_tools("read_rows", "other", inputSchema={"type": "object"})
    one.pass_time(0)
    assert studio.told == has_model
