import { OUTLINES } from "../icon.js";

// What written views may name besides the outlines of the page.
Object.assign(OUTLINES, {
  check: "M5 13l4 4L19 7",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4l3 2",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4m8-4v4",
  pin: "M12 21c-4-4-6-8-6-11a6 6 0 0 1 12 0c0 3-2 7-6 11M12 10h.01",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 20c1-7 15-7 16 0",
  chart: "M4 4v16h16M9 16v-4m4 4V8m4 8v-6",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  folder: "M3 19V5h6l2 3h10v11z",
  link: "M9 15l6-6M11 7l2-2a4 4 0 0 1 6 6l-2 2M13 17l-2 2a4 4 0 0 1-6-6l2-2",
  search: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5",
  list: "M4 6h0M4 12h0M4 18h0M8 6h12M8 12h12M8 18h12",
  star: "M12 3l3 6 6 1-4 5 1 6-6-3-6 3 1-6-4-5 6-1z",
  mail: "M3 6h18v13H3zM3 7l9 6 9-6",
  up: "M12 20V5m-6 6 6-6 6 6",
  down: "M12 4v15m-6-6 6 6 6-6",
});
