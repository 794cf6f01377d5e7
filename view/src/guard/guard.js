import { keepChannel } from "../runtime/channel.js";
import { apply, create, defineProperty, descriptor, getter, namesOf, parseMarkup, uncurried } from "../runtime/native.js";

/** Elements that hold another page, load one, or say where addresses lead. What text or a script makes of them is an element without a meaning. */
const HELD = "iframe|frame|frameset|object|embed|applet|portal|fencedframe|link|meta|base";
const TAG = RegExp(`<(?=/?(?:[\\w.-]*:)?(?:${HELD})(?![\\w-]))|<!(?=entity)`, "gi");
const NAME = RegExp(`^(?:[\\w.-]*:)?(?:${HELD})$`, "i");
const IFRAME = /^iframe$/i;
const LINK = /^(?:a|area)$/i;
const PROBE = "mcp-gen-ui-path";
const CLICK = /^(?:aux)?click$/;
const SRCDOC = /^(?:[^:]*:)?srcdoc$/i;

/** Ways out of the page, or into another one, that no policy closes. */
const GONE = /^(webkit)?RTC|^(Worker|SharedWorker|Worklet|ServiceWorker\w*|open|XSLTProcessor|documentPictureInPicture|BroadcastChannel|PaymentRequest|PresentationRequest|WebTransport|launchQueue|fetchLater|sharedStorage)$/;
const GONE_FROM_NAVIGATOR = ["sendBeacon", "serviceWorker", "credentials", "presentation", "share", "mediaDevices", "getUserMedia", "webkitGetUserMedia", "registerProtocolHandler"];

const exec = uncurried(RegExp.prototype.exec);
const slice = uncurried(String.prototype.slice);
const page = /** @type {any} */ (window);

/** Replaces a property for good. @param {any} holder @param {PropertyKey} name @param {unknown} value */
function lock(holder, name, value) {
  try {
    defineProperty(holder, name, { value, writable: false, configurable: false });
  } catch {
    // It is of those that no script can change.
  }
}

/** Puts a function around another one. @param {any} holder @param {string} name @param {(was: any) => any} make */
function wrap(holder, name, make) {
  if (holder && typeof holder[name] === "function") lock(holder, name, make(holder[name]));
}

/** Puts functions around those of an accessor. @param {any} holder @param {string} name @param {(was: any) => any} make */
function wrapAccessor(holder, name, make) {
  const was = holder && descriptor(holder, name);
  if (was?.configurable && was.get) defineProperty(holder, name, { ...was, ...make(was), configurable: false });
}

/** Markup in which no held element is left. @param {unknown} given */
function tamed(given) {
  const text = `${given}`;
  let out = "";
  let at = 0;
  TAG.lastIndex = 0;
  while (exec(TAG, text)) {
    // The bracket, and the slash behind it.
    const end = TAG.lastIndex + (text[TAG.lastIndex] === "/" ? 1 : 0);
    out += `${slice(text, at, end)}x-`;
    at = end;
  }
  return out + slice(text, at);
}

/** @param {unknown} given the name of an element */
function tamedName(given) {
  const name = `${given}`;
  return exec(NAME, name) && !(mayFrame && exec(IFRAME, name)) ? "x-held" : name;
}

/** Whether the configuration lets views show frames. */
let mayFrame = false;

