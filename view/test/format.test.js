import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { number, quantity, shorten } from "../src/kit/format.js";
import { instantOf } from "../src/kit/instant.js";
import { language, speak, wallTime } from "../src/kit/locale.js";
import { namesThings, unitOf } from "../src/kit/meaning.js";
import { subjects } from "./subjects.js";

const plainSpaces = (text) => text.replace(/[\u00a0\u202f]/g, " ");

test("names tell which numbers are no amounts", () => {
  for (const name of [
    "id",
    "user_id",
    "userID",
    "zip_code",
    "year",
    "birthYear",
    "port",
    "issue_number",
    "status",
    "latitude",
    "line",
    "born_in",
  ])
    assert.equal(namesThings(name), true, name);
  for (const name of [
    "idea",
    "total",
    "years",
    "ports_open",
    "number_of_ports",
    "price",
    "sales_per_day",
    "width",
    "",
  ])
    assert.equal(namesThings(name), false, name);
});

test("names tell units", () => {
  const units = {
    size_bytes: "byte",
    bytesSent: "byte",
    duration_ms: "millisecond",
    elapsedSeconds: "second",
    cpu_percent: "percent",
    usedPct: "percent",
    memory_mb: "megabyte",
    temp_celsius: "celsius",
    timeout_s: "second",
    bytes_per_second: "",
    s: "",
    size: "",
    minute: "",
    ns_name: "",
    minutes_id: "",
    hours_url: "",
    seconds_token: "",
    seconds_elapsed: "second",
    daysLeft: "day",
    meeting_minutes_id: "",
    ms_code: "",
    constructor: "",
  };
  for (const [name, unit] of Object.entries(units)) assert.equal(unitOf(name), unit, name);
});

test("numbers are read as their names say", () => {
  const cases = [
    [1234567, "total", "1,234,567"],
    [1234567, "user_id", "1234567"],
    [2024, "founded", "2024"],
    [2500, "visits", "2,500"],
    [1649147904, "size_bytes", "1.65 GB"],
    [512, "size_bytes", "512 bytes"],
    [1500, "duration_ms", "1,500 ms"],
    [0.25, "duration_ms", "0.25 ms"],
    [-5400, "shift_seconds", "-5,400 sec"],
    [7092.5, "seconds", "7,092.5 sec"],
    [2048, "memory_mb", "2,048 MB"],
    [40, "work_hours", "40 hr"],
    [7, "used_percent", "7%"],
    [0.07, "used_percent", "0.07%"],
    [512, "memory_mb", "512 MB"],
    [26.82417945625457, "growth", "26.8242"],
    [110000.00000000001, "mrr", "110,000"],
    [0.000123456, "p", "0.000123456"],
    [1.609344, "km_per_mile", "1.609344"],
    [0.45359237, "kg", "0.45359237 kg"],
    [12345.678901, "x", "12,345.678901"],
    [1234567.891, "x", "1,234,567.891"],
    [0.1 + 0.2, "x", "0.3"],
    [123456.78999999999, "x", "123,456.79"],
    [1 / 3, "x", "0.333333"],
    [1.23456789e-7, "x", "1.23456789E-7"],
    [12, "minutes_id", "12"],
    [1234, "minutes_id", "1234"],
    [52.520008, "lat", "52.520008"],
    [0, "x", "0"],
    [-1234.5, "x", "-1,234.5"],
    [1e21, "x", "1e+21"],
    [2 ** 53, "x", "9007199254740992"],
    [1.5e-9, "x", "1.5E-9"],
  ];
  for (const [value, name, expected] of cases)
    assert.equal(plainSpaces(quantity(value, name)), expected, `${name}: ${value}`);
});

