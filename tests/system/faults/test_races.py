"""Races of refinements, reads, regenerations and listings: the last refinement wins."""

import json

ROUNDS = 4


def test_the_last_refinement_wins_whatever_races_with_it(faulty):
    words = ["viewone", *(f"word{number}" for number in range(3 * ROUNDS))]
    no_model = {"uiType": {"change": "minimal"}}  # a call of it asks for no view
    made = faulty(*words, generation={"serveWithinMs": 120_000, "timeoutMs": 120_000, **no_model})
    host, order = made.host, []
    made.page("read_rows")

    def ask(name, **arguments):
        order.append((name, f"{name} {len(order)}"))
        host.send("tools/call", {"name": name, "arguments": arguments}, id=order[-1][1])

    for number in range(ROUNDS):
        ask("_ui_refine", toolName="read_rows", feedback=f"refinement {number}")
        host.send("resources/read", {"uri": "ui://read_rows"}, id=f"read {number}")
        ask("_ui_refresh_tools")
        ask("change", times=3)
        ask("_ui_regenerate", toolName="read_rows")
    ask("_ui_refine", toolName="read_rows", feedback="the last")
    answers = {request: host.answer(request)["result"] for _, request in order}
    changes = [answers[request] for name, request in order if name in ("_ui_refine", "_ui_regenerate")]
    assert [each["structuredContent"]["status"] for each in changes] == ["done"] * (2 * ROUNDS + 1)
    for number in range(ROUNDS):
        page = host.answer(f"read {number}")["result"]["contents"][0]["text"]
        assert any(each in page for each in words)
    last = words[2 * ROUNDS + 1]
    for _ in range(2):
        assert last in made.page("read_rows")
        made.call("_ui_refresh_tools")
    history = [each["feedback"] for each in made.inspected("read_rows")["refinementHistory"]]
    assert history == [*(f"refinement {number}" for number in range(ROUNDS)), "the last"]
    assert json.loads(made.text("heard"))["tools/call"] > ROUNDS
