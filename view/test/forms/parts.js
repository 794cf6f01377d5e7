// What both builds of the kit make of a schema, for `builds.js`.
export { argumentsForm } from "../../src/kit/form/arguments.js";
export { outcomeOf } from "../../src/kit/result/outcome.js";
export { Show } from "../../src/kit/result/show.js";
export { check } from "../../src/kit/schema/check.js";
export { describeArguments } from "../../src/kit/schema/describe.js";
