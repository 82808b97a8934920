import { STATUS_CODES } from "node:http";
import type { ZodObject, ZodType } from "zod";
import { type Asker, type Call, callOf, listedRefusals, refusalsByAsker } from "#calls";
import { type ErrorCode, translateText } from "#locales";
import { statusOf } from "../pages/refusal-responses.ts";
import { type JsonSchema, type NamedSchemas, schemaOf } from "./schemas.ts";

/** The documented parts of a registered route: the schemas it validates with, and its `detail`. */
export type DescribedRoute = {
  method: string;
  path: string;
  hooks: { params?: unknown; query?: unknown; body?: unknown; detail?: unknown };
};

type Parameter = { name: string; in: "path" | "query"; required: boolean; schema: JsonSchema };
export type Content = Record<string, { schema: JsonSchema }>;
export type ResponseObject = { description: string; content?: Content };
export type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  "x-asker": Asker;
  security: Array<Record<string, string[]>>;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ResponseObject | { $ref: string }>;
  "x-frames"?: { client: JsonSchema; server: JsonSchema };
};

/** A path in OpenAPI's notation: `{id}` for `:id`. */
export const openApiPathOf = (route: DescribedRoute) => route.path.replace(/:(\w+)/g, "{$1}");

/** An operation's id, in a form that can be part of an address. */
function operationIdOf({ method, path }: DescribedRoute): string {
  const words = path.replace(/[^\w-]+/g, " ").trim();
  return `${method.toLowerCase()} ${words}`.replace(/[\s_]+/g, "-");
}

/** A described route as an OpenAPI operation; undefined if it has no description. */
export function operationOf(route: DescribedRoute, named: NamedSchemas): Operation | undefined {
  const said = callOf(route.hooks.detail);
  if (said === undefined) return undefined;
  const query = (route.hooks.query ?? said.query) as ZodObject | undefined;
  const body = (route.hooks.body ?? said.body) as ZodType | undefined;
  return {
    operationId: operationIdOf(route),
    summary: said.summary,
    tags: [said.group],
    "x-asker": said.by,
    security: said.by === "anybody" ? [] : [{ session: [] }],
    parameters: [...pathParameters(route, named), ...(query ? queryParameters(query, named) : [])],
    ...(body && {
      requestBody: {
        required: !said.bodyOptional,
        content: { "application/json": { schema: schemaOf(body, "input", named) } },
      },
    }),
    responses: {
      ...describeSuccesses(said, named),
      ...describeRefusals(codesOf(route, said, { query, body })),
      default: { $ref: "#/components/responses/Everywhere" },
    },
    ...(said.frames && {
      "x-frames": {
        client: schemaOf(said.frames.client, "input", named),
        server: schemaOf(said.frames.server, "output", named),
      },
    }),
  };
}

/** All refusal codes of a call, including those that follow from the required role, its path parameters and its input. */
function codesOf(route: DescribedRoute, said: Call, takes: { query: unknown; body: unknown }): ErrorCode[] {
  const codes: ErrorCode[] = [...refusalsByAsker[said.by], ...listedRefusals(said)];
  if (route.hooks.params !== undefined) codes.push("NOT_FOUND");
  if (takes.body !== undefined) codes.push("BAD_REQUEST", "VALIDATION");
  if (takes.query !== undefined && !said.frames && !said.file) codes.push("VALIDATION");
  return [...new Set(codes)];
}

function pathParameters(route: DescribedRoute, named: NamedSchemas): Parameter[] {
  const shapes = (route.hooks.params as ZodObject | undefined)?.shape ?? {};
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const shape = shapes[name] as ZodType | undefined;
    const schema = shape === undefined ? { type: "string" } : schemaOf(shape, "input", named);
    return { name, in: "path", required: true, schema };
  });
}

function queryParameters(query: ZodObject, named: NamedSchemas): Parameter[] {
  const { properties = {}, required = [] } = schemaOf(query, "input", named) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: "query", required: required.includes(name), schema };
  });
}

function describeSuccesses(
  { answers, file, frames, status = [200] }: Call,
  named: NamedSchemas,
): Record<string, ResponseObject> {
  if (frames) return { "101": { description: "A WebSocket: see `x-frames`." } };
  const schema = answers ? schemaOf(answers, "output", named) : { type: "string", format: "binary" };
  const types = answers ? "application/json" : (file ?? "application/octet-stream");
  const content = Object.fromEntries([types].flat().map((type) => [type, { schema }]));
  return Object.fromEntries(
    status.map((code) => [String(code), { description: statusWords(code), content }]),
  );
}

/** Refusal responses by status, each with its codes. */
function describeRefusals(codes: readonly ErrorCode[]): Record<string, ResponseObject> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [String(status), describeRefusal(statusWords(status), of)]),
  );
}

/** A response of `{ message, code, fields?, current? }` with one of the codes. */
export function describeRefusal(title: string, codes: readonly ErrorCode[]): ResponseObject {
  const said = codes.map((code) => `\`${code}\`: ${translateText("en", `errors.${code}`, { seconds: 60 })}`);
  return {
    description: [title, ...said].join("\n- "),
    content: {
      "application/json": {
        schema: {
          allOf: [{ $ref: "#/components/schemas/Refusal" }, { properties: { code: { enum: codes } } }],
        },
      },
    },
  };
}

const statusWords = (status: number) => STATUS_CODES[status] ?? String(status);
