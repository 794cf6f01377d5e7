"""Generates the tables of keys and of models in the page about the configuration."""

import json
from collections.abc import Iterator
from itertools import groupby

from genui_adapters.llm.choice import DEFAULT_MODELS_FILE
from genui_cli.configuration.keys import Key, all_keys
from genui_cli.configuration.kinds import as_json

_KEYS = "<!-- keys: written by `python docs/generators` -->", "<!-- end of keys -->"
_MODELS = (
    "<!-- models: written from src/genui_adapters/llm/default_models.json -->",
    "<!-- end of models -->",
)


def with_reference(page: str) -> str:
    """Return a page with new text between its marks; raise `ValueError` without the marks."""
    return _with(_with(page, _MODELS, "\n".join(_models())), _KEYS, "\n".join(_keys()) + "\n")


def _with(page: str, marks: tuple[str, str], text: str) -> str:
    before, begin, rest = page.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not (begin and end):
        raise ValueError(f"the page lacks {marks[0]} and {marks[1]}")
    return f"{before}{begin}\n{text}{end}{after}"


def _models() -> Iterator[str]:
    listed = json.loads(DEFAULT_MODELS_FILE.read_text(encoding="utf-8"))
    yield f"Without a model, the wrapper takes these, whose names were last checked on {listed['checked']}:\n"
    yield "| provider | writes views | decides which tools get a written view |"
    yield "|---|---|---|"
    for provider, models in listed.items():
        if isinstance(models, dict):
            small = models.get("classifyModel", models["model"])
            yield f"| `{provider}` | `{models['model']}` | `{small}` |"
    yield "\n"


def _keys() -> Iterator[str]:
    """Yield the lines of a table for each section."""
    for section, keys in groupby(all_keys().values(), lambda key: key.section):
        yield from ("", f"### `{section}`", "", "| key | takes | default | |", "|---|---|---|---|")
        for key in keys:
            takes = ", ".join(f"`{each}`" for each in key.note.known) or key.kind.expected
            yield f"| `{key.path.partition('.')[2]}` | {takes} |{_default(key)}| {key.note.about} |"
    yield ""


def _default(key: Key) -> str:
    if key.note.fallback:
        return f" {key.note.fallback} "
    value = as_json(key.default)
    if value in (None, [], {}):
        return " "
    return f" `{value if isinstance(value, str) else json.dumps(value)}` "
