import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openClient } from "../../db/client.ts";
import { expectMatch } from "../support/expect-match.ts";
import { type Person, registerPerson } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { waitUntil } from "../support/wait-until.ts";

/** What a SIEM reads: JSON from the first line on, and the audit log as it is sealed. */

setDefaultTimeout(60_000);

const root = join(import.meta.dir, "..", "..");
type Line = { msg: string; level: number; time: string } & Record<string, unknown>;

let server: Server;
let person: Person;
beforeAll(async () => {
  const environment = { LOG_FORMAT: "json", AUDIT_LOG: "true", LOG_LEVEL: "warn" };
  server = await startServer({ environment });
  person = await registerPerson(server, "Zolzaya Streamed");
}, 240_000);
afterAll(() => server?.stop());

const lines = () =>
  server
    .output()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
const said = (msg: string) => lines().filter((line) => line.msg === msg);

test("every line is one JSON object, from the first on", () => {
  const all = lines();
  expect(all[0]).toMatchObject({ level: 30, msg: `Midman is at ${server.url}` });
  for (const { time, level } of all) expect([typeof level, Date.parse(time) > 0]).toEqual(["number", true]);
});

test("each sealed entry is in the log once, with its block, and each block with its head", async () => {
  const registered = () =>
    said("audit").filter(
      ({ audit }) =>
        (audit as { subjectId?: string }).subjectId === String(person.id) ||
        (audit as { userId?: string }).userId === String(person.id),
    );
  await waitUntil(() => registered().length > 0, 20_000);
  const sql = openClient(server.databaseUrl, { max: 1 });
  const read = async () => ({
    blocks: await sql`SELECT n::int AS block, head, entries::int AS entries FROM audit.blocks ORDER BY n`,
    ids: await sql`SELECT id::text AS id FROM audit.entries WHERE id <= (SELECT max(last_id) FROM audit.blocks) ORDER BY audit.entries.id`,
  });
  try {
    await waitUntil(async () => said("audit block").length === (await read()).blocks.length, 20_000);
    const { blocks, ids } = await read();
    const streamed = said("audit block").map(({ block, head, entries }) => ({ block, head, entries }));
    expect(streamed as unknown[]).toEqual([...blocks]);
    const told = said("audit").map(({ audit }) => (audit as { id: string }).id);
    expect(told.toSorted((a, b) => Number(a) - Number(b))).toEqual(ids.map(({ id }) => id as string));
  } finally {
    await sql.end();
  }
  expect(server.output()).not.toContain(person.username);
  expect(server.output()).not.toContain(person.email);
});

test("`up` reports in the same form why it does not start", async () => {
  const child = Bun.spawn([process.execPath, "scripts/serve/up.ts"], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", LOG_FORMAT: "json", PORT: "none" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(await child.exited).toBe(1);
  const all = `${out}${err}`.trim().split("\n");
  expectMatch(JSON.parse(all.at(-1) ?? ""), { level: 50, msg: expect.stringContaining("PORT: ") });
  for (const line of all) expect(() => JSON.parse(line)).not.toThrow();
});
