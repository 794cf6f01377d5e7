import { string } from "../plain.js";
/** @import { FieldSpec, Kind } from "./describe.js" */

const LONG_NAMES =
  /(^|[_-])(body|code|contents?|css|html|instructions|javascript|jsonl?|latex|markdown|message|prompt|script|source|sql|statement|text|xml|yaml)$/i;
const LONG_FORMATS = /^(multi-?line|text-?area|markdown|html|code|json|yaml|xml)$/i;
const LONG_HINTS = /\b(sql|graphql|promql|logql|cypher|aggregation|multi-?line|markdown)\b/i;

/** The control for a text, by what the schema and the name say. @param {FieldSpec} spec @returns {Kind} */
export function textKind({ schema, key, description, preset }) {
  const { format, pattern, maxLength, contentEncoding, contentMediaType } = schema;
  if (format === "date" || format === "date-time" || format === "time") return format;
  if (contentEncoding || contentMediaType || LONG_FORMATS.test(string(format))) return "long";
  if (format || pattern || maxLength <= 120) return "text";
  const long = maxLength > 500 || LONG_NAMES.test(key) || string(preset).includes("\n");
  return long || (/quer/i.test(key) && LONG_HINTS.test(description)) ? "long" : "text";
}
