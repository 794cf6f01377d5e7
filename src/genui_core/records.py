"""Classes declared as attrs declares them, which write their initializers when they are first used.

attrs writes every method of a class when its module is imported; for the classes of a start that takes more
processor time than everything else in it. So the modules that each start loads take these names from here.
Type checkers see attrs itself, and `attrs.evolve`, `attrs.fields` and `attrs.has` accept these classes. A
class of this module and one of attrs do not inherit from each other.
"""

from abc import update_abstractmethods
from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

_NOTHING: Any = object()


class _Factory:
    """A default that is made for each object."""

    def __init__(self, make: Callable[..., object], *, takes_self: bool = False) -> None:
        self.make, self.takes_self = make, takes_self


class _Field:
    """What is declared about one attribute, under the names that attrs uses."""

    def __init__(
        self,
        *,
        default: Any = _NOTHING,
        factory: Callable[[], object] | None = None,
        init: bool = True,
        eq: bool = True,
        repr: bool = True,  # noqa: A002 -- as attrs.field
        kw_only: bool = False,
        metadata: Mapping[Any, Any] | None = None,
    ) -> None:
        self.name = self.alias = ""
        self.type: Any = None
        self.value = default if factory is None else _Factory(factory)
        self.init, self.eq, self.repr, self.kw_only = init, eq, repr, kw_only
        self.metadata = metadata or {}

    def default(self, method: Callable[..., object]) -> Callable[..., object]:
        """Decorate the method that makes the default."""
        self.value = _Factory(method, takes_self=True)
        return method


class _Initializer:
    """Stands for the `__init__` of a class until something asks for it, and writes it then."""

    def __init__(self, kind: type, *, is_frozen: bool) -> None:
        self._kind, self._is_frozen = kind, is_frozen

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        written = _written(self._kind, is_frozen=self._is_frozen)
        self._kind.__init__ = written  # type: ignore[misc]
        return written if instance is None else written.__get__(instance, owner)


def _written(kind: Any, *, is_frozen: bool) -> Callable[..., None]:
    names: dict[str, Any] = {"NOTHING": _NOTHING, "set_on": object.__setattr__.__get__}
    parameters, keywords, body = ["self"], ["*"], ["set_value = set_on(self)"] if is_frozen else []
    for each in kind.__attrs_attrs__:
        if each.value is _NOTHING and not each.init:
            continue
        names[f"default_{each.name}"] = getattr(each.value, "make", each.value)
        if each.init:
            (keywords if each.kw_only else parameters).append(_parameter(each))
        body.append(
            f"set_value({each.name!r}, {_value(each)})" if is_frozen else f"self.{each.name} = {_value(each)}"
        )
    if hasattr(kind, "__attrs_post_init__"):
        body.append("self.__attrs_post_init__()")
    head = ", ".join(parameters + (keywords if len(keywords) > 1 else []))
    text = "\n    ".join((f"def __init__({head}):", *body, "return"))
    exec(compile(text, f"<initializer of {kind.__qualname__}>", "exec"), names)  # noqa: S102 -- of declared names only
    names["__init__"].__qualname__ = f"{kind.__qualname__}.__init__"
    return names["__init__"]  # type: ignore[no-any-return]


def _parameter(each: _Field) -> str:
    if each.value is _NOTHING:
        return each.alias
    return f"{each.alias}={'NOTHING' if isinstance(each.value, _Factory) else f'default_{each.name}'}"


def _value(each: _Field) -> str:
    """Return the expression that an initializer gives to an attribute."""
    if not isinstance(each.value, _Factory):
        return each.alias if each.init else f"default_{each.name}"
    made = f"default_{each.name}({'self' if each.value.takes_self else ''})"
    return f"{made} if {each.alias} is NOTHING else {each.alias}" if each.init else made


