"""The layers of the configuration: the checked values of a file, of the variables and of the flags."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import filterfalse
from typing import Any

from attrs import evolve, frozen

from genui_adapters.environment import CONFIG_VARIABLE, PREFIX, UNDO_VARIABLE
from genui_cli.cli_error import did_you_mean
from genui_cli.configuration.keys import Key, all_keys
from genui_cli.configuration.kinds import InvalidValue, Problem, shown
from genui_cli.output import printable
from genui_cli.upstream_options import is_whole_url
from genui_core.domain.settings.configuration import Configuration, ServeSettings, UpstreamTarget


@frozen
class Given:
    """A checked value, and its source for messages."""

    value: object
    source: str


@frozen
class Layer:
    """The values and the problems of one source."""

    given: Mapping[str, Given]
    problems: tuple[Problem, ...] = ()

    def without(self, paths: frozenset[str]) -> "Layer":
        """Return the layer without the values of some keys."""
        return evolve(self, given={path: each for path, each in self.given.items() if path not in paths})


_Found = Iterator[tuple[str, Given | Problem]]


def document_layer(document: object, source: str, *, foreign: bool = False) -> Layer:
    """Return the layer of a file; the unknown sections of a host's file (`foreign`) are ignored."""
    if isinstance(document, Mapping):
        return _layer(_in_section(document, "", source, foreign=foreign))
    text = f"is {shown(document)}, expected an object with sections"
    return Layer({}, (Problem(source=source, path="", text=text),))


def environment_layer(environment: Mapping[str, str]) -> Layer:
    """Return the layer of the variables ``MCP_GEN_UI_*``; an empty variable counts as unset."""
    return _layer(
        (key.path, _checked(key, text, f"the variable {key.variable}", "", key.kind.read))
        for key in all_keys().values()
        if (text := environment.get(key.variable))
    )


def flag_layer(flags: Mapping[str, tuple[str, object]]) -> Layer:
    """Return the layer of the typed flags: by the path of a key, the flag and its JSON value."""
    return _layer(
        (path, _checked(all_keys()[path], value, flag, "")) for path, (flag, value) in flags.items()
    )


def _layer(found: _Found) -> Layer:
    values = [*found]
    given = {path: each for path, each in values if isinstance(each, Given)}
    return Layer(given, tuple(each for _, each in values if isinstance(each, Problem)))


def _checked(
    key: Key, written: Any, source: str, place: str, read: Callable[[Any], object] = lambda value: value
) -> Given | Problem:
    """Return the value of a key, or the problem at its place in the source."""
    try:
        return Given(key.kind.checked(read(written)), source)
    except InvalidValue as invalid:
        return invalid.problem(source, place, is_secret=key.note.is_secret)


def _in_section(section: Mapping[str, object], at: str, source: str, *, foreign: bool) -> _Found:
    for name, value in section.items():
        path = f"{at}{name}"
        if path in all_keys():
            yield path, _checked(all_keys()[path], value, source, path)
        elif not any(key.startswith(f"{path}.") for key in all_keys()):
            if not (foreign or path == "$schema"):
                text, hint = "is not a known key", _meant(at, str(name))
                yield path, Problem(source=source, path=printable(path), text=text, hint=hint)
        elif isinstance(value, Mapping):
            yield from _in_section(value, f"{path}.", source, foreign=False)
        else:
            text = f"is {shown(value)}, expected an object with keys"
            yield path, Problem(source=source, path=path, text=text)


def _meant(at: str, name: str) -> str:
    """Return a hint for an unknown key: a similar key, or all keys of the section."""
    from difflib import get_close_matches  # noqa: PLC0415 -- for errors only

    beside = sorted({key.removeprefix(at).partition(".")[0] for key in all_keys() if key.startswith(at)})
    plain = {_plain(each): f"{at}{each}" for each in beside}
    near = [plain[each] for each in get_close_matches(_plain(name), plain, n=1)]
    others = [key for key in all_keys() if key.rpartition(".")[2] == name]
    meant = next(iter((*near, *others)), None)
    return f"did you mean {meant}?" if meant else f"there are: {', '.join(beside)}"


def _plain(name: str) -> str:
    """Return a name in lower case, without dashes and underscores."""
    return name.replace("_", "").replace("-", "").lower()


