import { el } from "../../el.js";
import { ceil, max, min } from "../../plain.js";
import { linesAt } from "./plotted.js";
import { svg } from "./svg.js";
/** @import { Drawing } from "./line.js" */
/** @import { Plotted } from "./plotted.js" */

const DISTANCE = 12;

/**
 * What tells the amounts at one point: it follows the pointer and the arrow keys. For people who
 * hear the page it is a slider, whose value is the point in words.
 * @param {Plotted} data
 * @returns {{ parts: HTMLElement[], marks: SVGElement, follow: (drawing: Drawing) => void }} what lies over a drawing, what goes into it, and how a new one is taken
 */
export function cursor(data) {
  /** @type {Drawing | undefined} until the first frame there is none, and a key may come before it */
  let drawing;
  let place = 0;
  const marks = svg("g", {});
  const tip = el("div.tip", { hidden: true, "aria-hidden": "true" });
  const hide = () => {
    tip.hidden = true;
    marks.replaceChildren();
  };
  const stand = (/** @type {Drawing} */ { points }, /** @type {number} */ to) => {
    place = min(max(to, 0), points.length - 1);
    const [at, ...amounts] = linesAt(data, points[place]);
    handle.ariaValueMax = `${points.length}`;
    handle.ariaValueNow = `${place + 1}`;
    handle.ariaValueText = `${at}: ${amounts.join(", ")}`;
    tip.replaceChildren(at, ...amounts.map((amount, s) => el(`b.s${s}`, amount)));
  };
  const go = (/** @type {number} */ to) => {
    if (!drawing) return;
    stand(drawing, to);
    tip.hidden = false;
    const { x, y, nodes } = drawing.mark(drawing.points[place]);
    const { offsetWidth, offsetHeight } = tip;
    const fits = x + DISTANCE + offsetWidth <= handle.offsetWidth;
    tip.style.left = `${fits ? x + DISTANCE : max(0, x - DISTANCE - offsetWidth)}px`;
    tip.style.top = `${max(0, min(y, drawing.height - offsetHeight))}px`;
    marks.replaceChildren(...nodes);
  };
  const handle = el("div.handle", {
    tabindex: 0,
    role: "slider",
    "aria-label": `Points of ${data.caption}`,
    "aria-valuemin": 1,
    onpointermove: (/** @type {PointerEvent} */ { offsetX, offsetY }) =>
      go(drawing?.nearest(offsetX, offsetY) ?? 0),
    onpointerleave: hide,
    onblur: hide,
    onfocus: () => go(place),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const page = ceil(Number(handle.ariaValueMax) / 10);
      /** @type {Record<string, number>} */
      const steps = {
        ArrowRight: 1,
        ArrowLeft: -1,
        ArrowDown: 1,
        ArrowUp: -1,
        PageDown: page,
        PageUp: -page,
        Home: -Infinity,
        End: Infinity,
      };
      if (event.key === "Escape") hide();
      if (!steps[event.key]) return;
      event.preventDefault();
      go(place + steps[event.key]);
    },
  });
  return {
    parts: [handle, tip],
    marks,
    follow(next) {
      drawing = next;
      hide();
      stand(next, place);
    },
  };
}
