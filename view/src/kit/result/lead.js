import { isString } from "../plain.js";
import { hero, isTerse, notice } from "./figures.js";
import { soundsFailed } from "./recognise/failure.js";
/** @import { Show } from "./show.js" */

const LONGEST = 160;
/** Words, and the amount that they end in: "The sum of 2 and 40.5 is 42.5.", "5 km = 5000 m". */
const ANSWER =
  /^((?:[^\n:=,;.]|\.(?=\d)){1,60}?)( ?=| is| are|:) *(-?\p{Sc}?\d(?:[\d,.]*\d)?(?:e[+-]?\d+)?(?:\s?[^\d\s.]{1,8})?)\.?$/iu;
/** A number with more letters was computed: it is rounded, and stands beneath as it came. */
const EXACT = 15;
/** What a server says when it has done something. */
const DONE =
  /\b(created|added|updated|deleted|removed|saved|written|wrote|success\w*|succeeded|completed?|done|sent|inserted|moved|renamed|copied|uploaded|cleared|closed|started|stopped)\b/i;
const UNDONE = /\b(not|no|un\w+|never|cannot|nothing|failed|declined|0 \w+s)\b|n't/i;

/**
 * A text that is the whole answer and one line: an amount or a short value set large, or the message
 * that something was done.
 * @param {unknown} text @param {Show} show
 * @returns {HTMLElement | undefined} undefined for all other texts
 */
export function lead(text, show) {
  const words = isString(text) ? text.trim() : "";
  if (/^[^\n]{1,120}:$/.test(words)) return notice(`${words} none`);
  if (
    !words ||
    words.length > LONGEST ||
    /\n|^[[{<#*`!"\u201c]|^(https?|data):/i.test(words) ||
    soundsFailed(words)
  )
    return undefined;
  const [, asked, verb, amount] = ANSWER.exec(words) ?? [];
  if (asked) return hero(amount, { label: `${asked}${verb}` }, show);
  if (/^-?\d{1,15}\.\d{1,16}$/.test(words) && words.length > EXACT)
    return hero(Number(words), { hint: words }, show);
  if (isTerse(words) && !DONE.test(words)) return hero(words, {}, show);
  return saysDone(words) ? notice(words, "ok") : undefined;
}

/** Whether a line says that something was done. @param {string} words */
export function saysDone(words) {
  return DONE.test(words) && !UNDONE.test(words);
}
