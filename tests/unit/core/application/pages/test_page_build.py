"""Which build of the kit the page of a view holds, and that its fragment is parsed only once."""

import json
import sys

import pytest

from genui_core.application.generation.present_view import PresentView, present_view
from genui_core.application.pages.view_pages import ViewPages, _page_json
from genui_core.application.services import BuiltViewKit, Services
from genui_core.application.upstream_tools import UpstreamTools
from genui_core.domain.pages.page_frame import PageNeeds, policy_of
from genui_core.domain.prompting.prompt_set import PromptSet
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.exported_views import FrozenViews
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.view_store import a_view

TOOL = Tool({"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}})
FRAGMENT = "<template><p></p></template><script>function render(data, ui) {}</script>"
KIT = BuiltViewKit()


def pages_of(**given):
    services = Services(**given)
    return ViewPages(services, UpstreamTools(services.settings, services.brand))


def page(source, state=ViewState.GENERATED, settings=None):
    view = PresentView(state=state, key="k", stored=a_view(html=source))
    return pages_of(settings=settings or Settings()).page(TOOL, view)


def test_a_page_reads_its_fragment_once():
    read = []

    def seen(frame, event, _what):
        if event == "call" and frame.f_code.co_name == "fragment_in":
            read.append(frame)

    page(FRAGMENT)  # loads the modules
    sys.setprofile(seen)
    try:
        page(FRAGMENT)
    finally:
        sys.setprofile(None)
    assert len(read) == 1


@pytest.mark.parametrize(
    ("source", "state", "live", "build"),
    [
        (FRAGMENT, ViewState.GENERATED, "auto", {"written": True, "live": True}),
        ("", ViewState.FALLBACK, "auto", {"written": True, "live": True}),
        ("", ViewState.PROVISIONAL, "auto", {"written": True, "live": True}),
        ("", ViewState.MINIMAL, "auto", {"written": False}),
        (FRAGMENT, ViewState.GENERATED, "off", {"written": True}),
        ("", ViewState.FALLBACK, "off", {"written": False}),
    ],
)
def test_a_page_carries_the_build_for_what_it_shows_and_may_show_next(source, state, live, build):
    made = page(source, state, Settings(live=live))
    assert KIT.script_for(PageNeeds(any_schema=False, **build)) in made
    is_live = build.get("live", False)
    assert ("'nonce-" in made) == is_live
    assert ('"pending":true' in made) == (state is ViewState.PROVISIONAL)


def test_a_frozen_page_is_the_same_whenever_it_is_built():
    view = present_view(a_view(html=FRAGMENT))
    pages = pages_of(frozen=FrozenViews())
    assert pages.page(TOOL, view) == pages.page(TOOL, view)
    assert "'nonce-" not in pages.page(TOOL, view)
    assert pages.version(TOOL, view) != pages_of().version(TOOL, view)


def test_every_page_has_a_nonce_of_its_own_and_the_same_version():
    view = present_view(a_view(html=FRAGMENT))
    pages = pages_of()
    one, other = pages.page(TOOL, view), pages.page(TOOL, view)
    assert one != other
    assert len({policy_of(each).nonce for each in (one, other)}) == 2
    assert pages.version(TOOL, view) == pages.version(TOOL, view)


def test_the_version_of_a_minimal_page_depends_on_prompts_only_where_a_model_may_replace_it():
    prompts, model = PromptSet.of({"system": "Other words."}), ScriptedProvider.saying([])
    assert pages_of(prompts=prompts).version(TOOL, None) == pages_of().version(TOOL, None)
    assert pages_of(prompts=prompts, llm=model).version(TOOL, None) != pages_of(llm=model).version(TOOL, None)


def test_the_version_of_a_minimal_page_follows_the_definition_of_its_tool():
    changed = Tool({**TOOL.definition, "annotations": {"audience": "x"}})
    assert pages_of().version(changed, None) != pages_of().version(TOOL, None)


@pytest.mark.parametrize(
    "source", ["", FRAGMENT, FRAGMENT.replace("p>", 'p>\N{SNOWMAN}\N{GRINNING FACE}\\"')]
)
def test_a_read_page_is_the_json_of_the_page(source):
    pages, view = pages_of(settings=Settings(live="off")), present_view(a_view(html=source))
    pages.show(TOOL, view)
    for _ in range(2):  # the second page is encoded with what the first one left
        entry = json.loads(b"".join(pages.contents("ui://a", TOOL)))
        assert entry["text"] == pages.page(TOOL, view)
        pages.forget("a"), pages.show(TOOL, view)


@pytest.mark.parametrize("script", ["", "x();", "\N{GRINNING FACE}\n" * 300])
@pytest.mark.parametrize("around", [("", ""), ("<p>\N{GRINNING FACE}</p>", "</script>"), ("x()", "é")])
def test_a_page_is_encoded_as_json_wherever_its_script_is(script, around):
    assert json.loads(_page_json(script.join(around), script)) == script.join(around)
    assert json.loads(_page_json("".join(around), script)) == "".join(around)
