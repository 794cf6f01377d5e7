import { booleanField, choiceField, constField } from "../../kit/form/choice.js";
import { groupField } from "../../kit/form/group.js";
/** @import { Field, Look } from "../../kit/form/field.js" */
/** @import { FieldSpec, Kind } from "../../kit/schema/describe.js" */

/** What is not typed into one control. @type {Partial<Record<Kind, (spec: FieldSpec, look: Look) => Field>>} */
export const MAKERS = { boolean: booleanField, choice: choiceField, const: constField, group: groupField };
