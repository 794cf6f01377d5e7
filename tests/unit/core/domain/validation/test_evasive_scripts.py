"""The validator refuses scripts that reach out of their frame in a hidden spelling (requirement V2)."""

import pytest

from genui_core.domain.validation.finding import Ruling

FRAME = [
    "const { ownerDocument: { defaultView: { parent: q } } } = ui.root",
    "addEventListener('click', ({ view }) => view.parent)",
    "x.onclick = (a) => a.view['par' + 'ent']",
    "ui.el('b', { onclick: (a) => a.view.top })",
    "addEventListener('message', ({ source }) => source.postMessage(1))",
    "const f = (w = window) => w.parent",
    "parent.x",
    "top.postMessage(1, '*')",
    "opener",
    "window['par' + 'ent'].x",
    "window[`par${'ent'}`]",
    "self['\\x70arent']",
    "frames['\\u{74}op']",
    "p\\u0061rent.x",
    "globalThis[['to', 'p'].join('')]",
    "window['tnerap'.split('').reverse().join('')]",
    "window[String.fromCharCode(112, 97, 114, 101, 110, 116)]",
    "window[String.fromCharCode(...[116, 111, 112])]",
    "window[atob('cGFyZW50')]",
    "window['PARENT'.toLowerCase()]",
    "window['xparent'.slice(1)]",
    "window['pXarent'.replace('X', '')]",
    "const { parent: p } = window",
    "const { ['par' + 'ent']: p } = window",
    "const { top } = self",
    "let p; ({ parent: p } = window)",
    "const { document: { defaultView: { parent: q } } } = window",
    "const { ...all } = window; all.parent",
    "const w = window; w.parent",
    "let w; w = self; w.top",
    "var a = window, b = a, c = b; c.parent",
    "document.defaultView.parent",
    "document.body.ownerDocument.defaultView.top",
    "document['default' + 'View'].parent",
    "document.getRootNode().defaultView.parent",
    "Reflect.get(window, 'parent')",
    "(function (w) { return w.parent; })(window)",
    "(w => w['top'])(globalThis)",
    "const f = () => window; f().parent",
    "function reach(w) { w.parent; } reach(self)",
    "[window][0].parent",
    "({ w: window }).w.parent",
    "(0, window).parent",
    "(window || self).parent",
    "(true ? window : null)?.parent",
    "window?.['parent']",
    "window.window.self.parent",
    "this.parent",
    "(() => this.top)()",
    "(function () { return this; })().parent",
    "window[location.hash]",
    "const key = ui; window[key]",
    "window[0]",
    "frames[0].x",
    "frameElement.remove()",
    "window.valueOf().parent",
    "addEventListener('click', (event) => event.view.parent)",
    "x.contentWindow.parent",
    "window.parent = 1",
    "typeof parent.x",
    "const list = [parent]",
    "const held = { parent }",
    "const o = { f() { return this; } }; (0, o.f)().parent",
    "function reach() { return this; } reach().parent",
    "setTimeout(function () { this.parent.x; })",
    "function later() { this.top.x; } requestAnimationFrame(later)",
    "[1].forEach(function () { this.parent.x; })",
    "addEventListener('click', (e) => e.composedPath().at(-1).parent)",
    "class A { static w = document; } A.w.defaultView.valueOf()[A.name]",
    "class A { w = document; } new A().w.defaultView.parent",
    "const A = class { w = window; }; new A().w.parent",
    "window[(38473).toString(36)]",
    "new Map([['w', document]]).get('w').defaultView.parent",
]
NAVIGATION = [
    "for (location.href of ['https://a.example']);",
    "[location.href] = ['https://a.example']",
    "({ a: location.href } = data)",
    "Object.assign(location, { href: x })",
    "const a = document.createElement('a'); a.dispatchEvent(new MouseEvent('click'))",
    "documentPictureInPicture.requestWindow()",
    "location = 'https://a.example'",
    "location.href = 'https://a.example'",
    "window.location.assign(x)",
    "document.location = x",
    "window['loc' + 'ation'].replace(x)",
    "const { location: l } = window; l.href = x",
    "navigation.navigate('https://a.example')",
    "open('https://a.example')",
    "window.open(x)",
    "const go = window.open; go(x)",
    "history.back()",
    "history['g' + 'o'](-1)",
    "const a = document.createElement('a'); a.href = x; a.click()",
    "ui.el('a', { href: x }).click()",
    "const form = document.createElement('form'); form.submit()",
    "document.forms[0].submit()",
    "document.forms.search.submit()",
    "document.querySelector('main > form.search').submit()",
    "x.closest('form').submit()",
]
NETWORK = [
    "fetch('/x')",
    "const f = fetch; f('/x')",
    "window['fet' + 'ch']('/x')",
    "new XMLHttpRequest()",
    "new (window['XMLHttp' + 'Request'])()",
    "new WebSocket('wss://a.example')",
    "new self.EventSource(x)",
    "navigator.sendBeacon(x)",
    "navigator['send' + 'Beacon'](x)",
    "const { sendBeacon } = navigator",
    "new Worker(x)",
    "navigator.serviceWorker.register(x)",
    "CSS.paintWorklet.addModule(x)",
    "new WebTransport(x)",
    "const { fetch: f } = globalThis",
    "[fetch].map((f) => f('/x'))",
]
WEBRTC = ["new RTCPeerConnection({})", "new window['webkitRTC' + 'PeerConnection']()"]
CODE = [
    "setTimeout(`${data.code}`)",
    "setTimeout(data.code + '')",
    "class A extends Function {}",
    "Reflect.apply(eval, null, ['x'])",
    "eval('1')",
    "(0, eval)('1')",
    "\\u0065val('1')",
    "window['ev' + 'al']('1')",
    "const run = eval; run('1')",
    "new Function('return 1')",
    "Function('return 1')()",
    "[].map.constructor('return 1')()",
    "''.sub['const' + 'ructor']('return 1')()",
    "(() => {}).constructor('return 1')()",
    "(async () => {}).constructor('return 1')()",
    "Object.getPrototypeOf(async function () {}).constructor('1')",
    "const { constructor } = () => {}; constructor('1')",
    "setTimeout('x()', 1)",
    "setTimeout('x(' + data + ')', 1)",
    "window.setInterval(`x(${1})`)",
    "setTimeout.call(null, 'x()', 1)",
    "const later = setTimeout; later('x()')",
    "const code = 'x()'; setTimeout(code)",
    "document.write('x')",
    "document['wri' + 'teln']('x')",
    "const d = document; d.write('x')",
    "x[data.a][data.b]('return 1')()",
    "setTimeout`x()`",
    "setTimeout`alert\\x281\\x29`",
    "WebAssembly.instantiate(bytes)",
    "[][(![]+[])[+[]]+(![]+[])[!+[]+!+[]]]",
    "const f = ([][[]]+[])[1]",
    "const o = ({}+[])[1]",
]
MARKUP = [
    "x.setAttribute('on' + data.kind, 'a()')",
    "Object.entries({ onclick: 'a()' }).forEach(([name, code]) => x.setAttribute(name, code))",
    "x.setAttribute(`on${data.kind}`, 'a()')",
    "x.setAttribute('onclick', 'a()')",
    "x.setAttribute('ON' + 'CLICK', 'a()')",
    "x.setAttribute.call(x, 'onclick', 'a()')",
    "x.setAttributeNS(null, 'onclick', 'a()')",
    "document.createAttribute('onclick')",
    "for (const name of ['onclick']) x.setAttribute(name, 'a()')",
    "ui.el('b', { onclick: 'a()' })",
    "x.attributes.onclick.value = 'a()'",
    "x.attributes['on' + 'click'].value = 'a()'",
]
MARKUP_WITH_HANDLERS = [
    "x.innerHTML = '<img src=x onerror=a()>'",
    "Object.assign(x, { innerHTML: '<b onclick=a()>' })",
    "Reflect.set(x, 'innerHTML', '<b onclick=a()>')",
    "[x.innerHTML] = ['<b onclick=a()>']",
    "document.execCommand('insertHTML', false, '<b onclick=a()>')",
    "x['inner' + 'HTML'] = '<svg onload=a()>'",
    "x.outerHTML += '<b onclick=a()>'",
    "x.insertAdjacentHTML('beforeend', '<b onfocus=a()>')",
    "document.createRange().createContextualFragment('<b onclick=a()>')",
    "new DOMParser().parseFromString('<b onclick=a()>', 'text/html')",
    "x.setHTMLUnsafe('<b onclick=a()>')",
    "x.innerHTML = `<b title=${y} onclick=a()>`",
    "const m = '<b onclick=' + 'a()>'; x.innerHTML = m",
    "x.innerHTML = '<b onclick=a()'",
    "x.innerHTML = '<b onclick=\"a()' + data.x",
]
ROUNDABOUT = [
    "Object.getOwnPropertyDescriptor(window, 'parent').get.call()",
    "Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML').set.call(x, '<b onclick=a()>')",
    "Element.prototype.__lookupSetter__('inner' + 'HTML').call(x, y)",
]
ELEMENTS = [
    "const t = []; t.push('if', 'rame'); document.createElement(t.join(''))",
    "document.createElement('script')",
    "document.createElement('IFRAME')",
    "document['create' + 'Element']('ifr' + 'ame')",
    "document.createElementNS('http://www.w3.org/1999/xhtml', 'h:script')",
    "ui.el('iframe')",
    "ui.el('link.x')",
    "const make = (tag) => document.createElement(tag); make('object')",
    "['div', 'embed'].forEach((tag) => ui.el(tag))",
    "x.srcdoc = y",
    "x.setAttribute('srcdoc', y)",
    "x.innerHTML = '<iframe></iframe>'",
    "document.createElement('ba' + 'se')",
    "const m = new Map([['t', 'iframe']]); document.createElement(m.get('t'))",
    "for (const tag of new Set(['object'])) document.createElement(tag)",
]
EXTERNAL = [
    "sheet.insertRule('@import \"https://a.example\"')",
    "new FontFace('f', 'url(https://a.example)')",
    "style.textContent = '@import url(//a.example);'",
]
SCRIPT_ADDRESSES = [
    "ui.el('a', { href: 'javascript:a()' })",
    "x.href = 'java\\nscript:a()'",
    "x.setAttribute('href', ' \\x01JavaScript:' + y)",
    "x.href = 'data:text/html,<script>'",
    "x.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', 'javascript:a()')",
]
TOOLS_FOREIGN = [
    "ui.call('delete_all', {})",
    "ui.action('List', 'delete_all', {})",
    "ui.more('delete_all', {})",
    "const { action } = ui; action('List', 'delete_all')",
    "ui['action']('List', 'delete_all')",
    "ui.records([], { actions: () => ui.action('x', data.x ? 'delete_all' : () => 1) })",
    "const t = 'dele' + 'te'; ui.call(t)",
    "app.callServerTool({ name: 'x' })",
]
TOOLS_COMPUTED = [
    "ui.call(data.tool)",
    "ui.action('List', data.tool)",
    "ui.action('List', 'list' + data.x, {})",
    "ui.more(data.tool, {})",
    "ui.call('list' + data.x)",
    "ui.call(data.x || 'list')",
    "ui.call(data.x ? data.y : 'list')",
    "const c = (t) => ui.call(t); c(x.y)",
]
MODULES = ["import('https://a.example')", "import(x)", "const load = (m) => import(m)"]

