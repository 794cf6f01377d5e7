from playwright.sync_api import expect


def test_the_page_lists_every_tool_of_every_page_of_the_list(page):
    expect(page.locator("#tools a .tool-name")).to_have_text(
        [
            "greet",
            "plain",
            "erase",
            "trouble",
            "hostile",
            "broken",
            "refuse",
            "wait",
            "revise",
            "die",
            "data",
        ]
    )


def test_the_heading_is_the_name_of_the_server(page):
    expect(page.get_by_role("heading", level=1)).to_have_text("sample")
    expect(page.locator("#server-name")).to_have_text("1.0")


def test_the_wrappers_tools_are_listed_on_request_and_when_the_search_finds_them(page):
    toggle = page.get_by_role("button", name="Wrapper tools (1)")
    own = page.locator("#tools a[data-tool=_ui_refine]")
    expect(toggle).to_have_attribute("aria-expanded", "false")
    toggle.press("Enter")
    expect(own).to_be_visible()
    expect(toggle).to_be_focused()
    toggle.press("Enter")
    expect(own).to_have_count(0)
    page.locator("#search").fill("_ui")
    expect(own).to_be_visible()


def test_badges_say_what_the_tools_say_of_themselves(page):
    expect(page.locator("a[data-tool=greet] .badge")).to_have_text(["read-only"])
    expect(page.locator("a[data-tool=erase] .badge")).to_have_text(["destructive"])
    expect(page.locator("a[data-tool=plain] .badge")).to_have_text(["no UI"])


def test_a_hostile_text_is_shown_as_text(page):
    page.locator("#tools a[data-tool=hostile]").click()
    expect(page.locator("#view-title")).to_have_text("<script>alert(1)</script>")
    expect(page.locator("#about-text")).to_have_text("<img src=x onerror=alert(1)>")


def test_the_search_narrows_the_list_and_says_when_it_is_empty(page):
    page.locator("#tools a").first.wait_for()
    page.keyboard.press("/")
    page.keyboard.type("GREETS person")
    expect(page.locator("#tools a .tool-name")).to_have_text(["greet"])
    page.keyboard.type(" xyz")
    expect(page.locator("#tools")).to_contain_text("No tool matches")
    page.keyboard.press("Escape")
    expect(page.locator("#tools a")).to_have_count(11)
    expect(page.locator("#tools a[data-tool=greet]")).to_be_focused()
    expect(page.locator("#search")).to_have_value("")


def test_arrows_walk_from_the_search_through_the_list_and_enter_chooses(page):
    page.locator("#tools a").first.wait_for()
    page.keyboard.press("/")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#about-name")).to_have_text("plain")


def test_the_address_keeps_the_chosen_tool_over_a_reload_and_hides_the_token(page, choose, preview):
    choose("erase")
    assert page.url == f"{preview.origin}/#tool=erase"
    page.reload()
    expect(page.locator("#about-name")).to_have_text("erase")
    page.locator("#card[data-state=live]").wait_for()


def test_a_tool_without_a_view_says_so_and_still_shows_its_raw_result(page, choose):
    choose("plain", state="none")
    expect(page.locator("#card")).to_contain_text("This tool has no view")
    page.locator("#call").click()
    expect(page.locator("#result .json")).to_contain_text("Hello, you!")


def test_a_view_that_cannot_be_read_says_why(page, choose):
    choose("broken", state="failed")
    expect(page.locator("#card")).to_contain_text("The sample cannot read that.")
    expect(page.locator("#card")).to_contain_text("error -32001")
