import { afterEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { setClock } from "#db/clock";
import { drainJobs } from "#db/jobs";
import { listMail } from "#modules/mailer";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { readOwnProfile } from "../account/profile.ts";
import { someone, visitor } from "../core/people.fixture.ts";
import { usersTable } from "../core/schema.ts";
import { resendVerification, verifyEmail } from "./verify-email.ts";

useDatabase();
let restore = () => {};
afterEach(() => restore());

async function mailedTokens(email: string): Promise<string[]> {
  await drainJobs(new Date(Date.now() + 60_000));
  const box = await listMail({ to: email });
  const links = box.ok ? box.mails.flatMap((mail) => mail.links) : [];
  const ours = links.filter((link) => link.includes("/verify-email?token="));
  return [...new Set(ours.map((link) => new URL(link).searchParams.get("token") ?? ""))];
}

const verified = async (actor: Parameters<typeof readOwnProfile>[0]) => {
  const own = await readOwnProfile(actor);
  return own.ok && own.user.emailVerified;
};
const invalid = { ok: false, code: "VERIFICATION_LINK_INVALID" } as const;

describe("an email address", () => {
  test("is verified by the mailed link, once, signed in or not", async () => {
    const person = await someone();
    const [token = ""] = await mailedTokens(person.email);
    expect(await verified(person.actor)).toBe(false);
    expect(await verifyEmail(visitor(), { token })).toEqual({ ok: true });
    expect(await verified(person.actor)).toBe(true);
    expect(await verifyEmail(visitor(), { token })).toEqual(invalid);
  });

  test("is not verified by a link that is a day old or altered, or after the address changed", async () => {
    const person = await someone();
    const [token = ""] = await mailedTokens(person.email);
    expect(await verifyEmail(visitor(), { token: "x".repeat(43) })).toEqual(invalid);
    restore = setClock(() => new Date(Date.now() + 25 * 3_600_000));
    expect(await verifyEmail(visitor(), { token })).toEqual(invalid);
    restore();
    await db()
      .update(usersTable)
      .set({ email: `new-${person.email}` })
      .where(eq(usersTable.id, person.id));
    expect(await verifyEmail(visitor(), { token })).toEqual(invalid);
    expect(await verified(person.actor)).toBe(false);
  });

  test("gets another link on request, and the previous one is void; five an hour", async () => {
    const person = await someone();
    const [first = ""] = await mailedTokens(person.email);
    expect(await resendVerification(visitor())).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    expect(await resendVerification(person.actor)).toEqual({ ok: true });
    const second = (await mailedTokens(person.email)).find((token) => token !== first) ?? "";
    expect(await verifyEmail(visitor(), { token: first })).toEqual(invalid);
    expect(await verifyEmail(visitor(), { token: second })).toEqual({ ok: true });
    expect(await resendVerification(person.actor)).toEqual({ ok: true });
    expect(await mailedTokens(person.email)).toHaveLength(2);
    for (let i = 0; i < 3; i++) await resendVerification(person.actor);
    expect(await resendVerification(person.actor)).toMatchObject({ code: "THROTTLED" });
  });
});
