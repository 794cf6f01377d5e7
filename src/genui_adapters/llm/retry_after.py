"""How long a server wants to be left alone: the header in its three forms (RFC 9110, section 10.2.3)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_LONGEST_S = 24 * 60 * 60


def retry_after_ms(headers: Mapping[str, str] | None, *, now: datetime | None = None) -> int | None:
    """Return the milliseconds that ``retry-after-ms`` or ``retry-after`` ask for.

    None where neither is there or makes sense; 0 for a date that is past.
    """
    if headers is None:
        return None
    exact, plain = headers.get("retry-after-ms"), headers.get("retry-after")
    for text, factor in ((exact, 1), (plain, 1000)):
        number = _number(text)
        if number is not None:
            return int(number * factor) if 0 <= number * factor <= _LONGEST_S * 1000 else None
    return _until(plain, now or datetime.now(UTC))


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None


def _until(text: str | None, now: datetime) -> int | None:
    try:
        date = parsedate_to_datetime(text) if text else None
    except ValueError:
        return None
    if date is None:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0, int((aware - now).total_seconds() * 1000))
