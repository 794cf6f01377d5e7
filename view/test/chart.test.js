import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { rowsOf } from "../src/kit/result/data.js";
import { cursor } from "../src/kit/result/chart/cursor.js";
import { evidenceOf } from "../src/kit/result/chart/evidence.js";
import { roundTicks, thinned, timeTicks } from "../src/kit/result/chart/scale.js";
import { subjects } from "./subjects.js";

const evidence = (value, name, isMap) => evidenceOf(value, { name, table: rowsOf(value), isMap });
const rows = (names, ...lines) =>
  lines.map((line) => Object.fromEntries(names.split(" ").map((name, i) => [name, line[i]])));
const repeat = (count, make) => Array.from({ length: count }, (_, i) => make(i));
/** What was found, in one line: "strong line: date > price, volume". */
const told = (found) =>
  found &&
  `${found.strong ? "strong" : "weak"} ${found.type}: ${found.x.name} > ${found.series.map(({ name }) => name).join(", ")}`;

test("amounts over time are lines", () => {
  const cases = [
    [
      rows("date price", ["2024-01-01", 3], ["2024-01-02", 5], ["2024-01-03", 4]),
      "strong line: date > price",
    ],
    [
      rows(
        "time temp_c rain_mm sky",
        ["2024-01-01T00:00Z", 3, 4, "sun"],
        ["2024-01-01T01:00Z", 5, 4, "sun"],
        ["2024-01-01T02:00Z", 4, 1, "rain"],
      ),
      "strong line: time > temp_c, rain_mm",
    ],
    [
      rows("timestamp value", [1718000000, 3], [1718003600, 5], [1718007200, 4]),
      "strong line: timestamp > value",
    ],
    [rows("year sales", [2021, 3], [2022, 5], [2023, 4]), "strong line: year > sales"],
    [rows("day value", ["2024-01-01", 1], ["2024-01-02", 2], ["2024-01-03", 3]), "strong line: day > value"],
    [rows("month visits", ["2024-01", 3], ["2024-02", 5], ["2024-03", 4]), "strong line: month > visits"],
    [rows("hour visits", ["08:00", 3], ["09:00", 5], ["10:00", 4]), "strong line: hour > visits"],
    [rows("x y", [1, 3], [2, 5], [3, 4]), "strong line: x > y"],
    [
      rows("epoch loss accuracy", [1, 0.9, 0.2], [2, 0.5, 0.5], [3, 0.3, 0.8]),
      "strong line: epoch > loss, accuracy",
    ],
    [
      rows(
        "date close volume",
        ["2024-01-01", 3, 90_000],
        ["2024-01-02", 5, 80_000],
        ["2024-01-03", 4, 10_000],
      ),
      "strong line: date > close",
    ],
    [
      rows("date price", ["2024-01-01", "3.50"], ["2024-01-02", "5.25"], ["2024-01-03", "4.00"]),
      "strong line: date > price",
    ],
    [
      rows(
        "month shares",
        ["2024-01", { a: 1, b: 2 }],
        ["2024-02", { a: 2, b: 2 }],
        ["2024-03", { a: 2, b: 4 }],
      ),
      "strong line: month > a, b",
    ],
    [rows("load gain", [1.5, 3], [1.7, 5], [2.1, 4], [2.4, 4]), "weak line: load > gain"],
    [{ time: ["2024-01-01", "2024-01-02", "2024-01-03"], rain: [1, 2, 0] }, "strong line: time > rain"],
    [{ "2024-01-01": 1, "2024-01-02": 4, "2024-01-03": 2 }, "strong line: v > v"],
    [
      [
        ["2024-01-01", 1],
        ["2024-01-02", 4],
        ["2024-01-03", 2],
      ],
      "strong line: time > value",
    ],
    [
      [
        [622, 1450754160000],
        [365, 1450754220000],
        [370, 1450754280000],
      ],
      "strong line: time > value",
    ],
    [
      [
        [1435781430.781, "1"],
        [1435781445.781, "4"],
        [1435781460.781, "2"],
      ],
      "strong line: time > value",
    ],
    [
      [
        [1, 5],
        [2, 3],
        [3, 8],
        [4, 1],
        [5, 2],
      ],
      "weak line: x > value",
    ],
    [[1.5, 2.5, 1, 4, 3.5], "strong line: # > v"],
    [[15, 25, 10, 40, 35], "weak line: # > v"],
  ];
  for (const [value, expected] of cases)
    assert.equal(told(evidence(value, "v")), expected, JSON.stringify(value));
});

