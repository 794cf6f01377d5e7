"""What is secret in the words by which an upstream is started or reached: it must not be written down (SPEC §14)."""

from collections.abc import Iterator, Mapping, Sequence

from genui_core.domain.logging.redaction import is_secret_name

_SECRET_IN_QUERIES = frozenset({"auth", "code", "key", "sig", "signature"})
"""What names a secret in a URL, though not elsewhere."""
_PROXIES = frozenset({"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})


def secrets_in_command(argv: Sequence[str], env: Mapping[str, str]) -> frozenset[str]:
    """Return the secrets with which a program is started.

    Args:
        argv: What it is called with: ``--token X``, ``--token=X``, and accounts in URLs.
        env: Its variables.
    """
    found = {value for name, value in (*env.items(), *_named(argv)) if is_secret_name(name)}
    for each in (*argv, *env.values()):
        found |= secrets_in_url(each)
    return frozenset(found - {""}) | secrets_in_proxies(env)


def secrets_in_proxies(env: Mapping[str, str]) -> frozenset[str]:
    """Return the secrets in the accounts of proxies, whose addresses need no scheme."""
    found = set[str]()
    for name, value in env.items():
        if "@" in value and name.upper() in _PROXIES:
            found |= secrets_in_url(value if "://" in value else f"http://{value}")
    return frozenset(found)


def secrets_in_request(url: str, headers: Mapping[str, str]) -> frozenset[str]:
    """Return the secrets that go with every request to a server: as they are sent, and alone, as servers repeat them.

    Args:
        url: The server's.
        headers: All of them; each value is taken for a secret.
    """
    found = {*headers.values(), *secrets_in_url(url)}
    for name, value in headers.items():
        if is_secret_name(name):
            found |= _credentials(value)
    return frozenset(found - {""})


def secrets_in_url(url: str) -> frozenset[str]:
    """Return the secrets in the account and in the query of a URL, written and decoded; none in another text."""
    if "://" not in url:
        return frozenset()
    from urllib.parse import unquote_plus, urlsplit  # noqa: PLC0415 -- few upstreams are started with a URL

    try:
        parts = urlsplit(url)
    except ValueError:
        return frozenset()
    found = _account(parts.username or "", parts.password)
    for pair in parts.query.split("&"):
        name, _, value = pair.partition("=")
        if is_secret_name(name) or name.lower() in _SECRET_IN_QUERIES:
            found |= {value, unquote_plus(value)}
    return frozenset(found - {""})


def _named(argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what looks like a name among the arguments, with its value."""
    for word, following in zip(argv, (*argv[1:], "-"), strict=False):
        name, is_whole, value = word.partition("=")
        if is_whole:
            yield name, value
        elif word.startswith("-") and not following.startswith("-"):
            yield word, following


def _account(user: str, password: str | None) -> set[str]:
    """Return what is secret in an account; a name without a password is a token."""
    if password is None:
        return _both(user)
    from base64 import b64encode  # noqa: PLC0415 -- see above
    from urllib.parse import unquote  # noqa: PLC0415

    sent = f"{unquote(user)}:{unquote(password)}".encode()
    return {*_both(password), b64encode(sent).decode()}


def _both(word: str) -> set[str]:
    from urllib.parse import unquote  # noqa: PLC0415 -- see above

    return {word, unquote(word)}


def _credentials(header: str) -> set[str]:
    """Return the parts of a header's value that are secret by themselves: ``Bearer X``, ``a=X; b=Y``."""
    scheme, _, rest = header.partition(" ")
    found = {rest.strip(), *(pair.partition("=")[2].strip() for pair in header.split(";"))}
    if scheme.lower() == "basic":
        from base64 import b64decode  # noqa: PLC0415 -- see above

        try:
            found.add(b64decode(rest).decode().partition(":")[2])
        except ValueError:
            return found
    return found
