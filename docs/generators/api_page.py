"""Generates the reference of the library from the docstrings of its public names."""

import enum
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Final

_HEAD: Final = """\
# API

<!-- Written by `python docs/generators`; a test compares the two. -->

Your programs may use the names on this page: the wrapper, its in-process transport for a Python server, the
ports that an adapter implements, their parameter and result types, and the contract suites for adapters.
Everything else may change without notice.
"""
_PUBLIC: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "The wrapper": {"genui_core": ("Wrapper",), "genui_core.domain.settings.settings": ("Settings",)},
    "In a Python server": {
        "genui_adapters.host.in_process": ("attach", "middleware_for", "Attachment"),
    },
    "Providers: a model that writes": {
        "genui_core.ports.llm_provider": ("LLMProvider",),
        "genui_core.domain.generation.completion": ("CompletionRequest", "Completion", "FinishReason"),
        "genui_core.domain.settings.llm_settings": ("LlmSettings",),
        "genui_core.errors": ("ProviderFailed", "ProviderErrorCode"),
    },
    "Stores: where views are kept": {
        "genui_core.ports.view_store": ("ViewStore",),
        "genui_core.ports.view_histories": ("ViewHistories",),
        "genui_core.domain.views.stored_view": ("StoredView", "StoreStats"),
        "genui_core.domain.settings.cache_settings": ("CacheSettings",),
    },
    "The other ports": {
        "genui_core.ports.event_log": ("EventLog", "Level"),
        "genui_core.ports.clock": ("Clock",),
        "genui_core.ports.identity": ("Identity",),
        "genui_core.ports.view_validator": ("ViewValidator",),
        "genui_core.ports.view_kit": ("ViewKit",),
        "genui_core.ports.change_notifier": ("ChangeNotifier",),
        "genui_core.ports.tool_source": (
            "ToolSource",
            "ToolSourceOpener",
            "HostChannel",
            "HostFacts",
            "UpstreamFacts",
        ),
    },
    "Suites and stand-ins for tests": {
        "genui_core.testing.llm_provider": ("LLMProviderContract", "ScriptedProvider"),
        "genui_core.testing.view_store": ("ViewStoreContract", "DictStore"),
        "genui_core.testing.view_histories": ("ViewHistoriesContract",),
        "genui_core.testing.view_validator": ("ViewValidatorContract",),
        "genui_core.testing.view_kit": ("ViewKitContract",),
        "genui_core.testing.tool_source": ("ToolSourceContract",),
        "genui_core.testing.event_log": ("EventLogContract", "RecordingEventLog"),
        "genui_core.testing.clock": ("ClockContract", "HandClock"),
        "genui_core.testing.identity": ("IdentityContract", "NumberedIdentity"),
    },
}
_SECTION: Final = re.compile(r"^(Args|Attributes|Raises|Returns|Yields):$")
_MEMBERS_OF_SUITES: Final = "testing"


def api_page() -> str:
    """Return the page."""
    return _HEAD + "".join(_lines())


def site_page() -> str:
    """Return the page for the documentation site, where mkdocstrings describes each name."""
    found = [_HEAD]
    for title, modules in _PUBLIC.items():
        found.append(f"\n## {title}\n")
        found += [
            f"{_opening(each, name)}::: {each}.{name}\n" for each, names in modules.items() for name in names
        ]
    return "".join(found)


def _lines() -> Iterator[str]:
    for title, modules in _PUBLIC.items():
        yield f"\n## {title}\n"
        for module, names in modules.items():
            for name in names:
                yield from _described(module, name, getattr(import_module(module), name))


def _described(module: str, name: str, what: object) -> Iterator[str]:
    yield _opening(module, name)
    if not inspect.isclass(what):
        yield f"`{name}{_signature(what)}`\n\n"
    yield _prose(what)
    if inspect.isclass(what) and issubclass(what, enum.Enum):
        yield "\n" + ", ".join(f"`{each.name}`" for each in what) + "\n"
    elif inspect.isclass(what):
        yield from _members(module, what)


def _opening(module: str, name: str) -> str:
    place = "genui_adapters.host" if name in {"attach", "middleware_for"} else module
    return f"\n### `{name}`\n\n```python\nfrom {place} import {name}\n```\n\n"


def _members(module: str, kind: type) -> Iterator[str]:
    """Describe the methods and properties of a class; of a contract suite, only the abstract ones."""
    abstract = getattr(kind, "__abstractmethods__", frozenset())
    for name, member in _public_members(kind):
        if _MEMBERS_OF_SUITES in module and name not in abstract:
            continue
        text = _prose(member).strip().replace("\n", "\n  ").replace("\n  \n", "\n\n")
        signature = "" if isinstance(member, property) else _signature(member)
        yield f"\n* `{name}{signature}`\n\n  {text}\n"


def _public_members(kind: type) -> Iterator[tuple[str, object]]:
    seen = set()
    for base in (each for each in kind.__mro__ if each.__module__.startswith("genui_")):
        for name, member in vars(base).items():
            documented = isinstance(member, property) or inspect.isfunction(member)
            if documented and not name.startswith("_") and name not in seen and inspect.getdoc(member):
                seen.add(name)
                yield name, member


def _signature(what: object) -> str:
    signature = inspect.signature(what)  # type: ignore[arg-type]
    parameters = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    shown = str(signature.replace(parameters=parameters, return_annotation=signature.empty))
    return re.sub(r"\((self|cls)(, )?", "(", shown)


def _prose(what: object) -> str:
    """Return a docstring in Markdown: its sections become lists."""
    lines = _markdown(inspect.cleandoc(_docstring(what))).splitlines()
    shown, in_section = [], False
    for line in lines:
        section = _SECTION.match(line)
        if section:
            in_section = True
            shown.append(f"{section[1]}:\n")
        elif in_section and re.match(r"^    \S", line):
            name, colon, rest = line.strip().partition(": ")
            shown.append(f"* `{name}`: {rest}" if colon else f"* {line.strip()}")
        elif in_section and line.startswith("        "):
            shown[-1] += f" {line.strip()}"
        else:
            shown.append(line)
    return "\n".join(shown).rstrip() + "\n"


def _docstring(what: object) -> str:
    return (what.fget if isinstance(what, property) else what).__doc__ or ""


def _markdown(text: str) -> str:
    """Return a docstring's text with Markdown's marks for code."""
    return re.sub(r"``([^`]+)``", r"`\1`", text)
