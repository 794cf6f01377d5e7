// Measures how the building of a form grows with its controls, in node with a DOM in JavaScript.
//
// usage: node benchmarks/form_building.mjs [ROUNDS]
//
// The schema has the shape of the largest that real servers publish: everything under one property, parts with plain fields,
// lists, maps, alternatives and references. The baseline makes as many bare elements in the same run. Times are the best of
// all rounds; the steps (elements made, values read, looks into the schema) are the same in every run.
import { freshDom } from "../view/test/dom.js";
import { largeSchema } from "../view/test/forms/large.js";
import { countSteps } from "../view/test/forms/steps.js";

const PARTS = [3, 6, 11, 22, 44];
const rounds = Number(process.argv[2] ?? 5);
freshDom();
const { argumentsForm } = await import("../view/src/kit/form/arguments.js");

/** Milliseconds of the fastest of several runs. */
function best(run) {
  return Math.min(
    ...Array.from({ length: rounds }, () => {
      freshDom();
      const begun = performance.now();
      run();
      return performance.now() - begun;
    }),
  );
}

/** As many elements as a form has, one after another in one element. */
function bareElements(count) {
  const holder = document.createElement("div");
  for (let i = 0; i < count; i++) {
    const element = document.createElement("input");
    element.setAttribute("id", `e${i}`);
    holder.append(element);
  }
}

console.log("controls  elements   steps  ms  ms of bare elements  ratio  steps for each control");
for (const parts of PARTS) {
  const schema = largeSchema(parts);
  const build = (one) => argumentsForm(one, { maxDepth: 5 });
  const { built, made, steps } = countSteps(schema, build);
  const controls = built.element.querySelectorAll("input, select, textarea, button").length;
  const [ours, bare] = [best(() => build(schema)), best(() => bareElements(made))];
  console.log(
    [
      controls,
      made,
      steps,
      ours.toFixed(0),
      bare.toFixed(0),
      (ours / bare).toFixed(1),
      (steps / controls).toFixed(1),
    ].join("  "),
  );
}
