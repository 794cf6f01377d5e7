import { uncurried } from "./native.js";

const parse = uncurried(
  globalThis.DOMParser?.prototype.parseFromString ??
    function () {
      // @ts-ignore -- tests load the kit before they have a document
      return this.parseFromString(...arguments);
    },
);

/** Reads markup in a document that runs nothing. @param {string} text @param {DOMParserSupportedType} type @returns {Document} */
export const parseMarkup = (text, type) => parse(new DOMParser(), text, type);
