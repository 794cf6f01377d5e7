import { entriesOf } from "../../plain.js";

/** How base64 begins that holds an image. */
const BEGINNINGS = entriesOf({
  png: /^iVBORw0KGgo/,
  jpeg: /^\/9j\//,
  gif: /^R0lGOD/,
  webp: /^UklGR.{6}XRUJQ/,
});

/** Too short for an image, long enough for a path that looks like one. */
const SHORTEST = 60;

/**
 * The image that a text is: a data address, base64, or a drawing (SVG).
 * @param {string} text
 * @returns {{ mimeType: string, data?: string, text?: string, alt?: string } | undefined} the content item it could have been
 */
export function pictureIn(text) {
  const [, alt, address] = /^!\[([^\]\n]{0,200})\]\((data:image\/[^)]*)\)$/.exec(text.trim()) ?? [];
  const source = address ?? text.trim();
  if (/^(<\?xml[^>]*>\s*)?<svg[\s>]/i.test(source) && source.endsWith("</svg>"))
    return { mimeType: "image/svg+xml", text: source };
  const [head = "", mimeType] = /^data:(image\/[\w.+-]+);base64,/i.exec(source) ?? [];
  const data = source.slice(head.length);
  const format = BEGINNINGS.find(([, beginning]) => data.length > SHORTEST && beginning.test(data));
  const type = mimeType ?? (format && `image/${format[0]}`);
  return type && /^[\w+/\s]+={0,2}$/.test(data) ? { mimeType: type, data, ...(alt && { alt }) } : undefined;
}
