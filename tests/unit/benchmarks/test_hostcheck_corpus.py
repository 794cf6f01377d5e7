"""Which findings of hostcheck the benchmark expects."""

import re
from argparse import Namespace

import pytest
from hostcheck_corpus import PROFILES, command
from recordings import SAMPLE, RecordedTool

SAID = (
    "The Content Security Policy 'default-src 'none'' was delivered via a <meta> element outside the "
    "document's <head>, which is disallowed. The policy has been ignored."
)
REFUSED = (
    "Loading the image 'https://example.com/a.png' violates the following Content Security Policy directive"
)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_policy_in_a_body_is_expected_where_the_host_has_a_body_and_nothing_else_is(profile, tmp_path):
    tool = RecordedTool("one", {"name": "get_rows", "inputSchema": {"type": "object"}})
    words = command(Namespace(hostcheck=tmp_path, recordings=SAMPLE), profile, [tool], tmp_path)
    expected = [words[at + 1] for at, word in enumerate(words) if word == "--allow-console"]
    assert any(re.search(each, SAID) for each in expected) is (profile in {"inspector", "strict"})
    assert not any(re.search(each, REFUSED) for each in expected)
