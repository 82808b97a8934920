import { beforeAll, describe, expect, test } from "bun:test";
import { askerKinds, callGroups, callOf } from "#calls";
import { isFrame, isMessage, isSeat } from "../../../app/islands/room/wire-data.ts";
import { shownCall } from "../../../app/routes/developers/call-pages.ts";
import { createListener } from "../../../app/server/listener/listener.ts";
import type { OpenApiDocument } from "../../../app/server/openapi/document.ts";
import type { JsonSchema } from "../../../app/server/openapi/schemas.ts";
import { sampleOf } from "../../support/api/schema-samples.ts";
import { ensureBuilt } from "../../support/server/ensure-built.ts";
import { type SharedServer, sharedServer } from "../../support/server/shared-server.ts";
import { promisedCalls } from "./promised-calls.ts";

/** The API's document holds every call, and of each all that it takes and answers. */

let server: SharedServer;
let document: OpenApiDocument;
let routes: Awaited<ReturnType<typeof createListener>>["routes"];

beforeAll(async () => {
  await ensureBuilt(`${import.meta.dir}/../../..`);
  routes = (await createListener()).routes;
  server = await sharedServer();
  document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as OpenApiDocument;
}, 120_000);
/** What is no call of Midman's: pages and files, and the protocol of another's that the sandbox speaks. */
const noCall =
  /^\/(\*|api\/\*|sitemap\.xml|robots\.txt|speculation-rules\.json|offline|sw\.js|manifest\.webmanifest|sandbox\/qpay\/.*)$/;

/** A summary begins with the verb of what the caller does: these, or another that is added here. */
const imperativeStart = new RegExp(
  `^(?:${[
    "Add|Agree|Amend|Approve|Cancel|Change|Check|Claim|Close|Confirm|Create|Customise|Decide|Decline|Delete|Discard|Download|Email|Finish|Get|Halt|Hide|Join|Leave|Lift|Limit|List|Mark|Open",
    "Preview|Put|Receive|Reconcile|Record|Release|Remove|Rename|Replace|Report|Request|Resend|Reset|Resolve|Save|Send|Set|Share|Sign|Start|Subscribe|Take|Turn|Update|Verify|Withdraw|Write",
  ].join("|")})\\b`,
);
const pathOf = (path: string) => path.replace(/:(\w+)/g, "{$1}");
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

