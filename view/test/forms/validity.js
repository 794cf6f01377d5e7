import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const OPTIONS = {
  strict: false,
  allErrors: true,
  validateFormats: true,
  multipleOfPrecision: 9,
  ownProperties: true,
};

/**
 * What a server with a validator of its own says to arguments.
 * @param {any} schema
 * @returns {(value: unknown) => string} its complaints, "" when there are none
 */
export function validator(schema) {
  const Draft = /draft-0[67]/.test(schema?.$schema ?? "") ? Ajv : Ajv2020;
  const ajv = new Draft(OPTIONS);
  addFormats(ajv, { keywords: true });
  const { $schema, ...rest } = schema;
  const validate = ajv.compile(rest);
  return (value) => (validate(value) ? "" : ajv.errorsText(validate.errors));
}
