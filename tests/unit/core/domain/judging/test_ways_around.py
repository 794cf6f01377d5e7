"""Ways around the rules that were thought of later: newer parts of the web, and known ones under other names."""

import pytest

from genui_core.domain.finding import Ruling, Severity

SCRIPTS = {
    "code.from_text": [
        "Reflect.apply(setTimeout, null, ['x()'])",
        "['x()'].forEach(setTimeout)",
        "Promise.resolve('x()').then(setTimeout)",
        "Reflect.get(x, 'constructor')",
        "setTimeout.bind(null, 'x()')()",
        "queueMicrotask(eval.bind(null, 'x'))",
        "Array.from(['x()'], eval)",
        "(function* () {}).constructor('x')().next()",
        "const AF = Object.getPrototypeOf(async () => {}).constructor; new AF('x')()",
        "Function`x```",
        "''.at.constructor`x```",
        "Reflect.construct(Function, ['x'])()",
    ],
    "frame.access": [
        "addEventListener('message', (e) => { const s = e['source']; s.location = 'x' })",
        "addEventListener('message', (e) => { const { source: s } = e; s.closed })",
        "onmessage = (e) => { e.source.focus() }",
        "event.view.parent",
        "const { contentWindow: w } = x; w.fetch('x')",
        "with (window) { parent.x }",
    ],
    "frame.computed": [
        "new Proxy({}, { get: (_, k) => window[k] }).parent",
    ],
    "frame.handed_on": [
        "Object.getOwnPropertyDescriptors(globalThis).parent.get.call()",
        "const { get } = Object.getOwnPropertyDescriptor(window, 'parent'); get.call(window)",
        "new Proxy(window, {}).parent",
        "Window.prototype.__lookupGetter__('parent').call(window)",
    ],
    "handler.from_script": [
        "x.getAttributeNode('onclick').value = 'x()'",
        "x.attributes.getNamedItem('onclick').value = 'x()'",
        "Reflect.apply(x.setAttribute, x, ['onclick', 'a()'])",
        "const set = x.setAttribute.bind(x); set('onclick', 'a()')",
        "const attrs = { onclick: 'a()' }; for (const k in attrs) x.setAttribute(k, attrs[k])",
        "Object.keys({ onclick: 'a()' }).forEach((k) => x.setAttribute(k, 'a()'))",
        "new DOMParser().parseFromString(`<svg onload=\"a()\">`, 'image/svg+xml')",
        "x.innerHTML = '<template shadowrootmode=open><img src=x onerror=a()></template>'",
        "[['onclick', 'a()']].forEach(([n, v]) => x.setAttribute(n, v))",
        "const set = x.setAttribute.bind(x, 'onclick'); set('a()')",
    ],
    "input.secret": [
        "navigator.credentials.get({ password: true })",
        "navigator.credentials.get({ publicKey: {} })",
        "new PaymentRequest([], {}).show()",
        "ui.el('input', { autocomplete: 'cc-number' })",
        "ui.el('input', { type: 'text', style: '-webkit-text-security: disc' })",
        "x.setAttribute('autocomplete', 'current-password')",
        "x.autocomplete = 'one-time-code'",
        "ui.el('input', { type: 'PASSWORD' })",
    ],
    "navigation": [
        "const o = Object.assign(document.createElement('a'), { href: 'https://a.example' }); o.click()",
        "HTMLElement.prototype.click.call(document.createElement('a'))",
        "const a = ui.el('a', { href: 'https://a.example' }); HTMLElement.prototype.click.call(a)",
        "HTMLFormElement.prototype.submit.call(x)",
        "navigator.share({ url: 'https://a.example' })",
        "navigator.registerProtocolHandler('web+x', 'https://a.example/%s')",
        "const a = document.createElement('a'); a.href = 'https://a.example'; a.target = '_top'; document.body.append(a)",
        "ui.el('a', { href: 'https://a.example', target: '_parent' })",
        "x.target = '_top'",
        "Object.assign(document, { location: 'x' })",
        "Reflect.set(document, 'location', 'x')",
        "document.body.appendChild(document.createElement('a')).click()",
        "document.createElement('a').cloneNode().click()",
        "document.links[0].click()",
        "location.__proto__.assign.call(location, 'x')",
        "window.open`https://a.example`",
        "window.external.AddSearchProvider('x')",
        "const go = (n) => n.click(); go(document.createElement('a'))",
        "const a = document.createElement('a'); setTimeout(a.click.bind(a))",
    ],
    "network.call": [
        "new XMLSerializer(); new XSLTProcessor().importStylesheet(x)",
        "navigator.mediaSession.metadata = new MediaMetadata({ artwork: [{ src: 'https://a.example' }] })",
        "new Worker(URL.createObjectURL(new Blob(['x'])))",
        "new WebTransport('https://a.example')",
        "Navigator.prototype.sendBeacon.call(navigator, 'x')",
        "fetchLater('https://a.example')",
        "globalThis[`fe${'tch'}`]`x`",
        "new (class extends WebSocket {})('wss://a.example')",
        "Reflect.construct(WebSocket, ['wss://a.example'])",
    ],
    "resource.element": [
        "customElements.define('x-y', class extends HTMLIFrameElement {}, { extends: 'iframe' })",
        "class E extends HTMLScriptElement {}",
        "const { el } = ui; el('iframe')",
        "let t = 'ifr'; t += 'ame'; document.createElement(t)",
        "const s = 'emarfi'; document.createElement([...s].reverse().join(''))",
        "document.createElement(['i', 'frame'].reduce((a, b) => a + b))",
        "document.createElement(Object.keys({ iframe: 1 })[0])",
        "document.createElement(Object.values({ a: 'iframe' })[0])",
        "document.createElement('iframe'.padEnd(3))",
        "document.createElement(new String('iframe'))",
        "document.createElement(/iframe/.source)",
        "document.createElement(Symbol('iframe').description)",
        "document.createElement(class iframe {}.name)",
        "document.createElement((function iframe() {}).name)",
    ],
    "resource.external": [
        "x.background = 'https://a.example'",
        "x.attributeStyleMap.set('background', 'url(//a.example)')",
        "x.attributeStyleMap.set('background-image', CSSStyleValue.parse('background-image', 'url(//a.example)'))",
        "ui.el('use', { href: 'https://a.example#x' })",
        "document.createElementNS('http://www.w3.org/2000/svg', 'use').setAttribute('href', 'https://a.example#a')",
        "document.createElementNS('http://www.w3.org/2000/svg', 'image').setAttribute('href', 'https://a.example')",
        "const u = document.createElementNS(NS, 'image'); u.href.baseVal = 'https://a.example'",
        "const st = document.createElement('style'); st.append('@import \"//a.example\"')",
        "const st = document.createElement('style'); st.appendChild(document.createTextNode('p{background:url(//a.example)}'))",
        "const st = ui.el('style', {}, 'p{background:url(//a.example)}')",
        "const st = document.createElement('style'); st.innerHTML = 'p{background:url(//a.example)}'",
        "const st = document.createElement('style'); st.insertAdjacentText('beforeend', '@import \"//a.example\"')",
        "const st = document.createElement('style'); st.replaceChildren('@import \"//a.example\"')",
        "const h = ui.el; h('img', { src: 'https://a.example' })",
        "for (const [k, v] of Object.entries({ src: 'https://a.example' })) x[k] = v",
        "ui.el('p', { style: { background: 'url(//a.example)' } })",
        "img.src = new URL('https://a.example').href",
        "img.src = new URL('/x', 'https://a.example')",
        "const st = document.createElement('style'); st.firstChild.data = '@import \"//a.example\"'",
        "Reflect.construct(Image, []).src = 'https://a.example'",
        "Document.parseHTMLUnsafe('<img src=https://a.example>')",
        "x.setAttribute('attributionsrc', 'https://a.example')",
        "x.setAttribute('imagesrcset', 'https://a.example 2x')",
        "const sheet = new CSSStyleSheet(); sheet.replaceSync('@import url(//a.example)')",
    ],
    "sink.roundabout": [
        "window.__lookupGetter__('top').call()",
        "Object.getOwnPropertyDescriptors(Element.prototype).innerHTML.set.call(x, '<b onclick=a()>')",
    ],
    "tool.computed": [
        "const { call: c } = ui; c(data.tool)",
        "['delete_all'].forEach(ui.call)",
        "Promise.resolve('delete_all').then(ui.call)",
    ],
    "tool.foreign": [
        "ui.call.call(ui, 'delete_all')",
        "const { call } = ui; call('delete_all', {})",
        "const c = ui.call; c('delete_all', {})",
        "const c = ui.call.bind(ui); c('delete_all', {})",
        "ui.call.apply(ui, ['delete_all', {}])",
        "const k = ui; k.call('delete_all', {})",
        "(0, ui.call)('delete_all', {})",
        "Reflect.apply(ui.call, ui, ['delete_all'])",
        "const api = { run: ui.call }; api.run('delete_all')",
        "const { callServerTool } = app; callServerTool.call(app, { name: 'x' })",
        "const f = app.callServerTool.bind(app); f({ name: 'x' })",
        "ui.call(...['delete_all', {}])",
    ],
    "url.script_made": [
        "x.protocol = 'javascript'; x.href",
        "const a = ui.el('a'); a.protocol = 'javascript:'",
        "const { el: make } = ui; make('a', { href: 'javascript:a()' })",
        "Object.entries({ href: 'javascript:a()' }).map(([k, v]) => x.setAttribute(k, v))",
    ],
}
TEMPLATES = [
    '<input type="text" style="-webkit-text-security:disc" aria-label="PIN">',
    "<textarea autocomplete=cc-csc aria-label=x></textarea>",
    "<permission type=camera></permission>",
    "<geolocation autolocate></geolocation>",
    "<usermedia type=camera></usermedia>",
    "<install></install>",
    "<button popovertarget=x>x</button><div popover id=x onbeforetoggle=a()>y</div>",
    "<button commandfor=x command=show-modal>x</button><dialog id=x oncommand=a()></dialog>",
    "<search onsubmit=a()></search>",
    '<div><template shadowrootmode="open"><link rel=stylesheet href=//a.example></template></div>',
    '<div><template shadowrootmode="open"><img src=x onerror=a()></template></div>',
    '<img alt="" src="data:," attributionsrc="https://a.example">',
    '<link rel=preload as=image imagesrcset="https://a.example 1x" imagesizes=1px>',
    '<link rel=modulepreload href="data:text/javascript,x">',
    '<link rel=speculationrules href="https://a.example">',
    '<link rel="compression-dictionary" href="https://a.example">',
    "<script type=speculationrules>{}</script>",
    "<script type=importmap>{}</script>",
    '<svg><feImage href="https://a.example"/></svg>',
    '<svg><mpath href="https://a.example#x"/></svg>',
    "<select><button><selectedcontent></selectedcontent></button><option><img src=x onerror=a()></option></select>",
    "<div onscrollsnapchange=a()>x</div>",
    "<form method=dialog><button formaction=//a.example>x</button></form>",
    "<p style=\"background:image('//a.example')\">x</p>",
]
STYLES = [
    "p { background: image-set(var(--x) 1x) }",
    "@property --x { syntax: '<image>'; inherits: false; initial-value: url(//a.example); }",
    "p { background: image(ltr '//a.example', red) }",
    "@font-palette-values --x { font-family: url(//a.example) }",
    "@counter-style x { symbols: url(//a.example) }",
    "@layer a { @import '//a.example'; }",
    "@starting-style { p { background: url(//a.example) } }",
    "@scope (.a) { p { background: url(//a.example) } }",
    "p { background: if(style(--x): url(//a.example); else: none) }",
    "p { background: src(var(--x)) }",
    ".a { -webkit-text-security: disc }",
    "p { background: image-set(attr(data-x) 1x) }",
]


@pytest.mark.parametrize(
    ("rule", "script"), [(rule, each) for rule, group in SCRIPTS.items() for each in group]
)
def test_a_script_is_seen_through(judged, rule, script):
    verdict = judged(render=f"function render(data, ui) {{\n{script}\n}}")
    assert rule in {each.rule for each in verdict.findings if each.severity is Severity.ERROR}
    assert verdict.ruling in (Ruling.REFUSED, Ruling.FIXABLE)


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_is_seen_through(judged, template):
    assert judged(template=template).ruling is Ruling.REFUSED


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_seen_through(judged, style):
    assert judged(style=style).ruling is Ruling.REFUSED
