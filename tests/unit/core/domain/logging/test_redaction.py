"""Redaction removes texts that are or look like secrets; errors are logged by their kind."""

import time
from pathlib import PurePosixPath

import pytest

from genui_core.domain.logging.redaction import (
    HIDDEN,
    is_secret_name,
    logged_error,
    redacted,
    redacted_value,
)
from genui_core.errors import UpstreamUnreachable

KEY = "sk-ant-" + "a1B2" * 8


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"Incorrect key {KEY} given", f"Incorrect key {HIDDEN} given"),
        ("Authorization: Bearer abc.def-123456", f"Authorization: {HIDDEN}"),
        (f"Authorization: token {'a1B2' * 8}", f"Authorization: {HIDDEN}"),
        ("at postgres://me:p@ss@db/x", f"at postgres://me:{HIDDEN}@db/x"),
        ("sent bearer abcdefgh12345", f"sent bearer {HIDDEN}"),
        ('{"api_key": "hello", "x": 1}', f'{{"api_key": "{HIDDEN}", "x": 1}}'),
        ("GITHUB_TOKEN=ghs_short next", f"GITHUB_TOKEN={HIDDEN} next"),
        ("https://x/?token=abc&y=1", f"https://x/?token={HIDDEN}&y=1"),
        ("password = hunter2;", f"password = {HIDDEN};"),
        ("at postgres://me:hunter2@db/x", f"at postgres://me:{HIDDEN}@db/x"),
        ("ghp_" + "a" * 36, HIDDEN),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.c2ln", HIDDEN),
    ],
)
def test_a_text_that_looks_like_a_secret_is_redacted(text, left):
    assert redacted(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "input_tokens=12 model=claude",
        "the tokenizer: fast",
        "skip sk-1",
        "a token",
        "monkey=1",
        "secretary: Ann",
        "",
    ],
)
def test_any_other_text_stays(text):
    assert redacted(text) == text


def test_a_known_secret_is_redacted_everywhere():
    assert redacted("a canary-4711 b", ["canary-4711"]) == f"a {HIDDEN} b"
    assert redacted("a is a", ["a"]) == "a is a"


@pytest.mark.parametrize("secrets", [["canary", "canary-4711"], ["canary-4711", "canary"]])
def test_the_longer_of_two_secrets_is_redacted_first(secrets):
    assert redacted("a canary-4711 b", secrets) == f"a {HIDDEN} b"


def test_nested_values_are_redacted():
    value = {"headers": {"Authorization": "x", "Accept": "y"}, "list": [KEY, 1, None], "token": "", "n": 1}
    assert redacted_value(value) == {
        "headers": {"Authorization": HIDDEN, "Accept": "y"},
        "list": [HIDDEN, 1, None],
        "token": "",
        "n": 1,
    }


@pytest.mark.parametrize(
    "value", [OSError("no canary-4711 here"), PurePosixPath("/no canary-4711 here"), {"no canary-4711 here"}]
)
def test_a_value_that_is_no_text_is_redacted_as_its_text(value):
    assert redacted_value(value, ["canary-4711"]) == str(value).replace("canary-4711", HIDDEN)


@pytest.mark.parametrize("value", [None, True, 7, 0.5])
def test_numbers_stay_numbers(value):
    assert redacted_value(value, ["canary-4711"]) is value


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("ANTHROPIC_API_KEY", True),
        ("apiKey", True),
        ("AWS_SECRET", True),
        ("cache_key", False),
        ("tokens", False),
        ("PATH", False),
    ],
)
def test_a_name_shows_that_its_value_is_secret(name, is_one):
    assert is_secret_name(name) is is_one


@pytest.mark.parametrize(
    "text", ["bearer " * 20_000, "token" * 40_000, "eyJ" + "a" * 100_000, "token : " * 20_000, "sk-" * 50_000]
)
def test_no_text_takes_long_to_redact(text):
    started = time.process_time()
    redacted(text)
    assert time.process_time() - started < 2


def test_a_word_after_a_flag_for_a_secret_is_redacted():
    words = ["run", "--token", "abcdef", "--api-key=ghijkl", "-p", "8000", "--verbose", "tokens"]
    shown = ["run", "--token", HIDDEN, f"--api-key={HIDDEN}", "-p", "8000", "--verbose", "tokens"]
    assert redacted_value(words) == shown


def test_an_error_of_the_core_is_logged_by_its_kind_and_a_fault_with_its_stack():
    with pytest.raises(UpstreamUnreachable) as expected:
        raise UpstreamUnreachable("gone")
    with pytest.raises(KeyError) as unexpected:
        {}["x"]
    message = "The upstream MCP server cannot be reached: gone"
    assert logged_error(expected.value) == {
        "code": "UPSTREAM_UNREACHABLE",
        "message": message,
        "stack": None,
    }
    fault = logged_error(unexpected.value)
    assert fault["code"] == "KeyError"
    assert "test_redaction.py" in fault["stack"]
