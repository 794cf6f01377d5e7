"""What a preview is started with."""

from collections.abc import Callable, Mapping
from pathlib import Path

import attrs


@attrs.frozen(kw_only=True)
class PreviewOptions:
    """The choices of one preview run.

    Attributes:
        proxy_argv: The complete command line of the wrapper in front of the upstream. Any MCP server
            that speaks over standard input and output will do.
        title: What the page and its tab are called.
        port: The TCP port of the page on the loopback interface; 0 picks a free one.
        has_model: Whether a model is configured that can change views.
        open_browser: Whether to open the page in the user's browser.
        sources: Files and folders by name, which the wrapper reads when it starts: when one changes, it is
            started again.
        publish_address: Receives the address of the page, once it can be opened.
        announce: Receives one line of text per event worth a line on the terminal.
    """

    proxy_argv: tuple[str, ...]
    title: str
    publish_address: Callable[[str], None]
    announce: Callable[[str], None]
    sources: Mapping[str, Path] = attrs.Factory(dict)
    port: int = 0
    has_model: bool = True
    open_browser: bool = True