describe("the API's document", () => {
  test("has every registered call, and no other", () => {
    const registered = routes
      .filter(({ path }) => !noCall.test(path))
      .map(({ method, path }) => `${method} ${pathOf(path)}`);
    const described = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(described.sort()).toEqual(registered.sort());
    expect(described.length).toBeGreaterThan(130);
  });

  test("has every promised call", () => {
    for (const [method, path] of promisedCalls) {
      expect([path, Object.keys(document.paths[path] ?? {})]).toEqual([
        path,
        expect.arrayContaining([method.toLowerCase()]),
      ]);
    }
  });

  test("says for each who may make it, its tag, its input and its responses", () => {
    for (const { path, method, operation } of operations()) {
      const what = `${method} ${path}`;
      expect(operation.summary, what).toMatch(/^[A-Z].{4,}[^.]$/);
      expect(operation.summary, what).toMatch(imperativeStart);
      expect(operation.summary, what).not.toMatch(/\b(?:say that|one's|oneself|anew|second factor|goods)\b/i);
      expect(askerKinds, what).toContain(operation["x-asker"]);
      expect(callGroups as readonly string[], what).toContain(operation.tags[0] ?? "");
      const route = routes.find((one) => one.method === method.toUpperCase() && pathOf(one.path) === path);
      const said = callOf(route?.hooks.detail);
      expect(operation.requestBody !== undefined, what).toBe((route?.hooks.body ?? said?.body) !== undefined);
      const named = operation.parameters.filter((one) => one.in === "path").map(({ name }) => `{${name}}`);
      expect(named, what).toEqual(path.match(/\{\w+\}/g) ?? []);
      const successes = Object.keys(operation.responses).filter((status) => Number(status) < 400);
      expect(successes.length, what).toBeGreaterThan(0);
      if (operation["x-asker"] !== "anybody") expect(operation.responses["401"], what).toBeDefined();
      if (operation["x-asker"].toLowerCase().includes("admin"))
        expect(operation.responses["403"], what).toBeDefined();
      if (operation.requestBody) expect(operation.responses["422"], what).toBeDefined();
    }
  });

  test("gives each operation its own id", () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][\w-]+$/i);
  });

  test("has no broken reference", () => {
    const references = JSON.stringify(document).match(/#\/components\/\w+\/\w+/g) ?? [];
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const [, , kind = "", name = ""] = reference.split("/");
      expect(Object.keys((document.components as never)[kind]), reference).toContain(name);
    }
  });

  test("has the frames of the socket, including the promised ones", () => {
    const frames = document.paths["/ws"]?.get?.["x-frames"];
    const types = (of: unknown) =>
      [
        ...JSON.stringify(of).matchAll(/"type":\{"type":"string","(?:const":"(\w+)"|enum":(\[[^\]]*\]))/g),
      ].flatMap(([, one, more]) => (one === undefined ? (JSON.parse(more ?? "[]") as string[]) : [one]));
    expect(types(frames?.client)).toEqual(
      expect.arrayContaining(["user_status", "typing_start", "typing_end", "chat"]),
    );
    expect(types(frames?.server)).toEqual(
      expect.arrayContaining([
        ...["chat", "image", "typing_start", "typing_end", "user_status", "user_join", "user_leave"],
        ...["transaction_update", "transaction_confirmation", "info_exchange", "user_role_update"],
        ...["payment", "status_update"],
      ]),
    );
  });

  test("has only frames, messages and members that the room's script accepts", () => {
    const samples = (schema: JsonSchema) => [true, false].map((whole) => sampleOf(schema, document, whole));
    const frames = document.paths["/ws"]?.get?.["x-frames"]?.server.oneOf as JsonSchema[];
    expect(frames.length).toBeGreaterThan(10);
    for (const frame of frames.flatMap(samples)) expect([frame, isFrame(frame)]).toEqual([frame, true]);
    const types = (document.components.schemas.MessageType?.enum ?? []) as string[];
    expect(types.length).toBeGreaterThan(3);
    for (const message of samples(document.components.schemas.Message ?? {}))
      for (const type of types) expect(isMessage({ ...(message as object), type }), type).toBe(true);
    for (const member of samples(document.components.schemas.Participant ?? {}))
      expect(isSeat(member)).toBe(true);
  });

  test("is public and cached", async () => {
    const reply = await fetch(`${server.url}/api/openapi.json`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toContain("application/json");
    expect(reply.headers.get("cache-control")).toBe("public, max-age=300");
    expect(document.openapi).toBe("3.1.0");
  });
});

describe("the API page", () => {
  const page = async (path: string, language: string) => {
    const reply = await fetch(`${server.url}${path}?lang=${language}`);
    return { status: reply.status, html: await reply.text() };
  };

  test("lists every call, each with a link to its own page", async () => {
    const { status, html } = await page("/developers", "mn");
    expect(status).toBe(200);
    for (const { path, operation } of operations()) {
      expect(html, path).toContain(`href="/developers/${operation.operationId}"`);
    }
  });

  test("shows a call's input, responses and refusals, in the reader's language", async () => {
    const english = await page("/developers/post-api-transactions", "en");
    expect(english.html).toContain("chatRoomId");
    expect(english.html).toContain("SELLERS_CREATE");
    expect(english.html).toContain("Only sellers can create payment requests");
    const mongolian = await page("/developers/post-api-transactions", "mn");
    expect(mongolian.html).toContain("SELLERS_CREATE");
    expect(mongolian.html).toContain("Алдааны хариу");
    expect(mongolian.html).not.toContain("Only sellers can create payment requests");
  });

  test("has a page for each", async () => {
    for (const { operation } of operations()) {
      const shown = shownCall(document, operation.operationId, "mn");
      expect(shown?.answers.length, operation.operationId).toBeGreaterThan(0);
    }
    expect((await page("/developers/nothing", "en")).status).toBe(404);
  });
});
