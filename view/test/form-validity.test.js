// Whatever a form hands over fits the tool's schema, and whatever fits comes back as it was.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { freshDom } from "./dom.js";
import { person } from "./forms/person.js";
import { random } from "./forms/random.js";
import { schemaMaker } from "./forms/schemas.js";
import { validator } from "./forms/validity.js";

const CASES = Number(process.env.FORM_CASES ?? 60);
const SEED = Number(process.env.FORM_SEED ?? 1);

freshDom();
const { argumentsForm } = await import("../src/kit/form/arguments.js");

/** @param {any} schema */
function show(schema) {
  const form = argumentsForm(schema, { maxDepth: 5 });
  document.body.replaceChildren(form.element);
  return form;
}

/** A schema with a validator for it and a few values that fit; again where the validator refuses the schema. */
function makeCase(dice, draft) {
  for (;;) {
    const { schema, value } = schemaMaker(dice, draft).whole(dice.integer(1, 4));
    try {
      const complaint = validator(schema);
      return {
        schema,
        complaint,
        fitting: dice
          .times(12, value)
          .filter((one) => !complaint(one))
          .slice(0, 4),
      };
    } catch {
      // The dice made a schema which is none.
    }
  }
}

const plain = (value) => JSON.parse(JSON.stringify(value));
const shownErrors = () => [...document.querySelectorAll(".error-line:not([hidden])")].length;

for (const draft of ["2020-12", "draft-07"])
  describe(draft, () => {
    for (let n = 0; n < CASES; n++) {
      const seed = SEED * 100_000 + n;
      const dice = random(seed + (draft === "draft-07" ? 50_000 : 0));
      const { schema, complaint, fitting } = makeCase(dice, draft);
      const told = (value) => `seed ${seed}: ${JSON.stringify(value)} for ${JSON.stringify(schema)}`;
      const compare = (form) => {
        const sent = form.submit();
        if (sent === undefined) assert.ok(shownErrors(), told("refused without a reason"));
        else assert.equal(complaint(plain(sent)), "", told(sent));
      };

      test(`form ${n}`, () => {
        compare(show(schema));
        for (const value of fitting) {
          const form = show(schema);
          form.fill(value);
          assert.deepEqual(plain(form.submit() ?? errorTexts()), plain(value), told(value));
          form.setRaw(true);
          assert.deepEqual(plain(form.submit() ?? errorTexts()), plain(value), told(value));
          form.setRaw(false);
          assert.deepEqual(plain(form.submit() ?? errorTexts()), plain(value), told(value));
          person(dice).tryOut(form.element, 4);
          compare(form);
        }
        const form = show(schema);
        const user = person(dice);
        for (let i = 0; i < 4; i++) {
          user.tryOut(form.element, 5);
          compare(form);
        }
        user.fillAll(form.element);
        compare(form);
        form.fill(undefined);
        compare(form);
      });
    }
  });

function errorTexts() {
  return [...document.querySelectorAll(".error-line:not([hidden])")].map((one) => one.textContent);
}
