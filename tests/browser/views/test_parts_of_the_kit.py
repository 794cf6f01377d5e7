"""The parts of the kit in a written view: actions, state, tabs and filters, by mouse and keyboard."""

import json

import pytest
from accessibility import barriers
from playwright.sync_api import expect

PAGES = {1: {"rows": ["a"], "next": 2}, 2: {"rows": ["b"]}}
EVERYTHING = """
  const rows = [
    { name: 'First', note: 'Some words', state: 'open', at: '2026-05-01T10:00:00Z', n: 40 },
    { name: 'Second', note: 'Other words', state: 'failed', at: '2026-05-02T10:00:00Z', n: 60 },
  ];
  ui.root.append(
    ui.hero(1250.5, { label: 'Total', unit: 'EUR', icon: 'chart', hint: 'Since May' }),
    ui.hero('Late', { label: 'State', tone: 'warning' }),
    ui.stats([{ label: 'Rows', value: 2, delta: 1 }, { label: 'Late', value: 1, tone: 'bad', hint: 'of 2' }]),
    ui.notice('Saved', 'good'), ui.notice('Old', 'warning'), ui.notice('Lost', 'bad'), ui.notice('Note'),
    ui.records(rows, { title: 'name', subtitle: 'note', icon: 'file', badge: 'state', date: 'at', meta: ['n'],
      more: () => 'All', actions: ({ name }) => [ui.action('Open', () => {}), ui.action('Delete', () => {}, {}, { confirm: `Delete ${name}` })] }),
    ui.timeline(rows), ui.status({ db: 'up', cache: 'failed', web: 'degraded' }),
    ui.row(ui.progress(62, { label: 'Disk' }), ui.progress(3, { max: 8, label: 'Steps', tone: 'warning' })),
    ui.tabs({ Log: () => ui.log('INFO a\\nWARN b\\nERROR c'), Diff: ui.diff('--- a\\n+++ b\\n@@ -1 +1 @@\\n-x\\n+y\\n') }),
    ui.section('Charts', ui.grid(200, ui.chart({ a: 40, b: 60 }, { type: 'donut', title: 'Donut' }), ui.chart(rows, { type: 'area', x: 'at', y: 'n', title: 'Area' }))),
    ui.chart([1, 4, 2], { type: 'sparkline', title: 'Load' }),
    ui.choice('Unit', ['C', 'F'], () => {}, 'C'), ui.choice('Many', [1, 2, 3, 4, 5, 6], () => {}, 2),
    ui.filter(rows, (found) => ui.table(found)), ui.more('tool', {}), ui.link('https://example.com', 'Read'),
    ui.markdown('# Words\\n\\n- one'), ui.code('let a = 1', 'js'), ui.tree({ a: { b: 1 } }), ui.card('Box', ui.keyValue({ a: 1 })), ui.rest({ a: 1, b: [] }),
  );
"""
LIKENESS = """
  const rows = [
    { title: 'Planning', date: '2026-11-03T09:00:00Z' }, { title: 'A review of everything', date: '2026-11-03' },
    { title: 'Release', date: '2026-11-27' }, { title: 'One', date: '2026-11-03' }, { title: 'Two', date: '2026-11-03' },
  ];
  ui.root.append(
    ui.browser('https://example.com/docs/a/rather/long/address?with=query', ui.markdown('# Words\\n\\nof a page')),
    ui.paper(ui.markdown('## Minutes\\n\\n1. One\\n2. Two')), ui.sheet([['Month', 'Sum'], ['May', 12.5], ['June', 14]]),
    ui.terminal('git status --short', 'M  one.py\\n?? two.py'), ui.message('Ada Lovelace', 'See *you* there', { to: ['Bob', 'Eve'], date: rows[0].date, title: 'Tomorrow' }),
    ui.file('/srv/reports/2026/november/summary.pdf', { hint: '12 kB' }), ui.excerpt('one\\ntwo\\nthree\\nfour\\nfive', { line: 3, note: 'Here' }),
    ui.compare('one\\ntwo', 'one\\n2'), ui.calendar(rows), ui.steps([{ label: 'Build', state: 'done' }, { label: 'Test', state: 'failed', hint: 'two of nine' }, { label: 'Ship' }]),
    ui.ruler(21.5, { min: -10, max: 40, unit: '°C', label: 'Temperature', marks: { freezing: 0, body: 36.6 } }), ui.rating(3.5),
    ui.swatches({ Ground: '#ffffff', Ink: '#1b1b1f', Accent: 'oklch(0.6 0.2 30)' }),
    ui.formula('x = \\\\frac{-b \\\\pm \\\\sqrt{b^2 - 4 a c}}{2 a}'), ui.mark(ui.markdown('Some words and more words'), ['words']),
  );
"""


def view(body):
    """Return a view whose ``render`` has this body."""
    return f"<template></template><script>function render(data, ui) {{ {body} }}</script><!--end-->"


def said(data):
    """Return a tool's answer with this data."""
    return {"content": [], "structuredContent": data}


