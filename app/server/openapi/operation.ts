import { STATUS_CODES } from "node:http";
import type { ZodObject, ZodType } from "zod";
import { type Asker, type Call, callOf } from "#calls";
import { type ErrorCode, text } from "#locales";
import { statusOf } from "../pages/outcome-responses.ts";
import { type NamedSchemas, type Schema, schemaOf } from "./schemas.ts";

/** A registered route, as far as it is described: what its hook validates with, and its `detail`. */
export type Route = {
  method: string;
  path: string;
  hooks: { params?: unknown; query?: unknown; body?: unknown; detail?: unknown };
};

export type Parameter = { name: string; in: "path" | "query"; required: boolean; schema: Schema };
export type Content = Record<string, { schema: Schema }>;
export type Response = { description: string; content?: Content };
export type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  "x-asker": Asker;
  security: Array<Record<string, string[]>>;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response | { $ref: string }>;
  "x-frames"?: { client: Schema; server: Schema };
};

const session = ["AUTH_REQUIRED"] as const;
const password = [...session, "PASSWORD_CHANGE_REQUIRED"] as const;
const user = [...password, "NAME_CHANGE_REQUIRED"] as const;
// The names of administrators are the operator's affair.
const admin = [...password, "ADMIN_REQUIRED", "SECOND_FACTOR_SETUP_REQUIRED", "PASSKEY_REQUIRED"] as const;

/** What everybody but the one whom a call is for is refused with. */
const refusedBy: Record<Asker, readonly ErrorCode[]> = {
  anybody: [],
  session,
  user,
  freshUser: [...user, "REAUTH_REQUIRED"],
  admin,
  freshAdmin: [...admin, "REAUTH_REQUIRED"],
};

/** A path as OpenAPI writes it: `{id}` for `:id`. */
export const pathOf = (route: Route) => route.path.replace(/:(\w+)/g, "{$1}");

/** One word for an operation, which can stand in an address. */
export function idOf({ method, path }: Route): string {
  const words = path.replace(/[^\w-]+/g, " ").trim();
  return `${method.toLowerCase()} ${words}`.replace(/[\s_]+/g, "-");
}

/** A described route as an operation; undefined for one that has no description. */
export function operationOf(route: Route, named: NamedSchemas): Operation | undefined {
  const said = callOf(route.hooks.detail);
  if (said === undefined) return undefined;
  const query = (route.hooks.query ?? said.query) as ZodObject | undefined;
  const body = (route.hooks.body ?? said.body) as ZodType | undefined;
  return {
    operationId: idOf(route),
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
      ...successes(said, named),
      ...refusals(codesOf(route, said, { query, body })),
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

/** All codes a call may answer, those that follow from who asks, from its address and from what it takes included. */
function codesOf(route: Route, said: Call, takes: { query: unknown; body: unknown }): ErrorCode[] {
  const codes: ErrorCode[] = [...refusedBy[said.by], ...(said.refuses ?? [])];
  if (route.hooks.params !== undefined) codes.push("NOT_FOUND");
  if (takes.body !== undefined) codes.push("BAD_REQUEST", "VALIDATION");
  if (takes.query !== undefined && !said.frames && !said.file) codes.push("VALIDATION");
  return [...new Set(codes)];
}

function pathParameters(route: Route, named: NamedSchemas): Parameter[] {
  const shapes = (route.hooks.params as ZodObject | undefined)?.shape ?? {};
  return [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const shape = shapes[name] as ZodType | undefined;
    const schema = shape === undefined ? { type: "string" } : schemaOf(shape, "input", named);
    return { name, in: "path", required: true, schema };
  });
}

function queryParameters(query: ZodObject, named: NamedSchemas): Parameter[] {
  const { properties = {}, required = [] } = schemaOf(query, "input", named) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: "query", required: required.includes(name), schema };
  });
}

function successes(
  { answers, file, frames, status = [200] }: Call,
  named: NamedSchemas,
): Record<string, Response> {
  if (frames) return { "101": { description: "A WebSocket: see `x-frames`." } };
  const schema = answers ? schemaOf(answers, "output", named) : { type: "string", format: "binary" };
  const content = { [answers ? "application/json" : (file ?? "application/octet-stream")]: { schema } };
  return Object.fromEntries(status.map((code) => [String(code), { description: words(code), content }]));
}

/** Refusals by their status, each with the codes it may carry. */
export function refusals(codes: readonly ErrorCode[]): Record<string, Response> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [String(status), refusal(words(status), of)]),
  );
}

/** A reply of `{ message, code, fields?, current? }` with one of some codes. */
export function refusal(title: string, codes: readonly ErrorCode[]): Response {
  const said = codes.map((code) => `\`${code}\`: ${text("en", `errors.${code}`, { seconds: 60 })}`);
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

const words = (status: number) => STATUS_CODES[status] ?? String(status);