/** Stops every way to make a frame, whose window leads to this one and has all that is gone here. */
function holdElements() {
  const first = (/** @type {any} */ make) => function (/** @type {unknown} */ name) {
    // @ts-ignore -- the document
    return apply(make, this, [tamedName(name)]);
  };
  const second = (/** @type {any} */ make) => function (/** @type {unknown} */ space, /** @type {unknown} */ name, /** @type {unknown} */ type = null) {
    // @ts-ignore -- the document, or what makes documents
    return apply(make, this, [space, tamedName(name ?? ""), type]);
  };
  wrap(Document.prototype, "createElement", first);
  wrap(Document.prototype, "createElementNS", (make) => { const made = second(make); return function (/** @type {unknown} */ space, /** @type {unknown} */ name) {
    // @ts-ignore -- the document
    return apply(made, this, [space, name, undefined]);
  }; });
  wrap(DOMImplementation.prototype, "createDocument", second);
  wrap(page.CustomElementRegistry?.prototype, "define", (define) => function (/** @type {unknown} */ name, /** @type {unknown} */ made) {
    // @ts-ignore -- the registry
    return apply(define, this, [name, made]);
  });
  const at = (/** @type {number} */ index) => (/** @type {any} */ was) => function (/** @type {any[]} */ ...given) {
    if (index in given) given[index] = tamed(given[index]);
    // @ts-ignore -- the object that has the method
    return apply(was, this, given);
  };
  const markup = ["inner", "outer"].map((each) => `${each}HTML`);
  for (const holder of [Element.prototype, page.ShadowRoot?.prototype]) {
    for (const name of markup) wrapAccessor(holder, name, ({ set }) => ({ set(/** @type {unknown} */ text) { apply(set, this, [text === null ? null : tamed(text)]); } }));
    // As without declared shadow roots, which may be closed.
    wrap(holder, "setHTMLUnsafe", () => { const { set } = descriptor(holder, markup[0] ?? "") ?? {}; return function (/** @type {unknown} */ text) {
      // @ts-ignore -- the element
      apply(/** @type {any} */ (set), this, [text]);
    }; });
  }
  wrap(Element.prototype, ["insertAdjacent", "HTML"].join(""), at(1));
  wrap(Range.prototype, "createContextualFragment", at(0));
  wrap(DOMParser.prototype, "parseFromString", at(0));
  wrap(Document, "parseHTMLUnsafe", () => (/** @type {unknown} */ text) => parseMarkup(tamed(text), "text/html"));
  wrap(Document.prototype, "execCommand", at(2));
  for (const name of ["write", "writeln", "open"]) lock(Document.prototype, name, () => {});
  // No listener hears of it; of `requestSubmit` the page does.
  lock(HTMLFormElement.prototype, "submit", () => {});
  for (const kind of ["IFrame", "Frame", "Object", "Embed"]) {
    const { prototype } = page[`HTML${kind}Element`] ?? {};
    for (const name of ["contentWindow", "contentDocument"]) wrapAccessor(prototype, name, () => ({ get: () => null }));
    wrap(prototype, "getSVGDocument", () => () => null);
  }
}

/** Frames show other origins only: a document in an attribute would be one without a guard. */
function holdFrameDocuments() {
  const nameOf = getter(Attr.prototype, "localName");
  const unless = (/** @type {(given: any[]) => unknown} */ read) => (/** @type {any} */ was) => function (/** @type {any[]} */ ...given) {
    // @ts-ignore -- the element, or its attributes
    if (!exec(SRCDOC, `${read(given)}`)) return apply(was, this, given);
  };
  const named = (/** @type {number} */ at) => unless((given) => (given[at] = `${given[at]}`));
  for (const name of ["setAttribute", "toggleAttribute"]) wrap(Element.prototype, name, named(0));
  wrap(Element.prototype, "setAttributeNS", named(1));
  for (const [holder, name] of [[Element, "setAttributeNode"], [NamedNodeMap, "setNamedItem"]]) {
    for (const end of ["", "NS"]) wrap(/** @type {any} */ (holder).prototype, `${name}${end}`, unless((given) => nameOf(given[0])));
  }
  wrapAccessor(HTMLIFrameElement.prototype, "srcdoc", () => ({ set() {} }));
}