def test_a_calendar_shows_whole_words_in_a_narrow_frame(show_fragment):
    screen = show_fragment(
        view("ui.root.append(ui.calendar([{ date: '2026-11-25', title: 'Planning meeting' }]));"), width=360
    )
    screen.host.send_result(said({"a": 1}))
    words = screen.result.locator(".day-cell b")
    words.wait_for()
    fits = "(b) => b.scrollWidth <= b.clientWidth && b.scrollHeight <= b.clientHeight"
    assert words.evaluate(fits)


def test_a_small_picture_is_enlarged_unless_the_view_says_its_size(show_fragment, red_png):
    draw = "const one = () => ui.image({ data: data.png }); ui.root.append(one(), ui.el('div', { class: 'view' }, one()));"
    screen = show_fragment(f"<style>.view img {{ width: 24px; height: 24px }}</style>{view(draw)}")
    screen.host.send_result(said({"png": red_png}))
    pictures = screen.result.get_by_role("img")
    expect(screen.result.locator("figcaption")).to_have_count(2)
    sizes = [pictures.nth(at).bounding_box() for at in range(2)]
    assert [(round(each["width"]), round(each["height"])) for each in sizes] == [(144, 144), (24, 24)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_part_has_no_barriers(show_fragment, theme):
    screen = show_fragment(view(EVERYTHING), theme=theme)
    screen.host.send_result(said({"a": 1}))
    screen.result.get_by_text("Sparse").or_(screen.result.get_by_text("Total")).first.wait_for()
    assert barriers(screen.host) == []
    screen.result.get_by_role("button", name="Delete").first.click()
    assert barriers(screen.host) == []


def test_things_drawn_as_people_know_them_have_no_barriers(show_fragment):
    screen = show_fragment(view(LIKENESS))
    screen.host.send_result(said({"a": 1}))
    expect(screen.result.locator(".ruler")).to_be_visible()
    assert barriers(screen.host) == []


def test_things_drawn_as_people_know_them_are_used_with_the_keyboard(show_fragment):
    screen = show_fragment(view(LIKENESS))
    screen.host.send_result(said({"a": 1}))
    for name in ("Copy path of summary.pdf", "Ink #1b1b1f"):
        screen.button(name).focus()
        screen.host.page.keyboard.press("Enter")
        expect(screen.button(name)).to_be_focused()


@pytest.mark.parametrize("body", [EVERYTHING, LIKENESS], ids=["parts", "likenesses"])
@pytest.mark.parametrize("width", [320, 760])
def test_no_part_is_wider_than_the_page(show_fragment, width, body):
    screen = show_fragment(view(body), width=width)
    screen.host.send_result(said({"a": 1}))
    screen.result.get_by_text("Total").or_(screen.result.get_by_text("Planning")).first.wait_for()
    assert screen.frame.evaluate("document.documentElement.scrollWidth") <= width


def test_again_runs_the_tool_with_changed_arguments_and_draws_its_result(show_fragment):
    script = """ui.root.append(ui.hero(data.days, { label: 'Days' }), ui.choice('Days', [7, 14], (days) => ui.again({ days }), data.days));"""
    definition = {
        "name": "tool",
        "inputSchema": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        },
    }
    screen = show_fragment(
        view(script), definition, tool_input={"city": "Oslo", "days": 7}, call=lambda _, given: said(given)
    )
    screen.host.send_result(said({"days": 7}))
    screen.result.get_by_role("button", name="14").click()
    expect(screen.result.locator(".figure")).to_have_text("14")
    assert screen.host.calls[0]["arguments"] == {"city": "Oslo", "days": 14}
    expect(screen.arguments).to_contain_text("14")


def test_a_view_that_runs_its_tool_while_it_draws_gives_way_to_the_minimal_view(show_fragment):
    screen = show_fragment(
        "<template></template><script>async function render(data, ui) { ui.root.append('x'); await ui.again({}); }</script><!--end-->",
        call=lambda *_: said({"n": 1}),
    )
    screen.host.send_result(said({"n": 1}))
    expect(screen.notices).to_contain_text("is for a press")
    assert screen.host.calls == []


def test_state_and_the_chosen_tab_outlive_a_result(show_fragment):
    script = """const unit = ui.state('unit', 'C');
      const line = ui.el('p', `Unit ${unit.value}`);
      ui.root.append(line, ui.choice('Unit', ['C', 'F'], (one) => { unit.value = one; line.textContent = `Unit ${one}`; }, unit.value),
        ui.tabs({ Words: 'some words', Numbers: () => ui.stats([{ label: 'N', value: data.n }]) }));"""
    screen = show_fragment(view(script))
    screen.host.send_result(said({"n": 1}))
    screen.result.get_by_role("button", name="F", exact=True).click()
    screen.result.get_by_role("tab", name="Words").focus()
    screen.host.page.keyboard.press("ArrowRight")
    expect(screen.result.get_by_role("tab", name="Numbers")).to_be_focused()
    screen.host.send_result(said({"n": 23}))
    expect(screen.result.locator(".figure")).to_have_text("23")
    expect(screen.result.get_by_text("Unit F")).to_be_visible()


