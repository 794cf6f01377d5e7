"""Fields for base64 take a file of the person."""

import base64

import pytest
from playwright.sync_api import expect
from view_host import adaptive_page

KINDS = {
    "encoding": {"type": "string", "contentEncoding": "base64"},
    "byte": {"type": "string", "format": "byte"},
    "binary": {"type": ["string", "null"], "format": "binary"},
}
BYTES = bytes(range(256)) * 40


def tool(member):
    members = {"name": {"type": "string"}, "picture": member}
    return {
        "name": "upload",
        "inputSchema": {"type": "object", "properties": members, "required": ["picture"]},
    }


def file_of(screen, name="File for picture"):
    return screen.frame.get_by_label(name)


@pytest.mark.matrix
@pytest.mark.parametrize("profile", ["spec", "opaque", "vscode"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_becomes_the_base64_of_its_bytes(show, kind, profile):
    screen = show(tool(KINDS[kind]), profile=profile)
    given = {"name": "dot.png", "mimeType": "image/png", "buffer": BYTES}
    file_of(screen).set_input_files(given)
    expect(screen.frame.get_by_text("dot.png, 10")).to_be_visible()
    assert base64.b64decode(screen.submit()["picture"], validate=True) == BYTES


def test_a_file_in_an_object_in_a_list_goes_where_it_belongs(show):
    inner = {"type": "object", "properties": {"data": KINDS["byte"], "title": {"type": "string"}}}
    members = {"parts": {"type": "array", "minItems": 2, "items": inner}}
    screen = show(
        {"name": "upload", "inputSchema": {"type": "object", "properties": members, "required": ["parts"]}}
    )
    for at in range(2):
        file = screen.frame.locator("input[type=file]").nth(at)
        file.set_input_files({"name": f"{at}.bin", "mimeType": "", "buffer": bytes([at])})
        expect(screen.frame.get_by_text(f"{at}.bin, ")).to_be_visible()
    sent = screen.submit()["parts"]
    assert [base64.b64decode(each["data"]) for each in sent] == [b"\0", b"\1"]


@pytest.mark.parametrize(
    ("most", "size"), [(None, 2 * 1024 * 1024 + 1), (8, 7)], ids=["any file", "a short field"]
)
def test_a_file_that_is_too_large_is_refused_in_words(show, most, size):
    member = KINDS["byte"] if most is None else {**KINDS["byte"], "maxLength": most}
    screen = show(tool(member))
    file_of(screen).set_input_files({"name": "big.bin", "mimeType": "", "buffer": b"x" * size})
    expect(screen.frame.get_by_text("big.bin has")).to_contain_text("at most")
    expect(screen.frame.locator("[data-field=picture]")).to_have_value("")


def test_a_file_as_large_as_allowed_arrives_whole(show):
    screen = show(tool(KINDS["byte"]))
    file_of(screen).set_input_files(
        {"name": "big.bin", "mimeType": "", "buffer": b"\xff" * (2 * 1024 * 1024)}
    )
    expect(screen.frame.get_by_text("big.bin, ")).to_be_visible()
    assert len(base64.b64decode(screen.submit()["picture"])) == 2 * 1024 * 1024


def test_a_tool_without_such_a_field_has_no_part_for_files():
    marks = [
        each in adaptive_page(tool(member))
        for member in (KINDS["byte"], {"type": "string"})
        for each in ["File for"]
    ]
    assert marks == [True, False]