test("labels with amounts are bars", () => {
  const cases = [
    [rows("country population", ["DE", 83], ["FR", 67], ["IT", 59]), "strong bar: country > population"],
    [rows("rank name points", [1, "Ann", 30], [2, "Bob", 20], [3, "Cem", 15]), "strong bar: name > points"],
    [
      rows("region sales_2023 sales_2024", ["N", 1, 2], ["S", 3, 4], ["E", 6, 6]),
      "strong bar: region > sales_2023, sales_2024",
    ],
    [
      rows("id name color share", ["a", "Ann", "red", 3], ["b", "Bob", "blue", 2], ["c", "Cem", "red", 1]),
      "weak bar: name > share",
    ],
    [rows("city people", ["Oslo", 709], ["Rome", null], ["Bern", 134]), "weak bar: city > people"],
    [rows("item price stock", ["a", 1, 200], ["b", 3, 10], ["c", 2, 20]), "weak bar: item > price"],
    [
      [
        ["a", 1],
        ["b", 3],
        ["c", 2],
      ],
      "strong bar: name > value",
    ],
    [{ requests: 12, errors: 3, warnings: 5 }, "weak bar: v > v"],
    [{ errorCount: 12, warningCount: 3, hintCount: 5 }, "weak bar: v > v"],
    [{ open: 3, closed: 9, merged: 1, total: 13 }, "strong bar: v > v"],
    [{ solar: 24.5, wind: 50.5, coal: 25 }, "strong bar: v > v"],
  ];
  for (const [value, expected] of cases)
    assert.equal(told(evidence(value, "v")), expected, JSON.stringify(value));
  assert.equal(told(evidence({ a: 3, b: 4, c: 1 }, "v", true)), "strong bar: v > v");
  for (const name of ["by_country", "wordCounts", "language_distribution", "votes"])
    assert.equal(evidence({ ab: 3, cd: 4, ef: 1 }, name)?.strong, true, name);
});

test("what is no amount, or no series, is no chart", () => {
  const cases = {
    "too few rows": rows("date price", ["2024-01-01", 3], ["2024-01-02", 5]),
    ids: rows("name user_id", ["a", 3123], ["b", 523], ["c", 4]),
    years: rows("title year", ["a", 1999], ["b", 1984], ["c", 2001]),
    ports: rows("service port", ["a", 80], ["b", 443], ["c", 22]),
    codes: rows("path status_code", ["a", 200], ["b", 404], ["c", 200]),
    places: rows("city lat lon", ["a", 1.5, 3.2], ["b", 4.4, 43.1], ["c", 2.2, 9.8]),
    geometry: rows("name left top width height", ["a", 1, 2, 3, 4], ["b", 5, 4, 3, 9], ["c", 1, 9, 9, 2]),
    "lines and columns": rows("ruleId line column", ["a", 1, 2], ["b", 3, 9], ["c", 4, 1]),
    "counted rows": rows("n name", [1, "a"], [2, "b"], [3, "c"]),
    "one value throughout": rows("name size", ["a", 4], ["b", 4], ["c", 4]),
    "dates of records": rows(
      "title created_at",
      ["a", "2024-01-01"],
      ["b", "2024-01-02"],
      ["c", "2024-01-03"],
    ),
    texts: rows("a b", ["x", "y"], ["z", "w"], ["q", "r"]),
    "repeated labels": rows("level took", ["info", 3], ["info", 4], ["warn", 1]),
    addresses: rows("url hits", ["https://a", 3], ["https://b", 4], ["https://c", 1]),
    pagination: { page: 1, per_page: 20, total: 120, total_pages: 6 },
    "figures of one thing": { count: 4, sum: 16, mean: 4, median: 2.5, min: 1, max: 10 },
    "a colour": { r: 255, g: 136, b: 0, h: 32, s: 100, l: 50 },
    "different units": { usedBytes: 1649147904, usedPercent: 7, freeBytes: 23627366400 },
    settings: { timeout: 30, retries: 3, port: 8080, workers: 4 },
    "weather now": { temperature: 21, humidity: 40, wind_speed: 12 },
    "some texts": { a: 1, b: 2, c: "x" },
    "ids in a list": [4123, 4127, 4200, 5001, 5100, 5200],
    edges: [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
    ],
    ranges: [
      [0, 9],
      [10, 19],
      [20, 29],
      [30, 39],
      [40, 49],
    ],
    nothing: {},
    none: [],
    words: ["a", "b", "c"],
    nested: [[[1]], [[2]], [[3]]],
    nulls: [null, null, null, null, null],
    "pairs of words": [
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
    ],
    scalars: 4,
    truths: [true, false, true, false, true],
  };
  for (const [why, value] of Object.entries(cases)) assert.equal(told(evidence(value, "v")), undefined, why);
  for (const name of ["ids", "ports", "embedding", "bbox", "shape"])
    assert.equal(evidence([1.5, 3.5, 2, 9, 4], name), undefined, name);
});

