"""The environment an upstream gets: a safe base and what it was configured to get (SPEC §14)."""

from collections.abc import Mapping

_SAFE = frozenset(
    [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "TERM",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "TMP",
        "TEMP",
        "APPDATA",
        "LOCALAPPDATA",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "USERPROFILE",
        "PATHEXT",
        "COMSPEC",
        "WINDIR",
        "HOMEDRIVE",
        "HOMEPATH",
        "NUMBER_OF_PROCESSORS",
        "PROCESSOR_ARCHITECTURE",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "NODE_EXTRA_CA_CERTS",
        "REQUESTS_CA_BUNDLE",
        "CURL_CA_BUNDLE",
    ]
)
"""Names in capitals; many programs read the proxy variables in small letters."""


def upstream_environment(ours: Mapping[str, str], configured: Mapping[str, str]) -> dict[str, str]:
    """Return what an upstream is started with.

    Of our own environment only what a program needs to find itself: search path, home,
    locale, temporary directory, and to reach the network from here: proxies and certificates.
    Keys of model providers never pass by accident.
    """
    base = {name: value for name, value in ours.items() if name.upper() in _SAFE or name.startswith("LC_")}
    return base | dict(configured)
