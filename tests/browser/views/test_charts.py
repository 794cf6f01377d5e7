"""Charts: how they are drawn, and how they are used by pointer, keyboard and screen reader."""

import re

import pytest
from playwright.sync_api import expect

DAYS = [{"day": f"2024-03-{n:02d}", "price": n * 10} for n in range(1, 31)]
SERIES = [{"month": n, "gross": 100 + n * n, "net": 40 + 3 * n, "tax": 60 - n} for n in range(1, 13)]
TEAMS = [
    {"team": "Alpha", "change": 12.5},
    {"team": "Beta", "change": -4.25},
    {"team": "A team with a name that is much too long", "change": 3},
]
MANY = [{"project": f"project {n}", "commits": 1000 // (n + 1)} for n in range(40)]
FRAMES = "count => new Promise(done => { const next = () => count-- ? requestAnimationFrame(next) : done(); next() })"
PAINTED = """node => {
  const probe = document.createElement("canvas").getContext("2d");
  const rgb = colour => { probe.fillStyle = colour; probe.fillRect(0, 0, 1, 1); return [...probe.getImageData(0, 0, 1, 1).data] };
  const style = getComputedStyle(node);
  return [rgb(style.stroke), rgb(getComputedStyle(document.body).backgroundColor)];
}"""


def chart(screen):
    return screen.result.get_by_role("figure")


def columns(screen):
    """Wait until the columns are drawn, and return where they are."""
    drawn = chart(screen).locator("rect.column")
    expect(drawn).to_have_count(len(TEAMS))
    return [each.bounding_box() for each in drawn.all()]


def handle(screen):
    return screen.result.get_by_role("slider")


def tip(screen):
    return screen.result.locator(".tip")


def test_amounts_over_time_are_a_line_with_a_description_in_words(show_result):
    screen = show_result(structured={"prices": DAYS})
    picture = chart(screen).get_by_role("img")
    expect(picture).to_have_accessible_name(
        re.compile(r"^Price by Day\. 30 points, Mar 1, 2024 \u2013 Mar 30, 2024\. ")
    )
    expect(picture).to_have_accessible_name(re.compile(r"lowest 10, highest 300, last 300$"))
    expect(chart(screen).locator("path.line")).to_have_count(1)
    expect(chart(screen)).to_contain_text("lowest 10, highest 300, last 300")


def test_the_table_is_one_click_away_and_stays_chosen(show_result):
    screen = show_result(structured={"prices": DAYS})
    expect(screen.button("Chart")).to_have_attribute("aria-pressed", "true")
    screen.button("Table").click()
    expect(screen.result.get_by_role("columnheader", name="Price")).to_be_visible()
    expect(chart(screen).locator("svg[role=img]")).not_to_be_visible()
    screen.host.send_result({"content": [], "structuredContent": {"prices": DAYS[5:]}})
    expect(screen.result.locator("tbody tr")).to_have_count(25)
    screen.button("Chart").press("Enter")
    expect(chart(screen).get_by_role("img")).to_be_visible()


def test_where_the_reason_is_weak_the_table_comes_first(show_result):
    items = [{"id": n, "name": f"Item {n}", "color": "red", "score": n * n} for n in range(1, 6)]
    screen = show_result(structured={"items": items})
    expect(screen.result.get_by_role("table")).to_be_visible()
    screen.button("Chart").click()
    expect(chart(screen).locator("rect.column")).to_have_count(5)


def test_the_pointer_finds_a_point(show_result):
    screen = show_result(structured={"prices": DAYS})
    box = handle(screen).bounding_box()
    handle(screen).hover(position={"x": box["width"] - 9, "y": 40})
    expect(tip(screen)).to_have_text(re.compile(r"^Mar 30, 2024\s*300$"))
    assert tip(screen).bounding_box()["x"] + tip(screen).bounding_box()["width"] <= box["x"] + box["width"]
    screen.frame.locator("header").hover()
    expect(tip(screen)).not_to_be_visible()


def test_the_keyboard_walks_from_point_to_point(show_result):
    screen = show_result(structured={"projections": SERIES})
    screen.button("Table").focus()
    screen.host.page.keyboard.press("Tab")
    expect(handle(screen)).to_be_focused()
    expect(handle(screen)).to_have_accessible_name("Points of Gross, Net, Tax by Month")
    expect(handle(screen)).to_have_attribute("aria-valuetext", "Month 1: Gross 101, Net 43, Tax 59")
    for key, words in (
        ("ArrowRight", "Month 2:"),
        ("End", "Month 12:"),
        ("ArrowLeft", "Month 11:"),
        ("Home", "Month 1:"),
    ):
        screen.host.page.keyboard.press(key)
        expect(handle(screen)).to_have_attribute("aria-valuetext", re.compile(f"^{words}"))
    expect(tip(screen)).to_contain_text("Net 43")
    screen.host.page.keyboard.press("Escape")
    expect(tip(screen)).not_to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_have_contrast_with_the_ground_and_with_each_other(show_result, theme):
    values = {name: [1, 2, 4, n] for n, name in enumerate("abcde")}
    screen = show_result(
        structured={"time": ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04"], **values}, theme=theme
    )
    lines = chart(screen).locator(".plot path.line")
    expect(lines).to_have_count(5)
    for line in lines.all():
        assert contrast(*line.evaluate(PAINTED)) >= 3
    dashes = {line.evaluate("node => getComputedStyle(node).strokeDasharray") for line in lines.all()}
    assert len(dashes) == 5
    expect(chart(screen).locator(".keys")).to_have_text("abcde")


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(rgb):
    linear = [part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in rgb[:3]]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_lines_have_the_colour_of_text_where_colours_are_forced(show_result):
    screen = show_result(structured={"prices": DAYS})
    screen.host.page.emulate_media(forced_colors="active")
    line, ground = chart(screen).locator(".plot path.line").evaluate(PAINTED)
    assert contrast(line, ground) >= 7


def test_bars_begin_at_zero_and_show_their_amounts(show_result):
    screen = show_result(structured={"teams": TEAMS})
    up, down, _ = columns(screen)
    assert abs(down["x"] + down["width"] - up["x"]) < 2
    assert 2.8 < up["width"] / down["width"] < 3.1
    for words in ("12.5", "-4.25", "Alpha"):
        expect(chart(screen).locator("text", has_text=words)).to_be_visible()
    handle(screen).focus()
    screen.host.page.keyboard.press("End")
    expect(tip(screen)).to_contain_text(TEAMS[2]["team"])


def test_of_many_bars_the_largest_are_drawn_and_the_rest_is_counted(show_result):
    screen = show_result(structured={"projects": MANY})
    expect(chart(screen).locator("rect.column")).to_have_count(15)
    expect(chart(screen)).to_contain_text("The 15 largest of 40 bars; all are in the table")


@pytest.mark.matrix
@pytest.mark.parametrize("width", [300, 900])
@pytest.mark.parametrize("data", [DAYS, SERIES, TEAMS, MANY])
def test_no_part_of_a_chart_sticks_out_and_the_size_comes_to_rest(show_result, data, width):
    screen = show_result(structured={"rows": data}, width=width)
    expect(chart(screen).get_by_role("img")).to_be_visible()
    screen.frame.evaluate(FRAMES, 30)
    settled = len(screen.host.sizes)
    screen.frame.evaluate(FRAMES, 30)
    assert len(screen.host.sizes) == settled <= 6
    assert screen.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    plot = chart(screen).locator(".plot").bounding_box()
    for words in chart(screen).locator(".plot text").all():
        box = words.bounding_box()
        assert box["x"] >= plot["x"] - 1, words.inner_text()
        assert box["x"] + box["width"] <= plot["x"] + plot["width"] + 1, words.inner_text()


def test_a_chart_is_drawn_again_for_another_width(show_result):
    screen = show_result(structured={"prices": DAYS}, width=800)
    picture = chart(screen).get_by_role("img")
    for width in (320, 640):
        screen.host.resize(width)
        screen.host.page.wait_for_function("width => host.sizes.at(-1)?.width === width", arg=width)
        screen.frame.evaluate(FRAMES, 3)
        _, _, drawn, _ = (float(part) for part in picture.get_attribute("viewBox").split())
        assert abs(drawn - picture.bounding_box()["width"]) <= 1


def test_from_right_to_left_bars_grow_to_the_left(show_result):
    screen = show_result(structured={"teams": TEAMS})
    screen.host.context(locale="ar")
    expect(screen.frame.locator("html")).to_have_attribute("dir", "rtl")
    up, down, _ = columns(screen)
    assert abs(up["x"] + up["width"] - down["x"]) < 2
    name = chart(screen).locator("text.name").first.bounding_box()
    assert name["x"] > up["x"] + up["width"]


def test_ten_thousand_points_are_drawn_at_once(show_result):
    samples = [{"time": 1718000000 + 60 * n, "load": (n * 37) % 101 / 7} for n in range(10_000)]
    screen = show_result(structured={"samples": samples})
    expect(chart(screen).get_by_role("img")).to_be_visible()
    assert screen.frame.evaluate("document.querySelectorAll('*').length") < 300
    handle(screen).focus()
    screen.host.page.keyboard.press("End")
    expect(handle(screen)).to_have_attribute("aria-valuenow", "10000")
