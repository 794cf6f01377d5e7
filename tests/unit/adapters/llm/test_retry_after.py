"""The headers in which a server says when to retry."""

from datetime import UTC, datetime

import pytest

from genui_adapters.llm.sdk_provider import retry_after_ms

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "7"}, 7000),
        ({"retry-after": "0.5"}, 500),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1500),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:09 GMT"}, 9000),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e99"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
        (None, None),
    ],
)
def test_retry_headers_are_read_in_all_three_forms_and_nonsense_is_ignored(headers, expected):
    assert retry_after_ms(headers, now=NOW) == expected
