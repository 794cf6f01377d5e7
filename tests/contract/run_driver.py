"""Serve a scripted upstream with the driver named first: the program that the contract is tried on.

usage: run_driver.py DRIVER SETTINGS ARGV...

SETTINGS are those of the upstream, as JSON, in the names of the code.
"""

import json
import os
import sys

from genui_adapters.host.stdio import serve_stdio
from genui_adapters.telemetry.stream_journal import StreamJournal
from genui_adapters.upstream.process import UpstreamCommand, UpstreamProcess
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings import Settings, ToolRefresh, UpstreamSettings
from genui_core.errors import UpstreamTimeout

driver, given, *argv = sys.argv[1:]
given = json.loads(given)
refresh = ToolRefresh(**given.pop("tool_refresh", {}))
settings = Settings(upstream=UpstreamSettings(**given), tool_refresh=refresh)
upstream = UpstreamProcess(UpstreamCommand((sys.executable, *argv), dict(os.environ)))
try:
    sys.exit(
        0 if serve_stdio(Wrapper(settings=settings, journal=StreamJournal()), upstream, driver=driver) else 4
    )
except UpstreamTimeout as error:
    sys.exit(f"{error} (exit 1)")
