import { el } from "./el.js";
import { own } from "./plain.js";
import { svg } from "./result/chart/svg.js";

/** Outlines in a square of 24 that every page has; those that only written views name are in `written/outlines.js`. @type {Record<string, string>} */
export const OUTLINES = {
  more: "M5 12h.01M12 12h.01M19 12h.01",
  edit: "M4 20l1-4L16 5l3 3L8 19l-4 1M14 7l3 3",
  again: "M19 12a7 7 0 1 1-2-5l3 3M20 5v5h-5",
  copy: "M9 9h11v11H9zM6 15H4V4h11v2",
  json: "M9 4c-2 0-3 1-3 3v3c0 1-1 2-2 2 1 0 2 1 2 2v3c0 2 1 3 3 3M15 4c2 0 3 1 3 3v3c0 1 1 2 2 2-1 0-2 1-2 2v3c0 2-1 3-3 3",
  save: "M12 4v11m-4-4 4 4 4-4M4 20h16",
  full: "M14 4h6v6M20 4l-6 6M10 20H4v-6M4 20l6-6",
  about: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 11v5M12 8h.01",
  alert: "M12 4l9 15H3zM12 10v4M12 17h.01",
};

/**
 * An outline beside words that say the same.
 * @param {string} path
 */
export function icon(path) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}

/** The first letter of a name on a tint; of a step its number. @param {string} name */
export function monogram(name) {
  return el(
    "span.tile",
    { "aria-hidden": "true" },
    /(?<=^step )\d+|[\p{L}\p{N}]/iu.exec(name)?.[0].toUpperCase(),
  );
}

/** An outline on a tint; a name that is none gets a dot, and a sign such as an emoji stands itself. @param {any} name */
export function tile(name) {
  return el("span.tile", /^[^\w ]{1,4}$/.test(name) ? name : icon(own(OUTLINES, `${name}`) ?? "M12 12h.01"));
}
