// Telling those who follow without seeing: what the page shows, and what the person does in it.

import { tell } from "./api.js";

const SETTLE_MS = 60;

export class Diary {
  #page = {};
  #settling = null;

  /** The page shows something else now: `part` says what. */
  describe(part) {
    Object.assign(this.#page, part);
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => tell("/api/page", this.#page), SETTLE_MS);
  }

  /** Report an event to the programs that follow the preview: `kind` names it, `facts` describe it. */
  note(kind, facts) {
    // The kind comes last: some facts are a view's own words.
    tell("/api/happened", { ...facts, kind });
  }
}
