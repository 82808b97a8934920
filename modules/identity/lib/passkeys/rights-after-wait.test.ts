import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { publicUrl } from "#config";
import { db } from "#db/client";
import { whileHeld } from "../../../../tests/support/database/held-locks.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { type Authenticator, createAuthenticator } from "../../../../tests/support/people/authenticator.ts";
import { anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { passkeysTable, sessionsTable } from "../core/schema.ts";
import { beginPasskeyConfirmation, confirmWithPasskey } from "./confirm-with-passkey.ts";
import { attestationSchema } from "./forms.ts";
import { beginPasskey, registerPasskey } from "./register-passkey.ts";
import { beginPasskeySignIn, signInWithPasskey } from "./sign-in-with-passkey.ts";

/** Passkeys of people who are suspended, or lose a right or a session, while the call waits for their row or before it. */

useDatabase();

const device = () => createAuthenticator(new URL(publicUrl()).origin);
const rowOf = (id: number) => sql`SELECT FROM identity.users WHERE id = ${id} FOR UPDATE`;
const passkeysKept = (id: number) => db().$count(passkeysTable, eq(passkeysTable.userId, id));
const sessionsKept = (id: number) => db().$count(sessionsTable, eq(sessionsTable.userId, id));

function granted<T extends { ok: boolean }>(answer: T): Extract<T, { ok: true }> {
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer as Extract<T, { ok: true }>;
}

type Actor = Awaited<ReturnType<typeof someone>>["actor"];

/** A new passkey, ready for the call that stores it. */
async function offered(actor: Actor, key: Authenticator) {
  const { options, ticket } = granted(await beginPasskey(actor));
  return { ticket: ticket.token, credential: attestationSchema.parse(key.create(options as never)) };
}

async function withPasskey(person: { actor: Actor }) {
  const key = device();
  granted(await registerPasskey(person.actor, await offered(person.actor, key)));
  return key;
}

async function enter(key: Authenticator, door: "login" | "admin_login" = "login") {
  const { options, ticket } = granted(await beginPasskeySignIn(visitor(), { door }));
  return signInWithPasskey(visitor(), { ticket: ticket.token, credential: key.get(options as never) });
}

/** A passkey confirmation, ready for the call that verifies it. */
async function asked(actor: Actor, key: Authenticator) {
  const { options, ticket } = granted(await beginPasskeyConfirmation(actor));
  return { ticket: ticket.token, credential: key.get(options as never) };
}

const until = new Date(Date.now() + 3 * 86_400_000);
const suspended = {
  ok: false,
  code: "ACCOUNT_SUSPENDED",
  textKey: "identity.suspended.until.fraud",
  params: { until: expect.any(String) },
};

/** The state after `restrictPerson`, except that sessions stay. */
async function suspend(exec: Pick<ReturnType<typeof db>, "execute">, id: number, by: number) {
  await exec.execute(sql`
    INSERT INTO identity.restrictions (user_id, kind, cause, placed_by, placed_at, until, for_good)
    VALUES (${id}, 'suspend', 'fraud', ${by}, now(), ${until.toISOString()}::timestamptz, false)`);
  await exec.execute(sql`
    UPDATE identity.users SET restriction = 'suspend', restricted_until = ${until.toISOString()}::timestamptz WHERE id = ${id}`);
}
const refusals = async (id: number) =>
  (
    await db().execute<{ action: string }>(sql`
      SELECT action FROM audit.entries WHERE subject_id = ${String(id)} AND data ->> 'suspended' = 'true' ORDER BY id`)
  ).map(({ action }) => action);

describe("a suspended person", () => {
  test.each(["login", "admin_login"] as const)("cannot open a session by a passkey: %s", async (door) => {
    const [admin, person] = [await anAdmin(), await someone()];
    const key = await withPasskey(person);
    await suspend(db(), person.id, admin.id);
    await db().delete(sessionsTable).where(eq(sessionsTable.userId, person.id));
    const answer = await enter(key, door);
    // The administrators' page says nothing more about people who are not administrators; a restricted person never is one.
    expect(answer).toMatchObject(door === "login" ? suspended : { ok: false, code: "PASSKEY_FAILED" });
    expect(await sessionsKept(person.id)).toBe(0);
    expect(await refusals(person.id)).toEqual(door === "login" ? ["login_failed"] : []);
  });

  test("cannot confirm by a passkey while the suspension arrives", async () => {
    const [admin, person] = [await anAdmin(), await someone()];
    const key = await withPasskey(person);
    const proof = await asked(person.actor, key);
    const answer = await whileHeld(
      [rowOf(person.id)],
      () => confirmWithPasskey(person.actor, proof),
      (tx) => suspend(tx, person.id, admin.id),
    );
    expect(answer).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    expect(await sessionsKept(person.id)).toBe(1);
    expect(await refusals(person.id)).toEqual(["passkey_failed"]);
  });
});

describe("a session that ends while its call is waiting", () => {
  const endSessions = (id: number) => (tx: Pick<ReturnType<typeof db>, "execute">) =>
    tx.execute(sql`DELETE FROM identity.sessions WHERE user_id = ${id}`);

  test("adds no passkey", async () => {
    const person = await someone();
    const passkey = await offered(person.actor, device());
    const answer = await whileHeld(
      [rowOf(person.id)],
      () => registerPasskey(person.actor, passkey),
      endSessions(person.id),
    );
    expect(answer).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    expect(await passkeysKept(person.id)).toBe(0);
  });

  test("is not reopened by a passkey", async () => {
    const person = await someone();
    const key = await withPasskey(person);
    const proof = await asked(person.actor, key);
    const byPasskey = () => confirmWithPasskey(person.actor, proof);
    const gone = { ok: false, code: "AUTH_REQUIRED" };
    expect(await whileHeld([rowOf(person.id)], byPasskey, endSessions(person.id))).toEqual(gone as never);
    expect(await sessionsKept(person.id)).toBe(0);
  });
});
