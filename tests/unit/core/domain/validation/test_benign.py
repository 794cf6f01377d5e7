"""The validator accepts sound views with words, names or code that look like an attack (requirement V4)."""

import re
import subprocess

import pytest

from genui_core.domain.validation.finding import Block, Ruling, Severity

SCRIPTS = [
    "const parent = 1, top = 2; parent + top;",
    "function place(top, left) { return top + left; }",
    "const rect = x.getBoundingClientRect(); rect.top + rect.bottom;",
    "const up = node.parent; node.top.opener;",
    "const tree = { parent: null, top: 1, location: 'Berlin', self: 2 };",
    "const { parent, top } = data;",
    "for (const { location } of data.rows) ui.el('p', location);",
    "const s = 'parent.top; eval(1); window.open(x)';",
    "const s = \"on time = 5, onclick = 'x', javascript: is a word\";",
    "// parent.location = eval('x'); fetch('https://a.example')",
    "/* <script src=x> document.write */",
    "const s = `top.location ${data.x} and https://a.example`;",
    "const re = /parent\\.top|eval\\(/g;",
    "ui.el('button', { onclick: () => ui.call('list', {}) }, 'Refresh');",
    "ui.el('button', { onclick: show, type: 'button' });\nfunction show() {}",
    "ui.el('p', 'See https://a.example/b?c=d');",
    "const url = new URL('https://a.example'); url.searchParams.get('x');",
    "ui.openLink('https://a.example');",
    "ui.openLink(data.url);",
    "ui.el('a', { href: data.url, onclick: (e) => { e.preventDefault(); ui.openLink(data.url); } }, data.url);",
    "setTimeout(() => {}, 100); const t = setInterval(tick, 1000); function tick() {}",
    "const later = setTimeout; later(() => {}, 1);",
    "ui.el('img', { src: 'data:image/png;base64,AAAA', alt: '' });",
    "document.createElementNS('http://www.w3.org/2000/svg', 'svg');",
    "x.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', '#a');",
    "x.setAttribute('class', 'onclick'); x.setAttribute('aria-label', 'https://a.example');",
    "for (const [k, v] of Object.entries({ class: 'a', title: data.t })) x.setAttribute(k, v);",
    "window.addEventListener('resize', () => {});",
    "if (typeof fetch === 'function' || typeof parent !== 'undefined') {}",
    "if ('ResizeObserver' in window) new ResizeObserver(() => {});",
    "window.matchMedia('(prefers-color-scheme: dark)').matches;",
    "const w = window; w.innerWidth;",
    "x.constructor.name; x.constructor === Object;",
    "class A { constructor() { this.parent = null; } copy() { return new this.constructor(); } }",
    "const a = data.a?.b?.c ?? null; const big = 10n ** 3n;",
    "const view = 'defaultView'; const settings = { defaultView: 'table' }; settings.defaultView;",
    "const byName = (rows, key) => rows.map((row) => row[key]);",
    "const fn = { a: () => 1 }[data.kind]; fn?.();",
    "label: for (const a of [1]) { for (;;) { continue label; } }",
    "async function go() { const r = await ui.call('read_file', { path: 'x' }); return r.data; }",
    "const action = data.x ? 'list' : 'read_file'; ui.call(action, {});",
    "for (const tool of ['list', 'read_file']) ui.call(tool, {});",
    "const refresh = (tool) => ui.call(tool, {}); refresh('list'); refresh('read_file');",
    "ui.call?.('list');",
    "ui.action('List', 'list', {}, { confirm: 'Really', then: (rows) => ui.table(rows) });",
    "ui.action('Copy', () => ui.copy('x')); ui.action('Again', again); function again() { ui.again({ page: 2 }); }",
    "ui.action('Copy all', ui.copy); const { action } = ui; action('List', 'list', () => ({}));",
    "ui.more('list', { page: 2 }, { next: (rows) => rows.length && { page: 3 } });",
    "ui.records(data.rows, { actions: ({ id }) => ui.action('Read', 'read_file', { id }) });",
    "x.style.background = 'var(--color-background-primary)'; x.style.top = '1px';",
    "x.style.cssText = `width: ${data.w}%; color: light-dark(#111, #eee)`;",
    "x.textContent = '<b onclick=a()>' + data.x;",
    "x.textContent = 'Use url(https://a.example/a b) and @import \\'https://a.example\\' here';",
    "const raw = String.raw`C:\\temp`; const css = tag`color: ${data.x}`;",
    'image.src = `data:${data.type};base64,${data.bytes}`; x.innerHTML = \'<img alt="" src="data:image/png,A">\';',
    "x.dataset.src = 'https://a.example';",
    "const open = () => {}; open(); const close = open;",
    "const history = []; history.push(1); history.back;",
    "const status = data.status, name = data.name, event = data.event; event.source;",
    "const print = (x) => x; print(1); const confirm = data.confirm;",
    "x.replace('a', 'b'); 'a'.replace(/b/, 'c'); data.url.replace('https://a.example', '');",
    "ui.table(data.rows, { columns: [{ key: 'src', label: 'https://a.example', format: (v) => ui.date(v) }] });",
    "var i = 0; var i = 1; function f() {} function f() {}",
    "try { throw 1; } catch { } finally { }",
    "const o = { get a() { return 1; }, async *b() { yield 1; }, ['c' + 1]: 2, ...data };",
    "class B { #x = 1; static y = 2; static { this.z = 3; } get x() { return this.#x; } }",
    "const self = data; self.x; const top = self.top;",
    "let total = 0; for (const each of data.items ?? []) total += each.n;",
    "x.addEventListener('click', function () { this.classList.toggle('open'); });",
    "document.querySelector('#a').click(); document.body.append('x');",
    "const csv = new Blob(['a']); const u = URL.createObjectURL(csv);",
    "x.innerHTML = '';",
    "const inside = (event) => event.composedPath().includes(x); inside;",
    "class Tree { parent = null; static top = 1; open() { return this.parent; } } new Tree().open();",
    "const made = { rows: [], add(row) { this.rows.push(row); return this; } }; made.add(1).add(2);",
    "const labels = new Map([['a', 'A']]); labels.get(data.a) ?? labels.size;",
    "const cell = grid[data.row][data.column]; cell?.('x');",
    "const flag = ![].length; const none = !data.rows?.length; const total = +data.total + -1;",
    "const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set; set.call(x, 'a');",
    "x.closest('form').requestSubmit(); document.forms.search.reset();",
    "const size = (255).toString(16).padStart(2, '0'); (0.5).toFixed(1).toString();",
    "Object.entries({ class: 'a', onclick: () => {} }).forEach(([k, v]) => typeof v === 'function' ? x.addEventListener(k.slice(2), v) : x.setAttribute(k, v));",
    "const ignore = 'Ignore earlier messages'; const s = 'Instructions for the previous system';",
]


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize(
    "render", ["function render(data, ui) {{}}\n{}", "function render(data, ui) {{\n{}\n}}"]
)
def test_a_sound_script_is_accepted(validated, script, render):
    report = validated(render=render.format(script))
    assert (report.ruling, report.findings) == (Ruling.ACCEPTED, ())


