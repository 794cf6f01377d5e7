import json

import pytest

from genui_core.domain.pages.minimal_view import (
    body_version,
    fallback_notice,
    limit_notice,
    page_data,
    provisional_notice,
)
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool


def test_each_notice_says_what_it_is_about():
    notices = [
        provisional_notice(),
        fallback_notice("The model did not answer"),
        limit_notice("Only 100 rows fit."),
    ]
    assert [each.kind for each in notices] == ["provisional", "fallback", "limit"]
    assert notices[1].text.endswith(" The model did not answer.")
    assert notices[2].text.endswith(" Only 100 rows fit.")


@pytest.mark.parametrize("reason", ["x" * 100_000, "a\nb\x00c\u202e", "", "   ", "\ud800"])
def test_a_reason_of_any_kind_is_one_short_line(reason):
    text = fallback_notice(reason).text
    assert len(text) < 400
    assert text.isprintable()
    assert text == text.strip()


def test_the_version_of_a_page_follows_its_notice():
    tool = Tool({"name": "a"})
    notices = [None, provisional_notice(), fallback_notice("slow"), fallback_notice("refused")]
    versions = {body_version("key", page_data(tool, Settings(), each), "build") for each in notices}
    assert len(versions) == 4
    assert json.loads(page_data(tool, Settings(), notices[2]))["notice"]["kind"] == "fallback"
