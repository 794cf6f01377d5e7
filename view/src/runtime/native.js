/** Functions of the browser as they were when the page began: a view may replace them later. */
export const { apply } = Reflect;
export const {
  create,
  defineProperty,
  getOwnPropertyDescriptor: descriptor,
  getOwnPropertyNames: namesOf,
} = Object;

/** Makes a method callable with its object first. @param {any} method @returns {(object: any, ...given: any[]) => any} */
export const uncurried = /* @__NO_SIDE_EFFECTS__ */ (method) => Function.prototype.call.bind(method);

export const exec = uncurried(RegExp.prototype.exec);
export const slice = uncurried(String.prototype.slice);

/** The getter of a property, callable with its object. @param {any} holder @param {string} name */
export const getter = (holder, name) => uncurried(descriptor(holder ?? {}, name)?.get ?? (() => undefined));

/** @type {(document: Document, name: string) => any} */
export const element = uncurried(globalThis.Document?.prototype.createElement);

/** A click that nothing holds back. @type {(element: HTMLElement) => void} */
export const click = uncurried(globalThis.HTMLElement?.prototype.click);
