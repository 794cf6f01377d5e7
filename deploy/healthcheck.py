"""Exit with 0 if the wrapper of this container is alive. The wrapper answers only to a name that it allows."""

import http.client
import os
import sys

name = os.environ["MCP_GEN_UI_SERVE_ALLOWED_HOSTS"].split(",")[0].strip()
connection = http.client.HTTPConnection("127.0.0.1", int(os.environ["MCP_GEN_UI_SERVE_PORT"]), timeout=2)
connection.request("GET", "/healthz", headers={"Host": name})
sys.exit(connection.getresponse().status != http.HTTPStatus.OK)