test("years, ids and codes stand as they are, by name and size", () => {
  const plain = [
    [2027, "fiscal_year"],
    [2027, "FY"],
    [2027, "fiscalYearEnd"],
    [2027, "year_of_birth"],
    [2026, "model_year"],
    [1998, "yr"],
    [12345, "id_user"],
    [94107, "zip_from"],
    [5551234, "phone_home"],
    [1234567, "user_ids"],
    [4006381333931, "ean"],
  ];
  for (const [value, name] of plain) assert.equal(quantity(value, name), `${value}`, name);
  for (const [value, name, expected] of [
    [2027, "visits", "2,027"],
    [12000, "sales_this_year", "12,000"],
    [2027, "year_count", "2,027"],
    [2500, "sales_per_year", "2,500"],
    [1500, "id_count", "1,500"],
  ])
    assert.equal(quantity(value, name), expected, name);
});

test("a time since 1970 is one by its name and size, in any scale", () => {
  const at = Date.UTC(2026, 10, 21, 21, 47, 41);
  for (const name of [
    "created_at",
    "timestamp",
    "created",
    "time",
    "date",
    "epoch",
    "updatedTime",
    "last_login",
    "expiry",
    "exp",
    "iat",
    "timestamp_unix",
    "epoch_seconds",
    "start",
    "x-ratelimit-reset",
    "dt",
    "time_utc",
    "logged_in_at",
    "Last seen",
  ])
    for (const scale of [1e-3, 1, 1e3, 1e6])
      assert.equal(Math.round(instantOf(at * scale, name)?.at), at, `${name} ${scale}`);
  for (const name of ["timestamp_ms", "time_us", "timestampNs", "created_at_seconds"])
    assert.equal(Math.round(instantOf(at * 1e3, name)?.at), at, name);
  assert.equal(instantOf(946684800, "published")?.at, Date.UTC(2000, 0, 1));
  for (const name of [
    "total",
    "elapsed_time",
    "total_time_ns",
    "response_time",
    "bytes_sent",
    "expires_in",
    "created_by_id",
    "from",
    "to",
    "phone",
    "views",
    "time_offset",
    "duration_ms",
    "timezone",
    "count",
  ])
    for (const scale of [1e-3, 1]) assert.equal(instantOf(at * scale, name), undefined, name);
});

test("a unit that no name says fits", () => {
  for (const [value, unit, expected] of [
    [91234, "millisecond", "1 min 31 sec"],
    [-5400, "second", "-1 hr 30 min"],
    [7200, "second", "2 hr"],
    [200000, "second", "2 days 7 hr"],
  ])
    assert.equal(plainSpaces(quantity(value, "took", unit)), expected);
});

test("dates are texts that say so, or numbers whose name and size both do", () => {
  const at = (value, name) => instantOf(value, name) && new Date(instantOf(value, name).at).toISOString();
  assert.deepEqual(instantOf("2024-06-14"), { at: Date.UTC(2024, 5, 14), timed: false, zoned: false });
  assert.deepEqual(instantOf("2024-06-14 10:30"), {
    at: Date.UTC(2024, 5, 14, 10, 30),
    timed: true,
    zoned: false,
  });
  assert.deepEqual(instantOf("2024-06-14T10:30:00+02:00"), {
    at: Date.UTC(2024, 5, 14, 8, 30),
    timed: true,
    zoned: true,
    offset: "+02:00",
  });
  assert.equal(at("2024-06-14T10:30:00.123456+0200"), "2024-06-14T08:30:00.123Z");
  assert.equal(at(1718000000, "created_at"), "2024-06-10T06:13:20.000Z");
  assert.equal(at(1718000000000, "mtimeMs"), "2024-06-10T06:13:20.000Z");
  for (const text of [
    "2024-02-31",
    "2024-13-01",
    "2024",
    "2024-06",
    "20240614",
    "10:30",
    "2024-06-14T25:00Z",
    "v2024-06-14",
    "2024-06-14x",
    "",
    "1718000000",
  ])
    assert.equal(instantOf(text, "created_at"), undefined, text);
  for (const [value, name] of [
    [1718000000, "total"],
    [12, "created_at"],
    [1718000000, "id"],
    [1e15, "timestamp"],
    [true, "at"],
    [null, "at"],
  ])
    assert.equal(instantOf(value, name), undefined, `${name}: ${value}`);
});

