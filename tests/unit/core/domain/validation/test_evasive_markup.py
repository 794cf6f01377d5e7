"""The validator refuses templates and styles that run code, load or ask for secrets (requirement V2)."""

import pytest

from genui_core.domain.validation.finding import Block, Ruling, Severity

HANDLERS = [
    '<b onclick="a()">x</b>',
    "<b ONCLICK=a()>x</b>",
    "<b/onclick=a()>x</b>",
    "<b\nonclick\n=\na()>x</b>",
    "<b on\u0130click=a onmouseover=b>x</b>",
    "<svg/onload=a()>",
    "<svg><path onbegin=a()></svg>",
    "<math><mi onclick=a()></mi></math>",
    "<details ontoggle=a() open>x</details>",
    "<template><b onclick=a()></b></template>",
    '<p title="</p><b onclick=a()>"><b onfocus=a() autofocus>x</b>',
    "<select><b onclick=a()></select>",
    "<table><b onclick=a()></table>",
    "<!--><b onclick=a()>-->",
    "<textarea></textarea><b onclick=a()>",
    "<svg><style><b onclick=a()></style></svg>",
    "<b x=1 onpointerrawupdate=a()>x</b>",
    "<noscript><p title='</noscript><b onclick=a()>'></noscript>",
    "<svg/onload=a()",
    '<input/onfocus="a()"',
    "<b onclick=a()//",
]
CODE_ADDRESSES = [
    '<a href="javascript:a()">x</a>',
    '<a href="  JaVaScRiPt:a()">x</a>',
    '<a href="java\tscript:a()">x</a>',
    '<a href="java&#10;script&colon;a()">x</a>',
    '<a href="&#x6A;avascript:a()">x</a>',
    '<a href="\x01javascript:a()">x</a>',
    '<svg><a xlink:href="javascript:a()"><text>x</text></a></svg>',
    '<form action="javascript:a()"><button>x</button></form>',
    '<button formaction="javascript:a()">x</button>',
    '<a href="data:text/html,<script>a()</script>">x</a>',
    '<a href="vbscript:a()">x</a>',
    "<math href='javascript:a()'>x</math>",
]
ANIMATIONS = [
    '<svg><a><animate attributeName="href" to="javascript:a()"/></a></svg>',
    '<svg><a><set attributeName="xlink:href" to="x"/></a></svg>',
    '<svg><animate attributeName="onclick" values="a()"/></svg>',
    '<p style="width: expression(a())">x</p>',
]
EXTERNAL = [
    '<form action="https://a.example"></form>',
    '<button formaction="https://a.example">x</button>',
    '<form action="data:text/plain,x"><button>x</button></form>',
    '<form><button formaction="data:image/svg+xml,x">x</button></form>',
    '<svg><use href="https://a.example#a"/></svg>',
    '<svg><use href="data:image/svg+xml,x#a"/></svg>',
]
ELEMENTS = [
    "<iframe></iframe>",
    "<iframe src=x <",
    '<iframe srcdoc="x"></iframe>',
    "<object data=x></object>",
    "<embed src=x>",
    "<base href=x>",
    "<script>a()</script>",
    "<svg><script>a()</script></svg>",
    "<svg><foreignObject><iframe></iframe></foreignObject></svg>",
    "<style>p {}</style>",
    "<applet></applet>",
    "<noscript><img src=x onerror=a()></noscript>",
]
NAVIGATION = [
    '<meta http-equiv="refresh" content="0;url=https://a.example">',
    '<META HTTP-EQUIV=" Refresh " CONTENT="0">',
]
SECRETS = [
    '<input type="password" aria-label="x">',
    '<input type=" PassWord" aria-label="x">',
    '<input autocomplete="current-password" aria-label="x">',
    '<input autocomplete="section-a cc-number" aria-label="x">',
]
STYLES = [
    ".view { content: url(data:text/html,x) }",
    ".view { width: expression(a()) }",
    ".view { -moz-binding: url(#a) }",
]
TAKEN_OUT = [
    '<img src="https://a.example/x.png" alt="">',
    '<img src="//a.example/x.png" alt="">',
    '<img src="\\\\a.example" alt="">',
    '<img src="relative.png" alt="">',
    '<img srcset="data:, 1x, https://a.example 2x" alt="">',
    '<picture><source srcset="https://a.example"></picture>',
    '<video poster="https://a.example"></video>',
    '<audio src="https://a.example"></audio>',
    '<table background="https://a.example"></table>',
    '<td background="https://a.example">x',
    '<svg><image href="https://a.example"/></svg>',
    '<svg><rect fill="url(https://a.example#a)"/></svg>',
    '<p style="background: url(https://a.example)">x</p>',
    "<p style=\"background: image-set('https://a.example' 1x)\">x</p>",
    '<p style="background:u\\72l(//a.example)">x</p>',
    '<input type="image" src="https://a.example" alt="x">',
    '<link rel="stylesheet" href="https://a.example">',
    '<link rel="prefetch" href="https://a.example">',
]
TAKEN_OUT_OF_STYLES = [
    "@import 'https://a.example';",
    "@IMPORT url(//a.example);",
    "@\\69mport 'x';",
    ".view { background: url(https://a.example) }",
    ".view { background: URL( '//a.example' ) }",
    ".view { background: u\\72l(//a.example) }",
    ".view { background: image-set('https://a.example' 1x) }",
    ".view { background: -webkit-image-set(url(x) 1x) }",
    ".view { background: src('https://a.example') }",
    ".view { --a: url(https://a.example); background: var(--a) }",
    ".view { cursor: url(x), auto }",
    "@font-face { font-family: a; src: url(https://a.example) }",
    "@media print { .view { list-style: url(//a.example) } }",
    ".view { & p { background: url(//a.example) } }",
    "@namespace url(https://a.example);",
    ".view { background: url(https://a.example",
]

