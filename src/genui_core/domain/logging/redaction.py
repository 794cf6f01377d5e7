"""Finds secrets in commands, URLs and headers, and removes known and likely secrets from texts."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from json import dumps
from typing import Final, TypeVar, cast

from genui_core.errors import GenUiError

Value = TypeVar("Value")

HIDDEN: Final = "[hidden]"
_SHORTEST_SECRET = 6
_UNQUOTED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_NAME: Final = r"api[_-]?key|access[_-]?key|private[_-]?key|token|passwd|password|secret|authorization|credentials?|cookie"
_ENDS: Final = (
    "apikey", "accesskey", "privatekey", "token", "passwd", "password", "secret", "authorization",
    "credential", "credentials", "cookie",
)  # fmt: skip
_SIGNS: Final = (
    "key", "token", "passw", "secret", "authorization", "credential", "cookie", "bearer",
    "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "xox", "akia", "eyj", "@",
)  # fmt: skip
"""Every match of the patterns contains one of these in lower case; most texts contain none."""


_PATTERNS: Final = (
    (
        r"(?P<name>\b)(?:sk-[A-Za-z0-9_-]{16,}|gh[opusr]_[A-Za-z0-9]{20,}|xox[a-z]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}"
        r"|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"
    ),
    rf"(?i)(?P<name>(?:{_NAME})[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?)(?:(?:bearer|basic|token)\s+)?[^\s\"',;&]+",
    r"(?P<name>://[^\s/@:\"']{0,100}:)[^\s/\"']{1,200}(?=@)",
    r"(?i)(?P<name>\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}",
)
"""The forms of secrets: a known prefix, behind a name, in an account, in a header. ``name`` stays."""


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns, compiled with the first use: that takes milliseconds, which a start saves."""
    return tuple(map(re.compile, _PATTERNS))


def is_secret_name(name: str) -> bool:
    """Whether a value of that name is likely to be a secret: ``GITHUB_TOKEN``, ``apiKey``."""
    return name.lower().replace("_", "").replace("-", "").endswith(_ENDS)


def redacted(text: str, secrets: Collection[str] = ()) -> str:
    """Return a text without known and likely secrets; known ones of fewer than six characters stay."""
    text = _redact(text, _ordered(frozenset(secrets)))
    small = text.lower()
    if not any(sign in small for sign in _SIGNS):
        return text
    for pattern in _patterns():
        text = pattern.sub(lambda found: found["name"] + HIDDEN, text)
    return text


@lru_cache(maxsize=8)
def _ordered(secrets: frozenset[str]) -> tuple[str, ...]:
    """Return the secrets of six characters or more, the longest first, in each form that programs write.

    The longest come first since one secret may be the beginning of another. The forms are JSON's and a URL's.
    """
    found = {form for each in secrets if len(each) >= _SHORTEST_SECRET for form in _forms(each)}
    return tuple(sorted(found, key=lambda each: (-len(each), each)))


def _forms(secret: str) -> Iterator[str]:
    """Yield a secret in each form in which programs may write it: as it is, in JSON and in a URL."""
    yield secret
    if secret.isalnum():
        return
    escaped = dumps(secret)[1:-1]
    yield escaped
    yield escaped.replace("/", "\\/")
    yield dumps(secret, ensure_ascii=False)[1:-1]
    data = secret.encode(errors="surrogatepass")
    yield "".join(chr(each) if chr(each) in _UNQUOTED else f"%{each:02X}" for each in data)


def without_secrets(value: Value, secrets: Collection[str]) -> Value:
    """Return a JSON value without known secrets in keys and texts; text that looks like one stays."""
    return cast("Value", _redact_known(value, _ordered(frozenset(secrets)))) if secrets else value


def _redact_known(value: object, secrets: tuple[str, ...]) -> object:
    if isinstance(value, str):
        return _redact(value, secrets)
    if isinstance(value, Mapping):
        members: dict[object, object] = {}
        for key, each in value.items():
            members[_redact(key, secrets) if isinstance(key, str) else key] = _redact_known(each, secrets)
        return members
    if isinstance(value, list | tuple):
        items: list[object] = []
        for each in value:
            items.append(_redact_known(each, secrets))  # noqa: PERF401 -- one frame a level: definitions are deep
        return items
    return value


def _redact(text: str, secrets: tuple[str, ...]) -> str:
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text