def test_a_filter_is_used_with_the_keyboard(show_fragment):
    script = "ui.root.append(ui.filter(data.rows, (found) => ui.el('p', found.map(({ name }) => name).join(' and '))));"
    screen = show_fragment(view(script))
    screen.host.send_result(said({"rows": [{"name": "Ada"}, {"name": "Bob"}]}))
    screen.result.get_by_role("searchbox").focus()
    screen.host.page.keyboard.type("bob")
    expect(screen.result.locator("p")).to_have_text("Bob")
    expect(screen.result.get_by_role("status")).to_have_text("1 entry")


def test_an_action_asks_calls_and_draws_by_keyboard_alone(show_fragment):
    script = "ui.root.append(ui.action('Delete', 'tool', { id: data.id }, { confirm: `Delete no. ${data.id}`, then: ({ left }) => ui.notice(`${left} left`, 'good') }));"
    screen = show_fragment(view(script), call=lambda _, given: said({"left": 2, **given}))
    screen.host.send_result(said({"id": 7}))
    press = screen.host.page.keyboard.press
    screen.button("Delete").focus()
    press("Enter")
    expect(screen.button("Cancel")).to_be_focused()
    press("Escape")
    expect(screen.button("Delete")).to_be_focused()
    press("Enter")
    press("Shift+Tab")
    expect(screen.button("Delete no. 7")).to_be_focused()
    assert screen.host.calls == []
    press("Enter")
    expect(screen.result.get_by_text("2 left")).to_be_visible()
    assert [one["arguments"] for one in screen.host.calls] == [{"id": 7}]


def test_a_refused_action_says_why(show_fragment):
    script = "ui.root.append(ui.action('Save', 'save', {}));"
    failed = {"content": [{"type": "text", "text": "The file is locked"}], "isError": True}
    screen = show_fragment(view(script), related=["save"], call=lambda *_: failed)
    screen.host.send_result(said({"n": 1}))
    screen.button("Save").click()
    expect(screen.result.get_by_role("alert")).to_have_text("The file is locked")


def test_a_page_may_call_no_tool_that_it_was_not_given_by_an_action_either(show_fragment):
    script = "ui.root.append(ui.action('Drop', 'drop', {}), ui.more('drop', {}));"
    screen = show_fragment(view(script), related=[], call=lambda *_: said({}))
    screen.host.send_result(said({"n": 1}))
    screen.button("Drop").click()
    expect(screen.result.get_by_role("alert")).to_contain_text("may not call the tool drop")
    screen.button("Show more").click()
    expect(screen.result.get_by_role("alert")).to_have_count(2)
    assert screen.host.calls == []


def test_pages_follow_each_other(show_fragment):
    script = "ui.root.append(ui.more('tool', { page: 1 }, { draw: ({ rows }) => ui.el('p', rows.join()), next: ({ next }) => next && { page: next } }));"
    screen = show_fragment(view(script), call=lambda _, given: said(PAGES[given["page"]]))
    screen.host.send_result(said({"n": 1}))
    screen.button("Show more").click()
    expect(screen.result.locator("p")).to_have_text(["a"])
    screen.button("Show more").click()
    expect(screen.result.locator("p")).to_have_text(["a", "b"])
    expect(screen.button("Show more")).to_have_count(0)


def test_a_view_says_something_in_the_chat(show_fragment):
    screen = show_fragment(view("ui.root.append(ui.action('Ask', () => ui.ask('What is it?')));"))
    screen.host.send_result(said({"n": 1}))
    screen.button("Ask").click()
    screen.host.page.wait_for_function("host.messages.some((one) => one.message.method === 'ui/message')")
    sent = [one["message"] for one in screen.host.messages if one["message"].get("method") == "ui/message"]
    assert sent[0]["params"] == {"role": "user", "content": [{"type": "text", "text": "What is it?"}]}


def test_a_long_report_beside_the_data_is_folded(show_fragment):
    report = "# Report\n\n" + "The data in words, once more.\n" * 20
    screen = show_fragment(view("ui.root.append(ui.stats([{ label: 'N', value: data.n }]));"))
    screen.host.send_result({"content": [{"type": "text", "text": report}], "structuredContent": {"n": 1}})
    summary = screen.result.locator("summary")
    expect(summary).to_contain_text("Report The data in words")
    assert json.dumps(screen.result.inner_text()).count("once more") <= 2
    summary.click()
    expect(screen.result.get_by_role("heading", name="Report")).to_be_visible()


def test_actions_of_a_few_records_stand_beside_them_and_of_many_beneath(show_fragment):
    script = """ui.root.append(ui.records(data.rows, { title: 'name', actions: ({ name }) => ui.action(`Open ${name}`, () => {}) }));"""
    for count, is_beside in ((3, True), (9, False)):
        screen = show_fragment(view(script), width=760)
        screen.host.send_result(said({"rows": [{"name": f"n{number}"} for number in range(count)]}))
        title, act = (
            screen.result.get_by_text("n1", exact=True),
            screen.result.get_by_role("button", name="Open n1"),
        )
        boxes = title.bounding_box(), act.bounding_box()
        assert (boxes[1]["y"] < boxes[0]["y"] + boxes[0]["height"]) is is_beside
