"""Numbers, dates and direction follow the host's locale, also when it changes (requirement M4)."""

import json
import re

from playwright.sync_api import expect

RECORD = {
    "total": 1234567.5,
    "order_id": 1234567,
    "size_bytes": 1536,
    "duration_ms": 90_000,
    "used_percent": 7.5,
    "created_at": 1718000000,
    "seen": "2024-06-14T20:30:00Z",
    "day": "2024-06-14",
    "code": "0012345",
    "active": True,
}


def shown(screen):
    """Return the record's values as the view shows them, with plain spaces."""
    names = screen.result.locator("dt").evaluate_all("all => all.map(({ title }) => title)")
    texts = screen.result.locator("dd").all_inner_texts()
    return dict(zip(names, (re.sub(r"\s", " ", one) for one in texts), strict=True))


def test_numbers_and_dates_are_those_of_the_host(show_result):
    screen = show_result(structured=RECORD)
    assert shown(screen) == {
        "total": "1,234,567.5",
        "order_id": "1234567",
        "size_bytes": "1.54kB",
        "duration_ms": "90,000ms",
        "used_percent": "7.5%",
        "created_at": "Jun 10, 2024, 6:13:20 AM",
        "seen": "Jun 14, 2024, 8:30 PM",
        "day": "Jun 14, 2024",
        "code": "0012345",
        "active": "Yes",
    }


def test_another_language_and_zone_are_taken_over_live(show_result):
    screen = show_result(structured=RECORD)
    screen.host.context(locale="de-DE", timeZone="Asia/Tokyo")
    expect(screen.result).to_contain_text("1.234.567,5")
    german = shown(screen)
    assert german["seen"] == "15.06.2024, 05:30"
    assert german["day"] == "14.06.2024"
    assert german["order_id"] == "1234567"
    assert german["code"] == "0012345"
    expect(screen.frame.locator("html")).to_have_attribute("lang", "de-DE")
    expect(screen.result.locator("time").nth(1)).to_have_attribute("datetime", RECORD["seen"])
    expect(screen.result.locator("time").nth(1)).to_have_attribute("title", RECORD["seen"])
    screen.host.context(timeZone="UTC")
    expect(screen.result).to_contain_text("14.06.2024, 20:30")


def test_a_language_from_right_to_left_turns_the_page(show_result):
    screen = show_result(structured=RECORD)
    html = screen.frame.locator("html")
    screen.host.context(locale="ar")
    expect(html).to_have_attribute("dir", "rtl")
    expect(html).to_have_attribute("lang", "ar")
    assert screen.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    screen.host.context(locale="fr")
    expect(html).to_have_attribute("dir", "ltr")


def test_an_unknown_language_or_zone_changes_nothing(show_result):
    screen = show_result(structured=RECORD)
    before = shown(screen)
    for nonsense in ("", "no such language!", 7, None, {"locale": "de"}):
        notice = {"jsonrpc": "2.0", "method": "ui/notifications/host-context-changed"}
        screen.host.post({**notice, "params": {"locale": nonsense, "timeZone": nonsense}})
    assert screen.host.ask("ping")["result"] == {}
    assert shown(screen) == before


def test_the_persons_state_outlives_a_change_of_language(show_result):
    rows = [{"day": f"2024-03-{n:02d}", "price": n * 1000} for n in range(1, 31)]
    screen = show_result(structured={"prices": rows})
    screen.button("Table").click()
    screen.host.context(locale="de-DE")
    expect(screen.result.get_by_role("cell", name="1.000", exact=True)).to_be_visible()
    screen.button("Chart").click()
    expect(screen.result.get_by_role("img")).to_have_accessible_name(re.compile(r"highest 30\.000"))


def test_raw_data_keeps_the_values_as_they_came(show_result):
    screen = show_result(structured=RECORD)
    screen.host.context(locale="de-DE", timeZone="Asia/Tokyo")
    screen.button("Raw JSON").click()
    assert json.loads(screen.result.locator("pre:visible").inner_text())["structuredContent"] == RECORD


def test_a_change_during_a_call_does_not_bring_back_the_old_state(show):
    screen = show({"name": "tool", "inputSchema": {"type": "object"}})
    screen.run_button.click()
    screen.host.wait_for_calls()
    screen.host.answer({"content": [], "structuredContent": RECORD})
    expect(screen.state).to_have_text("Done")
    screen.button("Run again").click()
    screen.host.wait_for_calls(2)
    screen.host.context(locale="de-DE")
    screen.host.ask("ping")
    expect(screen.state).to_contain_text("Running")
    screen.host.answer({"content": [], "structuredContent": RECORD}, 1)
    expect(screen.result).to_contain_text("1.234.567,5")