/** Links do not act by themselves: the runtime has the host open them, where the view has not called that off. */
function holdLinks() {
  const [add, remove, fire, all, prevent, root] = [EventTarget.prototype.addEventListener, EventTarget.prototype.removeEventListener, EventTarget.prototype.dispatchEvent, Event.prototype.composedPath, Event.prototype.preventDefault, Element.prototype.attachShadow].map(uncurried);
  const [typeOf, isCancelable, isComposed] = ["type", "cancelable", "composed"].map((name) => getter(Event.prototype, name));
  const tagOf = getter(Element.prototype, "localName");
  const { add: keep, delete: drop, has } = WeakSet.prototype;
  const held = new WeakSet();
  const isLink = (/** @type {unknown} */ node) => {
    try {
      return exec(LINK, tagOf(node));
    } catch {
      return false;
    }
  };
  /** Where an event goes: the first link, and whether the window hears of it. @param {any[]} path */
  const lookAt = (path) => {
    let link = false;
    for (let each = 0; each < path.length; each++) link ||= !!isLink(path[each]);
    return { link, isHeard: path[path.length - 1] === page };
  };
  const Probe = MouseEvent;
  const related = [MouseEvent, FocusEvent].map((each) => getter(each.prototype, "relatedTarget"));
  /** @param {Event} event */
  const relatedTo = (event) => {
    for (let each = 0; each < related.length; each++) {
      try {
        return related[each]?.(event);
      } catch {
        // It is of another kind.
      }
    }
    return null;
  };
  /** Whether a click there would act before the page could hold it. @param {any} node @param {boolean} cancelable @param {any} how what decides where it goes */
  const acts = (node, cancelable, how) => {
    let seen = { link: true, isHeard: false };
    const look = (/** @type {Event} */ event) => { seen = lookAt(all(event)); };
    add(node, PROBE, look);
    fire(node, new Probe(PROBE, how));
    remove(node, PROBE, look);
    return seen.link && !(seen.isHeard && cancelable);
  };
  for (const type of ["click", "auxclick"]) {
    add(page, type, (/** @type {Event} */ event) => {
      if (!lookAt(all(event)).link) return;
      prevent(event);
      apply(keep, held, [event]);
    }, { capture: true, passive: false });
  }
  wrap(Event.prototype, "preventDefault", () => function () {
    // @ts-ignore -- the event
    apply(drop, held, [this]);
    // @ts-ignore -- the event
    prevent(this);
  });
  wrapAccessor(Event.prototype, "defaultPrevented", ({ get }) => ({ get() { return apply(get, this, []) && !apply(has, held, [this]); } }));
  wrap(EventTarget.prototype, "dispatchEvent", () => function (/** @type {Event} */ event) {
    // @ts-ignore -- the target
    const target = this ?? page;
    return exec(CLICK, typeOf(event)) && acts(target, isCancelable(event), { composed: isComposed(event), relatedTarget: relatedTo(event) }) ? true : fire(target, event);
  });
  wrap(HTMLElement.prototype, "click", (was) => function () {
    // @ts-ignore -- the element
    if (!acts(this, true, { composed: true })) apply(was, this, []);
  });
  // What is in a closed one is on no path that a listener outside of it sees.
  wrap(Element.prototype, "attachShadow", () => function (/** @type {ShadowRootInit} */ given) {
    // @ts-ignore -- the element
    return root(this, { ...given, mode: "open" });
  });
}

/** Takes away what leads out of the page. */
function closeWaysOut() {
  for (const name of namesOf(page)) if (GONE.test(name)) lock(page, name, undefined);
  for (const name of GONE_FROM_NAVIGATOR) if (name in Navigator.prototype) lock(Navigator.prototype, name, undefined);
  for (const name of ["parent", "opener", "frameElement"]) lock(page, name, null);
}

/** The window is not handed out: by events, by documents, nor as `this` of what it calls. */
function hideWindow() {
  const not = () => (/** @type {any} */ { get }) => ({ get() { const value = apply(get, this, []); return value === page ? null : value; } });
  for (const name of ["target", "currentTarget", "srcElement"]) wrapAccessor(Event.prototype, name, not());
  wrapAccessor(UIEvent.prototype, "view", () => ({ get: () => null }));
  wrapAccessor(Document.prototype, "defaultView", not());
  wrap(Event.prototype, "composedPath", (path) => function () {
    // @ts-ignore -- the event
    const all = apply(path, this, []);
    if (all[all.length - 1] === page) all.length--;
    return all;
  });
  for (const name of ["setTimeout", "setInterval"]) wrap(page, name, (was) => (/** @type {any} */ task, /** @type {unknown} */ time, /** @type {any[]} */ ...given) => {
    if (typeof task !== "function") throw new TypeError(`${name}() takes a function`);
    return apply(was, page, [() => { apply(task, undefined, given); }, time]);
  });
  lock(Error, "prepareStackTrace", undefined);
  // A name that is not there is looked up in these, with the window as `this`.
  for (const holder of [Object.prototype, EventTarget.prototype, page.Window.prototype]) {
    for (const name of /** @type {any[]} */ (Reflect.ownKeys(holder))) if (descriptor(holder, name)?.configurable) defineProperty(holder, name, { configurable: false });
    Object.preventExtensions(holder);
  }
}

