import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

RESTART = """token => fetch("/api/restart", {
  method: "POST", body: "{}", headers: { "x-preview-token": token, "content-type": "application/json" },
})"""


@pytest.fixture
def preview(start_preview):
    """A preview of its own for each test, which may stop it."""
    return start_preview()


def test_the_page_reports_the_death_of_the_server_with_its_last_words_and_can_restart_it(page, choose):
    choose("die", state="none")
    page.locator("#call").click()
    expect(page.locator("#banner")).to_contain_text("The server ended with exit code 7.")
    page.locator("#banner summary").click()
    expect(page.locator("#banner pre")).to_contain_text("the sample server dies now")
    page.locator("#banner button").click()
    expect(page.locator("#banner")).to_be_hidden()
    choose("greet")


def test_a_click_counts_when_the_tools_are_listed_again_while_the_button_is_down(page, choose, preview):
    choose("erase")
    page.locator("#tools a[data-tool=greet]").hover()
    page.mouse.down()
    page.locator("#card iframe").evaluate("frame => frame.dataset.isOld = ''")
    page.evaluate(RESTART, preview.token)
    page.locator("#card iframe:not([data-is-old])").wait_for()  # mounted again, and so listed again
    page.mouse.up()
    expect(page.locator("#about-name")).to_have_text("greet")


def test_the_page_reports_a_server_that_never_starts(start_preview, new_page):
    preview = start_preview("/no/such/server")
    page = new_page()
    page.goto(preview.address)
    expect(page.locator("#banner")).to_contain_text("Cannot start /no/such/server")
    assert "Cannot start /no/such/server" in preview.stop()[1]


def test_the_page_reports_the_end_of_the_preview(page, choose, preview):
    choose("greet")
    preview.stop()
    expect(page.locator("#banner")).to_contain_text("No connection.")


def test_ending_the_preview_leaves_no_process_behind(start_preview, tmp_path, new_page):
    noted = tmp_path / "pid"
    sample = str(Path(__file__).parent / "sample_server.py")
    script = (
        f"import os, runpy; open({str(noted)!r}, 'w').write(str(os.getpid())); runpy.run_path({sample!r})"
    )
    preview = start_preview(sys.executable, "-c", script)
    page = new_page()
    page.goto(preview.address)
    expect(page.locator("#server-state")).to_have_text("connected")
    assert preview.stop()[0] == 0
    assert not Path(f"/proc/{noted.read_text()}").exists()


def test_two_pages_may_be_open_at_once(page, choose, preview, new_page):
    choose("greet")
    other = new_page(color_scheme="dark")
    other.goto(f"{preview.address}&tool=erase")
    expect(other.locator("#about-name")).to_have_text("erase")
    other.locator("#card[data-state=live]").wait_for()


def test_a_page_without_the_token_says_where_to_get_it(new_page, preview):
    page = new_page()
    page.goto(preview.origin)
    expect(page.locator("#banner")).to_contain_text("open the address that the terminal shows")
