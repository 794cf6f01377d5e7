import { abs, ceil, floor, lastOf, max } from "../../plain.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 1440 * MINUTE;
const MONTH = 30.4 * DAY;
/** A Monday: weeks are counted from it. */
const ORIGIN = 4 * DAY;

/** Steps of a clock in seconds, and of a calendar in months. */
const CLOCK = [
  1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600,
];
const CALENDAR = [1, 3, 6, 12, 24, 60, 120, 240, 600];

/**
 * Round numbers (steps of 1, 2 or 5) from the lowest or just below to the highest or just above.
 * @param {number} low @param {number} high @param {number} count about how many
 * @returns {number[]} at least two
 */
export function roundTicks(low, high, count) {
  if (low === high) return roundTicks(low - (abs(low) || 1) / 2, low + (abs(low) || 1) / 2, count);
  const step = roundStep((high - low) / count);
  const first = floor(low / step + 1e-9);
  return Array.from(
    { length: ceil(high / step - 1e-9) - first + 1 },
    (_, i) => +((first + i) * step).toPrecision(12),
  );
}

/** The next larger of 1, 2 and 5 times a power of ten. @param {number} least above zero */
export function roundStep(least) {
  const power = 10 ** floor(Math.log10(least));
  return power * ([1, 2, 5].find((one) => one * power >= least) ?? 10);
}

/**
 * Moments at which a clock or a calendar turns, within bounds.
 * @param {number} low wall time in milliseconds @param {number} high @param {number} count at most about so many
 * @returns {[at: number, format: Intl.DateTimeFormatOptions][]} each with what tells it from the one before
 */
export function timeTicks(low, high, count) {
  // Points that begin and end at midnight, days apart, are days.
  const areDays = high - low > DAY && !(low % DAY) && !(high % DAY);
  const least = max(areDays ? DAY : 0, (high - low) / count);
  const step = (CLOCK.find((one) => one * SECOND >= least) ?? 0) * SECOND;
  const months = CALENDAR.find((one) => one * MONTH >= least) ?? 1200;
  const first = step
    ? ceil((low - ORIGIN) / step)
    : floor(((new Date(low).getUTCFullYear() - 1900) * 12) / months);
  /** @type {[number, Intl.DateTimeFormatOptions][]} */
  const ticks = [];
  for (let n = first, at = low; at <= high; n++) {
    at = step ? ORIGIN + n * step : Date.UTC(1900, n * months);
    if (at >= low && at <= high) ticks.push([at, formatOf(at, step)]);
  }
  return ticks;
}

/** @param {number} at @param {number} step of the clock, or 0 @returns {Intl.DateTimeFormatOptions} */
function formatOf(at, step) {
  if (!step) return new Date(at).getUTCMonth() ? { month: "short" } : { year: "numeric" };
  return at % DAY ? { timeStyle: at % MINUTE ? "medium" : "short" } : { month: "short", day: "numeric" };
}

/**
 * Fewer points for a drawing: the ends of each stretch, its lowest and highest, and its first gap.
 * @param {(number | null)[]} values
 * @param {number} stretches as many as can be told apart
 * @returns {number[]} places in the list, in order
 */
export function thinned(values, stretches) {
  const size = ceil(values.length / stretches);
  const places = [...values.keys()];
  if (size < 6) return places;
  return places
    .filter((i) => i % size === 0)
    .flatMap((start) => {
      const stretch = places.slice(start, start + size);
      const known = stretch
        .filter((i) => values[i] !== null)
        .sort((a, b) => Number(values[a]) - Number(values[b]));
      const telling = new Set([
        start,
        lastOf(stretch),
        known[0],
        lastOf(known),
        stretch.find((i) => values[i] === null),
      ]);
      return stretch.filter((i) => telling.has(i));
    });
}
