"""An upstream MCP server as a child process, with the environment that it gets (requirement D3).

This module is imported before everything else on the way to a running proxy, so that the upstream
starts in parallel; it therefore keeps to the standard library.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from asyncio.subprocess import Process as AsyncioProcess

    from anyio.abc import Process as AnyioProcess

END_GRACE_S = 1.5
"""How long an upstream may take to exit after its standard input was closed."""
TERMINATE_GRACE_S = 1.0
"""How long the process may take to exit after SIGTERM, before SIGKILL."""

KILL = signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM
"""The signal that ends a process at once."""

_PASSED_ON = frozenset((
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
    "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "USERPROFILE",
    "PATHEXT", "COMSPEC", "WINDIR", "HOMEDRIVE", "HOMEPATH", "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE",
    "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE",
))  # fmt: skip
"""The variables that upstreams get, in capitals; many programs read proxy variables in small letters."""


class UpstreamCommand(NamedTuple):
    """How to start an upstream: its command line, whole environment and working directory."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str | None = None

    @property
    def name(self) -> str:
        """The upstream's name in logs: the name of its program's file."""
        return os.path.basename(self.argv[0])  # noqa: PTH119 -- pathlib costs start-up time here

    @property
    def secrets(self) -> frozenset[str]:
        """The secrets in the command line and the environment, which must not be logged."""
        from genui_core.domain.logging.redaction import secrets_in_command  # noqa: PLC0415 -- starts later

        return secrets_in_command(self.argv, self.env)


class CannotStart(Exception):
    """An upstream's command could not be started; the text says which and why."""

    def __init__(self, command: UpstreamCommand, reason: OSError) -> None:
        self.command = command
        super().__init__(f"cannot start the upstream {command.argv[0]!r}: {_explanation(command, reason)}")


def _explanation(command: UpstreamCommand, reason: OSError) -> str:
    if isinstance(reason, FileNotFoundError) and reason.filename == command.cwd:
        return f"there is no directory {command.cwd!r}"
    if isinstance(reason, FileNotFoundError):
        return "there is no such program on the PATH"
    return reason.strerror or str(reason)


class UpstreamProcess:
    """A running upstream. It leads a process group of its own, so that its children end with it.

    Attributes:
        pid: The process id, which is also the id of its process group.
        stdin_fd: The descriptor to write to.
        stdout_fd: The descriptor to read messages from.
        stderr_fd: The descriptor to read log lines from.
    """

    def __init__(
        self, command: UpstreamCommand, graces_s: tuple[float, float] = (END_GRACE_S, TERMINATE_GRACE_S)
    ) -> None:
        """Start the process; raise `CannotStart` if the program or directory is missing or forbidden.

        `end` waits for the exit for the first of the two times after it closes the input, and for the
        second after SIGTERM.
        """
        self.command = command
        self.graces_s = graces_s
        self.name = command.name
        try:
            self._child = subprocess.Popen(
                command.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(command.env),
                cwd=command.cwd,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise CannotStart(command, error) from error
        self.pid = self._child.pid
        pipes = self._child.stdin, self._child.stdout, self._child.stderr
        self.stdin_fd, self.stdout_fd, self.stderr_fd = map(_fd, pipes)

    def on_end(self, tell: Callable[[], None]) -> None:
        """Call ``tell`` from another thread when the process has ended."""

        def wait() -> None:
            self._child.wait()
            tell()

        threading.Thread(target=wait, daemon=True, name="upstream-end").start()

    def close(self) -> None:
        """Close the remaining pipes; call it when the process has ended and its output was read."""
        for pipe in (self._child.stdin, self._child.stdout, self._child.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def close_stdin(self) -> None:
        """Close the process's standard input. May be called again."""
        if self._child.stdin is not None:
            with contextlib.suppress(OSError):
                self._child.stdin.close()

    def terminate(self) -> None:
        """Ask the process and its children to end."""
        signal_group(self._child, signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process and its children."""
        signal_group(self._child, KILL)

    def end(self) -> int:
        """End the process, gently first, and return its exit code; blocks little longer than its graces."""
        self.close_stdin()
        for grace_s, insist in zip(self.graces_s, (self.terminate, self.kill), strict=True):
            if self._ends_within(grace_s):
                break
            insist()
        code = self._child.wait()
        # Children may have outlived the process, so the whole group gets the signal.
        self.kill()
        return code

    def exit_code(self, timeout_s: float) -> int | None:
        """Return the exit code if the process ends within that time, else None."""
        return self._child.returncode if self._ends_within(timeout_s) else None

    def _ends_within(self, timeout_s: float) -> bool:
        try:
            self._child.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True


def signal_group(
    child: "subprocess.Popen[bytes] | AsyncioProcess | AnyioProcess", number: signal.Signals
) -> None:
    """Send a signal to a child and its remaining children: they are a process group of their own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            child.send_signal(number)  # which checks whether the child has ended
        else:
            os.killpg(child.pid, number)


def _fd(stream: IO[bytes] | None) -> int:
    if stream is None:
        raise RuntimeError("the upstream was started without a pipe")
    return stream.fileno()


def upstream_environment(own: Mapping[str, str], configured: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of an upstream.

    Of the wrapper's environment, only the variables that a program needs pass: search path, home,
    locale and temporary directory, and, for the network, proxies and certificates. So keys of model
    providers never pass by accident.
    """
    base = {
        name: value for name, value in own.items() if name.upper() in _PASSED_ON or name.startswith("LC_")
    }
    return base | dict(configured)
