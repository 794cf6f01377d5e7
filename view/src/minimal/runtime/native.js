/** Functions of the browser: no code of a model runs in the page that could replace them. */
/** @param {any} method @returns {(object: any, ...given: any[]) => any} */
export const uncurried = (method) => Function.prototype.call.bind(method);

/** @param {RegExp} pattern @param {string} text */
export const exec = (pattern, text) => pattern.exec(text);

/** @param {any} _ holder @param {string} name @returns {(object: any) => any} */
export const getter = (_, name) => (object) => object[name];

/** @param {Document} document @param {string} name */
export const element = (document, name) => document.createElement(name);

/** @param {HTMLElement} element */
export const click = (element) => element.click();
