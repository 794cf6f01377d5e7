"""Start the HTTP server, the wrapper in front of it and the page; Ctrl-C ends all three.

python run.py [PORT OF THE PAGE] [PORT OF THE WRAPPER] [PORT OF THE SERVER]
"""

import functools
import signal
import subprocess
import sys
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import urlopen

HERE = Path(__file__).parent
PAGE, WRAPPER, SERVER = map(int, sys.argv[1:] or (8080, 8000, 9000))


def wait_until_ready(address: str) -> None:
    """Return when the wrapper has listed the server's tools: it answers 503 until then, and first not at all."""
    while True:
        try:
            urlopen(address).close()  # noqa: S310 -- the address is ours
        except OSError:
            time.sleep(0.2)
        else:
            return


def main() -> None:
    """Run until Ctrl-C, also where a shell has started this in the background and so ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    serve = [sys.executable, str(HERE / "stock_server.py"), str(SERVER)]
    wrap = [sys.executable, "-m", "genui_cli", "--transport", "http", "--port", str(WRAPPER)]
    wrap += ["--allowed-origin", f"http://127.0.0.1:{PAGE}", "--upstream", f"http://127.0.0.1:{SERVER}/mcp"]
    files = functools.partial(SimpleHTTPRequestHandler, directory=HERE)
    with (
        subprocess.Popen(serve) as server,
        subprocess.Popen(wrap) as wrapper,
        ThreadingHTTPServer(("127.0.0.1", PAGE), files) as page,
    ):
        try:
            wait_until_ready(f"http://127.0.0.1:{WRAPPER}/readyz")
            sys.stdout.write(f"http://127.0.0.1:{PAGE}/?server=http://127.0.0.1:{WRAPPER}/mcp\n")
            sys.stdout.flush()
            page.serve_forever()
        except KeyboardInterrupt:
            pass
        finally:
            wrapper.terminate()
            server.terminate()


if __name__ == "__main__":
    main()
