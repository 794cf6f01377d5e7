/** What a view may build with. */
import { button, el } from "./el.js";
import { byteSize, date, nameWords, number, plural, shorten } from "./format.js";
import { argumentsForm } from "./form/arguments.js";
import { speak } from "./locale.js";
import { chart } from "./result/chart/chart.js";
import { jsonIn, partsOf, structuredOf } from "./result/data.js";
import { markdown } from "./result/markdown/markdown.js";
import { audio, image } from "./result/media.js";
import { card, keyValueOf, tableOf } from "./result/parts.js";
import { renderText } from "./result/reading.js";
import { renderResult } from "./result/render.js";
import { badge } from "./result/scalar.js";
import { Show } from "./result/show.js";
import { textBlock } from "./result/text.js";
import { jsonTree } from "./result/tree.js";
import { renderValue } from "./result/value.js";
import { check } from "./schema/check.js";

export const kit = Object.freeze({
  Show, argumentsForm, audio, badge, button, byteSize, card, chart, check, date, el, image, jsonIn, jsonTree, keyValue: keyValueOf, markdown,
  nameWords, number, partsOf, plural, renderResult, renderText, renderValue, shorten, speak, structuredOf, table: tableOf, textBlock,
});
