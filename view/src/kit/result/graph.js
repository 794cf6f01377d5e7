import { el, note } from "../el.js";
import { plural, shorten } from "../format.js";
import { abs, isArray, isBranch, isPlain, keysOf, list, max, min, own, plain } from "../plain.js";
import { between, LETTER, svg, widest } from "./chart/svg.js";
import { nameKey } from "./naming.js";
/** @import { Plain } from "../plain.js" */

/** More than these are no picture: the lists beneath have all of them. */
const [MOST_NODES, MOST_EDGES, MOST_PLACES, MOST_NAMES] = [60, 200, 500, 25];
/** A node's width at most and its height, the room between layers, how many layers there are, and the letters in a node. */
const [BOX, ROW, GAP, LAYERS, LETTERS] = [138, 32, 56, 8, 17];
/** The size of a sketch map, and its margin. */
const [WIDTH, HEIGHT, MARGIN] = [640, 280, 40];

const LISTS = [
  ["nodes", "vertices", "entities"],
  ["edges", "links", "relations", "relationships", "connections"],
];
const ENDS = [
  ["source", "from", "src", "subject"],
  ["target", "to", "dst", "object"],
];

/** The first of some members that is there and plain, as text. @param {any} one @param {string[]} keys */
function member(one, keys) {
  const key = keys.find((each) => !isBranch(own(plain(one), each) ?? {}));
  return key === undefined ? "" : `${one[key]}`;
}

/**
 * @param {any} nodes @param {any} edges
 * @returns {{ nodes: { id: string, label: string }[], edges: string[][] } | undefined} undefined where they are no graph, or too large to draw
 */
function graphOf(nodes, edges) {
  if (!list(edges).length || edges.length > MOST_EDGES || list(nodes).length > MOST_NODES) return undefined;
  const ends = list(edges).map((one) => ENDS.map((keys) => member(one, keys)));
  /** Every name that a node goes by. @type {Map<string, string>} */
  const ids = new Map();
  const made = (list(nodes).length ? list(nodes) : [...new Set(ends.flat())]).map((node) => {
    const names = isPlain(node)
      ? ["id", "key", "name"].map((key) => member(node, [key])).filter(Boolean)
      : [`${node}`];
    for (const name of names) ids.set(name, ids.get(name) ?? names[0]);
    return {
      id: names[0] ?? "",
      label: isPlain(node) ? `${node[nameKey(node) ?? ""] ?? names[0]}` : names[0],
    };
  });
  const known = ends.map((pair) => pair.map((end) => ids.get(end) ?? ""));
  return made.length <= MOST_NODES && made.every(({ id }) => id) && known.flat().every(Boolean)
    ? { nodes: made, edges: known }
    : undefined;
}

/** The names of the lists that make an object a graph: nodes, where there are any, and edges. @param {any} value */
export function graphKeys(value) {
  const [nodes, edges] = LISTS.map((names) => names.find((name) => isArray(own(plain(value), name))) ?? "");
  return edges && graphOf(own(value, nodes), value[edges]) ? [nodes, edges].filter(Boolean) : undefined;
}

/**
 * Nodes and the edges between them, in layers from left to right.
 * @param {any} nodes things with an id or a name, or names; left out, they are the ends of the edges
 * @param {any} edges things with `source` and `target`, or `from` and `to`
 * @returns {HTMLElement}
 */
export function graph(nodes, edges) {
  const found = graphOf(nodes, edges);
  if (!found) return note("This graph cannot be drawn");
  const layers = layersOf(found);
  const box = min(BOX, widest(found.nodes.map(({ label }) => label)) + 24);
  const height = max(...layers.map(({ length }) => length)) * (ROW + 14) + 6;
  const width = layers.length * (box + GAP) - GAP + 2;
  const places = new Map(
    layers.flatMap((layer, i) =>
      layer.map(({ id }, n) => [id, [1 + i * (box + GAP), (height / layer.length) * (n + 0.5)]]),
    ),
  );
  const at = (/** @type {string} */ id) => places.get(id) ?? [0, 0];
  const lines = found.edges.map(([from, to]) => {
    const [[x, y], [u, v]] = [at(from), at(to)];
    const bend = max(GAP, abs(u - x - box)) / 2;
    return svg("path", {
      class: "edge",
      d: `M${x + box} ${y}C${x + box + bend} ${y} ${u - bend} ${v} ${u} ${v}`,
    });
  });
  const boxes = found.nodes.map(({ id, label }) => {
    const [x, y] = at(id);
    return svg(
      "g",
      {},
      svg("title", {}, label),
      svg("rect", { x, y: y - ROW / 2, width: box, height: ROW, rx: 7 }),
      svg("text", { x: x + box / 2, y: y + 4, "text-anchor": "middle" }, shorten(label, LETTERS)),
    );
  });
  const said = `${plural(boxes.length, "node")}, ${plural(lines.length, "edge")}`;
  return el(
    "figure.graph",
    el(
      "div.scroller",
      { tabindex: 0, role: "group", "aria-label": said },
      svg("svg", { role: "img", "aria-label": said, width, height }, ...lines, ...boxes),
    ),
  );
}

