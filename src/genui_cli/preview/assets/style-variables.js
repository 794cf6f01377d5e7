// The standard style variables that a host of MCP Apps gives its views, each good in both themes.

const both = (light, dark) => `light-dark(${light}, ${dark})`;

const COLORS = {
  background: {
    primary: both("#fffdf9", "#191e1d"), secondary: both("#f6f4ef", "#212726"), tertiary: both("#ebe7de", "#2b3331"),
    inverse: both("#1d2321", "#e7ebe8"), ghost: both("#fffdf900", "#191e1d00"), info: both("#e3eff5", "#16303c"),
    danger: both("#fbe9e6", "#40201c"), success: both("#e5f1e6", "#1b3421"), warning: both("#f9efd8", "#3a2f12"),
    disabled: both("#f0ede6", "#232928"),
  },
  text: {
    primary: both("#1d2321", "#e7ebe8"), secondary: both("#545c59", "#a3ada9"), tertiary: both("#666e6b", "#8d9893"),
    inverse: both("#fffdf9", "#191e1d"), ghost: both("#545c59", "#a3ada9"), info: both("#17566f", "#8ccbe6"),
    danger: both("#9f2a1d", "#ff9f92"), success: both("#24632f", "#8fd69b"), warning: both("#765006", "#e8c069"),
    disabled: both("#8a918d", "#6d7773"),
  },
  border: {
    primary: both("#d9d4c8", "#39423f"), secondary: both("#e6e1d7", "#2d3533"), tertiary: both("#efebe3", "#252c2a"),
    inverse: both("#39423f", "#d9d4c8"), ghost: both("#d9d4c800", "#39423f00"), info: both("#9dc5d6", "#2a5a6e"),
    danger: both("#e0a79f", "#7c3a31"), success: both("#a2cba8", "#34623d"), warning: both("#dcc184", "#6c5720"),
    disabled: both("#e6e1d7", "#2d3533"),
  },
  ring: {
    primary: both("#0b6b66", "#6fd3c4"), secondary: both("#666e6b", "#8d9893"), inverse: both("#6fd3c4", "#0b6b66"),
    info: both("#17566f", "#8ccbe6"), danger: both("#9f2a1d", "#ff9f92"), success: both("#24632f", "#8fd69b"),
    warning: both("#765006", "#e8c069"),
  },
};

const TEXT_SIZES = { xs: ["12px", "16px"], sm: ["13px", "18px"], md: ["14px", "21px"], lg: ["16px", "24px"] };
const HEADING_SIZES = {
  xs: ["13px", "18px"], sm: ["14px", "20px"], md: ["16px", "22px"], lg: ["18px", "25px"], xl: ["22px", "28px"],
  "2xl": ["28px", "34px"], "3xl": ["34px", "40px"],
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
  "--font-sans": 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  "--font-mono": 'ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, monospace',
  ...named("--font-weight-", WEIGHTS),
  ...sizes("--font-text-", TEXT_SIZES),
  ...sizes("--font-heading-", HEADING_SIZES),
  ...named("--border-radius-", RADII),
  "--border-width-regular": "1px",
  ...named("--shadow-", SHADOWS),
});

function colors() {
  return Object.assign({}, ...Object.entries(COLORS).map(([kind, shades]) => named(`--color-${kind}-`, shades)));
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
