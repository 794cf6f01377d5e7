"""Errors that nobody caught, as complaints with the exit code that fits."""

from genui_adapters.bundle.folder import UnfitFolder
from genui_adapters.host.listening_socket import CannotListen
from genui_adapters.registry import BrokenAdapter, UnknownAdapter
from genui_adapters.view_store.redis_place import BadStoreUrl
from genui_adapters.view_store.redis_server import StoreUnreachable
from genui_cli.complaint import Complaint
from genui_cli.exit_codes import FAILED, NOT_LET_IN, TOOL_OR_MODEL_FAILED, UPSTREAM_UNREACHABLE, USAGE
from genui_core.errors import (
    GenUiError,
    ProviderErrorCode,
    ProviderFailed,
    UpstreamDied,
    UpstreamForbidden,
    UpstreamTimeout,
    UpstreamUnreachable,
)

_CODES: tuple[tuple[type[GenUiError] | tuple[type[GenUiError], ...], int, str | None], ...] = (
    ((UnknownAdapter, BrokenAdapter, BadStoreUrl, UnfitFolder), USAGE, None),
    (UpstreamForbidden, NOT_LET_IN, "give it credentials with -H, or upstream.headers"),
    ((UpstreamUnreachable, UpstreamDied, UpstreamTimeout), UPSTREAM_UNREACHABLE, None),
    (StoreUnreachable, FAILED, "see cache.url; mcp-gen-ui doctor tries it"),
    (GenUiError, TOOL_OR_MODEL_FAILED, None),
)


def complaint_about(error: Exception) -> Complaint:
    """Return what to tell a person about an error."""
    if isinstance(error, ProviderFailed) and error.code is ProviderErrorCode.AUTHENTICATION:
        return Complaint(str(error), exit_code=NOT_LET_IN)
    if isinstance(error, CannotListen):
        return Complaint(str(error), hint=error.hint, exit_code=USAGE)
    for kinds, code, hint in _CODES:
        if isinstance(error, kinds):
            return Complaint(str(error), hint=hint, exit_code=code)
    name = type(error).__name__
    return Complaint(f"something went wrong: {name}: {error}", hint="--debug shows where", exit_code=FAILED)
