import { type ZodType, z } from "zod";

/** A JSON schema as the document carries it. */
export type JsonSchema = { [keyword: string]: unknown };

/** The named schemas that others refer to, gathered while a document is made. */
export type NamedSchemas = Record<string, JsonSchema>;

/**
 * A zod schema as JSON schema (draft 2020-12): `input` is what may be sent, `output` what comes back, where nothing stands that is
 * not named. Schemas with an `id` go to `named` and are referred to.
 */
export function schemaOf(schema: ZodType, io: "input" | "output", named: NamedSchemas): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: dropRedundantLimits,
  }) as JsonSchema;
  const {
    $schema: _,
    $defs,
    ...own
  } = rewriteSchemaReferences(made) as JsonSchema & { $defs?: NamedSchemas };
  Object.assign(named, $defs);
  return own;
}

/** Leaves out what every integer of a program has, and the long pattern that only repeats a date's format. */
function dropRedundantLimits({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
}

function rewriteSchemaReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
