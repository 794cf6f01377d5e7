"""A tool as the upstream defines it, and the ``ui://`` address of its view (requirement U1).

Also the notifications about changed views for the addresses that hosts follow (requirement U6).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from typing import TypeGuard

from attrs import Factory, field, frozen

from genui_core.domain.mcp.json_text import as_object, canonical_bytes
from genui_core.domain.mcp.methods import RESOURCE_UPDATED, RESOURCES_CHANGED, TOOLS_CHANGED
from genui_core.errors import GenUiError, InvalidAddress, ResourceNotFound

_HASHED = ("name", "description", "inputSchema", "outputSchema", "annotations")
"""The keys of a definition whose change makes another tool of it (requirements C1 and W11)."""

MAX_TOLD_CHARACTERS = 100
"""The most characters of a name in a prompt (requirement G3)."""

LISTS_OF_VIEWS = (TOOLS_CHANGED, RESOURCES_CHANGED)
"""The lists that change with a view: tools, which advertise its address, and resources."""

_MOST_FOLLOWED = 1000


@frozen(slots=False)
class Tool:
    """One tool of the upstream.

    Attributes:
        definition: The object as it stood in ``tools/list``, any unknown fields included.
    """

    definition: Mapping[str, object] = field(repr=False)

    @cached_property
    def name(self) -> str:
        """The tool's name on the wire."""
        return str(self.definition["name"])

    @cached_property
    def title(self) -> str:
        """The name to show to people: the tool's title, its annotated title, or its name."""
        annotated = as_object(self.definition.get("annotations")).get("title")
        titles = (self.definition.get("title"), annotated)
        return next((each for each in titles if isinstance(each, str) and each.strip()), self.name)

    @cached_property
    def hash(self) -> str:
        """SHA-256, in hex, over the canonical JSON of the keys that make it this tool.

        Raises:
            RecursionError: The definition is nested too deep.
        """
        essence = {key: self.definition[key] for key in _HASHED if key in self.definition}
        return sha256(canonical_bytes(essence)).hexdigest()

    @cached_property
    def has_hash(self) -> bool:
        """Whether the definition has a hash, so that a view can be generated and stored for the tool."""
        try:
            return bool(self.hash)
        except (RecursionError, ValueError, GenUiError):
            return False

    def is_same_as(self, other: "Tool") -> bool:
        """Whether two definitions are equal, types included: ``0`` is not ``false``."""
        one, two = self.definition, other.definition
        return one == two and repr(one) == repr(two)  # quicker than JSON, and a list may have hundreds

    def differs_from(self, other: "Tool") -> bool:
        """Whether these are different tools, by their hashes if both have one, else by their definitions."""
        if self is other:
            return False
        if self.has_hash and other.has_hash:
            return self.hash != other.hash
        return self.definition != other.definition

    @property
    def is_callable_by_views(self) -> bool:
        """Whether the upstream lets views call the tool; it may reserve a tool for models."""
        meta = as_object(self.definition.get("_meta"))
        visibility = as_object(meta.get("ui")).get("visibility")
        return not isinstance(visibility, list) or "app" in visibility

    @cached_property
    def reads_for_views(self) -> bool:
        """Whether the views of other tools may call the tool: it only reads, and views may call it."""
        annotations = as_object(self.definition.get("annotations"))
        return annotations.get("readOnlyHint") is True and self.is_callable_by_views

    @cached_property
    def own_ui(self) -> str | None:
        """The upstream's own UI address for the tool (requirement W3), under any key that hosts read."""
        meta = as_object(self.definition.get("_meta"))
        nested = as_object(meta.get("ui")).get("resourceUri")
        addresses = (nested, meta.get("ui/resourceUri"), meta.get("openai/outputTemplate"))
        return next((each for each in addresses if isinstance(each, str)), None)


def told_name(name: str) -> str:
    """Return a tool's name as prompts contain it: a long name is cut (requirement G3)."""
    return cut(name, MAX_TOLD_CHARACTERS)


