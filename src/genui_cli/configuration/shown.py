"""What holds, key by key, as it may be shown."""

import json
from collections.abc import Iterator, Mapping

from attrs import frozen

from genui_cli.configuration.keys import Key, all_keys
from genui_cli.configuration.kinds import as_json
from genui_cli.configuration.loading import Loaded
from genui_core.domain.redaction import redacted_value

_HIDDEN = "********"


@frozen
class Row:
    """One key and its value."""

    path: str
    value: object
    source: str

    @property
    def text(self) -> str:
        """The value on one line."""
        return json.dumps(self.value, ensure_ascii=False)


def rows_of(loaded: Loaded) -> Iterator[Row]:
    """Yield every key; of a secret only that it is set."""
    for path, key in all_keys().items():
        given = loaded.given.get(path)
        value = key.default if given is None else given.value
        yield Row(path, _showable(key, value), "default" if given is None else given.source)


def _showable(key: Key, value: object) -> object:
    if not key.note.is_secret or not value:
        plain = _plain(value)
        return redacted_value(plain) if isinstance(plain, str | list) else plain
    return dict.fromkeys(value, _HIDDEN) if isinstance(value, Mapping) else _HIDDEN


def _plain(value: object) -> object:
    found = as_json(value)
    try:
        json.dumps(found)
    except TypeError:  # a value made of parts
        return json.loads(json.dumps(found, default=lambda part: part.as_data()))
    return found
