import { type core, type ZodType, z } from "zod";

/** A JSON schema as it is in the document. */
export type JsonSchema = { [keyword: string]: unknown };

/** Named schemas that others refer to, collected while a document is built. */
export type NamedSchemas = Record<string, JsonSchema>;

/**
 * Converts a zod schema to JSON Schema (draft 2020-12): `input` is what may be sent, `output` what is returned, which has no other
 * properties than those named. Schemas with an `id` are added to `named` and referred to.
 */
export function schemaOf(schema: ZodType, io: "input" | "output", named: NamedSchemas): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: adjustToJson,
  }) as JsonSchema;
  const {
    $schema: _,
    $defs,
    ...own
  } = rewriteSchemaReferences(made) as JsonSchema & { $defs?: NamedSchemas };
  Object.assign(named, $defs);
  return own;
}

/**
 * Describes a `Date` as the string that JSON has in its place. Drops the limits that every JavaScript integer has, and the long pattern that
 * only repeats the date-time format.
 */
function adjustToJson({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: core.$ZodTypes;
  jsonSchema: JsonSchema;
}): void {
  if (zodSchema._zod.def.type === "date") Object.assign(jsonSchema, { type: "string", format: "date-time" });
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
}

function rewriteSchemaReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
