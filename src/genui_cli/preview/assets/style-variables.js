// The standard style variables that a host of MCP Apps gives its views, each good in both themes.

const both = (light, dark) => `light-dark(${light}, ${dark})`;

const COLORS = {
  background: {
    primary: both("#fff", "#16171a"),
    secondary: both("#f6f6f6", "#1f2023"),
    tertiary: both("#ebebec", "#2a2b2f"),
    inverse: both("#1b1c1f", "#eceef1"),
    ghost: both("#ffffff00", "#16171a00"),
    info: both("#e9f2fb", "#172a3e"),
    danger: both("#faeeed", "#3a2829"),
    success: both("#ebf3ee", "#21332b"),
    warning: both("#f6f0e8", "#352f22"),
    disabled: both("#f2f2f2", "#232427"),
  },
  text: {
    primary: both("#1b1c1f", "#eceef1"),
    secondary: both("#5d6168", "#a2a7b0"),
    tertiary: both("#6b6f76", "#8e939b"),
    inverse: both("#fff", "#16171a"),
    ghost: both("#5d6168", "#a2a7b0"),
    info: both("#0b5fae", "#7ab8ff"),
    danger: both("#c0271d", "#ff8a80"),
    success: both("#14753f", "#5fcf90"),
    warning: both("#8a5a00", "#e6b450"),
    disabled: both("#8b8f96", "#6f747c"),
  },
  border: {
    primary: both("#d5d6d8", "#393b40"),
    secondary: both("#e4e4e6", "#2d2f33"),
    tertiary: both("#efeff0", "#25272a"),
    inverse: both("#393b40", "#d5d6d8"),
    ghost: both("#d5d6d800", "#393b4000"),
    info: both("#9fc3e8", "#2a4f78"),
    danger: both("#e5a8a3", "#7a3d39"),
    success: both("#9fceb2", "#2f6547"),
    warning: both("#d9be8d", "#6a5425"),
    disabled: both("#e4e4e6", "#2d2f33"),
  },
  ring: {
    primary: both("#007270", "#54d1cd"),
    secondary: both("#6b6f76", "#8e939b"),
    inverse: both("#54d1cd", "#007270"),
    info: both("#0b5fae", "#7ab8ff"),
    danger: both("#c0271d", "#ff8a80"),
    success: both("#14753f", "#5fcf90"),
    warning: both("#8a5a00", "#e6b450"),
  },
};

const TEXT_SIZES = { xs: ["12px", "16px"], sm: ["13px", "18px"], md: ["14px", "21px"], lg: ["16px", "24px"] };
const HEADING_SIZES = {
  xs: ["13px", "18px"],
  sm: ["14px", "20px"],
  md: ["16px", "22px"],
  lg: ["18px", "25px"],
  xl: ["22px", "28px"],
  "2xl": ["28px", "34px"],
  "3xl": ["34px", "40px"],
};
const RADII = { xs: "3px", sm: "5px", md: "7px", lg: "10px", xl: "14px", full: "9999px" };
const WEIGHTS = { normal: "400", medium: "500", semibold: "600", bold: "700" };
const SHADOWS = {
  hairline: "0 0 0 1px light-dark(#1d232114, #0000004d)",
  sm: "0 1px 2px light-dark(#1d23211a, #00000066)",
  md: "0 2px 8px light-dark(#1d23211f, #00000073)",
  lg: "0 8px 24px light-dark(#1d232126, #00000080)",
};

export const STYLE_VARIABLES = Object.freeze({
  ...colors(),
  "--font-sans":
    '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", "Noto Sans", system-ui, sans-serif',
  "--font-mono": 'ui-monospace, Menlo, Consolas, "Liberation Mono", monospace',
  ...named("--font-weight-", WEIGHTS),
  ...sizes("--font-text-", TEXT_SIZES),
  ...sizes("--font-heading-", HEADING_SIZES),
  ...named("--border-radius-", RADII),
  "--border-width-regular": "1px",
  ...named("--shadow-", SHADOWS),
});

function colors() {
  return Object.assign(
    {},
    ...Object.entries(COLORS).map(([kind, shades]) => named(`--color-${kind}-`, shades)),
  );
}

function named(prefix, values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));
}

function sizes(prefix, values) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, [size, lineHeight]]) => [
      [`${prefix}${name}-size`, size],
      [`${prefix}${name}-line-height`, lineHeight],
    ]),
  );
}
