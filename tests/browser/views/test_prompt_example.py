"""The example in the prompt for a fragment works in a browser, so a model may copy it."""

import re

from genui_core.application.services import built_prompts

EXAMPLE = re.search(
    r"\n\n((?:<style>|<template>).*?</script>)\n<!--end-->", built_prompts().templates["generate"], re.DOTALL
)[1]
ORDERS = [
    {"id": "A-1", "placed": "2026-05-04", "state": "late", "total": 12.5},
    {"id": "A-2", "placed": "2026-05-05", "state": "open", "total": 30},
]


def test_the_example_draws_the_records_of_a_result(show_fragment):
    screen = show_fragment(EXAMPLE)
    screen.host.send_result({"content": [], "structuredContent": {"orders": ORDERS, "currency": "€"}})
    screen.result.get_by_text("A-2").wait_for()
    text = screen.result.inner_text()
    assert re.search(r"42[.,]5", text)
    assert "late" in text
    assert screen.host.unexpected == []


def test_the_example_says_what_to_change_where_there_is_nothing(show_fragment):
    screen = show_fragment(EXAMPLE)
    screen.host.send_result({"content": [], "structuredContent": {"orders": []}})
    screen.result.get_by_text("No open orders").wait_for()
    assert screen.host.unexpected == []
