import { attempt } from "../kit/plain.js";
import { keepChannel } from "../runtime/channel.js";
import {
  apply,
  create,
  defineProperty,
  descriptor,
  exec,
  getter,
  namesOf,
  slice,
  uncurried,
} from "../runtime/native.js";

/** Elements that hold another page, load one, or say where addresses lead. What text or a script makes of them is an element without a meaning. */
const HELD = "iframe|frame|frameset|object|embed|applet|portal|fencedframe|link|meta|base";
const TAG = RegExp(`<(?=/?(?:[\\w.-]*:)?(?:${HELD})(?![\\w-]))|<!(?=entity)`, "gi");
/** The same, and what declares a shadow root, which may be closed. */
const TAG_OR_ROOT = RegExp(`${TAG.source}|shadowroot(?=mode)`, "gi");
/** Methods and properties that take markup. @type {RegExp} */
const TAKES_MARKUP = /^(?!get).*HTML/;
const TAKES_WHOLE_MARKUP = /^(insertAdjacent|set|parse)HTML(Unsafe)?$/;
const NAME = RegExp(`^(?:[\\w.-]*:)?(?:${HELD})$`, "i");
const IFRAME = /^iframe$/i;
const LINK = /^(?:a|area)$/i;
const PROBE = "mcp-gen-ui-path";
const CLICK = /^(?:aux)?click$/;
/** Attributes that hold a document of its own, or send the page elsewhere. No script sets them. */
const HELD_ATTRIBUTE = /^(?:[^:]*:)?(?:srcdoc|http-equiv)$/i;
const ATTRIBUTE_NODE = 2;

/** Ways out of the page, or into another one, that no policy closes. */
const GONE =
  /^(webkit)?RTC|^((Shared|Service)?Worker\w*|Worklet|open|XSLTProcessor|documentPictureInPicture|BroadcastChannel|(Payment|Presentation)Request|WebTransport|launchQueue|fetchLater|sharedStorage)$/;
const GONE_FROM_NAVIGATOR = [
  "sendBeacon",
  "serviceWorker",
  "credentials",
  "presentation",
  "share",
  "mediaDevices",
  "getUserMedia",
  "webkitGetUserMedia",
  "registerProtocolHandler",
];

const page = /** @type {any} */ (window);

/** Replaces a property for good. @param {any} holder @param {PropertyKey} name @param {unknown} [value] */
function lock(holder, name, value) {
  // Some are of those that no script can change.
  attempt(() => defineProperty(holder, name, { value, writable: false, configurable: false }));
}

/** The prototype of a class; what is none stands for itself. @param {any} holder */
function protoOf(holder) {
  return typeof holder === "string" ? page[holder]?.prototype : holder;
}

/** Puts a function around another one. @param {any} given the holder, or the class of which it is the prototype @param {string} name @param {(was: any) => any} make */
function wrap(given, name, make) {
  const holder = protoOf(given);
  if (holder && typeof holder[name] === "function") lock(holder, name, make(holder[name]));
}

/** Puts functions around those of an accessor. @param {any} given the holder, or the class of which it is the prototype @param {string} name @param {(was: any) => any} make */
function wrapAccessor(given, name, make) {
  const holder = protoOf(given);
  const was = holder && descriptor(holder, name);
  if (was?.configurable && was.get)
    defineProperty(holder, name, { ...was, ...make(was), configurable: false });
}