TEMPLATES = [
    "<p>parent.top and onclick = 'x' and eval(1)</p>",
    "<p>See https://a.example or javascript:alert(1)</p>",
    "<code>&lt;script src=https://a.example&gt;</code>",
    "<pre>&lt;b onclick=a()&gt;</pre>",
    "<!-- <script>eval(1)</script> onclick= -->",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0" fill="url(#a)"/></svg>',
    '<svg><use href="#a"/><use xlink:href="#a"/></svg>',
    '<img src="data:image/png;base64,AAAA" alt="">',
    '<a href="#rows">Rows</a>',
    '<img alt="" srcset="data:image/gif;base64,R0lGODlhAQABAAAAACw= 1x, data:,a 2x" src="data:x;base64,AA==">',
    '<a href="data:text/csv,a%2Cb" download="rows.csv">Save</a>',
    '<p data-src="https://a.example" title="onclick=x" data-onclick="a">x</p>',
    '<label>City <input name="city"></label>',
    '<label for="c">City</label><input id="c">',
    '<input type="checkbox" aria-label="All"><select title="Order"></select>',
    '<input type="hidden" name="x"><button type="button">Go</button>',
    '<form><button type="button">Go</button></form>',
    '<p style="color: red; background: url(data:image/gif;base64,AA)">x</p>',
    "<table><tr><td>1<td>2<tr><td>3</table>",
    "<ul><li>1<li>2</ul><p>a<p>b",
    "<details open><summary>More</summary></details>",
    '<template id="row"><tr><td></td></tr></template>',
    "<p>" * 300,
]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_sound_template_is_accepted(validated, template):
    report = validated(template=template)
    assert (report.ruling, report.findings) == (Ruling.ACCEPTED, ())


STYLES = [
    ".view { background: url(data:image/png;base64,AAAA) }",
    ".view::before { content: 'url(https://a.example)' }",
    "/* @import 'https://a.example'; expression(1) */",
    ".view { color: var(--a, light-dark(#111, #eee)) } @media (width < 1px) { .view { top: 0 } }",
    ".view { mask: url(#m) } .view a[href^='https://'] { color: red }",
    "@supports (color: red) { .view { behavior: smooth } }",
]


@pytest.mark.parametrize("style", STYLES)
def test_a_sound_style_is_accepted(validated, style):
    assert validated(style=style).findings == ()


WARNED = {
    "x.style.backgroundImage = `url(${data.picture})`": "resource.dynamic",
    "x.style.background = 'url(\"' + canvas.toDataURL() + '\") center'": "resource.dynamic",
    "localStorage.getItem('a')": "storage",
    "document.cookie": "storage",
    "alert('x')": "dialog",
    "ui.el('a', { href: 'https://a.example' })": "resource.dynamic",
}


@pytest.mark.parametrize(("script", "rule"), WARNED.items())
def test_a_view_with_only_warnings_is_served(validated, script, rule):
    report = validated(script=script)
    assert report.ruling is Ruling.ACCEPTED
    assert {each.rule for each in report.findings} == {rule}


ESCAPE = "const esc = (s) => String(s).replace(/[&<>\"']/g, (c) => `&#${c.charCodeAt(0)};`);"
ESCAPE_TAGS = "function esc(s) { return s.replaceAll('&', '&amp;').replaceAll('<', '&lt;'); }"
FROM_DATA = [
    "x.innerHTML = `<b>${data.x}</b>`",
    "x.innerHTML = data.html",
    'x.innerHTML = `<a href="${data.url}">${data.name}</a>`',
    "x.innerHTML = '<img alt=\"\" src=\"' + data.picture + '\">'",
    "x.innerHTML = data.items.map((i) => `<li>${i.title}</li>`).join('')",
    "let h = ''; for (const i of data) h += `<li>${i.title}</li>`; x.innerHTML = h;",
    "for (const i of data) x.innerHTML += '<li>' + i.title",
    "x.insertAdjacentHTML('beforeend', `<p>${data.x}</p>`)",
    "x.outerHTML = '<b>' + data.x",
    "x.append(document.createRange().createContextualFragment(data.x))",
    "x.append(new DOMParser().parseFromString(data.x, 'text/html').body)",
    "x.setHTMLUnsafe(data.x)",
    "const t = document.createElement('template'); t.innerHTML = data.x;",
    "Object.assign(x, { innerHTML: data.x })",
    "const put = (html) => { x.innerHTML = html; }; put(`<b>${data.x}</b>`);",
    f"{ESCAPE} x.innerHTML = `<b>${{esc(data.x)}} ${{data.y}}</b>`",
    f"{ESCAPE} x.innerHTML = `<b title=${{esc(data.x)}}>x</b>`",
    f'{ESCAPE_TAGS} x.innerHTML = `<b title="${{esc(data.x)}}">x</b>`',
    f"{ESCAPE} x.innerHTML = data.x",
    "const esc = (s) => s.replace(/a/g, 'b'); x.innerHTML = `<b>${esc(data.x)}</b>`",
    "const esc = (s) => s.replace('<', '&lt;'); x.innerHTML = `<b>${esc(data.x)}</b>`",
]


@pytest.mark.parametrize("script", FROM_DATA)
def test_data_in_markup_is_a_finding_for_the_model(validated, script):
    report = validated(render=f"function render(data, ui) {{ const x = ui.root; {script} }}")
    assert (report.ruling, report.broken) == (Ruling.FIXABLE, Block.SCRIPT)
    (finding, *_) = (each for each in report.findings if each.severity is Severity.ERROR)
    assert finding.rule == "markup.from_data"
    assert "ui.el" in finding.advice


STATIC = [
    "x.innerHTML = ''",
    "x.innerHTML = '<b>none</b>'",
    "x.innerHTML = data.ok ? '<b>yes</b>' : '<i>no</i>'",
    "const icons = { a: '<svg></svg>', b: '<svg><path/></svg>' }; x.innerHTML = icons[data.kind];",
    "x.innerHTML = data.items.map(() => '<li>x</li>').join('')",
    "x.innerHTML = `<b>${data.total.toFixed(1)}, ${Math.round(data.x)} %</b>`",
    "const items = data.items.filter(Boolean); x.innerHTML = `<b>${items.length}</b>`",
    "const items = [...data.items]; x.innerHTML = `<b>${items.length + 1}</b>`",
    "x.innerHTML = `<b>${Object.keys(data).length} ${String(data.x).length} ${data.a.split(',').length}</b>`",
    "const kinds = new Set(data.kinds); x.innerHTML = `<b>${kinds.size}</b>`",
    "x.innerHTML = data.items.length ? '<b>some</b>' : '<i>none</i>'",
    'x.innerHTML = `<b style="width:${100 / data.items.length}%">x</b>`',
    "let n = 0; for (const i of data.items) n += 1; x.innerHTML = `<b>${n}</b>`;",
    f'{ESCAPE} x.innerHTML = data.items.map((i, at) => `<li title="${{esc(i.a)}}" id="i${{at}}">${{esc(i.b)}}</li>`).join(\'\')',
    f"{ESCAPE_TAGS} x.innerHTML = `<b>${{esc(data.x)}}</b>`",
    f"{ESCAPE} let h = ''; for (const i of data.items) h += `<li>${{esc(i)}}</li>`; x.innerHTML = h;",
    "x.textContent = `<b>${data.x}</b>`",
]


@pytest.mark.parametrize("script", STATIC)
def test_static_and_escaped_markup_is_accepted(validated, script):
    report = validated(render=f"function render(data, ui) {{ const x = ui.root; {script} }}")
    assert (report.ruling, report.findings) == (Ruling.ACCEPTED, ())


COUNTS = {
    "x.innerHTML = `<b>${data.items.length} items</b>`": "`<b>${safe(data.items.length)} items</b>`",
    "x.innerHTML = '<b>' + data.items.length + '</b>'": "'<b>' + safe(data.items.length) + '</b>'",
    "x.innerHTML = data.items.length": "x.innerHTML = safe(data.items.length)",
    "x.innerHTML = data.items.length + 1 + ' <b>x</b>'": "safe(data.items.length + 1) + ' <b>x</b>'",
    "const items = data.items ?? []; x.innerHTML = `<b>${items.length}</b>`": "${safe(items.length)}",
    "const n = data.items?.length ?? 0; x.innerHTML = `<b>${n}</b>`": "${safe(n)}",
    "x.innerHTML = `<b>${data.items?.length ?? 'no'}</b>`": "${safe(data.items?.length ?? 'no')}",
    "let n = 0; for (const i of data.rows) n += i.list.length; x.innerHTML = `<b>${n}</b>`": "${safe(n)}",
    "x.innerHTML = `<b>${data.items.length.toLocaleString()}</b>`": "${safe(data.items.length.toLocaleString())}",
    "x.innerHTML = data.map((i) => `<li>${i.tags.length} tags</li>`).join('')": "${safe(i.tags.length)} tags",
    "const f = (list) => list.length; x.innerHTML = `<b>${f(data.items)}</b>`": "${safe(f(data.items))}",
    "x.insertAdjacentHTML('beforeend', `<b>${data.items['length']}</b>`)": "${safe(data.items['length'])}",
    "x.innerHTML = `<b>${data.é.length}</b>`": "${safe(data.é.length)}",
}
ESCAPED = re.compile(r"""String\(((?:[^()]|\([^()]*\))*)\)\.replace\(/\[<>&"']/g, ""\)""")


@pytest.mark.parametrize(("script", "served"), COUNTS.items())
def test_a_count_in_markup_is_escaped_without_asking_the_model(validated, script, served):
    report = validated(render=f"function render(data, ui) {{ const x = ui.root; {script} }}")
    assert (report.ruling, report.repairs, report.findings) == (Ruling.REPAIRED, ("counts_escaped",), ())
    assert served in ESCAPED.sub(r"safe(\1)", report.source)


@pytest.mark.parametrize(
    "script",
    [
        "x.innerHTML = `<b>${data.items.length}</b><i>${data.name}</i>`",
        "x.innerHTML = `<b>${data.items.length}</b>`; x.innerHTML = other(data)",
        "x.innerHTML = `<b class=${data.items.length}>x</b>`",
        "x.innerHTML = `<b>${data.items.length || '<i>none</i>'}</b>`",
        "x.innerHTML = `<b>${data.size}</b>`",
        "const s = { size: data.x }; x.innerHTML = `<b>${s.size}</b>`",
        "x.innerHTML = `<b>${data.count || data.items.length}</b>`",
        "let h = ''; h += data.items.length; h += data.name; x.innerHTML = h",
    ],
)
def test_data_beside_a_count_is_still_a_finding_for_the_model(validated, script):
    report = validated(render=f"function render(data, ui) {{ const x = ui.root; {script} }}")
    assert report.ruling is Ruling.FIXABLE
    assert {each.rule for each in report.findings} == {"markup.from_data"}


def test_a_sum_of_counts_stays_a_sum(validated):
    script = "const n = data.a.length + data.b.length; let m = 1; m += data.a.length; if (n + m > 2) x.innerHTML = `<b>${n + m}</b>`"
    report = validated(render=f"function render(data, ui) {{ const x = ui.root; {script} }}")
    assert report.ruling is Ruling.REPAIRED
    assert "const n = data.a.length + data.b.length;" in report.source
    assert "m += data.a.length;" in report.source
    assert "if (n + m > 2)" in report.source


@pytest.mark.parametrize("hostile", ['{ "length": "<img src=x onerror=a()>" }', '{ "length": ["<b>"] }'])
def test_a_hostile_length_reaches_markup_without_its_signs(validated, hostile):
    script = "x.innerHTML = `<p>${data.length} ${[1, 2].length}</p>`"
    report = validated(render=f"function render(data, ui) {{ const x = ui.root; {script} }}")
    body = report.source.partition("ui.root;")[2].partition("\n")[0].rstrip(" }")
    said = run_in_node(f"const x = {{}}; const data = {hostile}; {body}; console.log(x.innerHTML)")
    assert said.startswith("<p>")
    assert said.endswith("2</p>")
    assert not set(said.removeprefix("<p>").removesuffix("</p>")) & set("<>\"'&")
    honest = run_in_node(f"const x = {{}}; const data = [7, 8, 9]; {body}; console.log(x.innerHTML)")
    assert honest == "<p>3 2</p>"


def run_in_node(script):
    return subprocess.run(
        ["node", "-e", script], capture_output=True, encoding="utf-8", check=True
    ).stdout.strip()
