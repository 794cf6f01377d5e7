/** What a view may build with. */
import { button, el } from "./el.js";
import { byteSize, nameWords, plural, shorten } from "./format.js";
import { argumentsForm } from "./form/arguments.js";
import { jsonIn, partsOf, structuredOf } from "./result/data.js";
import { markdown } from "./result/markdown/markdown.js";
import { audio, image } from "./result/media.js";
import { card, keyValueOf, tableOf } from "./result/parts.js";
import { renderText } from "./result/reading.js";
import { renderResult } from "./result/render.js";
import { Show } from "./result/show.js";
import { textBlock } from "./result/text.js";
import { jsonTree } from "./result/tree.js";
import { renderValue } from "./result/value.js";
import { check } from "./schema/check.js";

export const kit = Object.freeze({
  Show, argumentsForm, audio, button, byteSize, card, check, el, image, jsonIn, jsonTree, keyValue: keyValueOf, markdown, nameWords, partsOf,
  plural, renderResult, renderText, renderValue, shorten, structuredOf, table: tableOf, textBlock,
});