/** Nodes by how far they are from those that nothing leads to; a cycle ends at the last layer. @param {{ nodes: { id: string, label: string }[], edges: string[][] }} graph */
function layersOf({ nodes, edges }) {
  const depth = new Map(nodes.map(({ id }) => [id, 0]));
  for (let step = 0; step < LAYERS; step++)
    for (const [from, to] of edges) {
      const next = Number(depth.get(from)) + 1;
      if (from !== to && next < LAYERS) depth.set(to, max(next, Number(depth.get(to))));
    }
  return [...new Set(depth.values())]
    .toSorted((a, b) => a - b)
    .map((layer) => nodes.filter(({ id }) => depth.get(id) === layer));
}

/** The names of latitude and longitude, where rows have places on earth. @param {any[]} rows @returns {string[] | undefined} */
export function placeKeys(rows) {
  const keys = keysOf(plain(rows[0]));
  const [lat = "", lon = ""] = [/^lat(itude)?$/i, /^(lon|lng|long|longitude)$/i].map((name) =>
    keys.find((key) => name.test(key)),
  );
  return lat && lon && rows.some((row) => placeOf(row, lat, lon)) ? [lat, lon] : undefined;
}

/** @param {any} row @param {string} lat @param {string} lon */
function placeOf(row, lat, lon) {
  const [y, x] = [lat, lon].map((key) => Number(own(plain(row), key) ?? NaN));
  return abs(y) <= 90 && abs(x) <= 180 ? { x, y } : undefined;
}

/**
 * Places as they lie to each other, north up: a sketch without a map beneath it.
 * @param {any} rows things with latitude and longitude
 * @returns {HTMLElement}
 */
export function points(rows) {
  const all = list(rows).slice(0, MOST_PLACES).map(plain);
  const [lat = "", lon = ""] = placeKeys(all) ?? [];
  const places = all.flatMap((row) => {
    const place = lat && placeOf(row, lat, lon);
    return place ? { ...place, name: nameOf(row) } : [];
  });
  if (!places.length) return note("No places to draw");
  const [[west, east], [south, north]] = [places.map(({ x }) => x), places.map(({ y }) => y)].map((ends) => [
    min(...ends),
    max(...ends),
  ]);
  // A degree of longitude is shorter the farther it is from the equator.
  const narrow = Math.cos((((north + south) / 2) * Math.PI) / 180);
  const scale = min(
    (WIDTH - 2 * MARGIN) / ((east - west) * narrow),
    (HEIGHT - 2 * MARGIN) / (north - south),
    1e6,
  );
  const [half, middle] = [((east - west) * narrow * scale) / 2, ((north - south) * scale) / 2];
  const [across, up] = [
    between(west, east, WIDTH / 2 - half, WIDTH / 2 + half),
    between(south, north, HEIGHT / 2 + middle, HEIGHT / 2 - middle),
  ];
  const marks = places.map(({ x, y, name }) => {
    const isRight = across(x) > WIDTH - name.length * LETTER - 20;
    return svg(
      "g",
      {},
      svg("title", {}, `${name} ${y}, ${x}`),
      svg("circle", { cx: across(x), cy: up(y), r: 5 }),
      places.length > MOST_NAMES
        ? ""
        : svg(
            "text",
            { x: across(x) + (isRight ? -9 : 9), y: up(y) + 4, "text-anchor": isRight ? "end" : "start" },
            shorten(name, LETTERS * 2),
          ),
    );
  });
  const said = `Sketch of ${plural(places.length, "place")}, north is up`;
  return el(
    "figure.graph",
    svg("svg", { role: "img", "aria-label": said, viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, ...marks),
    el("figcaption.hint", said),
  );
}

/** @param {Plain} row */
function nameOf(row) {
  return `${row[nameKey(row) ?? ""] ?? ""}`;
}
