/** Reads markup in a document that runs nothing. @param {string} text @param {DOMParserSupportedType} type */
export const parseMarkup = (text, type) => new DOMParser().parseFromString(text, type);
