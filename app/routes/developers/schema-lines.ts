import type { JsonSchema, NamedSchemas } from "../../server/openapi/schemas.ts";
import type { SchemaLine } from "./types.ts";

/** The parts of a schema as lines; a schema that contains itself is not expanded again. */
export function schemaLinesOf(schema: JsonSchema, named: NamedSchemas): SchemaLine[] {
  const whole = schemaLineOf("", schema, { named, within: [] });
  return whole.parts.length > 0 && whole.kind !== "list" ? whole.parts : [{ ...whole, name: "·" }];
}

type SchemaReading = { named: NamedSchemas; within: readonly string[] };

function schemaLineOf(name: string, given: JsonSchema, reading: SchemaReading, optional = false): SchemaLine {
  const { schema, nullable, within } = resolveReference(given, reading);
  const parts = partsOf(schema, { ...reading, within });
  const kind = kindOf(schema);
  return {
    name,
    kind: nullable ? `${kind} | null` : kind,
    bounds: boundsOf(schema),
    optional,
    about: String(given.description ?? schema.description ?? ""),
    parts,
  };
}

/** Resolves a reference, and reads whether null is allowed in its place. */
function resolveReference(given: JsonSchema, { named, within }: SchemaReading) {
  const choices = given.anyOf as JsonSchema[] | undefined;
  const something = choices?.filter(({ type }) => type !== "null");
  const nullable = something !== undefined && choices !== undefined && something.length < choices.length;
  const inner = nullable && something?.length === 1 ? (something[0] as JsonSchema) : given;
  const id = /^#\/components\/schemas\/(.+)$/.exec(String(inner.$ref ?? ""))?.[1];
  const known = id === undefined || within.includes(id) ? undefined : named[id];
  return { schema: known ?? inner, nullable, within: id === undefined ? within : [...within, id] };
}

function partsOf(schema: JsonSchema, reading: SchemaReading): SchemaLine[] {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (properties.length > 0) {
    return properties.map(([name, part]) => schemaLineOf(name, part, reading, !required.includes(name)));
  }
  const choices = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (choices?.some((choice) => choice.properties ?? choice.$ref)) {
    return choices.map((choice) => schemaLineOf("|", choice, reading));
  }
  const item = schema.items as JsonSchema | undefined;
  if (item !== undefined) return listItemLines(schemaLineOf("", item, reading));
  const value = schema.additionalProperties;
  return typeof value === "object" ? [schemaLineOf("*", value as JsonSchema, reading)] : [];
}

/** A list of objects shows their parts; a list of plain values shows the value's type. */
function listItemLines(item: SchemaLine): SchemaLine[] {
  return item.parts.length > 0 ? item.parts : [{ ...item, name: "·" }];
}

function kindOf(schema: JsonSchema): string {
  if (schema.enum ?? schema.const) return "one of";
  if (schema.type === "array") return "list";
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  if (typeof schema.type === "string") return schema.type;
  const choices = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  return choices ? [...new Set(choices.map(kindOf))].join(" | ") : "any";
}

function boundsOf(schema: JsonSchema): string {
  const values = (schema.enum ?? (schema.const === undefined ? undefined : [schema.const])) as
    | unknown[]
    | undefined;
  const least = schema.minimum ?? schema.minLength ?? schema.minItems;
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  const above = schema.exclusiveMinimum;
  return [
    values?.map((value) => JSON.stringify(value)).join(" "),
    above !== undefined && `> ${above}`,
    least !== undefined && least !== 0 && `≥ ${least}`,
    most !== undefined && `≤ ${most}`,
    schema.format,
    schema.default !== undefined && `= ${JSON.stringify(schema.default)}`,
  ]
    .filter((part) => typeof part === "string")
    .join(", ");
}
