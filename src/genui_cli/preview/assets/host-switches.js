// The switches for what kind of host this is.

import { choice } from "./choice.js";
import { el } from "./dom.js";
import { PROFILES } from "./profiles.js";

const WIDTHS = [
  ["320", "320"],
  ["480", "480"],
  ["720", "720"],
  ["full", "Full"],
];
const THEMES = [
  ["light", "Light"],
  ["dark", "Dark"],
  ["system", "System"],
];
const LOCALES = [
  "en-US",
  "en-GB",
  "de-DE",
  "fr-FR",
  "es-ES",
  "pt-BR",
  "ja-JP",
  "zh-CN",
  "hi-IN",
  "ar-EG",
  "he-IL",
];
const ZONES = [
  "UTC",
  "America/New_York",
  "America/Sao_Paulo",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Tokyo",
  "Australia/Sydney",
];

/** Wire the switches of the page to `choices`: whichever changes, the other follows. */
export function hostSwitches(
  { profile, words, width, theme, locale, zone, styles, locales, zones, error },
  choices,
) {
  profile.append(...Object.entries(PROFILES).map(([value, { label }]) => el("option", { value }, label)));
  locales.append(...LOCALES.map((value) => el("option", { value })));
  zones.append(...ZONES.map((value) => el("option", { value })));
  const show = {
    profile: (value) => {
      profile.value = value;
      words.textContent = PROFILES[value].words;
    },
    width: choice(width, {
      name: "width",
      legend: "Width",
      options: WIDTHS,
      value: choices.get("width"),
      onChange: (value) => choices.set("width", value),
    }),
    theme: (value) => {
      shownTheme(value);
      document.documentElement.dataset.theme = choices.theme;
    },
    locale: (value) => {
      locale.value = value;
    },
    zone: (value) => {
      zone.value = value;
    },
    styles: (value) => {
      styles.checked = value === "on";
    },
  };
  const shownTheme = choice(theme, {
    name: "theme",
    legend: "Theme",
    options: THEMES,
    value: choices.get("theme"),
    onChange: (value) => choices.set("theme", value),
  });
  profile.addEventListener("change", () => choices.set("profile", profile.value));
  styles.addEventListener("change", () => choices.set("styles", styles.checked ? "on" : "off"));
  locale.addEventListener("change", () =>
    complain(choices.set("locale", locale.value.trim()), locale, "locale"),
  );
  zone.addEventListener("change", () => complain(choices.set("zone", zone.value.trim()), zone, "time zone"));
  choices.follow((name) => show[name](choices.get(name)));

  function complain(isFine, field, what) {
    field.setAttribute("aria-invalid", String(!isFine));
    error.textContent = isFine ? "" : `The browser knows no ${what} “${field.value}”.`;
  }
}

/** The next of the values of a choice, around in a circle. */
export function next(name, choices) {
  const values = {
    width: WIDTHS.map(([value]) => value),
    theme: ["light", "dark"],
    profile: Object.keys(PROFILES),
  }[name];
  const here = values.indexOf(name === "theme" ? choices.theme : choices.get(name));
  choices.set(name, values[(here + 1) % values.length]);
}
