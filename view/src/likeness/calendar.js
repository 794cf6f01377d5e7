/** Days of a month, with what falls on them. */
import { list } from "../kit/plain.js";
/** @import { Ui } from "./things.js" */

const MAX_MONTHS = 3;
const MAX_WORDS = 3;

/**
 * The months in which something falls, at most three, each as a sheet of a calendar.
 * @param {Ui} ui @param {any} rows @param {{ date?: any, label?: any }} [options] members or functions of a row; a date begins with the day, as "2026-11-25"
 */
export function calendar(ui, rows, { date = "date", label = "title" } = {}) {
  const of = (/** @type {any} */ row, /** @type {any} */ by) =>
    typeof by === "function" ? by(row) : row?.[by];
  /** @type {Map<string, any[]>} */
  const days = new Map();
  for (const row of list(rows)) {
    const [day] = /^\d{4}-[01]\d-[0-3]\d/.exec(`${of(row, date) ?? ""}`) ?? [];
    if (day) days.set(day, [...(days.get(day) ?? []), of(row, label) ?? "\u2022"]);
  }
  const months = [...new Set([...days.keys()].map((day) => day.slice(0, 7)))].sort();
  return (
    months.length > 0 &&
    months.length <= MAX_MONTHS &&
    ui.el(
      "div.stack",
      months.map((month) => monthOf(ui, month, days)),
    )
  );
}

/** @param {Ui} ui @param {string} month @param {Map<string, any[]>} days */
function monthOf(ui, month, days) {
  const first = new Date(`${month}-01T00:00:00Z`);
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const language = document.documentElement.lang || undefined;
  const name = new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    first,
  );
  const weekday = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
  const before = (first.getUTCDay() + 6) % 7;
  const cells = Array.from({ length }, (_, i) => {
    const found = days.get(`${month}-${`${i + 1}`.padStart(2, "0")}`) ?? [];
    return ui.el(
      "div.day-cell",
      { "data-tone": found.length ? "accent" : null },
      ui.el("span", `${i + 1}`),
      found.slice(0, MAX_WORDS).map((one) => ui.el("b", { title: `${one}` }, one)),
      found.length > MAX_WORDS ? ui.el("b", `+${found.length - MAX_WORDS}`) : false,
    );
  });
  cells[0].style.gridColumnStart = `${before + 1}`;
  return ui.el(
    "section.month",
    { "aria-label": name },
    ui.el("h4", name),
    ui.el(
      "div.days",
      Array.from({ length: 7 }, (_, i) =>
        ui.el("span.hint", weekday.format(new Date(Date.UTC(2024, 0, 1 + i)))),
      ),
      cells,
    ),
  );
}
