import { button, el, inLine, note, quietButton } from "../el.js";
import { dateText, number, plural, shorten } from "../format.js";
import { monogram, tile } from "../icon.js";
import { instantOf, onTheWall } from "../instant.js";
import { namesThings } from "../meaning.js";
import {
  asText,
  attempt,
  floor,
  fromEntries,
  isArray,
  isBranch,
  isNothing,
  isNumber,
  isPlain,
  isString,
  keysOf,
  lastly,
  min,
  own,
  plain,
  string,
  valuesOf,
} from "../plain.js";
import { HAS_WRITTEN_VIEW } from "../written/has-view.js";
import { heading } from "./card.js";
import { cell, isToken, linkButton } from "./cell.js";
import { keptFold } from "./fold.js";
import { breakable } from "./markdown/inline.js";
import { identify, isShort, nameKey, tellsApart } from "./naming.js";
import { gist, isBig } from "./nested.js";
import { badge } from "./scalar.js";
import { Show } from "./show.js";
import { toneOf } from "./state.js";
import { rowOrder } from "./table/order.js";
import { filterBox } from "./table/tools.js";
import { renderValue } from "./value.js";
/** @import { Rows } from "./recognise/rows.js" */

/**
 * @typedef {string | ((row: any) => any)} Role a member, or a function of the record
 *
 * @typedef {object} Roles which members of a record are what; what is left out is read from the data
 * @property {Role} [title]
 * @property {Role} [snippet] a longer text beneath the title
 * @property {Role} [link] the address that the title opens
 * @property {Role} [badge] a state or kind
 * @property {Role} [date]
 * @property {Role} [icon] the name of an outline, or what has that name
 * @property {Role | Role[]} [meta] small facts in a line; without it what is short and not said elsewhere
 * @property {true | ((row: any) => any)} [more] what opens beneath a record; true for all that is not said
 * @property {(row: any) => any} [actions] controls beneath a record
 * @property {"records" | "timeline" | "board"} [look]
 *
 * @typedef {Roles & { title?: string, snippet?: string, link?: string, badge?: string, date?: string, isNamed: boolean, amounts: string[], heavy: string[] }} Read roles as the data has them, with its amounts and what is long or nested
 */

const FIRST = 8;
const STEP = 50;
const DAY = 864e5;
const SNIPPET = 200;
const MOST_META = 5;
/** So many facts need no fold, and so many records no choice between their kinds. */
const FEW = 4;
const MOST_FIGURES = 6;
/** Longer texts are read, shorter ones are facts. */
const PROSE = 40;

/** Members that say in words what was found or happened. */
const WORDS =
  /^(message|summary|text|description|content|event|action|subject|body|question|snippet|excerpt|context|details?|overview)$/i;
const KINDS = /(^|_)(type|kind|category|style)$/i;
/** Numbers that say where in a file something is. */
const PLACE = /^(start_?|end_?)?(line|col(umn)?)(_?number)?$/i;
const PICTURES = /image|icon|avatar|thumb|logo|photo/i;

/**
 * What the members of records are, read from their names and values.
 * @param {Rows} data
 * @returns {Read}
 */
