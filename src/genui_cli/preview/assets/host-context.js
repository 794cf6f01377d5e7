// What the host tells a view about where it is.

import { STYLE_VARIABLES } from "./style-variables.js";

/** The tallest a view may be, in CSS pixels. */
export const TALLEST = 6000;

export function containerDimensions(width) {
  return { width: Math.round(width), maxHeight: TALLEST };
}

/** The style variables that a host sends: all, a kind's families of them, or none. */
function styles(choices) {
  const families = choices.get("styles") === "off" ? [] : choices.profile.styles;
  const isSent = ([name]) => families === null || families.some((family) => name.startsWith(family));
  return { variables: Object.fromEntries(Object.entries(STYLE_VARIABLES).filter(isSent)) };
}

/** `id` names the view, also when it is loaded again. */
export function hostContext({ tool, id, choices, width }) {
  const whole = {
    toolInfo: id === undefined ? { tool } : { id, tool },
    theme: choices.theme,
    styles: styles(choices),
    displayMode: "inline",
    availableDisplayModes: choices.profile.modes,
    containerDimensions: containerDimensions(width),
    locale: choices.locale,
    timeZone: choices.timeZone,
    userAgent: "mcp-gen-ui-preview",
    platform: "web",
    deviceCapabilities: {
      touch: matchMedia("(any-pointer: coarse)").matches,
      hover: matchMedia("(any-hover: hover)").matches,
    },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
  return Object.fromEntries(
    Object.entries(whole).filter(([key]) => !choices.profile.leavesOut.includes(key)),
  );
}

const OF_A_CHOICE = {
  theme: (choices) => ({ theme: choices.theme }),
  locale: (choices) => ({ locale: choices.locale }),
  zone: (choices) => ({ timeZone: choices.timeZone }),
  styles: (choices) => ({ styles: styles(choices) }),
};

/** The part of the context that a choice decides, or null; what a kind of host leaves out is not told later either. */
export function partOf(name, choices) {
  const part = OF_A_CHOICE[name]?.(choices);
  return part && !choices.profile.leavesOut.includes(Object.keys(part)[0]) ? part : null;
}