def redacted_value(value: object, secrets: Collection[str] = (), name: str = "") -> object:
    """Return a value with every text in it redacted, and a text under a secret name hidden whole."""
    if isinstance(value, str):
        return HIDDEN if is_secret_name(name) and value else redacted(value, secrets)
    if isinstance(value, Mapping):
        return {
            redacted(str(key), secrets): redacted_value(each, secrets, str(key))
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        names = [name, *(_flag(each) or name for each in value)]
        return [redacted_value(each, secrets, above) for each, above in zip(value, names, strict=False)]
    if value is None or isinstance(value, bool | int | float):
        return value
    return redacted_value(str(value), secrets, name)  # as the log would write it


def _flag(word: object) -> str:
    """Return a flag such as ``--token``, which names the word after it; "" for any other word."""
    return word if isinstance(word, str) and word.startswith("-") and "=" not in word else ""


_SECRET_IN_QUERIES = frozenset({"auth", "code", "key", "sig", "signature"})
"""The names that mark a secret in the query of a URL, but not elsewhere."""
_PROXIES = frozenset({"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})


def secrets_in_command(argv: Sequence[str], env: Mapping[str, str]) -> frozenset[str]:
    """Return the secrets of a command: ``--token X``, ``--token=X``, accounts in URLs, and variables."""
    found = {value for name, value in (*env.items(), *_named(argv)) if is_secret_name(name)}
    for each in (*argv, *env.values()):
        found |= secrets_in_url(each)
    return frozenset(found - {""}) | secrets_in_proxies(env)


def secrets_in_proxies(env: Mapping[str, str]) -> frozenset[str]:
    """Return the secrets in the accounts of proxy variables, whose addresses need no scheme."""
    found = set[str]()
    for name, value in env.items():
        if "@" in value and name.upper() in _PROXIES:
            found |= secrets_in_url(value if "://" in value else f"http://{value}")
    return frozenset(found)


def secrets_in_request(url: str, headers: Mapping[str, str]) -> frozenset[str]:
    """Return the secrets in the URL and headers of a request, whole and in the parts that servers repeat."""
    found = {*headers.values(), *secrets_in_url(url)}
    for name, value in headers.items():
        if is_secret_name(name):
            found |= _credentials(value)
    return frozenset(found - {""})


def secrets_in_url(url: str) -> frozenset[str]:
    """Return the secrets in the account and query of a URL, encoded and decoded; none of other texts."""
    if "://" not in url:
        return frozenset()
    from base64 import b64encode  # noqa: PLC0415 -- few upstreams are started with a URL
    from urllib.parse import unquote, unquote_plus, urlsplit  # noqa: PLC0415

    try:
        parts = urlsplit(url)
    except ValueError:
        return frozenset()
    user, password = parts.username or "", parts.password
    secret = user if password is None else password  # a name without a password is a token
    found = {secret, unquote(secret)}
    if password is not None:
        found.add(b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode())
    for pair in parts.query.split("&"):
        name, _, value = pair.partition("=")
        if is_secret_name(name) or name.lower() in _SECRET_IN_QUERIES:
            found |= {value, unquote_plus(value)}
    return frozenset(found - {""})


def _named(argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the flags and the ``name=value`` pairs among the arguments, each with its value."""
    for word, following in zip(argv, (*argv[1:], "-"), strict=False):
        name, is_whole, value = word.partition("=")
        if is_whole:
            yield name, value
        elif word.startswith("-") and not following.startswith("-"):
            yield word, following


def _credentials(header: str) -> set[str]:
    """Return the secret parts of a header's value: X of ``Bearer X``, X and Y of ``a=X; b=Y``."""
    scheme, _, rest = header.partition(" ")
    found = {rest.strip(), *(pair.partition("=")[2].strip() for pair in header.split(";"))}
    if scheme.lower() == "basic":
        from base64 import b64decode  # noqa: PLC0415 -- see above

        try:
            found.add(b64decode(rest).decode().partition(":")[2])
        except ValueError:
            return found
    return found


_MOST_STACK_CHARACTERS: Final = 1200


def logged_error(error: BaseException) -> dict[str, object]:
    """Return the ``error`` of an event: ``code``, ``message`` and, for a fault, the end of the ``stack``."""
    if isinstance(error, GenUiError):
        return {"code": error.error_type, "message": str(error), "stack": None}
    from traceback import format_tb  # noqa: PLC0415 -- slow to load, and needed only after a fault

    stack = "".join(format_tb(error.__traceback__))[-_MOST_STACK_CHARACTERS:]
    return {"code": type(error).__name__, "message": str(error), "stack": stack or None}
