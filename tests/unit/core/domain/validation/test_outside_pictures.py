"""Pictures, films and sounds from outside that a script names: the page's policy stops them, so the view stays."""

import pytest

from genui_core.domain.validation.finding import Ruling, Severity

PICTURES = [
    "x.style['background-image'] = 'url(//a.example)'",
    "({ a: x.src } = { a: 'https://a.example' })",
    "new Image().src = 'https://a.example/' + x",
    "x.src = '//a.example'",
    "x.setAttribute('src', '\\\\\\\\a.example')",
    "ui.el('img', { src: 'https://a.example' })",
    "ui.el('img', { srcset: 'data:, 1x, https://a.example 2x' })",
    "Object.assign(x, { src: 'https://a.example' })",
    "new Audio('https://a.example')",
    "x.style.background = 'url(https://a.example)'",
    "x.style.cssText = 'background: u\\\\72l(//a.example)'",
    "x.style.setProperty('--a', 'url(//a.example)')",
    "ui.el('p', { style: 'background: url(//a.example)' })",
    "const s = document.createElement('style'); s.textContent = 'p { background: url(//a.example) }'",
    "x.innerHTML = '<img src=//a.example>'",
    "x.style.backgroundImage = `url(${y}//a.example)`",
    "x.style.cssText = `background: url('${y} https://a.example')`",
    "x.style.backgroundImage = `image-set('${y}' 1x)`",
    "Object.assign(x.style, { background: 'url(//a.example)' })",
    "Object.assign(x.style, { 'background-image': 'url(//a.example)' })",
    "Object.assign(x, { src: 'a.png' })",
    "const img = document.createElement('img'); Object.assign(img, { src: 'a.png' })",
    "x.innerHTML = `<img alt='' src='${y}https://a.example'>`",
    "x.attributeStyleMap.set('background', 'url(//a.example)')",
    "x.attributeStyleMap.set('background-image', CSSStyleValue.parse('background-image', 'url(//a.example)'))",
    "document.createElementNS('http://www.w3.org/2000/svg', 'image').setAttribute('href', 'https://a.example')",
    "const u = document.createElementNS(NS, 'image'); u.href.baseVal = 'https://a.example'",
    "const st = document.createElement('style'); st.appendChild(document.createTextNode('p{background:url(//a.example)}'))",
    "const st = ui.el('style', {}, 'p{background:url(//a.example)}')",
    "const st = document.createElement('style'); st.innerHTML = 'p{background:url(//a.example)}'",
    "const h = ui.el; h('img', { src: 'https://a.example' })",
    "for (const [k, v] of Object.entries({ src: 'https://a.example' })) x[k] = v",
    "ui.el('p', { style: { background: 'url(//a.example)' } })",
    "img.src = new URL('https://a.example').href",
    "img.src = new URL('/x', 'https://a.example')",
    "Reflect.construct(Image, []).src = 'https://a.example'",
    "Document.parseHTMLUnsafe('<img src=https://a.example>')",
    "class P { set(v) { x.innerHTML = v } } new P().set('<img src=https://a.example>')",
    "ui.el('p', { innerHTML: ['<img src=https://a.example>'] })",
    "for (x.innerHTML of ['<img src=https://a.example>']);",
    "for (x.src of ['https://a.example']);",
    "const q = []; q[0] = '<img src=https://a.example>'; x.innerHTML = q.join('')",
    "const i = new Image(); i.setAttribute('srcset', ['https://a.example'])",
    "const k = ['innerHTML']; x[k] = '<img src=https://a.example>'",
    "x.style.background = ['url(https://a.example)']",
    "x.animate({ backgroundImage: ['url(https://a.example)', 'none'] }, { duration: 1000 })",
    "for (x.innerHTML in { '<img src=https://a.example>': 1 });",
    "[...x.innerHTML] = ['<img src=https://a.example>'];",
    "new KeyframeEffect(x, { cursor: ['url(https://a.example), auto'] }, 1)",
    "x.setHTML('<img src=https://a.example>')",
    "x.innerHTML = '<img srx=https://a.example>'.replace(/srx/, 'src')",
    "const i = new Image(); Reflect.set(i, ['src'], 'https://a.example')",
    "new Image().src = ['https://a.example']",
    "x.setHTML('<img src=https://a.example>', { sanitizer: {} })",
    "const q = document.createElement('style'); q.textContent = ['p{background:url(https://a.example)}']",
    "x['inner_HTML'.replace(/_/, '')] = '<img src=https://a.example>'",
    "new Image().src = JSON.parse('\"https://a.example\"')",
    "new Image().src = 'hxxps://a.example'.replace(/xx/, 'tt')",
    "document.execCommand('insertImage', false, 'https://a.example')",
    "new Image().src = Object('https://a.example')",
    "Promise.resolve('https://a.example').then((u) => { new Image().src = u })",
    "new Image().src = encodeURI('https://a.example')",
    "x.innerHTML = { toString: () => '<img src=https://a.example>' }",
    "new Animation(new KeyframeEffect(x, [{ backgroundImage: 'url(https://a.example)' }, {}], 1000)).play()",
    "x.animate([{ backgroundImage: 'url(https://a.example)' }, { backgroundImage: 'none' }], 1000)",
    "x.animate([{ background: 'url(https://a.example)' }], { duration: 1000, fill: 'both' })",
    "const q = x['style']; q['background-image'] = 'url(https://a.example)'",
    "new Image().src = location.protocol + '//a.example'",
    "for (document.body.style.backgroundImage of ['url(https://a.example)']);",
    "const i = new Image(); const q = {}; q.u = 'https://a.example'; i.src = q.u",
    "const i = new Image(); i['src'] = { toString: () => 'https://a.example' }",
    "(async () => { const u = await Promise.resolve('https://a.example'); new Image().src = u })()",
    "x.insertAdjacentHTML('beforeend', ['<img src=https://a.example>'])",
    "const i = new Image(); Object.assign(i, Object.fromEntries([['src', 'https://a.example']]))",
    "Reflect.set(x.style, 'backgroundImage', 'url(https://a.example)')",
    'const i = new Image(); Object.assign(i, JSON.parse(\'{"src":"https://a.example"}\'))',
    "x.innerHTML = JSON.parse('[\"<img src=https://a.example>\"]')[0]",
    "const s = new CSSStyleSheet(); s.insertRule(['p{background:url(https://a.example)}'])",
    "const c = new Map(); c.set('u', 'https://a.example'); new Image().src = c.get('u')",
    'const c = JSON.parse(\'{"u":"https://a.example"}\'); new Image().src = c.u',
    "const c = structuredClone({ u: 'https://a.example' }); new Image().src = c.u",
    "Object.assign(x.style, { backgroundImage: 'url(https://a.example)' })",
    "const c = { get u() { return 'https://a.example' } }; new Image().src = c.u",
    "const u = ''.concat('https://', 'a.example'); new Image().src = u",
    "x.setAttribute('style', ['background:url(https://a.example)'])",
    "const q = {}; q.h = '<img src=https://a.example>'; x.innerHTML = q.h",
    "const k = JSON.parse('\"innerHTML\"'); x[k] = '<img src=https://a.example>'",
    "x.innerHTML = ['<img src=https://a.example>'].concat([''])",
    "const c = [['u', 'https://a.example']]; new Image().src = Object.fromEntries(c).u",
    "x.style.setProperty('background-image', ['url(https://a.example)'])",
    "ui.el('img', { src: ['https://a.example'] })",
    "x.innerHTML = ['<img src=https://a.example>']",
]
NO_PICTURES = [
    "const s = document.createElement('script'); s.src = 'https://a.example'",
    "const s = document.createElement('iframe'); s.src = 'https://a.example'",
    "const s = document.createElement('embed'); s.src = 'https://a.example'",
    "ui.el('script', { src: 'https://a.example' })",
    "const s = document.createElement('link'); s.href = 'https://a.example'",
    "x.setAttribute('data', 'https://a.example')",
    "x.innerHTML = '<script src=https://a.example><\\/script>'",
    "x.innerHTML = '<iframe src=https://a.example></iframe>'",
    "x.innerHTML = '<link rel=stylesheet href=https://a.example>'",
    "x.innerHTML = '<style>@import \"https://a.example\";</style>'",
    "x.innerHTML = '<svg><use href=https://a.example#a /></svg>'",
    "x.innerHTML = '<form action=https://a.example></form>'",
    "style.textContent = '@import \"https://a.example\"'",
    "style.textContent = '@font-face { font-family: a; src: url(https://a.example) }'",
    "new FontFace('a', 'url(https://a.example)')",
    "fetch('https://a.example')",
    "navigator.sendBeacon('https://a.example')",
    "x.src = 'javascript:a()'",
    "new Image().src = location",
    "new Worker('https://a.example')",
    "new EventSource('https://a.example')",
]


def in_render(script):
    return f"function render(data, ui) {{\n{script}\n}}"


@pytest.mark.parametrize("script", PICTURES)
def test_a_script_that_names_a_picture_outside_the_page_is_not_refused(validated, script):
    report = validated(render=in_render(script))
    found = {each.rule: each.severity for each in report.findings}
    assert found["resource.blocked"] is Severity.WARNING
    assert report.ruling is Ruling.ACCEPTED or set(found) > {"resource.blocked"}


@pytest.mark.parametrize("script", PICTURES)
def test_a_script_that_names_a_picture_outside_a_page_without_a_policy_is_refused(validated, script):
    report = validated(render=in_render(script), page_policy=False)
    assert "resource.external" in {each.rule for each in report.findings}
    assert report.ruling is Ruling.REFUSED


@pytest.mark.parametrize("script", NO_PICTURES)
def test_a_script_that_loads_anything_but_a_picture_is_refused(validated, script):
    assert validated(render=in_render(script)).ruling is Ruling.REFUSED