test("rows of a date, a category and an amount are a line for each category", () => {
  const days = ["2024-01-03", "2024-01-01", "2024-01-02"];
  const long = rows(
    "date region sales",
    ...days.flatMap((day, i) => [
      [day, "South", i],
      [day, "North", i * 2 + 1],
    ]),
  );
  const found = evidence(long.slice(1));
  assert.deepEqual(
    [found.type, found.strong, found.x.cellValues],
    ["line", true, ["2024-01-01", "2024-01-02", "2024-01-03"]],
  );
  assert.deepEqual(
    found.series.map(({ name, label, cellValues }) => [name, label, cellValues]),
    [
      ["sales", "North", [3, 5, 1]],
      ["sales", "South", [1, 2, null]],
    ],
  );
  const others = {
    "a category twice on a day": [...long, long[0]],
    "too many categories": rows(
      "date region sales",
      ...days.flatMap((day) => repeat(6, (i) => [day, `r${i}`, i])),
    ),
    "too few days": long.slice(0, 4),
    "hardly any day in common": rows(
      "date region sales",
      ...repeat(12, (i) => [`2024-01-${i + 10}`, "abc"[i % 3], i]),
      ["2024-01-10", "b", 2],
    ),
    "names of records": rows(
      "date name sales",
      ...days.flatMap((day, i) => [
        [day, `one ${i}`, i],
        [day, `other ${i}`, i],
      ]),
    ),
    "more that differs": long.map((row, i) => ({ ...row, by: i % 3 ? "x" : "y" })),
  };
  for (const [why, value] of Object.entries(others)) assert.notEqual(evidence(value)?.type, "line", why);
  assert.equal(
    evidence(
      rows(
        "year country gdp",
        ...[2021, 2020, 2022].flatMap((year) => [
          [year, "DE", year % 7],
          [year, "FR", year % 5],
        ]),
      ),
    ).series.length,
    2,
  );
});

