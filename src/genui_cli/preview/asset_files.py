"""The files of the page, out of the package."""

from importlib.resources import files

from starlette.responses import Response

_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def asset(name: str) -> Response:
    """Return the file `name` of the page, or 404: only plain names of files that are there are known."""
    folder = files("genui_cli.preview") / "assets"
    found = next((item for item in folder.iterdir() if item.name == name and item.is_file()), None)
    media_type = _MEDIA_TYPES.get(name[name.rfind(".") :])
    if found is None or media_type is None:
        return Response(status_code=404)
    return Response(found.read_bytes(), headers={"content-type": media_type})
