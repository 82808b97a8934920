import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { describeCall, type refusalsByAsker } from "#calls";
import { buildOpenApiDocument } from "../../../app/server/openapi/document.ts";
import { unseenIn } from "../../../scripts/check/calls-seen.ts";
import { apiBy } from "../../support/api/api-document.ts";

/** The tests' own client notices what a document does not say, and the check what no test has seen. */

type Join = () => { ok: true } | { ok: false; code: (typeof refusalsByAsker)["user"][number] | "ROOM_FULL" };
const one = describeCall<Join>({
  summary: "A thing",
  group: "Rooms",
  by: "user",
  answers: z.object({ id: z.int(), at: z.iso.datetime() }),
  refuses: { ROOM_FULL: true },
});
const document = buildOpenApiDocument([{ method: "GET", path: "/api/things/:id", hooks: { detail: one } }]);
const asked = { method: "GET", path: "/api/things/7?x=1" };
const type = "application/json;charset=utf-8";
const told = (status: number, body: unknown) => () => apiBy(document).check(asked, { status, type, body });
const refused = (code: string) => ({ message: "It is so", code });

test("the documented responses are accepted", () => {
  told(200, { id: 7, at: "2026-01-05T10:00:00.000Z" })();
  told(409, refused("ROOM_FULL"))();
  told(401, refused("AUTH_REQUIRED"))();
  told(403, refused("BAD_ORIGIN"))();
  told(409, { ...refused("ROOM_FULL"), fields: { name: ["no"] }, current: "x" })();
});

test.each([
  ["a status that is not declared", 201, { id: 7, at: "2026-01-05T10:00:00.000Z" }],
  ["a field that is missing", 200, { id: 7 }],
  ["a field of another type", 200, { id: "7", at: "2026-01-05T10:00:00.000Z" }],
  ["a time that is none", 200, { id: 7, at: "yesterday" }],
  ["a field that nobody named", 200, { id: 7, at: "2026-01-05T10:00:00.000Z", password: "x" }],
  ["a code that it does not refuse with", 409, refused("EMAIL_EXISTS")],
  ["a refusal without words", 409, { message: "", code: "ROOM_FULL" }],
  ["a refusal without a code", 409, { message: "It is so" }],
  ["a fault", 500, refused("SERVER_ERROR")],
])("%s is detected", (_, status, body) => {
  expect(told(status, body)).toThrow("answers what its document does not say");
});

test("what no test has seen is listed", () => {
  const folder = mkdtempSync(join(tmpdir(), "midman-seen-"));
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  writeFileSync(join(folder, "1.txt"), "get-api-things-id 200\nget-api-things-id 401 AUTH_REQUIRED\n");
  writeFileSync(join(folder, "2.txt"), "get-api-things-id 409 ROOM_FULL\n");
  expect(unseenIn(folder)).toEqual({
    declared: 6,
    unseen: [
      "get-api-things-id 403 PASSWORD_CHANGE_REQUIRED",
      "get-api-things-id 403 NAME_CHANGE_REQUIRED",
      "get-api-things-id 403 CONSENT_REQUIRED",
    ],
  });
});