/** Listeners of the window get no `this`, and hear no messages: those are the runtime's. */
function holdListeners() {
  const { get, set } = WeakMap.prototype;
  const known = new WeakMap();
  const heard = (/** @type {any} */ listener) => {
    if (typeof listener !== "function") return listener;
    let made = apply(get, known, [listener]);
    if (!made) apply(set, known, [listener, made = (/** @type {Event} */ event) => apply(listener, undefined, [event])]);
    return made;
  };
  for (const name of ["addEventListener", "removeEventListener"]) wrap(EventTarget.prototype, name, (was) => function (/** @type {unknown} */ given, /** @type {unknown} */ listener, /** @type {unknown} */ options) {
    // @ts-ignore -- the target; without one, browsers take the window
    const target = this ?? page;
    if (target !== page) return apply(was, target, [given, listener, options]);
    const type = `${given}`;
    if (type !== "message" && type !== "messageerror") apply(was, page, [type, heard(listener), options]);
  });
  wrap(EventTarget.prototype, "when", (was) => function (/** @type {any[]} */ ...given) {
    // @ts-ignore -- the target
    if ((this ?? page) === page) throw new TypeError("The window has no such events here");
    // @ts-ignore -- the target
    return apply(was, this, given);
  });
  const forwards = (/** @type {unknown} */ target) => target === page || target instanceof HTMLBodyElement || target instanceof HTMLFrameSetElement;
  for (const holder of [page, HTMLBodyElement.prototype, HTMLFrameSetElement.prototype, HTMLElement.prototype]) {
    for (const name of namesOf(holder)) if (slice(name, 0, 2) === "on") wrapAccessor(holder, name, ({ set: put }) => ({ set(/** @type {unknown} */ listener) { if (!forwards(this ?? page)) apply(put, this, [listener]); } }));
  }
}

/** The names that lead to the window, and what code that others wrote sees under them. @type {Record<string, any>} */
const shadows = create(null);

/** What stands in for the window: its functions and values, and no way to it. */
function makeStage() {
  const known = create(null);
  for (const name of namesOf(page)) known[name] = true;
  const bound = create(null);
  const kept = create(null);
  const { href, origin, protocol, host, hostname, port, pathname, search, hash } = location;
  const own = create(null);
  const stage = new Proxy(own, {
    get(_, /** @type {any} */ name) {
      if (name in own) return own[name];
      if (name in shadows) return shadows[name];
      if (!known[name]) return undefined;
      const value = page[name];
      if (value === page) return stage;
      if (typeof value !== "function" || descriptor(value, "prototype")) return value;
      if (kept[name] !== value) {
        kept[name] = value;
        bound[name] = (/** @type {any[]} */ ...given) => apply(value, page, given);
      }
      return bound[name];
    },
    set(_, name, value) {
      if (typeof name === "string" && slice(name, 0, 2) === "on" && known[name]) {
        const type = slice(name, 2);
        if (own[name]) remove(type, own[name]);
        if (value) add(type, value);
      }
      own[name] = value;
      return true;
    },
    has: (_, name) => name in own || name in shadows || !!known[name],
  });
  const { addEventListener: on, removeEventListener: off, dispatchEvent: fire } = EventTarget.prototype;
  const add = (/** @type {any} */ type, /** @type {any} */ listener, /** @type {any} */ options = undefined) => apply(on, page, [type, listener, options]);
  const remove = (/** @type {any} */ type, /** @type {any} */ listener, /** @type {any} */ options = undefined) => apply(off, page, [type, listener, options]);
  const stay = () => {};
  for (const name of ["window", "self", "globalThis", "frames", "parent", "top"]) shadows[name] = stage;
  for (const name of ["opener", "frameElement"]) shadows[name] = null;
  for (const name of ["event", "navigation", "McpGenUi", "postMessage", "open"]) shadows[name] = undefined;
  shadows.addEventListener = add;
  shadows.removeEventListener = remove;
  shadows.dispatchEvent = (/** @type {any} */ event) => apply(fire, page, [event]);
  shadows.location = { href, origin, protocol, host, hostname, port, pathname, search, hash, assign: stay, replace: stay, reload: stay, toString: () => href };
}

let isOn = false;

/**
 * Guards the page: call it before anything that a model or a tool wrote can run.
 * @param {{ guarded: boolean, frames: boolean }} how
 */
export function guardPage({ guarded, frames }) {
  if (!guarded) return;
  isOn = true;
  mayFrame = frames;
  keepChannel();
  holdElements();
  if (frames) holdFrameDocuments();
  holdLinks();
  closeWaysOut();
  holdListeners();
  hideWindow();
  makeStage();
}

/**
 * Runs code that others wrote: the names that lead to the window are its parameters.
 * @param {string[]} names of the parameters
 * @param {Function} code in strict mode
 * @param {Record<string, any>} [given] what is under some of the names
 */
export function shadowed(names, code, given = {}) {
  for (const name of namesOf(given)) shadows[name] = given[name];
  /** @type {any[]} */
  const values = [];
  for (let each = 0; each < names.length; each++) {
    const name = names[each] ?? "";
    defineProperty(values, each, { value: isOn || name in given ? shadows[name] : page[name], enumerable: true });
  }
  return apply(code, undefined, values);
}
