"""Serve a scripted upstream with the driver named first: the program that the contract is tried on."""

import os
import sys

from genui_adapters.compose import stdio_wrapper
from genui_adapters.host.stdio import serve_stdio
from genui_adapters.upstream.process import UpstreamCommand, UpstreamProcess

driver, *argv = sys.argv[1:]
upstream = UpstreamProcess(UpstreamCommand((sys.executable, *argv), dict(os.environ)))
wrapper = stdio_wrapper(log_level="info", log_format="text", apps="auto")
sys.exit(0 if serve_stdio(wrapper, upstream, driver=driver) else 4)