test("categories that take turns are a line each, whose points its own days join", () => {
  const turns = (names, column = "region") =>
    rows(
      `date ${column} sales`,
      ...repeat(12, (i) => [`2024-01-${i + 10}`, names[i % names.length], i % 2 ? 100 + i : i]),
    );
  const found = evidence(turns(["North", "South"]));
  assert.deepEqual(
    [told(found), found.series.map(({ label }) => label)],
    ["strong line: date > sales, sales", ["North", "South"]],
  );
  assert.deepEqual(found.series[1].cellValues.slice(0, 4), [null, 101, null, 103]);
  assert.equal(evidence(turns(["North", "South", "South"])).series.length, 2);
  assert.equal(evidence(turns(["a", "b", "c", "d", "e"])).series.length, 5);
  assert.equal(evidence(turns(["a", "b", "c", "d", "e", "f"]))?.type, undefined, "too many to be told apart");
  assert.deepEqual(
    evidence(
      rows("day machine n", ...repeat(9, (i) => [`2024-01-${i + 10}`, "ab"[i % 2], i * i])),
    ).series.map(({ label }) => label),
    ["a", "b"],
  );
  const one = [
    turns(["dry", "wet"], "condition"),
    turns(["North"]),
    rows("date name sales", ...repeat(12, (i) => [`2024-01-${i + 10}`, `n${i % 9}`, i])),
  ];
  for (const value of one) assert.equal(evidence(value)?.series.length ?? 1, 1);
  const wide = rows(
    "date site visits sales",
    ...repeat(12, (i) => [`2024-01-${i + 10}`, "ab"[i % 2], i % 2 ? 500 + i : i, i]),
  );
  assert.deepEqual(
    evidence(wide).series.map(({ name, label }) => `${name} ${label}`),
    ["visits a", "visits b"],
  );
  const smooth = rows(
    "date kind high low",
    ...repeat(12, (i) => [`2024-01-${i + 10}`, "ab"[i % 2], i + 9, i]),
  );
  assert.deepEqual(
    evidence(smooth).series.map(({ name }) => name),
    ["high", "low"],
  );
});

test("a record's date is no axis: its name counts", () => {
  const files = rows(
    "path modified size_bytes",
    ["a.txt", "2024-01-01", 3],
    ["b.txt", "2024-01-02", 9],
    ["c.txt", "2024-01-03", 4],
  );
  assert.equal(told(evidence(files)), "weak bar: path > size_bytes");
});

test("points are drawn in order of time", () => {
  const { x, series } = evidence(rows("date price", ["2024-01-03", 3], ["2024-01-01", 1], ["2024-01-02", 2]));
  assert.deepEqual(x.cellValues, ["2024-01-01", "2024-01-02", "2024-01-03"]);
  assert.deepEqual(series[0].cellValues, [1, 2, 3]);
  assert.deepEqual(
    evidence(rows("month n", ["2024-03", 3], ["2024-02", 1], ["2024-01", 7])).series[0].cellValues,
    [7, 1, 3],
  );
});

