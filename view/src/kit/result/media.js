import { el } from "../el.js";
import { byteSize } from "../format.js";
import { string } from "../plain.js";
import { textBlock } from "./text.js";
/** @import { Show } from "./value.js" */

/**
 * An image of a result. Where the page's own policy forbids images, it is drawn on a canvas,
 * which needs no load. The policy is read, not tried: a refusal would end up in the console.
 * @param {any} item
 * @param {Show} show
 * @returns {HTMLElement}
 */
export function image(item, show) {
  const type = string(item.mimeType) || "image/png";
  const alt = string(item.annotations?.title) || `Image (${type}) in the result`;
  const holder = el("figure", { class: "image" });
  const fail = () => holder.replaceChildren(notShown(item, type, show));
  if (!/^image\/[\w.+-]+$/.test(type)) fail();
  else if (imagesAllowed()) holder.append(pictureOf(item, type, alt, fail));
  else drawOn(holder, item, type, alt).catch(fail);
  return holder;
}

/** Whether no policy in the document itself forbids images from data. */
function imagesAllowed() {
  return [...document.querySelectorAll("meta[http-equiv]")].every((meta) => {
    if (!/^content-security-policy$/i.test(meta.getAttribute("http-equiv") ?? "")) return true;
    const policy = meta.getAttribute("content") ?? "";
    const sources = (/(?:^|;)\s*img-src([^;]*)/i.exec(policy) ?? /(?:^|;)\s*default-src([^;]*)/i.exec(policy))?.[1];
    return sources === undefined || /(^|\s)data:(\s|$)/i.test(sources);
  });
}

/** @param {any} item @param {string} type @param {string} alt @param {() => void} fail */
function pictureOf(item, type, alt, fail) {
  const picture = el("img", { alt, onerror: fail });
  picture.src = `data:${type};base64,${string(item.data)}`;
  return picture;
}

/** @param {HTMLElement} holder @param {any} item @param {string} type @param {string} alt */
async function drawOn(holder, item, type, alt) {
  const bitmap = await createImageBitmap(new Blob([bytesOf(item.data)], { type }));
  const canvas = el("canvas", { role: "img", "aria-label": alt, width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  holder.replaceChildren(canvas);
}

/** @param {unknown} base64 */
function bytesOf(base64) {
  return Uint8Array.from(atob(string(base64)), (char) => char.charCodeAt(0));
}

/** @param {any} item @param {string} type @param {Show} show */
function notShown(item, type, show) {
  const note = el("p", { class: "none" }, `This image (${type}, ${byteSize(Math.round(string(item.data).length * 0.75))}) cannot be shown here.`);
  return /svg/.test(type) ? el("div", null, note, textBlock(svgText(item.data), show.limit, "text code")) : note;
}

/** @param {unknown} base64 */
function svgText(base64) {
  try {
    return new TextDecoder().decode(bytesOf(base64));
  } catch {
    return "";
  }
}

/** A sound of a result. @param {any} item @returns {HTMLElement} */
export function audio(item) {
  const type = string(item.mimeType) || "audio/mpeg";
  const note = el("p", { class: "none", hidden: true }, `This sound (${type}) cannot be played here.`);
  const player = el("audio", { controls: true, "aria-label": `Sound (${type}) in the result` });
  player.addEventListener("error", () => { note.hidden = false; player.remove(); });
  if (mediaAllowed()) player.src = `data:${type};base64,${string(item.data)}`;
  else { note.hidden = false; return note; }
  return el("div", null, player, note);
}

function mediaAllowed() {
  return ![...document.querySelectorAll("meta[http-equiv]")].some((meta) => /media-src\s+'none'/i.test(meta.getAttribute("content") ?? ""));
}
