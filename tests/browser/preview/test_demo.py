"""The command `demo` with recorded model answers; all tests share one process and one page."""

import json
import re
import subprocess
import sys
import time
import urllib.request
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from accessibility import AXE, COLOURS, RUN_AXE
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

ARGUMENTS = {"city": "Lima", "days": 2}


def fragment(words, template=""):
    """Return a model's answer: a view with some words above a table of the days."""
    script = f"ui.root.prepend('{words}'); ui.root.append(ui.table(data.days ?? [data]));"
    html = f'<style>.view {{ font-weight: 600 }}</style>\n<template><div class="view">{template}</div></template>'
    return f"```html\n{html}\n<script>\nfunction render(data, ui) {{ {script} }}\n</script>\n<!--end-->\n```"


class Demo:
    """The running command, and a program that subscribes to its events without a browser."""

    def __init__(self, folder):
        recordings, self.prompts = folder / "recordings", folder / "prompts"
        recordings.mkdir()
        answers = (
            (["in another way"], fragment("another layout")),
            (["make it bold"], fragment("second try", '<input class="find">')),
            (["get_forecast"], fragment("first try")),
            ([], fragment("another")),
        )
        for number, (when, text) in enumerate(answers):
            told = {"when": when, "text": text, "model": "recorded"}
            (recordings / f"{number}.json").write_text(json.dumps(told))
        cli = (sys.executable, "-P", "-m", "genui_cli")
        subprocess.run([*cli, "prompts", "eject", self.prompts], check=True, capture_output=True)
        config = {"generation": {"promptsDirectory": str(self.prompts), "serveWithinMs": 60_000}}
        (folder / "config.json").write_text(json.dumps(config))
        self.process = subprocess.Popen(
            [*cli, "demo", "--no-open", "--config", folder / "config.json", "--llm", f"replay:{recordings}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        address = self.process.stdout.readline().strip()
        self.origin, _, self.token = address.partition("/#token=")

    def link(self, **parts):
        return f"{self.origin}/#{urlencode({'token': self.token, 'tool': 'get_forecast', **parts})}"

    def ask(self, path, body=None):
        headers = {"authorization": f"Bearer {self.token}"}
        if body is not None:
            headers |= {"origin": self.origin, "content-type": "application/json"}
        asked = urllib.request.Request(self.origin + path, body and json.dumps(body).encode(), headers)
        with urllib.request.urlopen(asked) as answer:
            return json.loads(answer.read() or "null")

    def call(self, name, **arguments):
        params = {"name": name, "arguments": {"toolName": "get_forecast", **arguments}}
        asked = {"method": "tools/call", "params": params}
        return self.ask("/api/rpc", asked)["result"]["structuredContent"]

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=20)
        assert self.process.returncode == 0


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    demo = Demo(tmp_path_factory.mktemp("demo"))
    yield demo
    demo.stop()


@pytest.fixture(scope="module")
def shared_page(browser):
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page, said = context.new_page(), []
    page.set_default_timeout(30_000)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert said == []


@pytest.fixture
def opened(demo, shared_page):
    """Open the page again at a link, and wait until the view is live."""

    def opened(**parts):
        shared_page.goto("about:blank")
        shared_page.evaluate("0")
        shared_page.goto(demo.link(**parts))
        shared_page.locator("#card[data-state=live]").wait_for(state="attached")
        return shared_page

    yield opened
    shared_page.evaluate("localStorage.clear()")


def view(page, card="#card"):
    return page.frame_locator(f"{card} iframe").frame_locator("iframe")


def shows(page, words, card="#card"):
    """Wait for a view with these words; the frame of the view before it may vanish during a check."""
    deadline = time.monotonic() + 30
    while True:
        try:
            expect(view(page, card).locator("body")).to_contain_text(words)
        except (AssertionError, PlaywrightError):
            if time.monotonic() > deadline:
                raise
        else:
            return


def called(page):
    page.locator("#call").click()
    expect(page.locator("#result .facts")).to_contain_text("called by the model")
    return page


def test_a_link_opens_the_page_as_it_says(opened, demo):
    host = {
        "profile": "claude",
        "theme": "dark",
        "width": "480",
        "locale": "de-DE",
        "zone": "Asia/Tokyo",
        "styles": "off",
    }
    page = opened(args=json.dumps(ARGUMENTS), **host)
    linked = {name: value[0] for name, value in parse_qs(urlsplit(page.url).fragment).items()}
    assert linked.keys() == {"tool", "args", *host}
    assert json.loads(linked.pop("args")) == ARGUMENTS
    assert linked == {"tool": "get_forecast", **host}
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.locator("#card").evaluate("card => card.clientWidth") == 480
    page.locator("#tab-messages").click()
    page.locator("#messages summary", has_text="result of ui/initialize").click()
    page.locator("#messages .json").wait_for()
    told = json.loads(page.locator("#messages .json").inner_text())["result"]["hostContext"]
    assert (told["theme"], told["locale"], told["timeZone"]) == ("dark", "de-DE", "Asia/Tokyo")
    assert told["styles"] == {"variables": {}}
    assert told["availableDisplayModes"] == ["inline", "fullscreen"]
    page.locator("#arguments").press("Control+Enter")
    shows(page, "first try")
    expect(page.locator("#result .json")).to_contain_text("Lima")
    state = demo.ask("/state")
    assert state["server"]["state"] == "ready"
    assert json.loads(state["page"]["arguments"]) == ARGUMENTS
    assert (state["page"]["tool"], state["page"]["host"]["profile"]) == ("get_forecast", "claude")


def test_a_wrong_value_in_a_link_becomes_the_default(opened):
    page = opened(profile="none", theme="pink", width="7", zone="Mars/Base", args="{", compare="1,x")
    assert page.locator("#profile").input_value() == "spec"
    assert page.locator("#arguments").input_value() == "{"
    assert "zone" not in page.url


def test_the_form_of_the_view_is_the_only_one_and_the_pane_mirrors_its_arguments_as_json(opened):
    page = opened()
    expect(page.locator("#argument-form")).to_be_hidden()
    view(page).get_by_label("City").first.fill("Cairo")
    view(page).get_by_role("button", name="Run").first.click()
    expect(page.locator("#result .facts")).to_contain_text("called by the view")
    expect(page.locator("#arguments")).to_have_value(re.compile('"city": "Cairo"'))


@pytest.mark.matrix(quick=1)  # tests/browser/views/test_every_host.py has a view in each of them
@pytest.mark.parametrize("profile", ["strict", "claude", "vscode", "chatgpt"])
def test_a_view_lives_in_every_kind_of_host(opened, profile):
    page = called(opened(profile=profile))
    shows(page, "try")
    expect(view(page).locator("table").first).to_be_visible()
    page.locator("#tab-issues").click()
    expect(page.locator("#issues")).to_contain_text("No errors and no blocked requests")
    page.locator("#tab-messages").click()
    page.locator("#messages summary", has_text="tool-result").click()
    expect(page.locator("#messages .json")).to_have_count(1)
    assert ("structuredContent" in page.locator("#messages .json").inner_text()) == (profile != "strict")
    page.locator("#view-reload").click()
    page.locator("#messages summary", has_text="tool-result").nth(1).click()
    expect(page.locator("#messages .json")).to_have_count(2)
    assert ("Oslo" in page.locator("#messages .json").last.inner_text()) == (profile != "chatgpt")


def test_a_refinement_shows_its_steps_and_its_versions_can_be_compared_and_restored(opened, demo):
    demo.ask("/wait?timeout=0")
    page = called(opened())
    page.keyboard.press("f")
    page.keyboard.type("make it bold")
    page.keyboard.press("Enter")
    expect(page.locator("#refine-status")).to_contain_text("Done, in")
    expect(page.locator("#refine-steps li").first).to_have_text("The model is writing the view")
    shows(page, "second try")

    page.locator("#tab-view").click()
    expect(page.locator("#report .fact-list")).to_contain_text("recorded")
    finding = page.locator(".finding-list li")
    expect(finding).to_contain_text("label.unclear")
    expect(finding.locator(".finding-place")).to_contain_text("template, line 1")
    expect(finding.locator(".advice")).to_have_text("Give it a label.")
    page.locator("#report summary").click()
    expect(page.locator(".source")).to_contain_text("second try")

    page.locator("#refine-compare").click()
    shows(page, "first try", "#before-card")
    shows(page, "second try", "#after-card")
    expect(view(page, "#after-card").locator("table").first).to_be_visible()
    assert "compare=1%2C2" in page.url
    expect(page.locator("#after-keep")).to_be_hidden()
    page.locator("#before-keep").click()
    expect(page.locator("#comparison")).to_be_hidden()
    shows(page, "first try")
    expect(page.locator(".version-list li").filter(has_text="first use")).to_contain_text("shown now")

    told = demo.ask("/wait?timeout=10")
    assert [one["kind"] for one in told] == ["called", "answered", "refined", "rolled_back"]
    assert told[0]["arguments"]["city"] == "Oslo"
    assert told[1]["result"]["structuredContent"]["place"]["city"] == "Oslo"
    assert told[2]["feedback"] == "make it bold"


def test_two_variants_stand_beside_each_other_on_the_same_data_and_one_is_kept(opened, demo):
    page = called(opened())
    page.locator("#refine-variants").click()
    expect(page.locator("#refine-status")).to_contain_text("Keep one of them")
    shows(page, "try", "#before-card")
    shows(page, "another layout", "#after-card")
    for card in ("#before-card", "#after-card"):
        expect(view(page, card).locator("table").first).to_contain_text("12")
    page.locator("#before-keep").click()
    expect(page.locator("#comparison")).to_be_hidden()
    shows(page, "try")
    shown = [each for each in demo.call("_ui_history")["versions"] if each["isPresent"]]
    assert "another layout" not in demo.call("_ui_history", version=shown[0]["version"])["source"]


@pytest.fixture
def two_versions(demo, opened):
    """Ensure that the view has two versions, whichever tests ran before."""
    opened()
    if len(demo.call("_ui_history")["versions"]) < 2:
        demo.call("_ui_refine", feedback="make it bold")


def test_an_agent_sorts_a_table_and_the_order_comes_back_when_the_view_is_loaded_again(opened):
    page = called(opened(args=json.dumps(ARGUMENTS)))
    shows(page, "Lima")
    head = view(page).locator("section.result thead th").first
    expect(head).to_have_attribute("aria-sort", "none")
    page.locator("#agent summary").click()
    page.locator("#agent-tool").select_option("set_sort")
    page.locator("#agent-arguments").fill(json.dumps({"column": head.inner_text(), "descending": True}))
    with page.expect_response(lambda response: '"keep"' in (response.request.post_data or "")):
        page.locator("#agent-call").click()
    expect(page.locator("#agent-answer")).to_contain_text('"descending": true')
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(page.locator("#result .facts")).to_contain_text("called by the model")
    page.locator("#view-reload").click()
    expect(view(page).locator("section.result thead th").first).to_have_attribute("aria-sort", "descending")
    called(page)
    expect(view(page).locator("section.result thead th").first).to_have_attribute("aria-sort", "none")


def test_there_is_no_barrier_in_light_and_dark_wide_and_narrow(two_versions, opened):
    page = called(opened(compare="1,2"))
    page.locator("#after-state[data-state=live]").wait_for()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = []
    for theme, rules in (("light", None), ("dark", COLOURS)):
        page.locator(f"#theme input[value={theme}]").check()
        for tab, pane, width in (("messages", "call", 600), ("view", "view", 320), ("view", "tools", 1400)):
            page.set_viewport_size({"width": width, "height": 900})
            if width < 1000:
                page.locator("#pane-call").click()
            page.locator(f"#tab-{tab}").click()
            if width < 1000:
                page.locator(f"#pane-{pane}").click()
            page.locator(".more summary").click()
            found += [f"{theme}, {tab}, {width}: {one}" for one in page.evaluate(RUN_AXE, rules)]
            page.locator("#locale").press("Escape")
            expect(page.locator(".more-panel")).to_be_hidden()
        page.locator("#shortcuts").click()
        found += [f"{theme}, shortcuts: {one}" for one in page.evaluate(RUN_AXE, rules)]
        page.keyboard.press("Escape")
    assert found == []


def test_no_element_is_wider_than_the_page(opened):
    page = opened()
    for width in (320, 600, 999, 1000, 1400):
        page.set_viewport_size({"width": width, "height": 900})
        for pane in ("tools", "call", "view") if width < 1000 else ():
            page.locator(f"#pane-{pane}").click()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, pane)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width


