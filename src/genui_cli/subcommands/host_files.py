"""The files in which the hosts of this machine list their servers: are they right, and are we in them?"""

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from genui_cli.cli_error import CliError
from genui_cli.install.entries import is_ours, texts
from genui_cli.install.hosts import HOSTS, ServerFile
from genui_cli.upstream_options import split_at_dashes


@frozen
class Finding:
    """What became of one check.

    Attributes:
        hint: What to do about it; a part that does not work has one.
        last_words: The last lines that the upstream wrote before it failed.
    """

    part: str
    works: bool
    told: str
    hint: str | None = None
    last_words: tuple[str, ...] = ()

    @classmethod
    def failed(cls, part: str, cli_error: CliError) -> "Finding":
        """Return what a check found that ended with an error."""
        return cls(
            part, works=False, told=str(cli_error), hint=cli_error.hint, last_words=cli_error.last_words
        )

    def as_data(self) -> dict[str, object]:
        """Return it as JSON."""
        data = {"part": self.part, "ok": self.works, "message": self.told, "hint": self.hint}
        return {**data, "lastWords": [*self.last_words]} if self.last_words else data


CHECKED_ON: Final = "2026-11-22"
VIEW_SUPPORT: Final[Mapping[str, str]] = {
    "Claude Desktop": "it shows views beside the answer; pages load nothing from the network",
    "Claude Code": "a terminal shows no views; tools pass as they are; mcp-gen-ui preview shows their views",
    "Cursor": "it shows views in the chat, from version 2.6; older versions show none",
    "VS Code": "it shows views in the chat; inline only, and only with the setting chat.mcp.apps.enabled",
    "Goose": "its desktop program shows views; the one in the terminal shows none",
    "ChatGPT": "it shows views of servers behind a public HTTPS address; "
    "after a reload of the page a view has no data until the tool runs again",
}
"""What each host does with a view, and what it does not."""


def host_findings(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Yield for each known host what its file says of us, and what the host shows of a view."""
    by_title = {host.title: host for host in HOSTS.values()}
    for title, shows in VIEW_SUPPORT.items():
        host, part, support = by_title.get(title), f"host {title}", f"{shows} (as of {CHECKED_ON})"
        if host is None:
            yield Finding(part, works=True, told=support)
            continue
        try:
            files = [file for _, file in host.files(environment, sys.platform)]
        except CliError as cli_error:
            yield Finding.failed(part, cli_error)
            continue
        if faults := "; ".join(_faults(files, environment)):
            hint = "hosts have a search path of their own: write the command as a whole path"
            yield Finding(part, works=False, told=faults, hint=hint)
        else:
            yield Finding(part, works=True, told=f"{_state(files)}; {support}")


def _state(files: Sequence[ServerFile]) -> str:
    there = [file for file in files if file.path.is_file()]
    states = [_listed(file) for file in there if file.servers]
    none = f"it has no {' and no '.join(dict.fromkeys(str(file.path) for file in files))}"
    return "; ".join(states or [f"{file.path} lists 0 servers" for file in there] or [none])


def _listed(file: ServerFile) -> str:
    ours = [name for name, entry in file.servers.items() if is_ours(entry)]
    through_us = f"{', '.join(ours)} through us" if ours else "none of them through us"
    return f"{file.path} lists {len(file.servers)} servers, {through_us}"


def _faults(files: Sequence[ServerFile], environment: Mapping[str, str]) -> Iterator[str]:
    """Yield why a wrapper's entry cannot start: its own command is missing, or the one after the dashes."""
    for name, entry in (each for file in files for each in file.servers.items()):
        if not isinstance(entry, Mapping) or not is_ours(entry):
            continue
        _, upstream = split_at_dashes(texts(entry.get("args")))
        for command in (str(entry.get("command")), *upstream[:1]):
            if shutil.which(command, path=environment.get("PATH")) is None:
                yield f"its server {name!r} starts {command!r}, which is not found"
