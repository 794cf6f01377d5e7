"""Small pictures: PNG with at most 256 colours, which is enough for text and lines."""

import base64
import struct
import zlib

from playwright.sync_api import Page

# The most frequent colours stay; every other one becomes the nearest of them.
REDUCE = """async ({ png, most }) => {
  const bytes = Uint8Array.from(atob(png), char => char.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  const { data, width, height } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
  const colours = new Uint32Array(width * height).map((_, i) => data[4 * i] << 16 | data[4 * i + 1] << 8 | data[4 * i + 2]);
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, most).map(([colour]) => colour);
  const far = (a, b) => [16, 8, 0].reduce((sum, by) => sum + ((a >> by & 255) - (b >> by & 255)) ** 2, 0);
  const place = new Map([...counts.keys()].map(colour => [colour, palette.reduce((best, one, i) => far(one, colour) < far(palette[best], colour) ? i : best, 0)]));
  const places = colours.reduce((all, colour) => all + String.fromCharCode(place.get(colour)), "");
  return { width, height, palette, places: btoa(places) };
}"""


def small_png(page: Page, png: bytes, colours: int = 256) -> bytes:
    """Return a picture with fewer colours; ``page`` is any page of a browser, which counts the colours."""
    told = page.evaluate(REDUCE, {"png": base64.b64encode(png).decode(), "most": colours})
    width, height, places = told["width"], told["height"], base64.b64decode(told["places"])
    palette = b"".join(colour.to_bytes(3, "big") for colour in told["palette"])
    rows = b"".join(b"\0" + places[start : start + width] for start in range(0, width * height, width))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, data) for kind, data in parts)


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