GROUPS = [
    ("handler.inline", HANDLERS),
    ("url.script", CODE_ADDRESSES),
    ("url.script_made", ANIMATIONS),
    ("resource.external", EXTERNAL),
    ("resource.element", ELEMENTS),
    ("navigation", NAVIGATION),
    ("input.secret", SECRETS),
]


@pytest.mark.parametrize(("rule", "template"), [(rule, each) for rule, group in GROUPS for each in group])
def test_a_template_is_refused(validated, rule, template):
    report = validated(template=template)
    assert report.ruling is Ruling.REFUSED
    assert rule in {each.rule for each in report.findings if each.block is Block.TEMPLATE}


@pytest.mark.parametrize("template", TAKEN_OUT)
def test_outside_resources_of_a_template_are_removed_and_the_view_stays(validated, template):
    report = validated(template=f"{template}<p>after</p>")
    assert report.ruling is Ruling.REPAIRED
    assert {each.rule for each in report.findings} <= {"resource.decorative", "link.external"}
    assert {each.severity for each in report.findings} == {Severity.WARNING}
    assert "<p>after</p>" in report.source
    assert "a.example" not in report.source
    assert "relative.png" not in report.source


@pytest.mark.parametrize(
    ("template", "style"),
    [
        ('<a href="https://a.example">x</a><img alt="" src="https://a.example">', ""),
        ('<input name="a"><img alt="" src="https://a.example">', ""),
        ("<p style='background: url(//a.example)'>x</p>", ""),
        ("<input name=a>", ".view { background: url(//a.example) }"),
    ],
)
def test_a_removed_part_is_one_warning_although_another_repair_moves_it(validated, template, style):
    report = validated(template=template, style=style)
    assert [each.rule for each in report.findings] == ["resource.decorative"]


@pytest.mark.parametrize("style", TAKEN_OUT_OF_STYLES)
def test_outside_resources_of_a_style_are_removed_and_the_view_stays(validated, style):
    report = validated(style=f".view b {{ color: red }}\n{style}")
    assert report.ruling is Ruling.REPAIRED
    assert [(each.rule, each.severity) for each in report.findings][:1] == [
        ("resource.decorative", Severity.WARNING)
    ]
    assert "color: red" in report.source
    assert "a.example" not in report.source


@pytest.mark.parametrize(
    "template",
    [
        '<img alt="" src="https://a.example/"',
        "<script src=//a.example></script>",
        '<tr><td background="https://a.example">x',
    ],
)
def test_an_outside_resource_that_cannot_be_removed_is_refused(validated, template):
    assert validated(template=template).ruling is Ruling.REFUSED


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_refused(validated, style):
    report = validated(style=style)
    assert report.ruling is Ruling.REFUSED
    assert {each.block for each in report.findings} == {Block.STYLE}


def test_findings_in_a_template_have_their_places(validated):
    finding = validated(template="<p>ä😀</p>\n<p>\n  <img src='https://a.example' alt=''></p>").findings[0]
    assert (finding.line, finding.column) == (3, 3)
    assert finding.excerpt == "<img src='https://a.example' alt=''>"


def test_findings_in_a_style_have_their_places(validated):
    finding = validated(
        style=".view {\r\n  color: red;\n  background: url(//a.example) 0 0; top: 0 }"
    ).findings[0]
    assert (finding.line, finding.column, finding.excerpt) == (3, 15, "url(//a.example) 0 0")


@pytest.mark.parametrize(
    "template",
    ["<b>" * 200, "<i></i>" * 2_100, "<p " + "a=1 " * 80 + ">", "<script></script>" * 30, "x" * 520_000],
)
def test_markup_that_is_too_large_or_too_deep_is_refused(validated, template):
    report = validated(template=template)
    assert report.ruling is Ruling.REFUSED
    assert report.findings[0].rule in ("markup.too_complex", "size.too_large")


def test_a_block_in_a_template_is_a_finding_at_its_place(validated):
    (finding,) = validated(template="<p>\n <style>p {}</style></p>").findings
    assert (finding.rule, finding.line, finding.column) == ("resource.element", 2, 2)
    assert finding.excerpt == "<style"
