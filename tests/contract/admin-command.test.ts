import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { expectMatch } from "../support/expect-match.ts";
import { expectStatus, registerPerson } from "../support/people/registered-people.ts";
import { turnFactorOn } from "../support/people/second-factor.ts";
import { type Server, startServer, testAdministrator } from "../support/server/midman-server.ts";
import { databaseLinesPattern, runMidmanCommand } from "../support/server/run-command.ts";

setDefaultTimeout(120_000);

let server: Server;
beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
});
afterAll(async () => {
  await disconnectDatabase();
  await server.stop();
});

const admin = (args: string[], input?: string) =>
  runMidmanCommand("admin", args, { DATABASE_URL: server.databaseUrl, DATA_DIR: server.dataDir }, input);

async function logged(action: string) {
  const rows = await db().execute<{ by: number | null; data: Record<string, unknown> }>(
    sql`SELECT user_id AS by, data FROM audit.entries WHERE action = ${action} ORDER BY id`,
  );
  return [...rows];
}

const passwordIn = (out: string) => /one-time password (\S+?)[ ;]/.exec(out)?.[1] ?? "";

/** How many notices of security were sent to an address; what they said is erased once they have gone. */
const mailed = async (to: string) => {
  const rows = await db().execute(
    sql`SELECT 1 FROM mailer.messages WHERE template = 'securityNotice' AND recipient = ${to}`,
  );
  return rows.length;
};

test("an administrator made at the console signs in once, must choose a password, and the others are notified", async () => {
  const told = await mailed("admin@midman.example");
  const made = await admin(["create", "second", "second@example.mn"]);
  expectMatch(made, { code: 0, err: expect.stringMatching(databaseLinesPattern) });
  const browser = server.client();
  const password = passwordIn(made.out);
  expectStatus(await browser.post("/api/admin/login", { username: "second", password }), 200);
  expect((await browser.get("/api/admin/stats")).body.code).toBe("PASSWORD_CHANGE_REQUIRED");
  expect(await mailed("admin@midman.example")).toBe(told + 1);
  expect((await logged("admin_created")).at(-1)).toEqual({ by: null, data: { oneTimePassword: true } });
  expect((await admin(["list"])).out).toMatch(/^second {2}second@example\.mn .*must change the password$/m);

  const again = await admin(["create", "Second", "other@example.mn"]);
  expectMatch(again, { code: 1, err: expect.stringContaining("already belongs to someone") });
  const bad = await admin(["create", "x", "no address"]);
  expectMatch(bad, {
    code: 1,
    err: expect.stringMatching(/\nNot usable as username and email\.\n$/),
  });
});

test("a password reset ends every session and keeps the second factor, unless it is to be removed", async () => {
  const person = await registerPerson(server);
  await turnFactorOn(person);
  const told = await mailed(person.email);
  const done = await admin(["reset-password", person.username]);
  expectMatch(done, { code: 0, err: expect.stringMatching(databaseLinesPattern) });
  expect((await person.get("/api/auth/user")).status).toBe(401);
  const old = { username: person.username, password: person.password };
  expect((await server.client().post("/api/auth/login", old)).status).toBe(401);
  const fresh = { username: person.username, password: passwordIn(done.out) };
  expect((await server.client().post("/api/auth/login", fresh)).body.code).toBe("SECOND_FACTOR_REQUIRED");
  expect(await logged("operator_factor_removed")).toEqual([]);

  const both = await admin(["reset-password", person.username, "--remove-second-factor"]);
  expect(both.out).toContain("The second factor is removed.");
  const open = { username: person.username, password: passwordIn(both.out) };
  expectStatus(await server.client().post("/api/auth/login", open), 200);
  expect(await logged("operator_password_set")).toMatchObject([{ by: null }, { by: null }]);
  expect(await logged("operator_factor_removed")).toMatchObject([{ by: null }]);
  expect(await mailed(person.email)).toBe(told + 3); // a password twice, and the second factor
  expect(await admin(["reset-password", "nobody-here"])).toMatchObject({ code: 1, out: "" });
});

test("money is halted with a reason, and resumed only after the word was typed", async () => {
  expectMatch(await admin(["halt", "the bank called"]), {
    code: 0,
    err: expect.stringMatching(databaseLinesPattern),
  });
  expect((await admin(["list"])).out).toContain("the bank called");
  const { body } = expectStatus(await server.client().post("/api/admin/login", testAdministrator), 200);
  expect(body).toBeDefined();
  expect(await admin(["resume", "all clear"], "no\n")).toMatchObject({ code: 1 });
  expect(await admin(["resume", "all clear"])).toMatchObject({ code: 1 });
  expect(await logged("money.resumed")).toEqual([]);
  expect(await admin(["resume", "all clear"], "RESUME\n")).toMatchObject({ code: 0 });
  await admin(["halt", "again"]);
  expect(await admin(["resume", "all clear", "--yes"])).toMatchObject({ code: 0 });
  expect(await logged("money.halted")).toMatchObject([{ by: null }, { by: null }]);
  expect(await logged("money.resumed")).toMatchObject([{ by: null }, { by: null }]);
});

test("wrong usage prints the usage, and changes nothing", async () => {
  expectMatch(await admin(["--help"]), { code: 0, out: expect.stringContaining("usage:") });
  const wrong = [
    [],
    ["nothing"],
    ["toString"],
    ["create", "one"],
    ["halt"],
    ["halt", " "],
    ["halt", "x", "--yes"],
    ["list", "--all"],
  ];
  for (const args of wrong) {
    expectMatch(
      { args, ...(await admin(args)) },
      {
        code: 2,
        out: "",
        err: expect.stringContaining("usage:"),
      },
    );
  }
});