test("ticks are round and cover the amounts", () => {
  assert.deepEqual(roundTicks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(roundTicks(-3, 9, 3), [-5, 0, 5, 10]);
  assert.deepEqual(roundTicks(0.1, 0.3, 4), [0.1, 0.15, 0.2, 0.25, 0.3]);
  for (const [low, high] of [
    [0, 1],
    [-7, 13],
    [5, 5],
    [0, 0],
    [1e9, 3.3e9],
    [1e-7, 4e-7],
    [-3, -3],
  ]) {
    const ticks = roundTicks(low, high, 4);
    assert.ok(
      ticks.length >= 2 && ticks.length < 9 && ticks[0] <= low && ticks.at(-1) >= high,
      `${low}..${high}: ${ticks}`,
    );
  }
});

test("ticks of time stand where the calendar turns", () => {
  const at = (...parts) => Date.UTC(...parts);
  const days = timeTicks(at(2024, 0, 1), at(2024, 0, 7), 7);
  assert.deepEqual(
    days.map(([tick]) => new Date(tick).getUTCHours()),
    Array(7).fill(0),
  );
  assert.equal(timeTicks(at(2024, 0, 1), at(2024, 0, 5), 12).length, 5);
  assert.equal(timeTicks(at(2024, 0, 1), at(2024, 0, 5, 1), 12).length, 9);
  const months = timeTicks(at(2023, 10, 15), at(2024, 2, 15), 5);
  assert.deepEqual(
    months.map(([tick, { year }]) => [new Date(tick).getUTCDate(), !!year]),
    [
      [1, false],
      [1, true],
      [1, false],
      [1, false],
    ],
  );
  const weeks = timeTicks(at(2024, 0, 1), at(2024, 1, 1), 6);
  assert.deepEqual([...new Set(weeks.map(([tick]) => new Date(tick).getUTCDay()))], [1]);
  for (const span of [2e3, 6e4, 36e5, 864e5, 2e9, 3e10, 1e12, 4e12]) {
    const ticks = timeTicks(-1e12, -1e12 + span, 8);
    assert.ok(
      ticks.length <= 9 && ticks.every(([tick]) => tick >= -1e12 && tick <= -1e12 + span),
      `${span}: ${ticks.length}`,
    );
  }
});

test("thinning keeps ends, extremes and gaps", () => {
  const values = repeat(10_000, (i) => (i === 5000 ? null : Math.sin(i / 50)));
  values[3333] = 99;
  values[7777] = -99;
  const kept = thinned(values, 300);
  assert.ok(kept.length < 1600);
  for (const i of [0, 3333, 5000, 7777, 9999]) assert.ok(kept.includes(i), `${i}`);
  assert.deepEqual(
    kept,
    kept.toSorted((a, b) => a - b),
  );
  assert.deepEqual(thinned([1, null, 2], 300), [0, 1, 2]);
});

test("focus, keys and pointer do nothing before the first drawing", () => {
  const told = [];
  window.addEventListener("error", ({ message }) => told.push(message));
  const {
    parts: [handle, tip],
    follow,
  } = cursor({ caption: "Price by Day", isLine: true, at: (i) => `Day ${i}`, series: [] });
  for (const event of [
    new window.Event("focus"),
    new window.Event("pointermove"),
    new window.KeyboardEvent("keydown", { key: "End" }),
    new window.KeyboardEvent("keydown", { key: "PageDown" }),
  ])
    handle.dispatchEvent(event);
  assert.deepEqual([told, tip.hidden, handle.getAttribute("aria-valuetext")], [[], true, null]);
  follow({ points: [0, 1], height: 1, nodes: [] });
  assert.equal(handle.getAttribute("aria-valuenow"), "1");
});

for (const {
  where,
  kit: { Show, chart, renderResult },
} of subjects)
  describe(where, () => {
    const prices = repeat(30, (i) => ({
      date: `2024-01-${String(i + 1).padStart(2, "0")}`,
      price: i === 10 ? null : i * 2,
    }));
    const draw = (value, show = new Show()) => {
      document.body.replaceChildren(...renderResult({ structuredContent: value }, show));
      return document.body;
    };
    const put = (...args) => {
      document.body.replaceChildren(chart(...args));
      return document.body;
    };
    const button = (body, name) =>
      [...body.querySelectorAll("button")].find((one) => one.textContent === name);
    const press = (target, key) =>
      target.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

    test("a chart has a picture with words for it, and its table behind a button", () => {
      const body = draw({ prices });
      const picture = body.querySelector("figure svg[role=img]");
      assert.equal(
        picture.getAttribute("aria-label"),
        "Price by Date. 30 points, Jan 1, 2024 \u2013 Jan 30, 2024. lowest 0, highest 58, last 58",
      );
      assert.equal(body.querySelector("table"), null);
      button(body, "Table").click();
      assert.equal(body.querySelectorAll("tbody tr").length, 30);
      assert.equal(body.querySelector(".plot").parentElement.hidden, true);
      assert.deepEqual(
        [button(body, "Chart"), button(body, "Table")].map((one) => one.getAttribute("aria-pressed")),
        ["false", "true"],
      );
    });

    test("lines by category are named after their categories, under what was measured", () => {
      const figure = draw(
        rows(
          "date region net_sales",
          ...["2024-01-01", "2024-01-02", "2024-01-03"].flatMap((day, i) => [
            [day, "EMEA", i],
            [day, "us_east", 3 - i],
          ]),
        ),
      );
      assert.equal(figure.querySelector("figcaption").textContent, "Net sales by DateEMEAus_east");
    });

    test("each of the lines that take turns is drawn through all its points, with a key", () => {
      const turns = rows(
        "date region sales",
        ...repeat(12, (i) => [`2024-01-${i + 10}`, i % 2 ? "South" : "North", i % 2 ? 100 + i : i]),
      );
      const options = [
        [turns, { x: "date", y: "sales" }],
        [turns, { type: "line", y: "sales" }],
        [
          [...turns, { date: "2024-01-10", region: "South", sales: 99 }],
          { x: "date", y: "sales", type: "line" },
        ],
      ];
      for (const show of [
        () => draw(turns),
        ...options.map((one) => () => document.body.replaceChildren(chart(...one))),
      ]) {
        show();
        const lines = [...document.body.querySelectorAll("path.line")].filter(
          (line) => !line.closest(".keys"),
        );
        assert.deepEqual(
          lines.map((line) => line.getAttribute("d").match(/M/g).length),
          [1, 1],
        );
        assert.ok(lines.every((line) => line.getAttribute("d").match(/L/g).length >= 5));
        assert.match(document.body.querySelector("figcaption").textContent, /North.*South|South.*North/);
      }
    });

    test("a line that a view asks for stays one line where a remark changes from day to day", () => {
      const days = rows(
        "date condition high",
        ...repeat(5, (i) => [`2024-06-0${i + 1}`, i < 2 ? "cloudy" : "rain", 19 - i]),
      );
      assert.equal(put(days, { type: "line", x: "date", y: "high" }).querySelectorAll("path.line").length, 1);
    });

    test("what the person chose outlives the result", () => {
      const show = new Show();
      button(draw({ prices }, show), "Table").click();
      assert.ok(draw({ prices: prices.slice(5) }, show).querySelector("table"));
    });

    test("a weak reason shows the plain form first", () => {
      const body = draw({ requests: 12, errors: 3, warnings: 5 });
      assert.equal(body.querySelectorAll("dt").length, 3);
      button(body, "Chart").click();
      assert.equal(body.querySelectorAll("rect.column").length, 3);
    });

    test("years under a line stand as they are", () => {
      for (const name of ["year", "fiscal_year", "FY", "x"]) {
        const body = draw(repeat(6, (i) => ({ [name]: 2021 + i, sales: i * i + 1.5 })));
        const ticks = [...body.querySelectorAll(".plot svg text")].map((one) => one.textContent);
        assert.equal(ticks.includes(name === "x" ? "2,024" : "2024"), true, `${name}: ${ticks}`);
      }
    });

    test("a gap in the data is a gap in the line", () => {
      const line = draw({ prices }).querySelector("path.line");
      assert.equal(line.getAttribute("d").match(/M/g).length, 2);
    });

    test("the table of pairs of numbers has no names that the data does not tell", () => {
      const body = draw([
        [0, 0],
        [1, 1],
        [2, 4],
        [3, 9],
        [4, 16],
      ]);
      button(body, "Table").click();
      const heads = [...body.querySelectorAll("thead th")].map((one) => one.textContent);
      assert.deepEqual(heads, ["Column 1", "Column 2"]);
    });

    test("the arrow keys tell one point after the other", () => {
      const handle = draw({ prices }).querySelector("[role=slider]");
      handle.dispatchEvent(new window.Event("focus"));
      assert.equal(handle.getAttribute("aria-valuetext"), "Jan 1, 2024: 0");
      press(handle, "ArrowRight");
      assert.equal(handle.getAttribute("aria-valuetext"), "Jan 2, 2024: 2");
      press(handle, "End");
      assert.deepEqual(
        ["aria-valuenow", "aria-valuemin", "aria-valuemax", "aria-valuetext"].map((name) =>
          handle.getAttribute(name),
        ),
        ["30", "1", "30", "Jan 30, 2024: 58"],
      );
      press(handle, "Home");
      press(handle, "PageDown");
      assert.equal(handle.getAttribute("aria-valuetext"), "Jan 4, 2024: 6");
      assert.equal(document.querySelector(".tip").hidden, false);
      press(handle, "Escape");
      assert.equal(document.querySelector(".tip").hidden, true);
    });

    test("many bars are cut to the largest, and the rest is told", () => {
      const body = draw({ items: repeat(40, (i) => ({ name: `n${i}`, size: (i * 7) % 41 })) });
      assert.equal(body.querySelectorAll("rect.column").length, 15);
      assert.match(
        body.querySelector("figure").textContent,
        /The 15 largest of 40 bars; all are in the table/,
      );
    });

    test("every series has a key, and bars below zero begin at zero", () => {
      assert.deepEqual(
        [
          ...put(
            [
              { m: 1, a: 3, b: 4 },
              { m: 2, a: 5, b: 6 },
            ],
            { x: "m", y: ["a", "b"], type: "line" },
          ).querySelectorAll(".keys span"),
        ].map((one) => one.textContent),
        ["a", "b"],
      );
      const [up, down] = put({ up: 10, down: -5 }).querySelectorAll("rect.column");
      const [x, width] = ["x", "width"].map((name) => Number(down.getAttribute(name)));
      assert.ok(
        Math.abs(x + width - Number(up.getAttribute("x"))) < 0.01 &&
          Math.abs(width * 2 - Number(up.getAttribute("width"))) < 0.01,
      );
    });

    test("a view gets the chart it asks for, from any of the shapes", () => {
      const two = [
        { k: "b", n: 1, m: 3 },
        { k: "a", n: 2, m: 1 },
      ];
      const kinds = (data, options) =>
        [...put(data, options).querySelectorAll("svg[role=img] :is(.line, .column)")].map(
          (one) => one.tagName,
        );
      assert.deepEqual(kinds(two, { x: "k", y: "n" }), ["rect", "rect"]);
      assert.deepEqual(kinds(two, { x: "k", y: ["n", "m"], type: "line" }), ["path", "path"]);
      assert.equal(
        kinds([
          { id: 7, k: "a", n: 4 },
          { id: 3, k: "b", n: 1 },
        ]).length,
        2,
      );
      assert.deepEqual(kinds([1, 2]), ["path"]);
      assert.deepEqual(
        kinds([
          ["a", 1],
          ["b", 2],
        ]),
        ["rect", "rect"],
      );
      assert.deepEqual(kinds({ a: 1 }), ["rect"]);
      assert.deepEqual(kinds(prices, { type: "bar" }).length, 15);
      assert.match(put(two, { title: "Two", unit: "EUR", x: "k", y: "n" }).textContent, /Two[^]*€1/);
    });

    test("what cannot be drawn is shown as it is", () => {
      for (const data of [
        [],
        {},
        null,
        3,
        "x",
        [{ a: "x" }],
        { a: "b" },
        [null, null],
        [{ d: null, n: null }],
      ]) {
        const body = put(data, { type: "line" });
        assert.equal(body.querySelector("figure"), null, JSON.stringify(data));
      }
      assert.equal(
        put([{ a: "x", b: 1 }, { a: null, b: 2 }, { b: null }], { x: "a", y: "b" }).querySelectorAll(
          "rect.column",
        ).length,
        1,
      );
      put([{ a: "x", b: 1 }], { x: "nothing", y: "none" });
    });

    test("ten thousand points make few nodes", () => {
      const body = draw({ samples: repeat(10_000, (i) => Math.sin(i / 100) + (i % 7) / 10) });
      assert.ok(body.querySelectorAll("*").length < 80);
      assert.ok(body.querySelector("path.line").getAttribute("d").length < 30_000);
    });

    test("markup in names and labels stays text", () => {
      const bad = "<img src=x onerror=1>";
      const body = draw({
        [bad]: [
          { [bad]: bad, "<b>": 1 },
          { [bad]: `${bad}2`, "<b>": 2 },
          { [bad]: "c", "<b>": 5 },
        ],
      });
      assert.equal(body.querySelector("img, b b, script"), null);
      assert.ok(body.querySelector("figure"));
    });
  });
