"""A Redis or Valkey server for the tests, on a socket in its own folder, without files."""

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from attrs import define, field
from view_host import NotSetUpError

_PROGRAMS = ("redis-server", "valkey-server")
_READY_WITHIN_S = 20


def program():
    """Return the path of the server program.

    Raises:
        NotSetUpError: The server is not installed.
    """
    found = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if found is None:
        raise NotSetUpError("no redis-server is installed; on Debian: apt-get install redis-server")
    return found


@define(eq=False)
class RedisProcess:
    """A server that a test can kill, suspend and restart at the same address."""

    folder: Path = field(factory=lambda: Path(tempfile.mkdtemp(prefix="genui-redis-")))
    password: str = "pass word/of:the@server"
    _process: subprocess.Popen | None = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def socket(self):
        return self.folder / "s"

    @property
    def url(self):
        return f"unix://:{quote(self.password, safe='')}@{self.socket}"

    def start(self):
        words = ("--port", "0", "--save", "", "--appendonly", "no", "--unixsocket", self.socket,
                 "--requirepass", self.password, "--dir", self.folder)  # fmt: skip
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen([program(), *words], **quiet)
        deadline = time.monotonic() + _READY_WITHIN_S
        while not self.answers():
            assert self._process.poll() is None, "the server ended by itself"
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.02)

    def answers(self):
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(1)
            try:
                asking.connect(str(self.socket))
                asking.sendall(b"PING\r\n")
                return bool(asking.recv(100))
            except OSError:
                return False

    def end(self):
        """Kill the server, which loses all its data."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self):
        """Suspend the server, so that it answers nothing while its connections stay open."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self._process.send_signal(signal.SIGCONT)
