import { button, el, inLine } from "../../el.js";
import { lastOf, max, min } from "../../plain.js";
import { drawBars, drawDonut, isDonut } from "./bars.js";
import { cursor } from "./cursor.js";
import { drawLine } from "./line.js";
import { summaryOf } from "./plotted.js";
import { thinned } from "./scale.js";
import { between, setAll, svg } from "./svg.js";
/** @import { Plotted } from "./plotted.js" */

/** The width of a chart that nothing measures, as in a page that is not shown. */
const UNMEASURED = 640;

/**
 * A chart, with the same data as a table behind a button.
 * @param {Plotted} data
 * @param {{ asTable: boolean }} state which of them is in sight: changed by what the person does
 * @param {string} heading in sight; "" for none
 * @param {() => Node} makeTable
 * @returns {HTMLElement}
 */
export function chartFigure(data, state, heading, makeTable) {
  const { isLine, series, caption } = data;
  const picture = svg("svg", { role: "img" });
  const { parts, marks, follow } = cursor(data);
  const plot = el("div.plot", { dir: isLine ? "ltr" : null }, picture, parts);
  const summary = el("p.hint");
  const chart = el("div", plot, summary);
  const table = el("div");
  const words = el("figcaption", heading, series.length > 1 && keysOf(data));
  let width = 0;

  const draw = (/** @type {number} */ now) => {
    if (!now || now === width) return;
    width = now;
    const drawing = isLine
      ? drawLine(data, width)
      : isDonut(data)
        ? drawDonut(data, width)
        : drawBars(data, width, getComputedStyle(plot).direction === "rtl");
    const [extent, ...extremes] = summaryOf(data);
    setAll(picture, {
      viewBox: `0 0 ${width} ${drawing.height}`,
      height: drawing.height,
      "aria-label": [caption, extent, drawing.note, ...extremes].filter(Boolean).join(". "),
    });
    picture.replaceChildren(...drawing.nodes, marks);
    summary.textContent = isLine
      ? series.length > 1
        ? extent
        : `${extent}; ${extremes[0]}`
      : (drawing.note ?? "");
    follow(drawing);
  };
  const choices = ["Chart", "Table"].map((word, i) => button(word, () => open(i > 0)));
  const open = (/** @type {boolean} */ asTable) => {
    state.asTable = asTable;
    chart.hidden = words.hidden = asTable;
    table.hidden = !asTable;
    choices.forEach((choice, i) => {
      choice.ariaPressed = `${asTable === i > 0}`;
    });
    if (asTable && !table.firstChild) table.append(makeTable());
  };
  open(state.asTable);
  // A frame later: what grows while sizes are told has the browser complain of a loop.
  if (globalThis.ResizeObserver)
    new ResizeObserver(([{ contentRect }]) =>
      requestAnimationFrame(() => draw(contentRect.width | 0)),
    ).observe(plot);
  else draw(UNMEASURED);
  return el(
    "figure.chart",
    inLine(words, el("div.switch", { role: "group", "aria-label": "Show as" }, choices)),
    chart,
    table,
  );
}

/** What tells the series apart. @param {Plotted} data */
function keysOf({ isLine, series }) {
  return el(
    "div.keys",
    series.map(({ label }, s) =>
      el(
        "span",
        svg(
          "svg",
          { width: 18, height: 10, "aria-hidden": "true" },
          isLine
            ? svg("path", { class: `line s${s}`, d: "M1 5H17" })
            : svg("rect", { class: `column s${s}`, x: 5, y: 1, width: 8, height: 8, rx: 2 }),
        ),
        label,
      ),
    ),
  );
}

const SPARK = { width: 120, height: 28 };

/** A line without axes, small enough for a row or a cell; its ends are in its words. @param {Plotted} data @param {string} title */
export function sparkline(data, title) {
  const {
    places,
    series: [{ values }],
  } = data;
  const { width, height } = SPARK;
  const known = thinned(values, width).filter((i) => values[i] !== null);
  const amounts = known.map((i) => Number(values[i]));
  const across = between(places[0], lastOf(places), 3, width - 3);
  const up = between(min(...amounts), max(...amounts), height - 3, 3);
  const spots = known.map((i, k) => `${across(places[i]).toFixed(1)} ${up(amounts[k]).toFixed(1)}`);
  return svg(
    "svg",
    {
      class: "spark",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": [title, ...summaryOf(data)].join(". "),
    },
    svg("path", { class: "line s0", d: `M${spots.join("L")}` }),
    svg("path", { class: "dots s0", d: `M${lastOf(spots)}h0` }),
  );
}
