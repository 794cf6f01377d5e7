"""A host's file in JSON."""

import json
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from genui_cli.complaint import Complaint
from genui_cli.configuration.files import read_file
from genui_cli.exit_codes import USAGE
from genui_cli.install.server_file import ServerFile


@frozen
class JsonFile:
    """The file of one host.

    Attributes:
        path: Where it is; it need not be there.
        servers_key: Under which key it lists servers.
        content: All that it says.
    """

    path: Path
    servers_key: str
    content: dict[str, object]

    @classmethod
    def read(cls, path: Path, servers_key: str) -> "JsonFile":
        """Return a file; an empty one where there is none.

        Raises:
            Complaint: It cannot be understood; then it is not touched.
        """
        content = read_file(path).content if path.is_file() and path.stat().st_size else {}
        servers = content.get(servers_key, {}) if isinstance(content, dict) else None
        if not isinstance(content, dict) or not isinstance(servers, dict):
            hint = f'it is an object with "{servers_key}": {{…}}; nothing was changed'
            raise Complaint(f"{path} lists no servers as a host's file does", hint=hint, exit_code=USAGE)
        return cls(path, servers_key, content)

    @property
    def servers(self) -> Mapping[str, object]:
        """The servers by name."""
        listed = self.content.get(self.servers_key, {})
        return listed if isinstance(listed, Mapping) else {}

    def with_server(self, name: str, entry: Mapping[str, object] | None) -> "JsonFile":
        """Return the file with one server more, or another, or without it; the order of the others stays."""
        servers = {**self.servers, name: entry}
        kept = {each: found for each, found in servers.items() if found is not None}
        return JsonFile(self.path, self.servers_key, {**self.content, self.servers_key: kept})

    def text(self) -> str:
        """Return the file as it is written."""
        return f"{json.dumps(self.content, indent=2, ensure_ascii=False)}\n"

    def is_again(self, before: ServerFile) -> bool:
        """Whether it lists the same servers; the spelling of JSON has nothing that could be lost."""
        return [*self.servers] == [*before.servers]
