"""A host's file with its list of servers: read with care, changed in one step, never without a backup."""

import json
import shutil
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path

from attrs import define

from genui_cli.complaint import Complaint
from genui_cli.configuration.files import read_file
from genui_cli.exit_codes import USAGE


@define
class ServerFile:
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
    def read(cls, path: Path, servers_key: str) -> "ServerFile":
        """Return a file; an empty one where there is none.

        Raises:
            Complaint: It cannot be understood; then it is not touched.
        """
        content = read_file(path).content if path.is_file() and path.stat().st_size else {}
        servers = content.get(servers_key, {}) if isinstance(content, dict) else None
        if not isinstance(content, dict) or not isinstance(servers, dict):
            raise Complaint(f"{path} lists no servers as a host's file does", exit_code=USAGE)
        return cls(path, servers_key, content)

    @property
    def servers(self) -> Mapping[str, object]:
        """The servers by name."""
        listed = self.content.get(self.servers_key, {})
        return listed if isinstance(listed, Mapping) else {}

    def with_server(self, name: str, entry: Mapping[str, object] | None) -> "ServerFile":
        """Return the file with one server more, or another, or without it; the order of the others stays."""
        servers = {**self.servers, name: entry}
        kept = {each: found for each, found in servers.items() if found is not None}
        return ServerFile(self.path, self.servers_key, {**self.content, self.servers_key: kept})

    def difference(self, before: "ServerFile") -> str:
        """Return what is changed, as a patch."""
        old, new = (each.text().splitlines(keepends=True) for each in (before, self))
        return "".join(unified_diff(old, new, str(self.path), str(self.path)))

    def text(self) -> str:
        """Return the file as it is written."""
        return f"{json.dumps(self.content, indent=2, ensure_ascii=False)}\n"

    def write(self) -> Path | None:
        """Replace the file in one step; return where its old content is now, if there was any.

        Raises:
            Complaint: It cannot be written; then it is as it was.
        """
        target = self.path.resolve()
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            backup = _backup(target) if target.exists() else None
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, delete=False) as file:
                file.write(self.text())
            if backup is not None:
                shutil.copymode(target, file.name)
            Path(file.name).replace(target)
        except OSError as error:
            raise Complaint(f"{self.path} cannot be written: {error.strerror}", exit_code=USAGE) from error
        return backup


def _backup(path: Path) -> Path:
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    backup = path.with_name(f"{path.name}.{moment}.backup")
    shutil.copy2(path, backup)
    return backup
