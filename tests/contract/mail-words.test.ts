import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { expectStatus, registerPerson } from "../support/people/registered-people.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { readMailedToken } from "../support/services/mailed-token.ts";
import { openDisputedTrade, openSettlingTrade } from "../support/trades/server-trades.ts";

/** A mail to an address that nobody proved may reach a stranger: no word in it was chosen by anybody but Midman. */

setDefaultTimeout(120_000);

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
}, 120_000);

afterAll(() => disconnectDatabase());

const mailsTo = async (email: string, atLeast = 1) => {
  for (let n = 0; n < 200; n++, await Bun.sleep(50)) {
    const box = expectStatus(
      await server.client().get(`/sandbox/mail.json?to=${encodeURIComponent(email)}`),
      200,
    );
    if (box.list.length >= atLeast) return box.list as unknown as Array<{ subject: string; text: string }>;
  }
  throw new Error("the mails did not come");
};

test("neither a welcome nor a verification or a reset contains the name entered with the address", async () => {
  const person = await registerPerson(server, "Cheap goods here");
  expectStatus(await person.post("/api/auth/forgot-password", { email: person.email }), 200);
  await readMailedToken(server, person.email, "reset-password");
  for (const { subject, text } of await mailsTo(person.email, 3)) {
    expect(subject + text).not.toContain("Cheap goods");
    expect(text).toContain("\n\nHello,\n");
    expect(text).not.toContain(person.username);
  }
  // Once the address is proved it is the person's own, and so is the name.
  const token = await readMailedToken(server, person.email, "verify-email");
  expectStatus(await person.post("/api/auth/verify-email", { token }), 200);
  expectStatus(await person.post("/api/auth/forgot-password", { email: person.email }), 200);
  const after = await mailsTo(person.email, 4);
  expect(after.filter(({ text }) => text.includes("\n\nHello Cheap goods here,\n"))).toHaveLength(1);
});

test("the mails and pushes of a trade contain no name, room or message", async () => {
  for (const deal of [await openDisputedTrade(server), await openSettlingTrade(server)]) {
    const ids = sql`(${deal.seller.id}, ${deal.buyer.id})`;
    const data = await db().execute<{ template: string; data: object }>(
      sql`SELECT template, data FROM mailer.messages WHERE user_id IN ${ids}`,
    );
    expect(data.length).toBeGreaterThan(6);
    for (const mail of data) expect([mail, strange(JSON.stringify(mail))]).toEqual([mail, null]);
    for (const { email } of [deal.seller, deal.buyer]) {
      for (const mail of await mailsTo(email, 4)) {
        expect([mail.subject, strange(mail.subject + mail.text)]).toEqual([mail.subject, null]);
      }
    }
  }
});

/** What the people of these trades typed, where a mail holds it. */
const strange = (said: string) =>
  /Seller One|Buyer Two|A game account|level 60|The password is wrong|Bat Erdene|5012345678/.exec(
    said,
  )?.[0] ?? null;
