import { callGroups, corruptionRefusals } from "#calls";
import { type ErrorCode, translateText } from "#locales";
import {
  type DescribedRoute,
  describeRefusal,
  type Operation,
  openApiPathOf,
  operationOf,
  type ResponseObject,
} from "./operation.ts";
import type { JsonSchema, NamedSchemas } from "./schemas.ts";

/** The API as an OpenAPI 3.1 document. */
export type OpenApiDocument = {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  tags: Array<{ name: string }>;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: NamedSchemas;
    responses: Record<string, ResponseObject>;
    securitySchemes: Record<string, JsonSchema>;
  };
};

/**
 * Refusal codes that any request can get: before a route sees it, when the database is unavailable or overloaded, or when Midman's own
 * records are altered.
 */
const commonRefusalCodes: readonly ErrorCode[] = [
  "BAD_REQUEST",
  "BODY_TOO_COMPLEX",
  "BODY_TOO_SLOW",
  "BAD_ORIGIN",
  "LENGTH_REQUIRED",
  "PAYLOAD_TOO_LARGE",
  "THROTTLED",
  "NOT_FOUND",
  "MAINTENANCE",
  "OVERLOADED",
  "UNAVAILABLE",
  ...corruptionRefusals,
];

const refusalSchema = {
  type: "object",
  description: "Why the call was refused.",
  properties: {
    message: {
      type: "string",
      minLength: 1,
      description:
        "What happened, in the language of `Accept-Language`. For `VALIDATION`, the message of the first field that is wrong.",
    },
    code: {
      type: "string",
      pattern: "^[A-Z_]+$",
      description: "The reason, for programs. It never changes.",
    },
    page: {
      type: "string",
      format: "uri",
      description: "The address of the page that a person must open first, for `CONSENT_REQUIRED`.",
    },
    fields: {
      type: "object",
      description:
        "Every error of each field, by the field's name, in the order of the call's schema. `body` stands for the whole body.",
      additionalProperties: { type: "array", items: { type: "string", minLength: 1 } },
    },
    current: { description: "The current state, if something else changed it first." },
  },
  examples: [
    {
      message: translateText("en", "validation.roomNameShort"),
      code: "VALIDATION",
      fields: { name: [translateText("en", "validation.roomNameShort")] },
    },
  ],
  required: ["message", "code"],
};

const apiIntroduction = `Send the session cookie with each request. Amounts are whole ₮, times are ISO 8601 in UTC.
A refusal is \`{ message, code, page?, fields?, current? }\`, in the language of \`Accept-Language\`. Read \`code\` in programs and show
\`message\` to people. For \`VALIDATION\`, \`message\` is about the first field that is wrong and \`fields\` has every one. After
\`CONSENT_REQUIRED\` the person must agree to new terms at \`page\` first. After 429 and 503 the \`Retry-After\` header says when to try
again. A browser's request must come from Midman's own pages.`;

/** Builds the document from the registered routes: each route with a description, with the schemas it validates with. */
export function buildOpenApiDocument(routes: readonly DescribedRoute[]): OpenApiDocument {
  const named: NamedSchemas = { Refusal: refusalSchema };
  const paths: OpenApiDocument["paths"] = {};
  for (const route of routes) {
    const operation = operationOf(route, named);
    if (operation === undefined) continue;
    paths[openApiPathOf(route)] = { ...paths[openApiPathOf(route)], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Midman", version: "1", description: apiIntroduction },
    tags: callGroups.map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: { Everywhere: describeRefusal("From any call", commonRefusalCodes) },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "midman-session" },
      },
    },
  };
}
