/** What a view may build with. */
export { button, el } from "./el.js";
export { byteSize, nameWords, plural, shorten } from "./format.js";
export { argumentsForm } from "./form/arguments.js";
export { jsonIn, partsOf, structuredOf } from "./result/data.js";
export { keyValue } from "./result/key-value.js";
export { audio, image } from "./result/media.js";
export { renderResult } from "./result/render.js";
export { table } from "./result/table.js";
export { textBlock } from "./result/text.js";
export { jsonTree } from "./result/tree.js";
export { renderValue } from "./result/value.js";
export { check } from "./schema/check.js";
