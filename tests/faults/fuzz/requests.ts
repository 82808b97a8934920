import fc from "fast-check";
import type { OpenApiDocument } from "../../../app/server/openapi/document.ts";
import type { Operation } from "../../../app/server/openapi/operation.ts";
import { hostileForms, hostileParts, partsForCalls } from "../../support/hostile/hostile-bodies.ts";
import { createFittingValues, createNearlyFittingValues, hostile, rawBodies } from "./values.ts";
import type { Ids } from "./world.ts";

/** One request as it is sent; `body` is sent as JSON unless it is a text. */
export type Sent = { method: string; path: string; body?: unknown; headers: Record<string, string> };

type One = { method: string; path: string; operation: Operation };

/** Sockets are fuzzed by their frames. */
export function operationsOf(document: OpenApiDocument): One[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation["x-frames"] === undefined)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Requests for one operation: right ones, and such with the address, the body, the type, the method or a header wrong. */
export function requestsFor(one: One, document: OpenApiDocument, ids: Ids): fc.Arbitrary<Sent> {
  const method = fc.oneof(
    { weight: 20, arbitrary: fc.constant(one.method) },
    { weight: 1, arbitrary: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS") },
  );
  const path = fc
    .tuple(addresses(one, ids), queries(one, document))
    .map(([address, query]) => `${address}${query}`);
  return fc.tuple(method, path, bodies(one, document), headers).map(([chosen, at, body, more]) => ({
    method: chosen,
    path: at,
    ...(bodied(chosen) ? body : {}),
    headers: { ...body.headers, ...more },
  }));
}

const bodied = (method: string) => method !== "GET" && method !== "HEAD";

const odd = [
  "0",
  "-1",
  "1.5",
  "1e3",
  "0x1",
  "01",
  "abc",
  "%00",
  "1%00",
  "99999999999999999999999",
  "9007199254740993",
];
const odder = [
  "null",
  "NaN",
  "1;DROP%20TABLE",
  "'",
  "..%2f..%2fetc",
  "%ff",
  "%F0%9F%92%A9",
  "x".repeat(3_000),
  "%",
];

function addresses({ path }: One, ids: Ids): fc.Arbitrary<string> {
  const parts = path.split("/").map((part, at, all) => {
    if (!/^\{\w+\}$/.test(part)) return fc.constant(part);
    const real = fc.constantFrom(...pool(ids, `${all[at - 1]}`, part));
    const none = fc.constantFrom(...odd, ...odder);
    return fc.oneof({ weight: 9, arbitrary: real }, { weight: 1, arbitrary: none });
  });
  return fc.tuple(...parts).map((all) => all.join("/"));
}

/** Ids that exist, by what stands before them in an address. */
function pool(ids: Ids, before: string, part: string): readonly string[] {
  if (part === "{invoiceId}" || before === "qr") return ids.invoices;
  if (part === "{userId}" || before === "users") return ids.users;
  if (part === "{image}" || part === "{secret}") return ["7d9f2c4e-58a1-4c50-9f0e-3a4c5d6e7f80"];
  const known: Record<string, readonly string[]> = {
    ...{ transactions: ids.transactions, rooms: ids.rooms, chat: ids.rooms, payouts: ids.payouts },
  };
  return known[before] ?? ids.others;
}

function queries({ operation }: One, document: OpenApiDocument): fc.Arbitrary<string> {
  const named = operation.parameters.filter((parameter) => parameter.in === "query");
  if (named.length === 0) return fc.constantFrom("", "", "", "?x=1", "?id=1&id=2", "?__proto__=1");
  const pairs = named.map(({ name, schema }) =>
    fc.option(
      fc
        .oneof(
          { weight: 2, arbitrary: createFittingValues(schema, document, name) },
          { weight: 1, arbitrary: hostile },
        )
        .map((value) => `${name}=${encoded(value)}`),
    ),
  );
  return fc.tuple(...pairs).map((all) => {
    const said = all.filter((pair) => pair !== null);
    return said.length === 0 ? "" : `?${said.join("&")}`;
  });
}

function encoded(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return encodeURIComponent(text.toWellFormed().slice(0, 2_000));
}

type Body = { body?: unknown; headers: Record<string, string> };

function bodies({ operation }: One, document: OpenApiDocument): fc.Arbitrary<Body> {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const raw = fc.constantFrom(...rawBodies).map((body) => ({ body, headers: {} }));
  const forms = fc
    .constantFrom(...hostileTyped)
    .map(({ body, type }) => ({ body, headers: { "Content-Type": type } }));
  const others = fc
    .tuple(fc.constantFrom(...rawBodies), fc.constantFrom(...types))
    .map(([body, type]) => ({ body, headers: { "Content-Type": type } }));
  const typed = fc.oneof(others, forms);
  if (schema === undefined) {
    const none = fc.constant<Body>({ headers: {} });
    return fc.oneof(
      { weight: 6, arbitrary: none },
      { weight: 1, arbitrary: raw },
      { weight: 1, arbitrary: typed },
    );
  }
  const json = createNearlyFittingValues(schema, document).map(
    (body): Body => ({ body: JSON.stringify(body) ?? "", headers: {} }),
  );
  return fc.oneof(
    { weight: 10, arbitrary: json },
    { weight: 1, arbitrary: raw },
    { weight: 1, arbitrary: typed },
  );
}

/** Past every limit on forms, in parts or not. */
const hostileTyped = Object.values({ ...hostileForms, ...hostileParts, ...partsForCalls });

const types = [
  ...[
    "text/plain",
    "application/octet-stream",
    "nonsense",
    "multipart/form-data; boundary=x",
    "application/xml",
  ],
  ...[
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "application/json, text/html",
    "image/png",
  ],
];

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
      { "X-Midman-User": "1" },
      { "X-Midman-User": "x" },
      { "X-Forwarded-For": "'; DROP TABLE" },
      { "X-Forwarded-Proto": "gopher" },
      { "Accept-Language": "x".repeat(5_000) },
      { "Accept-Language": "mn" },
      { Accept: "text/html" },
      { "Accept-Encoding": "br;q=x, *;q=0" },
      { "If-None-Match": "*" },
      { Range: "bytes=0-1,5-2" },
      { "User-Agent": "x".repeat(6_000) },
      { "User-Agent": "\u00ff\u00fe" },
    ),
  },
);
