import { button, el, inLine, note } from "../el.js";
import { SECRET } from "../form/controls.js";
import { byteSize, nameWords } from "../format.js";
import {
  asText,
  attempt,
  entriesOf,
  fromEntries,
  isArray,
  isString,
  plain,
  string,
  valuesOf,
} from "../plain.js";
import { heading, members } from "./card.js";
import { linkButton } from "./cell.js";
import { codeBlock } from "./code.js";
import { keptFold } from "./fold.js";
import { isWrapped, partsOf, soundsFailed } from "./data.js";
import { lead } from "./lead.js";
import { withLinks } from "./markdown/inline.js";
import { audio, base64Size, decoded, hint, image } from "./media.js";
import { FOR_MODEL, foldedText, renderText } from "./reading.js";
import { readTyped } from "./recognise/by-type.js";
import { jsonTree } from "./tree.js";
import { renderValue } from "./value.js";
/** @import { Part } from "./data.js" */
/** @import { Plain } from "../plain.js" */
/** @import { Show } from "./show.js" */

/** So long may an argument be in the line above. */
export const CUT = 60;
/** Fewer letters than these beside code and links say little. */
const LITTLE = 60;

/**
 * Everything that a tool result has to show, in order.
 * @param {any} result
 * @param {Show} show
 * @param {object} [args] that brought it: what it says again of them is not shown twice
 * @returns {HTMLElement[]}
 */
export function renderResult(result, show, args) {
  show.args = plain(args);
  const { schema } = isWrapped(plain(result).structuredContent) ? show.at("result") : show;
  const nodes = renderParts(arranged(partsOf(result)), show.at("parts", schema));
  if (nodes.length !== 1) return nodes;
  const [{ className, textContent }] = nodes;
  if (
    nodes[0].firstElementChild?.className === "facts" &&
    !nodes[0].querySelector(":scope > :not(.facts, .none, details)")
  )
    return [...unsaidArguments(show.args, "", show), ...nodes];
  return [
    ...nodes,
    ...(className === "said"
      ? unsaidArguments(show.args, `${textContent}`, show)
      : nodes[0].querySelector(".hero:only-child") || className === "hero"
        ? longArguments(show.args, show)
        : []),
  ];
}

/**
 * What a message that something was done speaks of: the arguments that it does not repeat, long texts beneath the others.
 * @param {Plain} args @param {string} words @param {Show} show @returns {HTMLElement[]}
 */
function unsaidArguments(args, words, show) {
  const short = entriesOf(args).filter(
    ([name, one]) =>
      string(one).length <= CUT &&
      !SECRET.test(name) &&
      !/^\S*\/\S*$/.test(string(one)) &&
      !words.includes(asText(one)),
  );
  const drawn = short.length > 0 && members(fromEntries(short), show.at("arguments"), 2);
  return [...(drawn ? [drawn] : []), ...longArguments(args, show)];
}

/** The arguments that are cut in the line above the result, in full. @param {Plain} args @param {Show} show */
function longArguments(args, show) {
  return entriesOf(args)
    .filter(([name, one]) => string(one).length > CUT && !SECRET.test(name))
    .map(([name, text]) => codeBlock(text, nameWords(name), show));
}

/** What the server calls most important first, pictures before what is said of them, unless something stands between two of them or leads to them (“Here it is:”); notes to the model at the end. @param {Part[]} parts @returns {Part[]} */
function arranged(parts) {
  const isPicture = (/** @type {Part} */ { kind, value }) =>
    kind === "image" || (kind === "resource" && string(value.mimeType).startsWith("image/"));
  const pictures = parts.slice(parts.findIndex(isPicture), parts.findLastIndex(isPicture) + 1);
  const isFirst =
    pictures.length > 0 &&
    pictures.every(isPicture) &&
    !parts.some(({ text = "", priority }) => priority !== undefined || soundsFailed(text));
  const others = parts.toSorted(
    (a, b) => Number(isNote(a)) - Number(isNote(b)) || (b.priority ?? 0) - (a.priority ?? 0),
  );
  if (!isFirst) return others;
  const said = others
    .filter((part) => !isPicture(part))
    .map((part) =>
      part.kind === "text"
        ? {
            ...part,
            isSaid: part.isSaid || isMaking(string(part.text)),
            isCaption: /^.{1,200}$/.test(string(part.text).trim()),
          }
        : part,
    );
  const leading = Number(/^.{1,200}:\s*$/.test(string(parts[0].text)));
  return [...said.slice(0, leading), ...pictures, ...said.slice(leading)];
}

/** Whether a part says nothing to a person. @param {Part} part */
export function isNote({ readings, isAside }) {
  return isAside || (!!readings?.length && readings.every(({ isAside }) => isAside));
}

