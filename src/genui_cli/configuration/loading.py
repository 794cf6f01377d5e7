"""Loads the configuration: a flag overrides a variable, a variable a file, and a file the default."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from genui_adapters.environment import CONFIG_VARIABLE
from genui_adapters.llm.choice import split_name
from genui_cli.cli_error import CliError
from genui_cli.configuration.files import (
    LISTS,
    ConfigurationFile,
    find_file,
    lists_servers,
    read_file,
    with_server,
)
from genui_cli.configuration.keys import all_keys, build_section
from genui_cli.configuration.kinds import Problem
from genui_cli.configuration.layers import (
    Given,
    Layer,
    disagreements,
    document_layer,
    environment_layer,
    flag_layer,
    unknown_variables,
)
from genui_cli.output import emit
from genui_cli.upstream_options import UpstreamOptions
from genui_core.domain.settings.configuration import Configuration, expanded
from genui_core.errors import UnsetVariable
from genui_core.ports.event_log import Level

COMMAND_KEYS = frozenset(f"upstream.{key}" for key in ("command", "args", "env", "cwd"))
URL_KEYS = frozenset(f"upstream.{key}" for key in ("url", "headers"))
TARGET_KEYS = COMMAND_KEYS | URL_KEYS | {"upstream.transport"}
"""The keys that a typed upstream replaces together: parts of another upstream would not fit it."""

FlagValues = Mapping[str, Any]
"""The values of flags by parameter name; their types depend on the flag."""

_KEYS = {
    "apps": ("--apps", "host.apps"),
    "companion": ("--companion", "companion.mode"),
    "log_level": ("--log-level", "logging.level"),
    "log_format": ("--log-format", "logging.format"),
    "protocol": ("--protocol", "upstream.protocol"),
    "transport": ("--transport", "serve.transport"),
    "host": ("--host", "serve.host"),
    "port": ("--port", "serve.port"),
    "token": ("--token", "serve.token"),
    "allowed_hosts": ("--allowed-host", "serve.allowedHosts"),
    "allowed_origins": ("--allowed-origin", "serve.allowedOrigins"),
    "model": ("--model", "llm.model"),
}

_PROVIDER = "llm.provider"
_OF_THE_PROVIDER = frozenset(
    f"llm.{key}" for key in ("model", "classifyModel", "apiKey", "baseUrl", "api", "effort")
)


def merged(layers: Iterable[Layer]) -> dict[str, Given]:
    """Merge layers; values of a later layer override those of an earlier one."""
    result: dict[str, Given] = {}
    for layer in layers:
        dropped = _replaced(result, layer.given)
        result = {path: each for path, each in result.items() if path not in dropped}
        result.update(layer.given)
    return result


def _replaced(below: Mapping[str, Given], above: Mapping[str, Given]) -> frozenset[str]:
    """Return the keys of lower layers to drop, since a higher layer names another upstream or provider.

    A provider must get neither the key nor the model names of another provider.
    """
    dropped: frozenset[str] = frozenset()
    if "upstream.url" in above and "upstream.command" not in above:
        dropped = COMMAND_KEYS | {"upstream.transport"}
    elif "upstream.command" in above and "upstream.url" not in above:
        dropped = URL_KEYS | {"upstream.transport"}
    if _PROVIDER in below and _PROVIDER in above and below[_PROVIDER].value != above[_PROVIDER].value:
        dropped = dropped | _OF_THE_PROVIDER
    return dropped


_FOLDER_PROVIDERS = ("replay", "manual")
"""The providers whose `llm.model` is a folder."""


def resolve(layer: Layer, file: ConfigurationFile, environment: Mapping[str, str]) -> Layer:
    """Return a file's layer with variables expanded and paths made absolute."""
    given: dict[str, Given] = {}
    problems = [*layer.problems]
    provider = layer.given.get(_PROVIDER)
    is_folder = provider is not None and provider.value in _FOLDER_PROVIDERS
    for path, each in layer.given.items():
        note, value = all_keys()[path].note, each.value
        if note.expands:
            try:
                value = _expanded(value, environment, path)
            except UnsetVariable as error:
                text = f"names the variable {error.name}, which is not set"
                hint = f"set it, or write a default: ${{{error.name}:-…}}"
                problems.append(Problem(source=each.source, path=error.place, text=text, hint=hint))
                continue
        if isinstance(value, str):
            # A bare program name is searched on PATH; one with a folder is relative to the file.
            is_program = path == "upstream.command" and any(each in value for each in ("/", os.sep))
            if note.is_path or is_program or (path == "llm.model" and is_folder):
                value = str(file.path.parent / Path(value).expanduser())
        given[path] = evolve(each, value=value)
    return evolve(layer, given=given, problems=tuple(problems))


def _expanded(value: object, environment: Mapping[str, str], path: str) -> object:
    if isinstance(value, str):
        return expanded(value, environment, path)
    if isinstance(value, Mapping):
        return {key: expanded(each, environment, f"{path}.{key}") for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(expanded(each, environment, f"{path}[{number}]") for number, each in enumerate(value))
    return value


@frozen(eq=False, repr=False, kw_only=True)
class Loaded:
    """The loaded configuration, with its sources and problems.

    Attributes:
        configuration: The configuration without the values that have problems.
        was_found: Whether the file was found in the working directory, and not named.
    """

    configuration: Configuration
    given: Mapping[str, Given]
    file: Path | None
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]
    was_found: bool

    def remarks(self) -> Iterator[tuple[Level, str]]:
        """Yield the messages at the start of a command: the config file if it was not named, and warnings."""
        if self.was_found:
            yield Level.INFO, f"configured by {self.file}"
        yield from ((Level.WARN, warning) for warning in self.warnings)


