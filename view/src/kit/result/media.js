import { el, note, quietButton } from "../el.js";
import { byteSize, number } from "../format.js";
import { attempt, floor, isString, plain, string } from "../plain.js";
import { textBlock } from "./text.js";
/** @import { Child } from "../el.js" */
/** @import { Show } from "./show.js" */

/** Higher pictures are scaled down until a person opens them. */
const HIGH = 420;
/** Pictures that are three times smaller are enlarged by whole pixels, to about this. */
const SMALL = 160;

/**
 * An image of a result. Where the page's own policy forbids images, it is drawn on a canvas,
 * which needs no load. The policy is read, not tried: a refusal would end up in the console.
 * @param {any} item with base64 in `data`, or a drawing in `text`
 * @param {Show} show
 * @param {boolean} [isInline] whether it stands among words or in a cell: it gets no line of facts
 * @returns {HTMLElement}
 */
export function image(item, show, isInline = false) {
  const type = string(item.mimeType) || "image/png";
  const alt = string(item.alt) || string(plain(item.annotations).title) || `Image (${type}) in the result`;
  const holder = el("figure.picture");
  const fail = () => holder.replaceChildren(...notShown(item, type, show));
  const src = /^image\/[\w.+-]+$/.test(type) ? dataUrl(type, item) : "";
  /** A small picture is enlarged, a high one can be opened in full size. @param {any} picture @param {number} width @param {number} height */
  const fit = (picture, width, height) => {
    // By the attribute, which yields to what a view says; that of a canvas would empty it.
    if (picture.src && width && width <= SMALL / 3) {
      picture.width = floor(SMALL / width) * width;
      picture.style.imageRendering = "pixelated";
    }
    const toggle = quietButton(
      "Full size",
      () => {
        toggle.ariaPressed = `${holder.classList.toggle("full")}`;
      },
      { "aria-pressed": "false" },
    );
    const open = height > HIGH && toggle;
    holder.append(
      isInline
        ? open || ""
        : factsOf(item, type, width && `${number(width)} \u00d7 ${number(height)} px`, open, show),
    );
  };
  if (!src) fail();
  else if (isAllowed("img"))
    holder.append(
      el("img", {
        alt,
        onerror: fail,
        onload: (/** @type {any} */ { target }) => fit(target, target.naturalWidth, target.naturalHeight),
        src,
      }),
    );
  else
    drawOn(item, type, alt)
      .then((canvas) => {
        holder.append(canvas);
        fit(canvas, canvas.width, canvas.height);
      })
      .catch(fail);
  return holder;
}

/** What is known of a picture, with what can be done with it. @param {any} item @param {string} type @param {string | 0} size @param {Child} open @param {Show} show */
function factsOf(item, type, size, open, { download }) {
  const end = type.replace(/.*\/|\+.*/g, "");
  return el(
    "figcaption.bar",
    hint(size, end.toUpperCase(), sizeOf(item)),
    open,
    download &&
      quietButton("Download", () =>
        download({
          uri: `file:///image.${end}`,
          mimeType: type,
          ...(item.text ? { text: item.text } : { blob: item.data }),
        }),
      ),
  );
}

/** A line of what is known. @param {...unknown} facts */
export function hint(...facts) {
  return el("p.hint", facts.map(string).filter(Boolean).join(" \u00b7 "));
}

/** @param {any} item */
function sizeOf({ text, data }) {
  return text ? byteSize(text.length) : base64Size(data);
}

/** A sound of a result, or a film. @param {any} item @param {"audio" | "video"} [tag] @returns {HTMLElement} */
export function audio(item, tag = "audio") {
  const type = string(item.mimeType) || "audio/mpeg";
  const name = tag === "audio" ? "sound" : tag;
  const sorry = note(`This ${name} (${type}, ${base64Size(item.data)}) cannot be played here.`);
  const src = /^(audio|video)\/[\w.+-]+$/.test(type) ? dataUrl(type, item) : "";
  if (!src || !isAllowed("media")) return sorry;
  const holder = el(
    "div",
    el(tag, {
      controls: true,
      "aria-label": `The ${name} (${type}) in the result`,
      onerror: () => holder.replaceChildren(sorry),
      src,
    }),
  );
  return holder;
}

/** Whether no policy in the document itself forbids to load something from data. @param {"img" | "media"} what */
function isAllowed(what) {
  return [...document.querySelectorAll("meta[http-equiv=content-security-policy i]")].every((meta) => {
    const policy = /** @type {HTMLMetaElement} */ (meta).content;
    const sources = (RegExp(`(?:^|;)\\s*${what}-src([^;]*)`, "i").exec(policy) ??
      /(?:^|;)\s*default-src([^;]*)/i.exec(policy))?.[1];
    return sources === undefined || /\sdata:(\s|$)/i.test(sources);
  });
}

/**
 * The item as an address; undefined where its data are no base64, which the browser would complain about.
 * @param {string} type @param {any} item
 */
function dataUrl(type, { data, text }) {
  return attempt(() =>
    text ? `data:${type},${encodeURIComponent(text)}` : `data:${type};base64,${btoa(atob(string(data)))}`,
  );
}

/** @param {any} item @param {string} type @param {string} alt */
async function drawOn(item, type, alt) {
  const bitmap = await createImageBitmap(new Blob([bytesOf(item)], { type }));
  const canvas = el("canvas", { role: "img", "aria-label": alt, width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  return canvas;
}

/** @param {any} item throws when its data are no base64 */
function bytesOf({ data, text }) {
  return text
    ? new TextEncoder().encode(text)
    : Uint8Array.from(atob(string(data)), (char) => char.charCodeAt(0));
}

/** The text in base64; throws when it is none. @param {string} data */
export function decoded(data) {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytesOf({ data }));
}

/** What stands in for an image: of a drawing the source, of a photo a line. @param {any} item @param {string} type @param {Show} show */
function notShown(item, type, show) {
  // Where it is not even base64, the line says enough.
  const source = /svg/.test(type) ? (item.text ?? attempt(() => decoded(item.data))) : undefined;
  return [
    note(`This image (${type}, ${sizeOf(item)}) cannot be shown here.`),
    ...(isString(source) ? [textBlock(source, show.limit, "text code")] : []),
  ];
}

/** The size of what a base64 text holds, for people. @param {unknown} base64 */
export function base64Size(base64) {
  return byteSize(floor(string(base64).split("=")[0].length * 0.75));
}
