"""Serve a scripted upstream through the HTTP transport, as a process for tests.

usage: run_http.py SETTINGS ARGV...

SETTINGS are the upstream settings as JSON, with the names of the code. Prints its address to standard error.
"""

import json
import os
import sys
from functools import partial

import anyio

from genui_adapters.host.http.server import serve_http
from genui_adapters.io.process import UpstreamCommand
from genui_adapters.telemetry.configured_event_log import StreamEventLog
from genui_adapters.upstream.openers import tool_source_opener
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.configuration import ServeSettings
from genui_core.domain.settings.upstream_settings import UpstreamSettings

given, *argv = sys.argv[1:]
event_log = StreamEventLog()
opener = tool_source_opener(
    UpstreamCommand((sys.executable, *argv), dict(os.environ)),
    event_log=event_log,
    settings=UpstreamSettings(**json.loads(given)),
)
announce = partial(print, "serves", file=sys.stderr, flush=True)
anyio.run(serve_http, Wrapper(event_log=event_log), opener, "http", ServeSettings(port=0), announce)
