"""What was given, by whom: files, variables and flags, each checked where it stands."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from urllib.parse import urlsplit

from attrs import evolve, frozen

from genui_adapters.environment import CONFIG_VARIABLE, PREFIX, UNDO_VARIABLE
from genui_cli.configuration.keys import Key, all_keys
from genui_cli.configuration.kinds import Problem, Unfit, printable, shown
from genui_core.domain.settings.configuration import Configuration, UpstreamTarget


@frozen
class Given:
    """A checked value, and where it was found."""

    value: object
    source: str


@frozen
class Layer:
    """What one source gives."""

    given: Mapping[str, Given]
    problems: tuple[Problem, ...] = ()

    def without(self, paths: frozenset[str]) -> "Layer":
        """Return the same without what is given for some keys."""
        return evolve(self, given={path: each for path, each in self.given.items() if path not in paths})


def document_layer(document: object, source: str, *, foreign: bool = False) -> Layer:
    """Return what a file holds; a foreign one is shared with another program, so its sections are ignored."""
    given: dict[str, Given] = {}
    problems: list[Problem] = []
    if not isinstance(document, Mapping):
        text = f"is {shown(document)}, expected an object with sections"
        return Layer({}, (Problem(source=source, path="", text=text),))
    for path, value in _leaves(document, "", foreign=foreign):
        if isinstance(value, _Lost):
            problems.append(value.problem(source, path))
            continue
        _take(all_keys()[path], value, source, given, problems)
    return Layer(given, tuple(problems))


def environment_layer(environment: Mapping[str, str]) -> Layer:
    """Return what the variables ``MCP_GEN_UI_*`` give. An empty one gives nothing."""
    given: dict[str, Given] = {}
    problems: list[Problem] = []
    for key in all_keys().values():
        text = environment.get(key.variable)
        if not text:
            continue
        source = f"the variable {key.variable}"
        try:
            given[key.path] = Given(key.kind.checked(key.kind.read(text)), source)
        except Unfit as unfit:
            problem = unfit.problem(source, "", is_secret=key.note.is_secret)
            problems.append(problem)
    return Layer(given, tuple(problems))


def unknown_variables(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a line about each unknown variable with the prefix of mcp-gen-ui."""
    known = {*(key.variable for key in all_keys().values()), CONFIG_VARIABLE, UNDO_VARIABLE}
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            near = get_close_matches(name, known - {UNDO_VARIABLE}, n=1)
            yield f"the variable {printable(name)} is unknown" + (
                f"; did you mean {near[0]}?" if near else ""
            )


def flag_layer(flags: Mapping[str, tuple[str, object]]) -> Layer:
    """Return what was typed: by path, the flag and its value as JSON has it."""
    given: dict[str, Given] = {}
    problems: list[Problem] = []
    for path, (flag, value) in flags.items():
        _take(all_keys()[path], value, flag, given, problems, place="")
    return Layer(given, tuple(problems))


def _take(
    key: Key,
    value: object,
    source: str,
    given: dict[str, Given],
    problems: list[Problem],
    place: str | None = None,
) -> None:
    try:
        given[key.path] = Given(key.kind.checked(value), source)
    except Unfit as unfit:
        at = key.path if place is None else place
        problems.append(unfit.problem(source, at, is_secret=key.note.is_secret))


@frozen
class _Lost:
    """A value at a place where no key is."""

    text: str
    hint: str

    def problem(self, source: str, path: str) -> Problem:
        return Problem(source=source, path=path, text=self.text, hint=self.hint)


def _leaves(node: Mapping[str, object], at: str, *, foreign: bool) -> Iterator[tuple[str, object]]:
    for name, value in node.items():
        path = f"{at}{name}"
        if path in all_keys():
            yield path, value
        elif not any(key.startswith(f"{path}.") for key in all_keys()):
            if not (foreign or path == "$schema"):
                yield printable(path), _lost(at, str(name))
        elif isinstance(value, Mapping):
            yield from _leaves(value, f"{path}.", foreign=False)
        else:
            yield path, _Lost(f"is {shown(value)}, expected an object with keys", "")


