// What kind of host this page is at the moment: chosen by the person, remembered, and in the address.

import { linked, settle } from "./address.js";
import { PROFILES } from "./profiles.js";
import { remember, remembered } from "./settings.js";

const WIDTHS = ["320", "480", "720", "full"];
const THEMES = ["light", "dark", "system"];
const MEANS = {
  profile: { otherwise: "spec", fits: (value) => Object.hasOwn(PROFILES, value) },
  theme: { otherwise: "system", fits: (value) => THEMES.includes(value) },
  width: { otherwise: "full", fits: (value) => WIDTHS.includes(value) },
  locale: { otherwise: "", fits: isLocale },
  zone: { otherwise: "", fits: isZone },
  styles: { otherwise: "on", fits: (value) => value === "on" || value === "off" },
};

function isLocale(value) {
  try {
    return value === "" || Boolean(new Intl.Locale(value));
  } catch {
    return false;
  }
}

function isZone(value) {
  try {
    return value === "" || Boolean(new Intl.DateTimeFormat("en", { timeZone: value }));
  } catch {
    return false;
  }
}

export class HostChoices {
  #darkOutside = matchMedia("(prefers-color-scheme: dark)");
  #listeners = [];
  #values = {};

  constructor() {
    for (const [name, { otherwise, fits }] of Object.entries(MEANS)) {
      this.#values[name] =
        [linked(name), remembered(name, otherwise)].find((value) => value !== null && fits(value)) ??
        otherwise;
    }
    this.#darkOutside.addEventListener(
      "change",
      () => this.#values.theme === "system" && this.#tell("theme"),
    );
    window.addEventListener("hashchange", () => this.#reread());
    this.#settle();
  }

  get(name) {
    return this.#values[name];
  }

  get all() {
    return { ...this.#values };
  }

  /** The theme that holds: light or dark. */
  get theme() {
    const { theme } = this.#values;
    return theme === "system" ? (this.#darkOutside.matches ? "dark" : "light") : theme;
  }

  get profile() {
    return PROFILES[this.#values.profile];
  }

  get locale() {
    return this.#values.locale || navigator.language;
  }

  get timeZone() {
    return this.#values.zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  /** Choose; a value that does not fit is refused with false. */
  set(name, value) {
    if (!MEANS[name].fits(value)) return false;
    remember(name, value);
    this.#take(name, value);
    return true;
  }

  /** Call `listener(name)` now for every name, and whenever one changes. */
  follow(listener) {
    this.#listeners.push(listener);
    for (const name of Object.keys(MEANS)) listener(name);
  }

  #take(name, value) {
    if (this.#values[name] === value) return;
    this.#values[name] = value;
    this.#settle();
    this.#tell(name);
  }

  #reread() {
    for (const [name, { fits }] of Object.entries(MEANS)) {
      const value = linked(name);
      if (value !== null && fits(value)) this.#take(name, value);
    }
    this.#settle();
  }

  #settle() {
    settle(
      Object.fromEntries(
        Object.entries(this.#values).map(([name, value]) => [
          name,
          value === MEANS[name].otherwise ? null : value,
        ]),
      ),
    );
  }

  #tell(name) {
    for (const listener of this.#listeners) listener(name);
  }
}