def press(page, key):
    """Press a key on the page itself, whatever element has the focus."""
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press(key)


def test_keys_do_what_their_list_says_unless_they_are_turned_off(opened):
    page = opened()
    press(page, "?")
    expect(page.locator("#shortcut-list")).to_contain_text("Next kind of host")
    page.keyboard.press("Escape")
    expect(page.locator("#shortcut-dialog")).to_be_hidden()
    press(page, "h")
    expect(page.locator("#profile")).to_have_value("strict")
    press(page, "w")
    expect(page.locator("#width input[value='320']")).to_be_checked()
    press(page, "4")
    expect(page.locator("#panel-view")).to_be_visible()
    page.locator("#shortcuts").click()
    page.locator("#shortcuts-on").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("#shortcut-dialog")).to_be_hidden()
    press(page, "h")
    expect(page.locator("#profile")).to_have_value("strict")


def test_changed_prompts_restart_the_wrapper_and_the_view_is_read_again(opened, demo):
    page = called(opened())
    prompt = next(each for each in demo.prompts.rglob("*") if each.is_file() and each.suffix != ".json")
    prompt.write_text(prompt.read_text() + "\nBe brief.\n")
    expect(page.locator("#said")).to_contain_text("The prompts changed")
    page.locator("#card[data-state=live]").wait_for()
    shows(page, "try")
    expect(view(page).locator("table").first).to_be_visible()