/** Whether a text tells how a picture was made: code, paths and links under headings, and hardly another word. @param {string} text */
function isMaking(text) {
  return (
    text.replace(/```[^]*?```|^#.*$|!?\[.*\]\(.*\)|\S*[\\/]\S*/gm, "").trim().length < LITTLE &&
    text.includes("\n")
  );
}

/**
 * What cannot be drawn is shown as data.
 * @param {Part[]} parts @param {Show} show @param {boolean} [alone] whether the page shows nothing else: then even notes to the model stand open
 * @returns {HTMLElement[]}
 */
export function renderParts(parts, show, alone = parts.every(isNote)) {
  return parts.map((part, i) => {
    try {
      const inner = show.at(i, show.schema);
      if (isNote(part) && !alone)
        return part.text === undefined
          ? keptFold(inner, FOR_MODEL, () => [renderPart(part, inner)])
          : foldedText(part.text, inner, FOR_MODEL);
      return (parts.length < 2 && lead(part.text ?? part.value, inner)) || renderPart(part, inner);
    } catch {
      return jsonTree(part.value ?? part.text, show.at(i));
    }
  });
}

/** @param {Part} part @param {Show} show @returns {HTMLElement} */
export function renderPart({ kind, value, text = "", readings, link, isSaid, isCaption }, show) {
  switch (kind) {
    case "data":
      return renderValue(value, show);
    case "text":
      if (isCaption) return el("p.hint", withLinks(text.trim(), show));
      if (isSaid) return foldedText(text, show.at("again"), "As text", readings);
      return partsNamed(text, show) ?? wordsOf(text, show, readings);
    case "image":
      return image(value, show);
    case "audio":
      return audio(value);
    case "link":
      return resourceLink(value, show);
    case "resource":
      return el(
        "div.resource",
        link ? linkWords(link, show) : hint(value.uri, value.mimeType),
        !isSaid && resourceBody(value, show),
      );
    default:
      return jsonTree(value, show);
  }
}

/** A text, marked where it says that something failed. @param {string} text @param {Show} show @param {Part["readings"]} [readings] */
function wordsOf(text, show, readings) {
  const node = renderText(text, show, { readings });
  return soundsFailed(text) ? el("div.doubtful", node) : node;
}

/**
 * What a text says of each thing that was asked for, under its name.
 * @param {string} text @param {Show} show
 * @returns {HTMLElement | undefined} undefined where it does not begin with the name of one, or speaks of one alone
 */
function partsNamed(text, show) {
  const names = valuesOf(show.args).find((one) => isArray(one) && one.every(isString)) ?? [];
  const name = names.map((/** @type {string} */ one) => one.replace(/\W/g, "\\$&")).join("|");
  const [before, ...parts] = `\n${text}`.split(RegExp(`\n(?:-+\\s+)?(${name}): *`));
  if (before || !(parts[0] && parts[2])) return undefined;
  return el(
    "ul.records",
    parts.map((one, i) => i % 2 < 1 && el("li", heading(0, one), wordsOf(parts[i + 1], show.at(one)))),
  );
}

/** @param {any} item @param {Show} show */
function resourceLink(item, show) {
  return el("div.resource", linkWords(item, show));
}

/** @param {any} item @param {Show} show */
function linkWords(item, show) {
  const uri = string(item.uri);
  const name = string(item.title) || string(item.name) || uri;
  const open = /^https?:/i.test(uri) ? linkButton(uri, name, show) : el("span", name);
  return [
    open,
    hint(name !== uri && uri, item.mimeType, item.size >= 0 && byteSize(+item.size)),
    hint(item.description),
  ];
}

/** @param {any} resource @param {Show} show */
function resourceBody(resource, show) {
  const { text, blob: data, mimeType } = resource;
  const type = string(mimeType);
  const item = { data, mimeType };
  const words = isString(text) ? text : textIn(type, string(data));
  if (words !== undefined)
    return renderText(words, show, { readings: readTyped(words, type, string(resource.uri)) });
  if (type.startsWith("image/")) return image(item, show);
  if (/^(audio|video)\//.test(type)) return audio(item, type.startsWith("v") ? "video" : "audio");
  const { download } = show;
  return inLine(
    note(`Binary data, ${base64Size(data)}`),
    download && button("Download", () => download(resource)),
  );
}

/** The text of a resource that came as base64, if it is text. @param {string} type @param {string} data */
function textIn(type, data) {
  return /^text\/|[/+](json|xml|yaml)\b/.test(type) && !type.startsWith("image/")
    ? attempt(() => decoded(data))
    : undefined;
}
