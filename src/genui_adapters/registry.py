"""Adapters by name: built-in ones, those of installed packages, and any class by its import path.

A package registers an adapter with an entry point, whose name is the adapter's name. Installed packages are
searched only for a name that is not built in, so no package can replace a built-in adapter.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Generic, TypeVar, cast

from attrs import frozen

from genui_core.errors import GenUiError

_Factory = TypeVar("_Factory", bound=Callable[..., object])


class UnknownAdapter(GenUiError):
    """No adapter has that name; the text lists the known names."""

    def __init__(self, kind: str, name: str, known: tuple[str, ...]) -> None:
        self.name = name
        self.known = known
        from difflib import get_close_matches  # noqa: PLC0415 -- only for this error

        near = get_close_matches(name, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        super().__init__(f"There is no {kind} named {name!r}.{hint} There are: {', '.join(known)}.")


class BrokenAdapter(GenUiError):
    """An adapter was found but cannot be loaded; the text says why."""


@frozen(eq=False, repr=False)
class Registry(Generic[_Factory]):
    """The adapters of one kind."""

    kind: str
    group: str
    built_in: Mapping[str, str]
    reserved: tuple[str, ...] = ()

    def find(self, name: str) -> _Factory:
        """Return the factory of the adapter of that name, or at that ``package.module:attribute``.

        Raises:
            UnknownAdapter: No adapter has that name.
            BrokenAdapter: The adapter cannot be loaded.
        """
        path = name if ":" in name else self.built_in.get(name) or self._installed().get(name)
        if path is None:
            raise UnknownAdapter(self.kind, name, self.names())
        return cast("_Factory", self._load(name, path))

    def names(self) -> tuple[str, ...]:
        """Return all names: reserved, built in, then those of installed packages."""
        return (*self.reserved, *dict.fromkeys((*self.built_in, *sorted(self._installed()))))

    def _installed(self) -> dict[str, str]:
        from importlib.metadata import entry_points  # noqa: PLC0415 -- slow, and rarely needed

        return {each.name: each.value for each in entry_points(group=self.group)}

    def _load(self, name: str, path: str) -> Callable[..., object]:
        module_name, _, attributes = path.partition(":")
        try:
            found: object = import_module(module_name.strip())
            for attribute in attributes.split("[")[0].strip().split("."):
                found = getattr(found, attribute)
        except Exception as error:
            raise BrokenAdapter(
                f"The {self.kind} {name!r} cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        if not callable(found):
            raise BrokenAdapter(f"The {self.kind} {name!r} is no class and no function: {found!r}")
        return found