def _define(kind: Any = None, *, eq: bool = True, kw_only: bool = False, is_frozen: bool = False) -> Any:
    if kind is None:
        return partial(_define, eq=eq, kw_only=kw_only, is_frozen=is_frozen)
    fields = kind.__attrs_attrs__ = tuple(_collected(kind, kw_only=kw_only).values())
    own = frozenset(vars(kind))
    given: dict[str, Any] = {"__init__": _Initializer(kind, is_frozen=is_frozen), "__repr__": _shown}
    given["__match_args__"] = tuple(each.name for each in fields if each.init and not each.kw_only)
    given |= dict.fromkeys(
        each.name for each in fields if hasattr(kind, each.name)
    )  # properties of protocols
    if eq and "__eq__" not in own:
        compared = [each.name for each in fields if each.eq]
        kind.__compared__ = staticmethod(attrgetter(*compared) if compared else lambda _: ())
        given |= {"__eq__": _is_equal, "__hash__": _hash if is_frozen else None}
    if is_frozen:
        given |= {"__setattr__": _refuse, "__delattr__": _refuse}
    for name, method in given.items():
        if name not in own:
            setattr(kind, name, method)
    return update_abstractmethods(kind)


def _collected(kind: Any, *, kw_only: bool) -> dict[str, _Field]:
    """Take the declarations out of a class, and put them behind those of its bases."""
    bases = (base for base in reversed(kind.__mro__[1:]) if "__attrs_attrs__" in vars(base))
    fields = {each.name: each for base in bases for each in base.__attrs_attrs__}
    for name, annotation in kind.__annotations__.items():
        if str(annotation).startswith(("typing.ClassVar", "ClassVar")):
            continue
        declared = vars(kind).get(name, _NOTHING)
        if declared is not _NOTHING:
            delattr(kind, name)
        each = declared if isinstance(declared, _Field) else _Field(default=declared)
        each.name, each.alias, each.type = name, name.lstrip("_"), annotation
        each.kw_only = each.kw_only or kw_only
        fields.pop(name, None)
        fields[name] = each
    return fields


def _is_equal(one: Any, other: Any) -> bool:
    return (
        one.__compared__(one) == one.__compared__(other)
        if one.__class__ is other.__class__
        else NotImplemented
    )


def _hash(one: Any) -> int:
    return hash((one.__class__, one.__compared__(one)))


def _shown(one: Any) -> str:
    values = (f"{each.name}={getattr(one, each.name, '?')!r}" for each in one.__attrs_attrs__ if each.repr)
    return f"{type(one).__qualname__.rpartition('>.')[2]}({', '.join(values)})"


def _refuse(_one: object, _name: str, _value: object = None) -> None:
    from attrs.exceptions import FrozenInstanceError  # noqa: PLC0415 -- no program gets here twice

    raise FrozenInstanceError


def _fields(kind: Any) -> tuple[_Field, ...]:
    return kind.__attrs_attrs__  # type: ignore[no-any-return]


def _has(kind: object) -> bool:
    return hasattr(kind, "__attrs_attrs__")


def _evolve(one: Any, **changes: object) -> Any:
    kept = {each.alias: getattr(one, each.name) for each in one.__attrs_attrs__ if each.init}
    return type(one)(**(kept | changes))


def _asdict(one: Any, *, filter: Callable[[Any, Any], bool] = lambda *_: True) -> dict[str, Any]:  # noqa: A002 -- as attrs
    values = ((each, getattr(one, each.name)) for each in one.__attrs_attrs__)
    return {each.name: _plain(value) for each, value in values if filter(each, value)}


def _plain(value: Any) -> Any:
    """Return a value with its records as mappings, also those inside it."""
    if _has(value):
        return _asdict(value)
    if isinstance(value, Mapping):
        return {_plain(key): _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple | set | frozenset) else value


if TYPE_CHECKING:
    from attrs import Factory, asdict, define, evolve, field, fields, frozen, has
else:
    Factory, asdict, define, evolve = _Factory, _asdict, _define, _evolve
    field, fields, has = _Field, _fields, _has
    frozen = partial(_define, is_frozen=True)

__all__ = ["Factory", "asdict", "define", "evolve", "field", "fields", "frozen", "has"]