export function rolesOf({ rows, columns }) {
  const cells = fromEntries(
    columns.map((key) => [
      key,
      rows
        .slice(0, STEP)
        .map((row) => own(row, key))
        .filter((one) => !isNothing(one)),
    ]),
  );
  const all = (/** @type {(one: any, key: string) => unknown} */ test, among = columns) =>
    among.filter((key) => cells[key].length && cells[key].every((/** @type {any} */ one) => test(one, key)));
  const dates = all(instantOf);
  const links = all((one) => /^https?:\/\//i.test(string(one)));
  const texts = all(isString).filter((key) => !dates.includes(key) && !links.includes(key));
  const name = nameKey(
    fromEntries(columns.map((key) => [key, dates.includes(key) ? undefined : cells[key][0]])),
  );
  const title = name !== undefined && !tellsApart(name) ? name : texts.find((key) => WORDS.test(key));
  const others = texts.filter((key) => key !== title);
  const length = (/** @type {string} */ key) => cells[key].join("").length / cells[key].length;
  return {
    title,
    isNamed: title === name,
    date: dates[0],
    snippet:
      others.find((key) => WORDS.test(key)) ??
      others.find((key) => length(key) > PROSE && /\s/.test(cells[key][0])),
    link: links.find((key) => !PICTURES.test(key)),
    badge: all(toneOf, others)[0] ?? others.find((key) => KINDS.test(key) && length(key) < 24),
    amounts: all((one, key) => isNumber(one) && !namesThings(key)).filter((key) => !dates.includes(key)),
    heavy: columns.filter((key) => cells[key].some(isBig)),
  };
}

/**
 * Records beneath each other, each by its title, with what else there is beneath it. More than eight
 * can be filtered, and are shown step by step. Nothing of a record is lost: what has no place opens.
 * @param {Rows} data
 * @param {Show} show
 * @param {Roles} roles
 * @param {number} [depth]
 * @returns {HTMLElement}
 */
export function recordList(
  { rows, columns, isOpen = !rows[1] || (!rows[2] && columns.some((key) => isBig(string(rows[0][key])))) },
  show,
  roles,
  depth = 0,
) {
  const state = show.remember(`records ${columns.toSorted().join("\n")}`, {
    shown: FIRST,
    filter: "",
    tag: "",
  });
  const { schema } = show.at(0);
  const { ids } = identify(rows, columns);
  const order = rowOrder(rows);
  const read = { ...rolesOf({ rows, columns }), ...roles };
  const { title, snippet, date } = read;
  const isTimeline = read.look === "timeline";
  const isDirectory = !depth && read.isNamed && (read.look ?? "records") === "records" && rows.length > 2;
  const isSame = (/** @type {string} */ key) =>
    ![title, snippet, date, ...valuesOf(roles)].includes(key) &&
    !isNothing(rows[0][key]) &&
    rows.every((row) => !isBranch(row[key]) && row[key] === rows[0][key]);
  const once = rows.length > 2 && !roles.meta ? columns.filter(isSame) : [];
  const sizes = columns.map(
    (key) =>
      rows
        .slice(0, STEP)
        .map((row) => own(row, key))
        .join("").length,
  );
  const retold = columns.filter((key, at) =>
    rows.every(
      (row) =>
        isNothing(own(row, key)) ||
        isRetold(string(own(row, key)), [
          partOf(row, title),
          partOf(row, snippet),
          ...columns.filter((_, i) => i < at || sizes[i] > sizes[at]).map((each) => own(row, each)),
        ]),
    ),
  );
  const holder = el(isTimeline ? "ol" : "ul", { class: `records ${read.look ?? ""}` });
  const more = quietButton(
    "",
    () => {
      state.shown += STEP;
      draw();
    },
    { class: "more-rows" },
  );
  const count = el("span.count", { role: "status" });
  const tags = rows.map((row) => asText(partOf(row, read.badge)));
  const kinds = ["", ...new Set(tags.filter(Boolean))];
  const isParted = rows.length > FEW && kinds.length > 2 && kinds.length <= MOST_META;
  if (!isParted || !kinds.includes(state.tag)) state.tag = "";
  const byKind = (isParted ? kinds : []).map((kind) =>
    button(`${kind || "All"} ${tags.filter((tag) => !kind || tag === kind).length}`, () =>
      choose({ tag: kind }),
    ),
  );
  const choose = (/** @type {Partial<typeof state>} */ change) => {
    Object.assign(state, { shown: FIRST }, change);
    draw();
  };
  const draw = () => {
    const found = order.find(state.filter, columns).filter((i) => !state.tag || tags[i] === state.tag);
    byKind.forEach((one, i) => {
      one.ariaPressed = `${kinds[i] === state.tag}`;
    });
    const rest = found.length - state.shown;
    let day = "";
    holder.replaceChildren(
      ...found.slice(0, state.shown).flatMap((i) => {
        const node = record(rows[i], show.at(ids[i], schema), read, {
          once,
          retold,
          depth,
          isDirectory,
          isOpen: isOpen && !isTimeline,
        });
        const on = isTimeline ? dayOf(partOf(rows[i], date), nameOf(date, "at")) : day;
        return on === day ? [node] : [el("li.day", (day = on)), node];
      }),
    );
    more.hidden = rest <= 0;
    more.textContent = `Show ${number(min(rest, STEP))} more`;
    count.textContent = plural(found.length, "entry", "entries");
  };
  draw();
  return el(
    "div.stack",
    rows.length > FIRST &&
      el(
        "div.bar.filter",
        count,
        filterBox(state.filter, (filter) => choose({ filter })),
      ),
    isParted && el("div.switch", byKind),
    once.length > 0 && facts(once, rows[0], show.at(0)),
    holder,
    more,
  );
}

/** Whether other texts of a record, its title and its short ones, say a text as well. @param {string} text @param {any[]} others */
function isRetold(text, others) {
  return (
    text.length > 2 &&
    text.length <= PROSE &&
    others.some((each, i) => (i < 2 || string(each).length <= PROSE) && string(each).includes(text))
  );
}

/** Members of an object in a line, with their names where their values do not say what they are. @param {string[]} keys @param {any} row @param {Show} show @param {boolean} [terse] */
export function facts(keys, row, show, terse = false) {
  return el(
    "p.facts",
    keys.map((key) => {
      const one = row[key];
      const isId = tellsApart(key) && isString(one);
      if (terse && one === true) return el("span", show.label(key));
      return el(
        "span",
        terse && isString(one) && /\p{L}{3}/u.test(one) ? "" : el("span", `${show.label(key)} `),
        terse && isId && !isToken(one)
          ? el("code", { title: show.label(key) }, one)
          : cell(one, show.at(key)),
      );
    }),
  );
}

/** @param {any} value @param {string} [name] */
function dayOf(value, name) {
  const instant = instantOf(value, name);
  return instant ? dateText({ at: floor(onTheWall(instant) / DAY) * DAY, timed: false, zoned: false }) : "";
}

/** What a role has of a record; a function that fails has nothing. @param {any} row @param {Role} [role] */
function partOf(row, role = "") {
  if (!HAS_WRITTEN_VIEW) return own(row, /** @type {string} */ (role));
  return attempt(() => (typeof role === "function" ? role(row) : own(row, role)));
}

/** The name by which a value is read: that of its member, or one for what a function returns. @param {Role | undefined} role @param {string} [made] */
function nameOf(role, made = "") {
  return isString(role) ? role : made;
}

/**
 * @param {any} row @param {Show} show @param {Roles} roles
 * @param {{ once: string[], retold: string[], depth: number, isOpen: boolean, isDirectory: boolean }} among the other records: `once`: what
 *   is said above them all, `retold`: what each says in other members too, `isDirectory`: whether all are things with names
 */
function record(
  row,
  show,
  { title, snippet, link, badge: state, date, meta, look, ...asked },
  { once, retold, depth, isOpen, isDirectory },
) {
  const sign = HAS_WRITTEN_VIEW && asked.icon;
  const more = HAS_WRITTEN_VIEW && asked.more;
  const actions = HAS_WRITTEN_VIEW && asked.actions;
  const said = new Set(once);
  const take = (/** @type {Role | undefined} */ role) => {
    const value = isString(role) && said.has(role) ? undefined : partOf(row, role);
    return isNothing(value) ? undefined : (said.add(nameOf(role)), value);
  };
  const name = partOf(row, title) ?? partOf(row, link) ?? "";
  const words = isShort(name) && said.add(nameOf(title)) ? `${name}` : shorten(asText(name), SNIPPET);
  const excerpt = string(partOf(row, snippet));
  const most = /[\u3000-\uffdc]/.test(excerpt) ? SNIPPET / 2 : SNIPPET;
  const brief = shorten(
    excerpt.replace(
      /!\[[^\]]*\]\([^)]*\)|^#+ .*$|---+|^\s*[-*+>] |(?<!\w)[*_]+(?=\S)|(?<=\S)[*_]+(?!\w)|`+/gm,
      "",
    ),
    most,
  );
  const mark = sign
    ? undefined
    : keysOf(row).find(
        (key) => /^(icon|emoji)$/i.test(key) && /^\p{Extended_Pictographic}\S{0,7}$/u.test(string(row[key])),
      );
  if (mark) said.add(mark);
  if (excerpt.length <= most) said.add(nameOf(snippet));
  const url = string(take(link));
  const [tag, when] = [take(state), take(date)];
  const chosen = meta === undefined ? undefined : [meta].flat();
  for (const key of chosen ? [] : retold) said.add(key);
  for (const key of keysOf(row)) if (row[key] === true && show.label(key) === tag) said.add(key);
  const places =
    chosen || !keysOf(row).some((key) => /line/i.test(key))
      ? []
      : keysOf(row).filter((key) => PLACE.test(key) && isNumber(row[key]));
  places.forEach(take);
  const small = chosen
    ? chosen.filter(isString).filter((key) => !isNothing(own(row, key)))
    : keysOf(row)
        .filter((key) => !said.has(key) && isBrief(own(row, key)))
        .toSorted(lastly(tellsApart))
        .slice(0, MOST_META);
  small.forEach(take);
  const figures = chosen ? undefined : keysOf(row).findLast((key) => isFigures(row[key]));
  if (figures) said.add(figures);
  const made = places[0]
    ? [
        `Line ${[false, true]
          .map((isEnd) =>
            places
              .filter((key) => /^end/i.test(key) === isEnd)
              .map((key) => row[key])
              .join(":"),
          )
          .filter(Boolean)
          .join("\u2013")}`,
      ]
    : HAS_WRITTEN_VIEW && chosen
      ? chosen
          .flatMap((role) => (isString(role) ? [] : (partOf(row, role) ?? [])))
          .filter((/** @type {any} */ one) => one !== false && !isNothing(one))
      : [];
  const rest = keysOf(row).filter(
    (key) => !said.has(key) && !isNothing(row[key]) && (!chosen || more || key === snippet),
  );
  // Few short ones stand with the others, where a fold would only hide them.
  const isFew =
    typeof more !== "function" &&
    rest[0] !== undefined &&
    rest.length <= FEW &&
    rest.every((key) => row[key] === false || isBrief(row[key]));
  const inside = () => [
    typeof more === "function"
      ? (partOf(row, more) ?? note("Nothing more"))
      : renderValue(
          fromEntries(
            keysOf(row)
              .filter((key) => !said.has(key))
              .map((key) => [key, row[key]]),
          ),
          show,
          words,
          depth + 1,
        ),
  ];
  const instant = when !== undefined && look === "timeline" && instantOf(when, nameOf(date, "at"));
  return el(
    "li",
    sign ? tile(partOf(row, sign) ?? sign) : isDirectory && !mark && monogram(words),
    el(
      "div.inline",
      heading(depth, [
        mark && !words.startsWith(row[mark]) && `${row[mark]} `,
        ...(url && words ? [linkButton(url, words, show)] : breakable(words || "\u2013", /(?<=_)/)),
      ]),
      tag !== undefined &&
        (HAS_WRITTEN_VIEW && tag instanceof Node
          ? tag
          : badge(asText(tag), toneOf(tag, nameOf(state, "status")))),
      when !== undefined &&
        el(
          "span.when",
          instant
            ? instant.timed && el("time", { title: `${when}` }, dateText(instant, true, false))
            : cell(when, show.at(nameOf(date, "at"))),
        ),
    ),
    brief && el("p", brief),
    (url || small.length > 0 || made.length > 0 || isFew) &&
      el(
        "div.facts",
        url && url !== words && el("span", url.replace(/^\w+:\/\/(www\.)?|[/?#].*$/g, "")),
        small.length > 0 && facts(small, row, show, true),
        made.map((/** @type {any} */ one) =>
          HAS_WRITTEN_VIEW && one instanceof Node ? one : el("span", asText(one)),
        ),
        isFew && facts(rest, row, show, true),
      ),
    figures && facts(keysOf(row[figures]), row[figures], show.at(figures)),
    actions && inLine(partOf(row, actions)),
    typeof more === "function"
      ? keptFold(show, "More", inside)
      : rest.length > 0 &&
          !isFew &&
          (isOpen
            ? el("div.details", inside())
            : keptFold(
                show,
                rest.length > 1
                  ? ["More ", el("span.hint", rest.map((key) => show.label(key)).join(", "))]
                  : [
                      show.label(rest[0]),
                      isArray(row[rest[0]]) && [
                        ` (${row[rest[0]].length}) `,
                        el("span.hint", gist(row[rest[0]]).replace(/^\d+:/, "")),
                      ],
                    ].flat(),
                inside,
              )),
  );
}

/** @param {any} value */
function isBrief(value) {
  return (
    !isNothing(value) &&
    value !== false &&
    !isPlain(value) &&
    !isBig(value) &&
    (asText(value).length <= PROSE || isToken(string(value)))
  );
}

/** Whether a member of a record is a few numbers with names, which stand in it. @param {any} value */
function isFigures(value) {
  const figures = valuesOf(plain(value));
  return figures.length > 1 && figures.length <= MOST_FIGURES && figures.every(isNumber);
}
