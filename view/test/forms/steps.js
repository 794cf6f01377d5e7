import { freshDom } from "../dom.js";

/**
 * Counts what building a form does: elements made, values of controls read, elements looked
 * through for a selector, and looks into the schema.
 * @template T
 * @param {object} schema @param {(schema: any) => T} build
 * @returns {{ built: T, made: number, steps: number }}
 */
export function countSteps(schema, build) {
  const { document } = freshDom();
  const counted = { made: 0, steps: 0 };
  globalThis.document = new Proxy(document, {
    get: (target, key) =>
      key === "createElement"
        ? make
        : typeof target[key] === "function"
          ? target[key].bind(target)
          : target[key],
  });
  const make = (/** @type {string} */ name) => {
    const element = document.createElement(name);
    counted.made++;
    counted.steps++;
    return watched(element);
  };
  const watched = (/** @type {any} */ element) => {
    const { querySelector } = element;
    element.querySelector = (/** @type {string} */ selector) => {
      const found = querySelector.call(element, selector);
      counted.steps += elementsUpTo(element, found);
      return found;
    };
    if (/^(input|textarea)$/.test(element.localName)) watchValue(element, counted);
    return element;
  };
  const built = build(watchedSchema(schema, counted));
  return { built, ...counted };
}

/** How many elements inside of one come before another, in the order of the document. @param {Element} element @param {Element | null} end */
function elementsUpTo(element, end) {
  let count = 0;
  /** @param {Element} at @returns {boolean} */
  const isAtEnd = (at) => {
    for (let inner = at.firstElementChild; inner; inner = inner.nextElementSibling) {
      count++;
      if (inner === end || isAtEnd(inner)) return true;
    }
    return false;
  };
  isAtEnd(element);
  return count;
}

/** @param {any} element @param {{ steps: number }} counted */
function watchValue(element, counted) {
  const own = /** @type {PropertyDescriptor} */ (
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value")
  );
  Object.defineProperty(element, "value", {
    configurable: true,
    get() {
      counted.steps++;
      return own.get?.call(this);
    },
    set(text) {
      own.set?.call(this, text);
    },
  });
}

/** The schema, with every look at one of its keywords counted. @param {object} schema @param {{ steps: number }} counted */
function watchedSchema(schema, counted) {
  const proxies = new WeakMap();
  const wrap = (/** @type {any} */ value) => {
    if (value === null || typeof value !== "object") return value;
    if (!proxies.has(value)) proxies.set(value, new Proxy(value, handler));
    return proxies.get(value);
  };
  const handler = {
    get(/** @type {any} */ target, /** @type {any} */ key) {
      counted.steps++;
      return Array.isArray(target) && typeof target[key] === "function" ? target[key] : wrap(target[key]);
    },
    ownKeys(/** @type {any} */ target) {
      const keys = Reflect.ownKeys(target);
      counted.steps += keys.length;
      return keys;
    },
  };
  return wrap(schema);
}
