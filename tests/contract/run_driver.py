"""Serve a scripted upstream with a stdio driver, as a process for the contract tests.

usage: run_driver.py DRIVER SETTINGS ARGV...

SETTINGS are the upstream settings as JSON, with the names of the code; ``replay`` is a folder of recordings
that are played slowly, and ``generation`` are the generation settings.
"""

import json
import os
import sys
from pathlib import Path

from genui_adapters.host.stdio_serving import serve_stdio
from genui_adapters.io.process import UpstreamCommand, UpstreamProcess
from genui_adapters.llm.replay import ReplayProvider
from genui_adapters.telemetry.configured_event_log import StreamEventLog
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Settings, ToolRefresh
from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.errors import UpstreamTimeout

driver, given, *argv = sys.argv[1:]
given = json.loads(given)
refresh = ToolRefresh(**given.pop("tool_refresh", {}))
generation = GenerationSettings(**given.pop("generation", {}))
recordings = given.pop("replay", None)
llm = ReplayProvider(Path(recordings), pace_s=0.5) if recordings else None
settings = Settings(upstream=UpstreamSettings(**given), tool_refresh=refresh, generation=generation)
wrapper = Wrapper(settings=settings, llm=llm, event_log=StreamEventLog())
upstream = UpstreamProcess(UpstreamCommand((sys.executable, *argv), dict(os.environ)))
try:
    sys.exit(0 if serve_stdio(wrapper, upstream, driver=driver) else 4)
except UpstreamTimeout as error:
    sys.exit(f"{error} (exit 1)")