/** Markup in which no held element is left. @param {unknown} given @param {RegExp} [held] */
function tamed(given, held = TAG) {
  const text = `${given}`;
  let out = "";
  let at = 0;
  held.lastIndex = 0;
  while (exec(held, text)) {
    // The bracket, and the slash behind it.
    const end = held.lastIndex + (text[held.lastIndex] === "/" ? 1 : 0);
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
  const first = (/** @type {any} */ make) =>
    function (/** @type {unknown} */ name) {
      // @ts-ignore -- the document
      return apply(make, this, [tamedName(name)]);
    };
  const second = (/** @type {any} */ make) =>
    function (/** @type {unknown} */ space, /** @type {unknown} */ name, /** @type {unknown} */ type = null) {
      // @ts-ignore -- the document, or what makes documents
      return apply(make, this, [space, tamedName(name ?? ""), type]);
    };
  wrap("Document", "createElement", first);
  wrap("Document", "createElementNS", second);
  wrap("DOMImplementation", "createDocument", second);
  wrap(
    "CustomElementRegistry",
    "define",
    (define) =>
      function (/** @type {unknown} */ name, /** @type {unknown} */ made) {
        // @ts-ignore -- the registry
        return apply(define, this, [name, made]);
      },
  );
  const at =
    (/** @type {number} */ index, held = TAG) =>
    (/** @type {any} */ was) =>
      function (/** @type {any[]} */ ...given) {
        if (index in given) given[index] = tamed(given[index], held);
        // @ts-ignore -- the object that has the method
        return apply(was, this, given);
      };
  for (const holder of [Element.prototype, page.ShadowRoot?.prototype, Document]) {
    for (const name of namesOf(holder ?? {})) {
      if (!exec(TAKES_MARKUP, name)) continue;
      if (descriptor(holder, name)?.set)
        wrapAccessor(holder, name, ({ set }) => ({
          set(/** @type {unknown} */ text) {
            apply(set, this, [text === null ? null : tamed(text)]);
          },
        }));
      // Other methods of newer browsers may take markup in pieces.
      else
        wrap(
          holder,
          name,
          exec(TAKES_WHOLE_MARKUP, name) ? (name[0] === "i" ? at(1) : at(0, TAG_OR_ROOT)) : () => undefined,
        );
    }
  }
  wrap("Range", "createContextualFragment", at(0));
  wrap("DOMParser", "parseFromString", at(0));
  wrap("Document", "execCommand", at(2));
  for (const name of ["write", "writeln", "open"]) lock(Document.prototype, name, () => {});
  // No listener hears of it; of `requestSubmit` the page does.
  lock(HTMLFormElement.prototype, "submit", () => {});
  for (const kind of ["IFrame", "Frame", "Object", "Embed"]) {
    const holder = `HTML${kind}Element`;
    for (const name of ["contentWindow", "contentDocument"])
      wrapAccessor(holder, name, () => ({ get: () => null }));
    wrap(holder, "getSVGDocument", () => () => null);
  }
}

/**
 * A frame never shows a document of the view's own, which would be one without a guard, and a meta element
 * of the page never becomes a refresh.
 */
function holdAttributes() {
  const [nameOf, kindOf] = [getter(Attr.prototype, "localName"), getter(Node.prototype, "nodeType")];
  const isHeld = (/** @type {unknown} */ name) => exec(HELD_ATTRIBUTE, `${name}`);
  const unless = (/** @type {(given: any[]) => unknown} */ read) => (/** @type {any} */ was) =>
    function (/** @type {any[]} */ ...given) {
      // @ts-ignore -- the element, or its attributes
      if (!isHeld(read(given))) return apply(was, this, given);
    };
  const named = (/** @type {number} */ at) => unless((given) => (given[at] = `${given[at]}`));
  for (const name of ["setAttribute", "toggleAttribute"]) wrap("Element", name, named(0));
  wrap("Element", "setAttributeNS", named(1));
  for (const end of ["", "NS"]) {
    const unlessNamed = unless((given) => nameOf(given[0]));
    wrap("Element", `setAttributeNode${end}`, unlessNamed);
    wrap("NamedNodeMap", `setNamedItem${end}`, unlessNamed);
  }
  wrapAccessor("HTMLIFrameElement", "srcdoc", () => ({ set() {} }));
  wrapAccessor("HTMLMetaElement", "httpEquiv", () => ({ set() {} }));
  for (const [holder, name] of [
    ["Attr", "value"],
    ["Node", "nodeValue"],
    ["Node", "textContent"],
  ])
    wrapAccessor(holder, /** @type {string} */ (name), ({ set }) => ({
      set(/** @type {unknown} */ text) {
        if (kindOf(this) !== ATTRIBUTE_NODE || !isHeld(nameOf(this))) apply(set, this, [text]);
      },
    }));
}

/** Links do not act by themselves: the runtime has the host open them, where the view has not called that off. */
function holdLinks() {
  const [add, remove, fire, all, prevent, root] = [
    EventTarget.prototype.addEventListener,
    EventTarget.prototype.removeEventListener,
    EventTarget.prototype.dispatchEvent,
    Event.prototype.composedPath,
    Event.prototype.preventDefault,
    Element.prototype.attachShadow,
  ].map(uncurried);
  const [typeOf, isCancelable, isComposed] = ["type", "cancelable", "composed"].map((name) =>
    getter(Event.prototype, name),
  );
  const tagOf = getter(Element.prototype, "localName");
  const { add: keep, delete: drop, has } = WeakSet.prototype;
  const held = new WeakSet();
  // Of an object of another kind, getters throw.
  const isLink = (/** @type {unknown} */ node) => attempt(() => exec(LINK, tagOf(node)));
  /** Where an event goes: the first link, and whether the window hears of it. @param {any[]} path */
  const lookAt = (path) => {
    let link = false;
    for (let each = 0; each < path.length; each++) link ||= !!isLink(path[each]);
    return { link, isHeard: path[path.length - 1] === page };
  };
  const Probe = MouseEvent;
  const [mouse, focus] = [MouseEvent, FocusEvent].map((each) => getter(each.prototype, "relatedTarget"));
  /** @param {Event} event */
  const relatedTo = (event) => attempt(() => mouse?.(event)) ?? attempt(() => focus?.(event));
  /** Whether a click there would act before the page could hold it. @param {any} node @param {boolean} cancelable @param {any} how what decides where it goes */
  const acts = (node, cancelable, how) => {
    let seen = { link: true, isHeard: false };
    const look = (/** @type {Event} */ event) => {
      seen = lookAt(all(event));
    };
    add(node, PROBE, look);
    fire(node, new Probe(PROBE, how));
    remove(node, PROBE, look);
    return seen.link && !(seen.isHeard && cancelable);
  };
  for (const type of ["click", "auxclick"]) {
    add(
      page,
      type,
      (/** @type {Event} */ event) => {
        if (!lookAt(all(event)).link) return;
        prevent(event);
        apply(keep, held, [event]);
      },
      { capture: true, passive: false },
    );
  }
  wrap(
    "Event",
    "preventDefault",
    () =>
      function () {
        // @ts-ignore -- the event
        apply(drop, held, [this]);
        // @ts-ignore -- the event
        prevent(this);
      },
  );
  wrapAccessor("Event", "defaultPrevented", ({ get }) => ({
    get() {
      return apply(get, this, []) && !apply(has, held, [this]);
    },
  }));
  wrap(
    "EventTarget",
    "dispatchEvent",
    () =>
      function (/** @type {Event} */ event) {
        // @ts-ignore -- the target
        const target = this ?? page;
        return exec(CLICK, typeOf(event)) &&
          acts(target, isCancelable(event), { composed: isComposed(event), relatedTarget: relatedTo(event) })
          ? true
          : fire(target, event);
      },
  );
  wrap(
    "HTMLElement",
    "click",
    (was) =>
      function () {
        // @ts-ignore -- the element
        if (!acts(this, true, { composed: true })) apply(was, this, []);
      },
  );
  // What is in a closed one is on no path that a listener outside of it sees, and no such listener hears that its forms submit.
  wrap(
    "Element",
    "attachShadow",
    () =>
      function (/** @type {ShadowRootInit} */ given) {
        // @ts-ignore -- the element
        const made = root(this, { ...given, mode: "open" });
        add(made, "submit", prevent, true);
        return made;
      },
  );
}

/** Takes away what leads out of the page. */
function closeWaysOut() {
  for (const name of namesOf(page)) if (GONE.test(name)) lock(page, name);
  for (const name of GONE_FROM_NAVIGATOR) if (name in Navigator.prototype) lock(Navigator.prototype, name);
  for (const name of ["parent", "opener", "frameElement"]) lock(page, name, null);
}

/** The window is not handed out: by events, by documents, nor as `this` of what it calls. */
function hideWindow() {
  const not =
    () =>
    (/** @type {any} */ { get }) => ({
      get() {
        const value = apply(get, this, []);
        return value === page ? null : value;
      },
    });
  for (const name of ["target", "currentTarget", "srcElement"]) wrapAccessor("Event", name, not());
  wrapAccessor("UIEvent", "view", () => ({ get: () => null }));
  wrapAccessor("Document", "defaultView", not());
  wrap(
    "Event",
    "composedPath",
    (path) =>
      function () {
        // @ts-ignore -- the event
        const all = apply(path, this, []);
        if (all[all.length - 1] === page) all.length--;
        return all;
      },
  );
  for (const name of ["setTimeout", "setInterval"])
    wrap(
      page,
      name,
      (was) =>
        (/** @type {any} */ task, /** @type {unknown} */ time, /** @type {any[]} */ ...given) => {
          if (typeof task !== "function") throw new TypeError("It takes a function");
          return apply(was, page, [
            () => {
              apply(task, undefined, given);
            },
            time,
          ]);
        },
    );
  lock(Error, "prepareStackTrace");
  // A name that is not there is looked up in these, with the window as `this`.
  for (const holder of [Object.prototype, EventTarget.prototype, page.Window.prototype]) {
    for (const name of /** @type {any[]} */ (Reflect.ownKeys(holder)))
      if (descriptor(holder, name)?.configurable) defineProperty(holder, name, { configurable: false });
    Object.preventExtensions(holder);
  }
}

/** Listeners of the window get no `this`, and hear no messages: those are the runtime's. */
function holdListeners() {
  const nameOf = getter(Element.prototype, "localName");
  const { get, set } = WeakMap.prototype;
  const known = new WeakMap();
  const heard = (/** @type {any} */ listener) => {
    if (typeof listener !== "function") return listener;
    let made = apply(get, known, [listener]);
    if (!made)
      apply(set, known, [
        listener,
        (made = (/** @type {Event} */ event) => apply(listener, undefined, [event])),
      ]);
    return made;
  };
  for (const name of ["addEventListener", "removeEventListener"])
    wrap(
      "EventTarget",
      name,
      (was) =>
        function (
          /** @type {unknown} */ given,
          /** @type {unknown} */ listener,
          /** @type {unknown} */ options,
        ) {
          // @ts-ignore -- the target; without one, browsers take the window
          const target = this ?? page;
          if (target !== page) return apply(was, target, [given, listener, options]);
          const type = `${given}`;
          if (type !== "message" && type !== "messageerror")
            apply(was, page, [type, heard(listener), options]);
        },
    );
  wrap(
    "EventTarget",
    "when",
    (was) =>
      function (/** @type {any[]} */ ...given) {
        // @ts-ignore -- the target
        if ((this ?? page) === page) throw new TypeError("Not of the window");
        // @ts-ignore -- the target
        return apply(was, this, given);
      },
  );
  const forwards = (/** @type {unknown} */ target) =>
    target === page || exec(/^(body|frameset)$/, nameOf(target));
  for (const holder of [
    page,
    HTMLBodyElement.prototype,
    HTMLFrameSetElement.prototype,
    HTMLElement.prototype,
  ]) {
    for (const name of namesOf(holder))
      if (slice(name, 0, 2) === "on")
        wrapAccessor(holder, name, ({ set: put }) => ({
          set(/** @type {unknown} */ listener) {
            if (!forwards(this ?? page)) apply(put, this, [listener]);
          },
        }));
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
  const add = (/** @type {any[]} */ ...given) => apply(on, page, given);
  const remove = (/** @type {any[]} */ ...given) => apply(off, page, given);
  const stay = () => {};
  for (const name of ["window", "self", "globalThis", "frames", "parent", "top"]) shadows[name] = stage;
  for (const name of ["opener", "frameElement"]) shadows[name] = null;
  for (const name of ["event", "navigation", "McpGenUi", "postMessage", "open"]) shadows[name] = undefined;
  shadows.addEventListener = add;
  shadows.removeEventListener = remove;
  shadows.dispatchEvent = (/** @type {any} */ event) => apply(fire, page, [event]);
  /** @type {any} */
  const place = {};
  for (const name in location)
    place[name] =
      typeof (/** @type {any} */ (location)[name]) === "string" ? /** @type {any} */ (location)[name] : stay;
  place.toString = () => place.href;
  shadows.location = place;
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
  holdAttributes();
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
    defineProperty(values, each, {
      value: isOn || name in given ? shadows[name] : page[name],
      enumerable: true,
    });
  }
  return apply(code, undefined, values);
}
