import pytest

from genui_core.application.upstream_tools import Listing, UpstreamTools, tool_pages
from genui_core.domain.settings.brand import Brand
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.errors import UpstreamFailed


def definition(name, **fields):
    return {"name": name, "inputSchema": {"type": "object"}, **fields}


def upstream_tools():
    return UpstreamTools(Settings(), Brand())


def listed(registry, *definitions):
    listing = Listing()
    registry.add_page(listing, {"tools": list(definitions)})
    return registry.finish(listing)


def test_a_first_listing_adds_everything_in_order():
    registry = upstream_tools()
    assert listed(registry, definition("b"), definition("a")).added == ("b", "a")
    assert list(registry.active_tools) == ["b", "a"]
    assert registry.knows_all_tools


def test_a_listing_tells_added_removed_changed_and_unchanged_tools_apart():
    registry = upstream_tools()
    listed(registry, definition("kept"), definition("changed"), definition("gone"))
    diff = listed(registry, definition("kept"), definition("changed", description="new"), definition("new"))
    assert (diff.added, diff.removed, diff.changed, diff.unchanged) == (
        ("new",),
        ("gone",),
        ("changed",),
        ("kept",),
    )
    assert not diff.is_empty


def test_a_change_outside_the_hashed_fields_is_no_change():
    registry = upstream_tools()
    listed(registry, definition("a", icons=[]))
    assert listed(registry, definition("a", icons=["x"])).is_empty


def test_a_rename_is_one_removal_and_one_addition():
    registry = upstream_tools()
    listed(registry, definition("old"))
    diff = listed(registry, definition("new"))
    assert (diff.added, diff.removed) == (("new",), ("old",))


def test_a_removed_tool_stays_known_as_removed_until_it_returns():
    registry = upstream_tools()
    listed(registry, definition("a"))
    listed(registry)
    assert registry.find_removed("a")
    assert registry.find("a") is None
    listed(registry, definition("a"))
    assert registry.find_removed("a") is None


def test_a_name_listed_twice_keeps_its_first_definition():
    registry = upstream_tools()
    listed(registry, definition("a", description="first"), definition("a", description="second"))
    assert registry.find("a").definition["description"] == "first"


def test_elements_that_are_no_tools_are_skipped():
    registry = upstream_tools()
    listed(registry, None, 7, {"title": "nameless"}, {"name": 3}, definition("a"))
    assert list(registry.active_tools) == ["a"]


def test_tools_of_earlier_pages_are_known_before_the_last_one():
    registry = upstream_tools()
    registry.add_page(Listing(), {"tools": [definition("a")]})
    assert registry.find("a") is not None
    assert not registry.knows_all_tools


def test_the_hash_sees_every_level_of_the_schema():
    def tool(kind):
        return Tool(
            {"name": "a", "inputSchema": {"properties": {"x": {"properties": {"y": {"type": kind}}}}}}
        )

    assert tool("string").hash != tool("integer").hash


def test_the_title_falls_back_to_the_annotation_and_then_to_the_name():
    assert Tool({"name": "a", "title": "A", "annotations": {"title": "B"}}).title == "A"
    assert Tool({"name": "a", "title": " ", "annotations": {"title": "B"}}).title == "B"
    assert Tool({"name": "a", "annotations": None}).title == "a"


def test_a_tool_with_a_ui_of_its_own_is_recognised_in_both_forms():
    assert Tool({"name": "a", "_meta": {"ui": {"resourceUri": "ui://x/y"}}}).own_ui == "ui://x/y"
    assert Tool({"name": "a", "_meta": {"ui/resourceUri": "ui://x/y"}}).own_ui == "ui://x/y"
    assert Tool({"name": "a", "_meta": {"ui": {"visibility": ["model"]}}}).own_ui is None


def test_audiences_have_listings_of_their_own():
    registry = upstream_tools()
    more, less = Listing("more"), Listing("less")
    registry.add_page(more, {"tools": [definition("common"), definition("extra")]})
    registry.add_page(less, {"tools": [definition("common")]})
    assert registry.finish(more).added == ("common", "extra")
    assert registry.finish(less).removed == ()
    assert set(registry.active_tools) == {"common", "extra"}
    assert registry.knows_tools_for("less")
    assert not registry.knows_tools_for("unlisted")


def test_a_tool_is_removed_when_no_audience_is_offered_it_any_more():
    registry = upstream_tools()
    for audience in ("a", "b", "a"):
        listing = Listing(audience)
        shared = [] if registry.listing_number == 2 else [definition("shared")]
        registry.add_page(listing, {"tools": [definition("kept"), *shared]})
        diff = registry.finish(listing)
    assert diff.removed == ("shared",)
    assert registry.find("shared")
    registry.forget_audience("b")
    assert registry.find_removed("shared")
    assert registry.find("kept")


def test_an_audience_that_is_forgotten_takes_its_tools_along():
    registry = upstream_tools()
    listed(registry, definition("a"))
    registry.forget_audience("")
    assert (list(registry.active_tools), registry.knows_tools_for("")) == ([], False)
    assert registry.find_removed("a")


async def _cursors_for(pages):
    """List these pages, of which the last repeats for ever; return the requested cursors."""
    answers, asked = iter(pages), []

    async def ask(params):
        asked.append(params)
        return next(answers)

    assert [page async for page in tool_pages(ask, {"_meta": {}})] == pages[: len(asked)]
    assert all(params["_meta"] == {} for params in asked)
    return [params.get("cursor") for params in asked]


@pytest.mark.anyio
@pytest.mark.parametrize("end", [{}, {"nextCursor": ""}, {"nextCursor": None}, {"nextCursor": 7}])
async def test_a_list_is_asked_for_page_by_page_until_no_cursor_follows(end):
    pages = [{"nextCursor": "a"}, {"nextCursor": "b"}, end, {"nextCursor": "never"}]
    assert await _cursors_for(pages) == [None, "a", "b"]


@pytest.mark.anyio
async def test_a_list_ends_at_a_cursor_that_was_seen_before():
    pages = [{"nextCursor": each} for each in "abab"]
    assert await _cursors_for(pages) == [None, "a", "b"]


@pytest.mark.anyio
async def test_a_list_with_new_cursors_for_ever_ends_after_a_thousand():
    pages = [{"nextCursor": str(each)} for each in range(2000)]
    assert len(await _cursors_for(pages)) == 1001


@pytest.mark.parametrize("page", [{}, {"tools": {}}])
def test_a_page_without_a_list_fails_the_listing(page):
    with pytest.raises(UpstreamFailed) as failed:
        upstream_tools().add_page(Listing(), page)
    assert failed.value.error == {"message": "no list of tools"}


def test_a_definition_in_which_only_the_type_of_a_value_changed_takes_the_place_of_the_old_one():
    registry = upstream_tools()
    for default in (0, False, 0.0):
        listed(registry, {**definition("a"), "inputSchema": {"default": default}})
        assert repr(registry.find("a").definition["inputSchema"]["default"]) == repr(default)
