"""The words with which a proxy of our own is started, so that it does what was typed here."""

from collections.abc import Mapping

from genui_cli.upstream_options import UpstreamOptions

_WITH_VALUE = {
    "config": "--config",
    "server": "--server",
    "llm": "--llm",
    "model": "--model",
    "frozen": "--frozen",
}
_SWITCHES = {"debug": "--debug", "no_cache": "--no-cache", "quiet": "--quiet"}


def passed_on(upstream: UpstreamOptions, values: Mapping[str, object]) -> tuple[str, ...]:
    """Return the words.

    Args:
        upstream: What was typed about the upstream.
        values: The values of the other flags, by the names of their parameters.
    """
    words = [
        word for name, flag in _WITH_VALUE.items() if values.get(name) for word in (flag, str(values[name]))
    ]
    words += [flag for name, flag in _SWITCHES.items() if values.get(name)]
    words += [word for each in upstream.env for word in ("-e", each)]
    words += [word for each in upstream.headers for word in ("-H", each)]
    for flag, value in (
        ("--env-file", upstream.env_file),
        ("--cwd", upstream.cwd),
        ("--upstream", upstream.upstream),
    ):
        words += [flag, value] if value is not None else []
    return (*words, "--", *upstream.argv) if upstream.argv else tuple(words)
