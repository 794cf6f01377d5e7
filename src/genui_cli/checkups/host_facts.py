"""What each known host shows of a view. Hosts change: the day on which this was looked at is part of it."""

from collections.abc import Mapping
from typing import Final

from attrs import frozen

CHECKED_ON: Final = "2026-11-22"


@frozen
class HostFacts:
    """What a host does with a view.

    Attributes:
        title: What people call it.
        shows: What is seen of a view there.
        limits: What is not.
    """

    title: str
    shows: str
    limits: str

    def told(self) -> str:
        """Return both in one sentence."""
        return f"{self.shows}; {self.limits} (as of {CHECKED_ON})"


HOST_FACTS: Final[Mapping[str, HostFacts]] = {
    "claude-desktop": HostFacts(
        "Claude Desktop", "it shows views beside the answer", "pages load nothing from the network"
    ),
    "claude-code": HostFacts(
        "Claude Code",
        "a terminal shows no views",
        "tools pass as they are; mcp-gen-ui preview shows their views",
    ),
    "cursor": HostFacts("Cursor", "it shows views in the chat, from version 2.6", "older versions show none"),
    "vscode": HostFacts(
        "VS Code",
        "it shows views in the chat",
        "inline only, and only with the setting chat.mcp.apps.enabled",
    ),
    "goose": HostFacts("Goose", "its desktop program shows views", "the one in the terminal shows none"),
    "chatgpt": HostFacts(
        "ChatGPT",
        "it shows views of servers behind a public HTTPS address",
        "after a reload of the page a view has no data until the tool runs again",
    ),
}
"""By the name that ``mcp-gen-ui install`` has for it, where it has one."""
