"""Finds mistakes that the file alone does not show: unknown names, missing credentials."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from genui_adapters.configured_files import brand_from, prompts_in
from genui_adapters.llm.choice import PROVIDERS
from genui_adapters.view_store.factories import STORES
from genui_cli.configuration.kinds import Problem
from genui_cli.configuration.loading import Loaded
from genui_cli.failures import error_about
from genui_core.application.defaults.built_in import SilentEventLog
from genui_core.domain.settings.brand import BrandSettings
from genui_core.errors import GenUiError


def problems_of(loaded: Loaded, environment: Mapping[str, str]) -> tuple[Problem, ...]:
    """Return all mistakes. Asks neither a model nor an upstream."""
    return (*loaded.problems, *_beyond(loaded, environment))


def _beyond(loaded: Loaded, environment: Mapping[str, str]) -> Iterator[Problem]:
    settings = loaded.configuration.settings
    llm = settings.llm

    def provider() -> object:
        found = PROVIDERS.find(llm.provider)
        asks_nobody = llm.provider in PROVIDERS.built_in and (llm.provider != "ollama" or llm.model)
        return asks_nobody and found(llm, environment, SilentEventLog())

    checks: dict[str, Callable[[], object]] = {
        "cache.type": lambda: STORES.find(settings.cache.type),
        "generation.promptsDirectory": lambda: prompts_in(settings.prompts_directory),
        **{f"brand.{part}": partial(_brand_file, settings.brand, part) for part in ("css", "logo")},
    }
    if llm.provider not in PROVIDERS.reserved:
        checks["llm.provider"] = provider
    for path, look in checks.items():
        try:
            look()
        except GenUiError as error:
            given, told = loaded.given.get(path), error_about(error)
            text = f"cannot be used: {told}"
            yield Problem(source=given.source if given else "", path=path, text=text, hint=told.hint)


def _brand_file(brand: BrandSettings, part: str) -> object:
    """Read one file of a brand without the other one."""
    return brand_from(BrandSettings(**{part: getattr(brand, part)}))