def unknown_variables(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a line about each unknown variable with the prefix of mcp-gen-ui."""
    known = {*(key.variable for key in all_keys().values()), CONFIG_VARIABLE, UNDO_VARIABLE}
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            question = did_you_mean(name, known - {UNDO_VARIABLE})
            yield "; ".join(filter(None, (f"the variable {printable(name)} is unknown", question)))


def disagreements(configuration: Configuration, given: Mapping[str, Given]) -> Iterator[Problem]:
    """Yield the problems of values that contradict each other, or that a kind cannot check."""
    for path, text, hint in (
        *_upstream(configuration.upstream),
        *_model(configuration),
        *_logging(configuration),
        *_cache(configuration),
        *_serve(configuration.serve),
    ):
        each = given.get(path)
        yield Problem(source=each.source if each else "", path=path, text=text, hint=hint)


_Mistakes = Iterator[tuple[str, str, str]]
_VARIABLE = re.compile(r"[^=\0]+")


def _upstream(target: UpstreamTarget) -> _Mistakes:
    if target.command is not None and target.url is not None:
        yield "upstream.url", "excludes upstream.command", "an upstream is a command or a URL, not both"
    if target.command is not None and target.transport not in (None, "stdio"):
        yield "upstream.transport", "does not go with a command", "leave it out, or name the upstream's url"
    if target.url is not None and target.transport == "stdio":
        yield "upstream.transport", "does not go with a URL", "leave it out"
    if target.command == "":
        yield "upstream.command", "is empty", 'for example "command": "npx"'
    if target.command is None and target.args:
        yield "upstream.args", "requires upstream.command", 'for example "command": "npx"'
    if target.url is not None and not is_whole_url(target.url):
        yield "upstream.url", "is no URL", "for example https://example.org/mcp"
    for name in filterfalse(_VARIABLE.fullmatch, target.env):
        yield "upstream.env", f"names a variable {name!r}", "a name has no = in it and is not empty"
    for name, value in target.headers.items():
        if not name.strip() or not name.isascii() or not f"{name}{value}".isprintable():
            yield "upstream.headers", f"cannot be sent: {name!r}", "a header is a name and one line"


def _model(configuration: Configuration) -> _Mistakes:
    llm = configuration.settings.llm
    if llm.base_url is not None and not is_whole_url(llm.base_url):
        yield "llm.baseUrl", "is no URL", "for example http://127.0.0.1:1234/v1"
    for path, value in (("llm.apiKey", llm.api_key), ("llm.baseUrl", llm.base_url)):
        if value is not None and llm.provider == "auto":
            yield path, "requires llm.provider", "add it, such as anthropic or openai"


def _logging(configuration: Configuration) -> _Mistakes:
    logging, serve = configuration.logging, configuration.serve
    if logging.destination == "file" and not logging.file:
        yield "logging.destination", "is file, and logging.file is missing", "name it in logging.file"
    if logging.destination == "stdout" and serve.transport == "stdio":
        hint = "use stderr or file; stdout is free where serve.transport is http or sse"
        yield "logging.destination", "is stdout, which carries the protocol", hint


def _cache(configuration: Configuration) -> _Mistakes:
    cache = configuration.settings.cache
    if cache.type != "redis":
        return
    from genui_adapters.view_store.redis_server import BadStoreUrl, redis_place  # noqa: PLC0415 -- for Redis only

    try:
        redis_place(cache.url)
    except BadStoreUrl as error:
        text, _, hint = str(error).removeprefix("cache.url ").partition("; ")
        yield "cache.url", text, hint


_NAME = re.compile(r"[^\s/*@]+")
_ORIGIN = re.compile(rf"null|[a-z][a-z0-9+.-]*://{_NAME.pattern}/?", re.IGNORECASE)


def _serve(serve: ServeSettings) -> _Mistakes:
    if serve.token == "":
        yield "serve.token", "is empty", "name a token that hosts send, or leave it out"
    for each in filterfalse(_NAME.fullmatch, serve.allowed_hosts):
        yield "serve.allowedHosts", f"has {each!r}, which is no name of a host", "for example mcp.example.org"
    for each in filterfalse(_ORIGIN.fullmatch, serve.allowed_origins):
        yield "serve.allowedOrigins", f"has {each!r}, which is no origin", "for example https://app.example"