describe("languages and zones", () => {
  afterEach(() => speak({ locale: "en-US", timeZone: "UTC" }));

  test("of the host are followed, those which do not exist are not", () => {
    assert.equal(speak({ locale: "de-DE", timeZone: "Asia/Tokyo" }), true);
    assert.equal(speak({ locale: "de_DE" }), false);
    for (const bad of [undefined, null, 7, "", "??", "a_very-wrong!locale", {}, [], "\ud800"])
      assert.equal(speak({ locale: bad, timeZone: bad }), false, `${String(bad)}`);
    assert.equal(quantity(1234.5, ""), "1.234,5");
    assert.equal(wallTime(0), 9 * 3600_000);
    assert.deepEqual(language(), { lang: "de-DE", dir: "ltr" });
  });

  test("tell the direction of the page", () => {
    const directions = {
      ar: "rtl",
      "he-IL": "rtl",
      fa: "rtl",
      ur: "rtl",
      "ar-EG": "rtl",
      "az-Arab": "rtl",
      en: "ltr",
      ja: "ltr",
      "ku-Latn": "ltr",
    };
    for (const [locale, dir] of Object.entries(directions)) {
      speak({ locale });
      assert.equal(language().dir, dir, locale);
    }
  });

  test("with half hours and summer time", () => {
    speak({ timeZone: "Asia/Kolkata" });
    assert.equal(wallTime(1), 5.5 * 3600_000 + 1);
    speak({ timeZone: "Europe/Berlin" });
    assert.equal(wallTime(Date.UTC(2024, 6, 1)) - Date.UTC(2024, 6, 1), 2 * 3600_000);
    assert.equal(wallTime(Date.UTC(1969, 11, 31, 23, 59, 59, 500)), -500 + 3600_000);
  });
});

