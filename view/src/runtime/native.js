/** Functions of the browser as they were when the page began: a view may replace them later. */
export const { apply } = Reflect;
export const { create, defineProperty, freeze, getOwnPropertyDescriptor: descriptor, getOwnPropertyNames: namesOf } = Object;

/** Makes a method callable with its object first. @param {any} method @returns {(object: any, ...given: any[]) => any} */
export const uncurried = (method) => Function.prototype.call.bind(method);

const parse = uncurried(globalThis.DOMParser?.prototype.parseFromString ?? function () {
  // @ts-ignore -- tests load the kit before they have a document
  return this.parseFromString(...arguments);
});

/** Reads markup in a document that runs nothing. @param {string} text @param {DOMParserSupportedType} type @returns {Document} */
export const parseMarkup = (text, type) => parse(new DOMParser(), text, type);

/** The getter of a property, callable with its object. @param {any} holder @param {string} name */
export const getter = (holder, name) => uncurried(descriptor(holder ?? {}, name)?.get ?? (() => undefined));

/** A click that nothing holds back. @type {(element: HTMLElement) => void} */
export const click = uncurried(globalThis.HTMLElement?.prototype.click);
