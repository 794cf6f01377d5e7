"""The cases of a blind comparison: spread over kinds, one per server, no tool twice."""

import pytest
from preference_cases import CASES, KINDS, case_of, choose, kinds_of, recorded_calls
from preference_pages import outcome_of
from recordings import SAMPLE, RecordedCall, RecordedTool


def call(result, *, name="get_rows", server="one", number=0, parameters=0, **arguments):
    schema = {"type": "object", "properties": {f"p{each}": {} for each in range(parameters)}}
    tool = RecordedTool(server, {"name": name, "inputSchema": schema})
    return RecordedCall(tool, number, arguments, {"result": result})


def text(words, **more):
    return call({"content": [{"type": "text", "text": words}]}, **more)


def data(value, **more):
    return call({"content": [], "structuredContent": value}, **more)


ROWS = [{"id": number, "name": "a", "size": 2} for number in range(3)]


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (data({"rows": ROWS}), "table"),
        (data({"days": [{"day": "2026-05-04", "high": 4.5}] * 3}), "time series"),
        (data({"a": {"b": {"c": 1}}}), "nested object"),
        (text("# Title\n\nWords"), "markdown"),
        (call({"content": [{"type": "image", "data": "", "mimeType": "image/png"}]}), "image"),
        (data({"hits": [{"url": "x"}]}, name="search_docs"), "search results"),
        (text("Created.", name="create_row"), "write action"),
        (text("Ok.", parameters=6), "many parameters"),
        (text("42.5"), "single number"),
        (data({"result": "42"}), "single number"),
        (call({"content": [], "isError": True}), "error"),
        (data({"books": [{"title": "a", "about": "w" * 60}] * 2}), "list of records"),
        (text("On branch main"), "status text"),
    ],
)
def test_a_call_is_of_the_kind_that_its_result_shows(one, kind):
    assert kind in kinds_of(one)


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (call({"content": [], "isError": True, "structuredContent": {"rows": ROWS}}), "table"),
        (data({"rows": ROWS[:2]}), "table"),
        (data({"days": [{"day": "2026-05-04"}] * 3}), "time series"),
        (data({"ok": True}), "single number"),
        (text("3 rows"), "single number"),
        (text("research", name="research_topic"), "search results"),
        (text("x" * 500), "status text"),
    ],
)
def test_a_call_is_not_of_a_kind_that_its_result_does_not_show(one, kind):
    assert kind not in kinds_of(one)


def many():
    """Forty servers with three calls each, of several kinds."""
    results = [
        {"content": [{"type": "text", "text": "42"}]},
        {"content": [], "isError": True},
        {"structuredContent": {"rows": ROWS}},
    ]
    return [
        call(result, server=f"server{server}", name=f"tool{number}", number=number)
        for server in range(40)
        for number, result in enumerate(results)
    ]


def identities(cases):
    return [(each.call.tool.server, each.call.tool.name) for each in cases]


def test_a_round_is_the_same_for_the_same_seed_and_another_for_another():
    assert identities(choose(many(), 7)) == identities(choose(many(), 7))
    assert identities(choose(many(), 7)) != identities(choose(many(), 8))


def test_each_case_of_a_round_is_of_another_server_and_no_kind_is_left_out():
    cases = choose(many(), 7)
    assert len({each.call.tool.server for each in cases}) == len(cases) == CASES
    present = {kind for each in many() for kind in kinds_of(each)}
    assert present <= {each.kind for each in cases}
    assert [each.number for each in cases] == list(range(1, CASES + 1))


def test_no_tool_of_an_earlier_round_comes_again():
    rounds = [identities(choose(many(), 7, number)) for number in (1, 2, 3, 4)]
    assert len({each for one in rounds for each in one}) == 4 * CASES


def test_the_calls_that_fill_a_round_have_no_error():
    filling = [each for each in choose(many(), 7) if each.kind == "any"]
    assert filling
    assert not any(each.call.result.get("isError") for each in filling)


def test_too_few_servers_are_an_error():
    with pytest.raises(ValueError, match=r"Round 1 has 3 servers .* 12 are needed"):
        choose([each for each in many() if each.tool.server in ("server1", "server2", "server3")], 7)


def test_a_case_is_found_again_by_what_identifies_it():
    cases = choose(recorded_calls(SAMPLE), 7, count=5)
    assert [case_of(each.as_data(), SAMPLE) for each in cases] == cases
    assert {each.kind for each in cases} <= {*KINDS, "any"}


@pytest.mark.parametrize(
    ("done", "outcome"),
    [
        ({"outcome": "generated", "repairs": []}, "at once"),
        ({"outcome": "generated", "repairs": ["template_closed"]}, "repaired"),
        ({"outcome": "generated", "repairs": ["template_closed", "mended_by_model"]}, "after a retry"),
        ({"outcome": "fallback", "repairs": []}, "fallback"),
        ({"outcome": "minimal"}, "fallback"),
    ],
)
def test_a_generation_was_served_at_once_repaired_asked_again_or_not_at_all(done, outcome):
    assert outcome_of(done) == outcome
