// What the host tells a view about where it is.

import { STYLE_VARIABLES } from "./style-variables.js";

/** The tallest a view may be, in CSS pixels. */
export const TALLEST = 6000;

export function containerDimensions(width) {
  return { width: Math.round(width), maxHeight: TALLEST };
}

export function hostContext({ tool, theme, width }) {
  return {
    toolInfo: { tool },
    theme,
    styles: { variables: STYLE_VARIABLES },
    displayMode: "inline",
    availableDisplayModes: ["inline"],
    containerDimensions: containerDimensions(width),
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: "mcp-gen-ui-preview",
    platform: "web",
    deviceCapabilities: {
      touch: matchMedia("(any-pointer: coarse)").matches,
      hover: matchMedia("(any-hover: hover)").matches,
    },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
}