def _lost(at: str, name: str) -> _Lost:
    beside = sorted({key.removeprefix(at).partition(".")[0] for key in all_keys() if key.startswith(at)})
    plain = {_plain(each): each for each in beside}
    near = [plain[each] for each in get_close_matches(_plain(name), plain, n=1)]
    others = [key for key in all_keys() if key.rpartition(".")[2] == name]
    if near:
        hint = f"did you mean {at}{near[0]}?"
    elif others:
        hint = f"did you mean {others[0]}?"
    else:
        hint = f"there are: {', '.join(beside)}"
    return _Lost("is not a known key", hint)


def _plain(name: str) -> str:
    """Return a name as it reads in every way of writing names."""
    return name.replace("_", "").replace("-", "").lower()


def disagreements(configuration: Configuration, given: Mapping[str, Given]) -> Iterator[Problem]:
    """Yield what does not go together, each with the source of the value that it is said of."""
    for path, text, hint in (
        *_kind_of_upstream(configuration.upstream),
        *_upstream(configuration.upstream),
        *_model(configuration),
        *_logging(configuration),
        *_cache(configuration),
    ):
        each = given.get(path)
        yield Problem(source=each.source if each else "", path=path, text=text, hint=hint)


_Found = Iterator[tuple[str, str, str]]


def _kind_of_upstream(target: UpstreamTarget) -> _Found:
    if target.command is not None and target.url is not None:
        yield "upstream.url", "stands beside upstream.command", "an upstream is a command or a URL, not both"
    if target.command is not None and target.transport not in (None, "stdio"):
        yield "upstream.transport", "does not go with a command", "leave it out, or name the upstream's url"
    if target.url is not None and target.transport == "stdio":
        yield "upstream.transport", "does not go with a URL", "leave it out"


def _upstream(target: UpstreamTarget) -> _Found:
    if target.command == "":
        yield "upstream.command", "is empty", 'for example "command": "npx"'
    if target.command is None and target.args:
        yield "upstream.args", "has no upstream.command to go with", 'for example "command": "npx"'
    if target.url is not None and not _is_url(target.url):
        yield "upstream.url", "is no URL", "for example https://example.org/mcp"
    for name in target.env:
        if not name or "=" in name or "\0" in name:
            yield "upstream.env", f"names a variable {name!r}", "a name has no = in it and is not empty"
    for name, value in target.headers.items():
        if not name.strip() or not name.isascii() or not f"{name}{value}".isprintable():
            yield "upstream.headers", f"cannot be sent: {name!r}", "a header is a name and one line"


def _model(configuration: Configuration) -> _Found:
    llm = configuration.settings.llm
    if llm.base_url is not None and not _is_url(llm.base_url):
        yield "llm.baseUrl", "is no URL", "for example http://127.0.0.1:1234/v1"
    for path, value in (("llm.apiKey", llm.api_key), ("llm.baseUrl", llm.base_url)):
        if value is not None and llm.provider == "auto":
            yield path, "does not say whose it is", "add llm.provider, such as anthropic or openai"


def _logging(configuration: Configuration) -> _Found:
    logging, serve = configuration.logging, configuration.serve
    if logging.destination == "file" and not logging.file:
        yield "logging.destination", "is file, and logging.file is missing", "name it in logging.file"
    if logging.destination == "stdout" and serve.transport == "stdio":
        yield (
            "logging.destination",
            "is stdout, which carries the protocol",
            "use stderr or file; stdout is free where serve.transport is http or sse",
        )


def _cache(configuration: Configuration) -> _Found:
    cache = configuration.settings.cache
    if cache.type != "redis":
        return
    from genui_adapters.view_store.redis_place import BadStoreUrl, redis_place  # noqa: PLC0415 -- only for who has one

    try:
        redis_place(cache.url)
    except BadStoreUrl as error:
        text, _, hint = str(error).removeprefix("cache.url ").partition("; ")
        yield "cache.url", text, hint


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