SECRETS = [
    "ui.el('input', { type: 'password' })",
    "x.type = 'pass' + 'word'",
    "x.setAttribute('type', 'password')",
]

GROUPS = [
    ({"frame.access", "frame.computed"}, FRAME),
    ({"navigation"}, NAVIGATION),
    ({"network.call"}, NETWORK),
    ({"webrtc"}, WEBRTC),
    ({"code.from_text"}, CODE),
    ({"handler.from_script", "markup.handler"}, MARKUP),
    ({"markup.handler"}, MARKUP_WITH_HANDLERS),
    ({"sink.roundabout"}, ROUNDABOUT),
    ({"resource.element"}, ELEMENTS),
    ({"resource.external"}, EXTERNAL),
    ({"url.script_made"}, SCRIPT_ADDRESSES),
    ({"input.secret"}, SECRETS),
    ({"tool.foreign"}, TOOLS_FOREIGN),
    ({"tool.computed"}, TOOLS_COMPUTED),
    ({"import.dynamic"}, MODULES),
]


@pytest.mark.parametrize(("rules", "script"), [(rules, each) for rules, group in GROUPS for each in group])
def test_an_evasive_script_is_found_at_the_top(errors, rules, script):
    assert errors(script=script) & rules


@pytest.mark.parametrize(
    ("rules", "script"), [(rules, each) for rules, group in GROUPS for each in group if "this" not in each]
)
def test_an_evasive_script_is_found_within_render(errors, rules, script):
    assert errors(render=f"function render(data, ui) {{ if (data) {{ {script} }} }}") & rules


