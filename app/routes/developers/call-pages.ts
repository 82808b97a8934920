import { callGroups } from "#calls";
import { type ErrorCode, type Language, translateText } from "#locales";
import type { OpenApiDocument } from "../../server/openapi/document.ts";
import type { Content, Operation, ResponseObject } from "../../server/openapi/operation.ts";
import { schemaLinesOf } from "./schema-lines.ts";
import type { CallGroup, CallRefusal, ListedCall, SchemaLine, ShownCall } from "./types.ts";

type FoundCall = ListedCall & { operation: Operation };

/** All API calls by group, in reading order. */
export function groupsOf(document: OpenApiDocument): CallGroup[] {
  const all = operationsOf(document);
  return callGroups.map((name) => ({
    name,
    calls: all
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ operation: _, ...listed }) => listed),
  }));
}

/** The call with an id, in the reader's language; undefined if there is none. */
export function shownCall(document: OpenApiDocument, id: string, language: Language): ShownCall | undefined {
  const found = operationsOf(document).find((one) => one.id === id);
  if (found === undefined) return undefined;
  const { operation, ...listed } = found;
  const named = document.components.schemas;
  const body = operation.requestBody;
  const frames = operation["x-frames"];
  return {
    ...listed,
    asker: operation["x-asker"],
    parameters: operation.parameters.map(({ name, schema, required }) => {
      const [line] = schemaLinesOf(
        { type: "object", properties: { [name]: schema }, required: required ? [name] : [] },
        named,
      );
      return line as SchemaLine;
    }),
    body: body ? { lines: schemaLinesOf(schemaIn(body.content), named), optional: !body.required } : null,
    answers: answersOf(operation).map(([status, { content = {} }]) => {
      const types = Object.keys(content);
      const [type] = types;
      const file = type === "application/json" || type === undefined ? null : types.join(", ");
      return { status, file, lines: file || !type ? [] : schemaLinesOf(schemaIn(content), named) };
    }),
    refusals: refusalsOf(operation.responses, language),
    everywhere: refusalsOf({ "": document.components.responses.Everywhere as ResponseObject }, language),
    frames: frames
      ? { client: schemaLinesOf(frames.client, named), server: schemaLinesOf(frames.server, named) }
      : null,
  };
}

function operationsOf({ paths }: OpenApiDocument): FoundCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId: id, summary } = operation;
      return { id, method: method.toUpperCase(), path, summary, operation };
    }),
  );
}

function answersOf({ responses }: Operation): Array<[string, ResponseObject]> {
  return Object.entries(responses).filter(([status]) => Number(status) < 400) as Array<
    [string, ResponseObject]
  >;
}

function refusalsOf(
  responses: Record<string, ResponseObject | { $ref: string }>,
  language: Language,
): CallRefusal[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    return codesIn(response).map((code) => ({ status, code, message: refusalMessage(code, language) }));
  });
}

/** The codes that a response may carry. */
export function codesIn(response: ResponseObject | { $ref: string }): ErrorCode[] {
  if (!("content" in response)) return [];
  const { allOf } = schemaIn(response.content ?? {}) as {
    allOf?: Array<{ properties?: { code: { enum: ErrorCode[] } } }>;
  };
  return allOf?.[1]?.properties?.code.enum ?? [];
}

const refusalMessage = (code: ErrorCode, language: Language) =>
  translateText(language, `errors.${code}`, { seconds: 60 });

function schemaIn(content: Content) {
  return Object.values(content)[0]?.schema ?? {};
}