def cut(text: object, most: int) -> str:
    """Return a text cut to a number of characters, the last of which is then an ellipsis; "" for no text."""
    words = text if isinstance(text, str) else ""
    return words if len(words) <= most else f"{words[: most - 1]}…"


def is_tool(definition: object) -> TypeGuard[Mapping[str, object]]:
    """Whether a list element is the definition of a tool: an object with a name."""
    return isinstance(definition, Mapping) and isinstance(definition.get("name"), str)


_SCHEME = "ui://"
_VERSION = "?v="
_UNRESERVED = re.compile(r"[A-Za-z0-9_.~-]+").fullmatch


def ui_address(tool_name: str, version: str | None = None) -> str:
    """Return the address of a tool's view, with its version if one is given.

    Every character outside the unreserved set of RFC 3986 is percent-encoded, lone
    surrogates too, so that `tool_name_of` returns any name unchanged.
    """
    address = _SCHEME + (tool_name if _UNRESERVED(tool_name) else _encoded(tool_name))
    return address if version is None else f"{address}{_VERSION}{version}"


def tool_name_of(address: str) -> str:
    """Return the tool's name in the address of a view of any version.

    Raises:
        InvalidAddress: The text is no ``ui://`` address of a tool; it may still be one from the upstream.
    """
    scheme, path = address[: len(_SCHEME)], address[len(_SCHEME) :].partition("?")[0]
    if scheme.lower() != _SCHEME or not path:
        raise InvalidAddress(f"{address!r} is not the address of a view")
    if _UNRESERVED(path):
        return path
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415 -- see _encoded

    try:
        return unquote_to_bytes(path).decode("utf-8", "surrogatepass")
    except UnicodeError as error:
        raise InvalidAddress(f"{address!r} does not decode to a tool name") from error


def resource_not_found(uri: str) -> ResourceNotFound:
    """Return the error for an address that neither the wrapper nor the upstream serves."""
    try:
        tool_name = tool_name_of(uri)
    except InvalidAddress:
        return ResourceNotFound(uri, None)
    return ResourceNotFound(uri.partition(_VERSION)[0], tool_name)


def is_view_address(uri: object) -> bool:
    """Whether this is the address of a view, the wrapper's or the upstream's."""
    return isinstance(uri, str) and uri[:5].lower() == "ui://"


def means_missing(uri: object, method: str, *, knows_all_tools: bool, lacks_resources: bool) -> bool:
    """Whether "method not found" means that neither wrapper nor upstream serves a ``ui://`` address.

    An upstream without resources does not know ``resources/read``, even if it declares them.
    """
    return is_view_address(uri) and knows_all_tools and (method == "resources/read" or lacks_resources)


def _encoded(tool_name: str) -> str:
    from urllib.parse import quote  # noqa: PLC0415 -- slow to load, and few names need it

    return quote(tool_name.encode("utf-8", "surrogatepass"), safe="")


@frozen(eq=False, repr=False)
class FollowedAddresses:
    """The newest thousand addresses that a host has read or subscribed to."""

    _followed: dict[str, None] = Factory(dict)

    def follow(self, uri: object) -> None:
        """Remember the address in a request, if it is the address of a view."""
        if is_view_address(uri):
            self._followed[str(uri)] = None
        if len(self._followed) > _MOST_FOLLOWED:
            del self._followed[next(iter(self._followed))]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the remembered addresses, the oldest first."""
        return iter(self._followed)


def view_news(
    tool_names: Collection[str], held: Iterable[str], *, knows_tools: bool = False
) -> list[tuple[str, Mapping[str, object]]]:
    """Return the notifications about changed views, each a method with its params.

    Args:
        tool_names: The tools whose views changed or are gone.
        held: The addresses that the host holds, of any version; each one of these views gets a notification.
        knows_tools: Whether the host has just got the list of tools, so that it needs no notification.
    """
    bare = set(map(ui_address, tool_names))
    lists = LISTS_OF_VIEWS[1:] if knows_tools else LISTS_OF_VIEWS
    updated = [uri for uri in held if uri.partition("?")[0] in bare]
    return [*((method, {}) for method in lists), *((RESOURCE_UPDATED, {"uri": uri}) for uri in updated)]