@pytest.mark.parametrize(
    "script", [each for _, group in GROUPS if group not in (CODE, MARKUP_WITH_HANDLERS) for each in group]
)
def test_an_evasive_script_is_refused_without_a_retry(validated, script):
    assert validated(script=script).ruling is Ruling.REFUSED


@pytest.mark.parametrize("script", MARKUP_WITH_HANDLERS)
def test_markup_with_handlers_is_a_finding_for_the_model(validated, script):
    report = validated(script=script)
    assert report.ruling is Ruling.FIXABLE
    assert "markup.handler" in {each.rule for each in report.findings}


@pytest.mark.parametrize("script", CODE)
def test_code_from_text_is_a_finding_for_the_model_or_a_warning(validated, script):
    assert validated(script=script).ruling is Ruling.FIXABLE
    assert validated(script=script, strict=False).ruling is Ruling.ACCEPTED


KNOWN_BYPASSES = [
    "setTimeout(data.code)",
    "document.querySelector('a').click()",
    "const a = document.createElement('a'); a.href = 'https://a.example'; x.append(a); x.lastChild.click()",
    "setTimeout(x.textContent)",
    "let t = ''; for (const c of ['i', 'f', 'r', 'a', 'm', 'e']) t += c; document.createElement(t)",
    "document.createElement('ifrbme'.replace('b', () => 'a'))",
]
"""Each is listed in docs/security.md, with the reason why the validator does not find it."""


@pytest.mark.xfail(reason="known: what the value is comes out only while it runs", strict=True)
@pytest.mark.parametrize("script", KNOWN_BYPASSES)
def test_a_known_bypass_is_found(errors, script):
    assert errors(script=script)
