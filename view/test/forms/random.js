/**
 * Numbers that look random and are the same for the same seed.
 * @param {number} seed
 */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (/** @type {number} */ low, /** @type {number} */ high) =>
    low + Math.floor(next() * (high - low + 1));
  return {
    integer,
    chance: (/** @type {number} */ share) => next() < share,
    /** @template T @param {T[]} all @returns {T} */
    pick: (all) => all[integer(0, all.length - 1)],
    /** @template T @param {number} count @param {(i: number) => T} make @returns {T[]} */
    times: (count, make) => Array.from({ length: count }, (_, i) => make(i)),
  };
}
