"""The page about the configuration; only its tables are written."""

from genui_cli.configuration.documents import reference

_BEGIN, _END = "<!-- keys: written by `python docs/generators` -->", "<!-- end of keys -->"


def with_reference(page: str) -> str:
    """Return a page with the tables between its two marks as they are now; `ValueError` without the marks."""
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise ValueError(f"the page lacks {_BEGIN} and {_END}")
    return f"{before}{begin}\n{reference()}{end}{after}"