for (const {
  where,
  kit: { Show, badge, byteSize, date, number, plural, renderResult, speak },
} of subjects)
  describe(where, () => {
    const draw = (value, schema) => {
      document.body.replaceChildren(...renderResult({ structuredContent: value }, new Show({ schema })));
      return document.body;
    };
    const cell = (name, value, schema) =>
      draw({ [name]: value, other: "words that leave no room for a band" }, schema).querySelector("dd")
        .firstElementChild;
    const inOtherPlace = (asked, look) => {
      speak(asked);
      try {
        return look();
      } finally {
        speak({ locale: "en-US", timeZone: "UTC" });
      }
    };

    test("a view writes numbers", () => {
      assert.equal(number(1234.5), "1,234.5");
      assert.equal(number(2024), "2,024");
      assert.equal(plainSpaces(number(1500, { unit: "ms" })), "1.5 sec");
      assert.equal(number(7, { unit: "%" }), "7%");
      assert.equal(plainSpaces(number(12, { unit: "EUR", digits: 2 })), "€12.00");
      assert.equal(number(null), "\u2013");
      assert.equal(number(undefined, { unit: "ms" }), "\u2013");
      assert.equal(number("0012"), "0012");
      assert.equal(
        inOtherPlace({ locale: "de-DE" }, () => number(1234.5)),
        "1.234,5",
      );
    });

    test("the time of another place stays that place's time", () => {
      const [paris, newYork] = ["2026-11-21T16:30:00+01:00", "2026-11-21T10:30:00-05:00"];
      assert.equal(plainSpaces(date(paris)), "Nov 21, 2026, 4:30 PM GMT+1");
      assert.equal(plainSpaces(date(newYork)), "Nov 21, 2026, 10:30 AM GMT-5");
      assert.equal(plainSpaces(date("2026-11-21T16:30:00+05:30")), "Nov 21, 2026, 4:30 PM GMT+5:30");
      assert.equal(plainSpaces(date("2026-11-21T16:30:00+00:00")), "Nov 21, 2026, 4:30 PM");
      assert.equal(
        inOtherPlace({ timeZone: "Europe/Paris" }, () => plainSpaces(date(paris))),
        "Nov 21, 2026, 4:30 PM",
      );
    });

    test("a view writes dates", () => {
      assert.equal(plainSpaces(date("2024-06-14T10:30:00Z")), "Jun 14, 2024, 10:30 AM");
      assert.equal(plainSpaces(date("2024-06-14T10:30:12Z")), "Jun 14, 2024, 10:30:12 AM");
      assert.equal(date("2024-06-14T10:30:00Z", { time: false }), "Jun 14, 2024");
      assert.equal(date("2024-06-14"), "Jun 14, 2024");
      assert.equal(date(1718000000, { time: false }), "Jun 10, 2024");
      assert.equal(date(new Date(0), { time: false }), "Jan 1, 1970");
      for (const [value, text] of [
        [null, "\u2013"],
        [undefined, "\u2013"],
        ["soon", "soon"],
        [12, "12"],
        [new Date(NaN), "Invalid Date"],
      ])
        assert.equal(date(value), text);
      assert.equal(
        inOtherPlace({ locale: "de-DE", timeZone: "Asia/Tokyo" }, () => date("2024-06-14T20:30:00Z")),
        "15.06.2024, 05:30",
      );
      assert.equal(
        inOtherPlace({ timeZone: "America/Los_Angeles" }, () => date("2024-06-14")),
        "Jun 14, 2024",
      );
      assert.equal(
        inOtherPlace({ timeZone: "America/Los_Angeles" }, () => plainSpaces(date("2024-06-14T10:30"))),
        "Jun 14, 2024, 10:30 AM",
      );
    });

    test("a view shows a status", () => {
      assert.equal(badge("ok", "good").className, "badge good");
      for (const tone of [undefined, "neutral", "x evil"]) assert.equal(badge("ok", tone).className, "badge");
    });

    test("sizes and counts are in the host's language", () => {
      assert.deepEqual(
        [plainSpaces(byteSize(2048)), plural(1, "row"), plural(12345, "row")],
        ["2.05 kB", "1 row", "12,345 rows"],
      );
      assert.equal(
        inOtherPlace({ locale: "de-DE" }, () => plural(12345, "row")),
        "12.345 rows",
      );
    });

    test("a cell keeps the exact value as its title", () => {
      const told = (name, value, schema) => {
        const one = cell(name, value, schema);
        return [one.tagName, plainSpaces(one.textContent), one.title];
      };
      assert.deepEqual(told("total", 1234567), ["SPAN", "1,234,567", "1234567"]);
      assert.deepEqual(told("order_id", 1234567), ["SPAN", "1234567", ""]);
      assert.deepEqual(told("price", 26.82417945625457), ["SPAN", "26.8241794562546", "26.82417945625457"]);
      assert.deepEqual(told("factor", 1.609344), ["SPAN", "1.609344", ""]);
      assert.deepEqual(told("size_bytes", 2048), ["SPAN", "2.05 kB", "2048"]);
      assert.deepEqual(told("created_at", 1718000000), ["TIME", "Jun 10, 2024, 6:13:20 AM", "1718000000"]);
      assert.deepEqual(told("seen", "2024-06-14T10:30:00Z"), [
        "TIME",
        "Jun 14, 2024, 10:30 AM",
        "2024-06-14T10:30:00Z",
      ]);
      assert.deepEqual(told("code", "0012345"), ["SPAN", "0012345", ""]);
      assert.deepEqual(told("active", false), ["SPAN", "No", ""]);
      assert.equal(cell("seen", "2024-06-14T10:30:00Z").dateTime, "2024-06-14T10:30:00Z");
      assert.equal(cell("created_at", 1718000000).dateTime, "2024-06-10T06:13:20.000Z");
    });

    test("the schema tells what the name does not", () => {
      const schema = (one) => ({ type: "object", properties: { v: one } });
      const told = (value, one) => plainSpaces(cell("v", value, schema(one)).textContent);
      assert.equal(
        told(1500, { type: "number", description: "How long it took, in milliseconds." }),
        "1.5 sec",
      );
      assert.equal(told(1500, { type: "number", description: "How much is in stock" }), "1,500");
      assert.equal(told(1718000000, { type: "integer", format: "date-time" }), "Jun 10, 2024, 6:13:20 AM");
      assert.equal(
        told(1718000000, { anyOf: [{ type: "integer", format: "date-time" }, { type: "null" }] }),
        "Jun 10, 2024, 6:13:20 AM",
      );
    });

    test("nothing looks the same whatever says it, and its title tells which", () => {
      const nothing = [null, "", [], {}].map(
        (value) =>
          draw([
            { v: value, n: "a" },
            { v: 1, n: "b" },
          ]).querySelector("td").firstElementChild,
      );
      assert.deepEqual(
        nothing.map((one) => [one.textContent, one.className, one.title]),
        ["null", '""', "[]", "{}"].map((title) => ["\u2013", "none", title]),
      );
    });

    test("entries of a list are formatted as their name in the singular tells", () => {
      const cases = {
        days: [["2024-06-14", "2024-06-15"], "Jun 14, 2024; Jun 15, 2024"],
        sales: [[12345, 2.5], "12,345; 2.5"],
        ports: [[8080, 80], "8080, 80"],
        user_ids: [[12345], "12345"],
        timestamps: [[1718000000], "Jun 10, 2024, 6:13:20 AM"],
        sizes_bytes: [[2048, 1], "2.05 kB, 1 byte"],
        flags: [[true, null], "Yes, \u2013"],
        names: [["Ada", "Bo"], "Ada, Bo"],
      };
      for (const [name, [value, expected]] of Object.entries(cases))
        assert.equal(plainSpaces(cell(name, value).textContent), expected, name);
      assert.equal(draw([1234567, 8]).querySelector(".figure").textContent, "1,234,567; 8");
    });

    test("a colour can be seen beside its digits", () => {
      const shows = (name, value) => cell(name, value).querySelector(".swatch")?.style.background;
      assert.ok(
        shows("v", "#ff8800") &&
          shows("v", "#FF880080") &&
          shows("bgColor", "#123456") &&
          shows("fill", "#abc"),
      );
      for (const [name, value] of [
        ["v", "#123456"],
        ["issue", "#123"],
        ["v", "#abc"],
        ["color", "#12345"],
        ["color", "red"],
        ["color", "#ff8800;x"],
      ])
        assert.equal(shows(name, value), undefined, `${name}: ${value}`);
      assert.equal(cell("v", "#ff8800").textContent, "#ff8800");
    });

    test("numbers in tables go by their column", () => {
      const body = draw({
        rows: [
          { user_id: 12345, visits: 12345, when: "2024-06-14" },
          { user_id: 3, visits: null, when: null },
        ],
      });
      assert.deepEqual(
        [...body.querySelector("tbody tr").cells].map((one) => one.textContent),
        ["12345", "12,345", "Jun 14, 2024"],
      );
    });
  });

test("money has its currency's sign before the amount, and all its digits", () => {
  assert.deepEqual(
    [
      number(100000, { unit: "USD" }),
      number(12.5, { unit: "EUR" }),
      number(-3, { unit: "$" }),
      number(0.00012, { unit: "USD" }),
      number(1.005, { unit: "GBP", digits: 1 }),
    ],
    ["$100,000", "\u20ac12.50", "-$3", "$0.00012", "\u00a31.0"],
  );
  assert.deepEqual([number(3, { unit: "QQQ" }), number(3, { unit: "RPM" })], ["3\u00a0QQQ", "3\u00a0RPM"]);
});

test("a text is not cut inside of digits or of a row of signs", () => {
  const cases = [
    ["Rated ★★★★★", 9, "Rated…"],
    ["About 123456 of them", 11, "About…"],
    ["0123456789012345", 9, "01234567…"],
    ["Words that go on", 9, "Words th…"],
    ["Short", 5, "Short"],
  ];
  for (const [text, length, wanted] of cases) assert.equal(shorten(text, length), wanted);
});
