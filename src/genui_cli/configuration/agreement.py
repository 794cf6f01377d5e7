"""Whether values that are each right go together."""

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from genui_cli.configuration.layers import Given
from genui_cli.configuration.problem import Problem
from genui_core.domain.settings.configuration import Configuration, UpstreamTarget


def disagreements(configuration: Configuration, given: Mapping[str, Given]) -> Iterator[Problem]:
    """Yield what does not go together, each with the source of the value that it is said of."""
    for path, text, hint in (
        *_kind_of_upstream(configuration.upstream),
        *_upstream(configuration.upstream),
        *_model(configuration),
        *_logging(configuration),
        *_cache(configuration),
    ):
        each = given.get(path)
        yield Problem(source=each.source if each else "", path=path, text=text, hint=hint)


_Found = Iterator[tuple[str, str, str]]


def _kind_of_upstream(target: UpstreamTarget) -> _Found:
    if target.command is not None and target.url is not None:
        yield "upstream.url", "stands beside upstream.command", "an upstream is a command or a URL, not both"
    if target.command is not None and target.transport not in (None, "stdio"):
        yield "upstream.transport", "does not go with a command", "leave it out, or name the upstream's url"
    if target.url is not None and target.transport == "stdio":
        yield "upstream.transport", "does not go with a URL", "leave it out"


def _upstream(target: UpstreamTarget) -> _Found:
    if target.command == "":
        yield "upstream.command", "is empty", 'for example "command": "npx"'
    if target.command is None and target.args:
        yield "upstream.args", "has no upstream.command to go with", 'for example "command": "npx"'
    if target.url is not None and not _is_url(target.url):
        yield "upstream.url", "is no URL", "for example https://example.org/mcp"
    for name in target.env:
        if not name or "=" in name or "\0" in name:
            yield "upstream.env", f"names a variable {name!r}", "a name has no = in it and is not empty"
    for name, value in target.headers.items():
        if not name.strip() or not name.isascii() or not f"{name}{value}".isprintable():
            yield "upstream.headers", f"cannot be sent: {name!r}", "a header is a name and one line"


def _model(configuration: Configuration) -> _Found:
    llm = configuration.settings.llm
    if llm.base_url is not None and not _is_url(llm.base_url):
        yield "llm.baseUrl", "is no URL", "for example http://127.0.0.1:1234/v1"
    for path, value in (("llm.apiKey", llm.api_key), ("llm.baseUrl", llm.base_url)):
        if value is not None and llm.provider == "auto":
            yield path, "does not say whose it is", "add llm.provider, such as anthropic or openai"


def _logging(configuration: Configuration) -> _Found:
    logging, serve = configuration.logging, configuration.serve
    if logging.destination == "file" and not logging.file:
        yield "logging.destination", "is file, and logging.file is missing", "name it in logging.file"
    if logging.destination == "stdout" and serve.transport == "stdio":
        yield (
            "logging.destination",
            "is stdout, which carries the protocol",
            "use stderr or file; stdout is free where serve.transport is http or sse",
        )


def _cache(configuration: Configuration) -> _Found:
    cache = configuration.settings.cache
    if cache.type != "redis":
        return
    from genui_adapters.view_store.redis_place import BadStoreUrl, redis_place  # noqa: PLC0415 -- only for who has one

    try:
        redis_place(cache.url)
    except BadStoreUrl as error:
        text, _, hint = str(error).removeprefix("cache.url ").partition("; ")
        yield "cache.url", text, hint


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
