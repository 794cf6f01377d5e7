"""What was given, by whom: files, variables and flags, each checked where it stands."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from genui_cli.configuration.keys import Key, all_keys
from genui_cli.configuration.places import CONFIG_VARIABLE, PREFIX, UNDO_VARIABLE
from genui_cli.configuration.problem import Problem, Unfit, printable, shown
from genui_core.records import evolve, frozen


@frozen
class Given:
    """A checked value, and where it was found."""

    value: object
    source: str


@frozen
class Layer:
    """What one source gives.

    Attributes:
        given: Checked values by path.
        problems: What is wrong with others.
    """

    given: Mapping[str, Given]
    problems: tuple[Problem, ...] = ()

    def without(self, paths: frozenset[str]) -> "Layer":
        """Return the same without what is given for some keys."""
        return evolve(self, given={path: each for path, each in self.given.items() if path not in paths})


def document_layer(document: object, source: str, *, foreign: bool = False) -> Layer:
    """Return what a file holds.

    Args:
        document: Its content.
        source: Its name, for messages.
        foreign: Whether another program shares the file; its sections are ignored.
    """
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
        elif not _is_section(path):
            if not (foreign or path == "$schema"):
                yield printable(path), _lost(at, str(name))
        elif isinstance(value, Mapping):
            yield from _leaves(value, f"{path}.", foreign=False)
        else:
            yield path, _Lost(f"is {shown(value)}, expected an object with keys", "")


def _is_section(path: str) -> bool:
    return any(key.startswith(f"{path}.") for key in all_keys())


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
