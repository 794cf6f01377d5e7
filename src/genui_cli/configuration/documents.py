"""The output of `config`: settings and their problems, a first file, the JSON Schema."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from genui_adapters.compose import provider_from
from genui_adapters.configured_files import brand_from, prompts_in
from genui_adapters.llm.choice import PROVIDERS
from genui_adapters.view_store.factories import STORES
from genui_cli.configuration.files import LISTS
from genui_cli.configuration.keys import Key, all_keys
from genui_cli.configuration.kinds import Problem, Schema, as_json
from genui_cli.configuration.loading import Loaded
from genui_cli.failures import error_about
from genui_core.domain.logging.redaction import redacted_value
from genui_core.domain.settings.brand import BrandSettings
from genui_core.errors import GenUiError


def first_file(argv: Sequence[str]) -> str:
    """Return the text of a first config file, with the upstream's command if there is one."""
    content: dict[str, object] = {"llm": {"provider": "auto"}, "generation": {"defaultTheme": "light"}}
    if argv:
        content = {"upstream": {"command": argv[0], "args": list(argv[1:])}, **content}
    return f"{json.dumps(content, indent=2)}\n"


_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> Schema:
    """Return the JSON Schema of a config file."""
    top = _section("The configuration of mcp-gen-ui.")
    for key in all_keys().values():
        _put(top, key)
    top["properties"]["$schema"] = {"type": "string", "description": "The schema, for editors."}
    for each in LISTS:
        top["properties"][each] = {
            "type": "object",
            "description": "Servers by name, as hosts list them; --server picks one as the upstream.",
            "additionalProperties": {"type": "object"},
        }
    return {"$schema": _DRAFT, "title": "mcp-gen-ui", **top}


def _put(top: Schema, key: Key) -> None:
    *sections, name = key.path.split(".")
    section = top
    for each in sections:
        section = section["properties"].setdefault(each, _section(f"{each}: see docs/configuration.md."))
    default = {} if key.default is None else {"default": as_json(key.default)}
    section["properties"][name] = {"description": key.note.about, **key.kind.schema, **default}


def _section(description: str) -> Schema:
    return {"type": "object", "description": description, "additionalProperties": False, "properties": {}}


_HIDDEN = "********"


def rows_of(loaded: Loaded) -> Iterator[tuple[str, object, str]]:
    """Yield every key with its value and the value's source; secrets are hidden."""
    for path, key in all_keys().items():
        given = loaded.given.get(path)
        value = key.default if given is None else given.value
        yield path, _showable(key, value), "default" if given is None else given.source


def _showable(key: Key, value: object) -> object:
    if not key.note.is_secret or not value:
        plain = json.loads(json.dumps(as_json(value), default=lambda part: part.as_data()))
        return redacted_value(plain) if isinstance(plain, str | list) else plain
    return dict.fromkeys(value, _HIDDEN) if isinstance(value, Mapping) else _HIDDEN


def problems_of(loaded: Loaded, environment: Mapping[str, str]) -> tuple[Problem, ...]:
    """Return all problems, also unknown adapters and missing keys. Calls no model and no upstream."""
    return (*loaded.problems, *_further_problems(loaded, environment))


def _further_problems(loaded: Loaded, environment: Mapping[str, str]) -> Iterator[Problem]:
    settings = loaded.configuration.settings
    llm = settings.llm

    def provider() -> object:
        calls_nothing = llm.provider in PROVIDERS.built_in and (llm.provider != "ollama" or llm.model)
        return provider_from(settings, environment) if calls_nothing else PROVIDERS.find(llm.provider)

    checks: dict[str, Callable[[], object]] = {
        "cache.type": lambda: STORES.find(settings.cache.type),
        "generation.promptsDirectory": lambda: prompts_in(settings.prompts_directory),
        "brand.css": lambda: brand_from(BrandSettings(css=settings.brand.css)),
        "brand.logo": lambda: brand_from(BrandSettings(logo=settings.brand.logo)),
    }
    if llm.provider not in PROVIDERS.reserved:
        checks["llm.provider"] = provider
    for path, look in checks.items():
        try:
            look()
        except GenUiError as error:
            given, cli_error = loaded.given.get(path), error_about(error)
            text = f"cannot be used: {cli_error}"
            yield Problem(source=given.source if given else "", path=path, text=text, hint=cli_error.hint)
