import { anyField } from "./any.js";
import { booleanField, choiceField, constField } from "./choice.js";
import { choicesField } from "./choices.js";
import { groupField } from "./group.js";
import { listField } from "./list.js";
import { mapField } from "./map.js";
import { tupleField } from "./tuple.js";
import { variantsField } from "./variants.js";
/** @import { FieldSpec, Kind } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

/** What is not typed into one control. @type {Partial<Record<Kind, (spec: FieldSpec, look: Look) => Field>>} */
export const MAKERS = {
  any: anyField,
  boolean: booleanField,
  choice: choiceField,
  choices: choicesField,
  const: constField,
  group: groupField,
  list: listField,
  map: mapField,
  tuple: tupleField,
  variants: variantsField,
};