def load_and_report(
    upstream: UpstreamOptions, values: FlagValues, *, quiet: bool = False
) -> tuple[UpstreamOptions, Configuration]:
    """Return the upstream and the configuration, and print `Loaded.remarks`. Raises as `load`."""
    loaded = load(values, os.environ, names_upstream=upstream.is_named)
    for level, text in () if quiet else loaded.remarks():
        line = f"mcp-gen-ui: {'warning: ' if level is Level.WARN else ''}{text}"
        emit(line, loaded.configuration.logging.format, level, "configuration_read", text=text)
    return upstream._replace(configured=loaded.configuration.upstream), loaded.configuration


def load(values: FlagValues, environment: Mapping[str, str], **upstream: bool) -> Loaded:
    """Return the configuration as `examine` does, with its keywords. Raises CliError about its first problem."""
    loaded = examine(values, environment, **upstream)
    if loaded.problems:
        raise error_of(loaded.problems)
    return loaded


def error_of(problems: Sequence[Problem]) -> CliError:
    """Return the CLI error about the first of some problems; it counts the others."""
    first, *others = problems
    more = f" (and {len(others)} more: mcp-gen-ui config check)" if others else ""
    return CliError(f"{first}{more}", hint=first.hint)


def examine(
    values: FlagValues,
    environment: Mapping[str, str],
    *,
    names_upstream: bool = False,
    needs_upstream: bool = True,
) -> Loaded:
    """Return the configuration with all its problems.

    With `names_upstream`, the command line names the upstream; with `needs_upstream`, a file that lists
    servers must have the one to use.

    Raises CliError if two flags exclude each other, a file cannot be read, or the named server is missing.
    """
    if values.get("frozen") is not None and values.get("llm") not in (None, "none"):
        text = "--frozen serves views without a model, and --llm names one"
        raise CliError(text, hint="leave one of them out")
    named, server = values.get("config"), values.get("server")
    path, was_named = find_file(named, environment), bool(named or environment.get(CONFIG_VARIABLE))
    file = None if path is None else read_file(path)
    if server is not None:
        _check_server(file, server, names_upstream=names_upstream)
    typed_in_file = written = Layer({})
    variables = environment_layer(environment)
    if names_upstream:
        variables = variables.without(TARGET_KEYS)
    if file is not None:
        picks_server = not names_upstream and (needs_upstream or bool(server))
        typed_in_file = _file_layer(file, server, picks_server=picks_server)
        if names_upstream:
            typed_in_file = typed_in_file.without(TARGET_KEYS)
        written = resolve(typed_in_file, file, environment)
    layers = [written, variables, flag_layer(_typed(values))]
    given = merged(layers)
    problems = [problem for layer in layers for problem in layer.problems]
    configuration = build_section(Configuration, {path: each.value for path, each in given.items()})
    problems.extend(disagreements(configuration, given))
    return Loaded(
        configuration=_with_switches(configuration, values),
        given=given,
        file=None if file is None else file.path,
        problems=tuple(problems),
        was_found=path is not None and not was_named and not path.is_absolute(),
        warnings=(*_key_in_file(typed_in_file, written), *unknown_variables(environment)),
    )


def _check_server(file: ConfigurationFile | None, server: str, *, names_upstream: bool) -> None:
    if names_upstream:
        raise CliError("the upstream was given twice", hint="use --server or name it, not both")
    if file is None or not lists_servers(file.content):
        place = "no configuration file was found" if file is None else f"{file.source} lists no servers"
        raise CliError(f"--server {server}: {place}", hint="name a file with mcpServers: --config FILE")


def _file_layer(file: ConfigurationFile, server: str | None, *, picks_server: bool) -> Layer:
    content, foreign = file.content, lists_servers(file.content)
    if foreign and isinstance(content, Mapping):
        others = {key: value for key, value in content.items() if key not in LISTS}
        content = with_server(content, server, file.source) if picks_server else others
    return document_layer(content, file.source, foreign=foreign)


def _with_switches(configuration: Configuration, values: FlagValues) -> Configuration:
    settings, logging = configuration.settings, configuration.logging
    debug, frozen_folder = bool(values.get("debug")), values.get("frozen")
    if debug:
        logging = evolve(logging, level="debug")
    if debug or values.get("no_cache"):
        settings = evolve(settings, cache=evolve(settings.cache, enabled=False), refinements="session")
    if frozen_folder is not None:
        settings = evolve(settings, llm=evolve(settings.llm, provider="none"))
    return evolve(
        configuration,
        settings=settings,
        logging=logging,
        debug=debug,
        frozen=frozen_folder,
        export_dir=values.get("export_dir"),
        serving_flags=tuple(_KEYS[each][0] for each in ("host", "port") if values.get(each) is not None),
    )


def _key_in_file(typed: Layer, resolved: Layer) -> Iterator[str]:
    key = typed.given.get("llm.apiKey")
    if key is not None and resolved.given.get("llm.apiKey") == key:
        yield (
            f"{key.source} holds a key (llm.apiKey); "
            'a variable keeps it out of files: "apiKey": "${ANTHROPIC_API_KEY}"'
        )


def _typed(values: FlagValues) -> dict[str, tuple[str, object]]:
    """Return the typed flags: by the path of a key, the flag and its JSON value."""
    typed = {
        path: (flag, list(value) if isinstance(value, tuple) else value)
        for parameter, (flag, path) in _KEYS.items()
        if (value := values.get(parameter)) not in (None, ())
    }
    if values.get("llm"):
        provider, model = split_name(values["llm"])
        typed["llm.provider"] = ("--llm", provider)
        if model is not None:
            typed.setdefault("llm.model", ("--llm", model))
    return typed
