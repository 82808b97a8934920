import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { drainJobs } from "#db/jobs";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { sendMail } from "../../index.ts";
import { storeInMailbox } from "../sending/sandbox-mailbox.ts";
import { senderOf } from "../sending/senders.ts";
import { templateSamples } from "../templates/template-samples.ts";
import { eraseOldMails, forgetMails } from "./erase-old-mails.ts";
import { mailboxTable, mailMessagesTable } from "./schema.ts";

useDatabase();
const later = (days: number) => new Date(Date.now() + days * 86_400_000);
const left = async () =>
  (await db().select().from(mailMessagesTable).orderBy(asc(mailMessagesTable.id))).map(
    ({ recipient }) => recipient,
  );

const queue = (to: string) =>
  runInTransaction((tx) =>
    sendMail(tx, { template: "welcome", to, language: "en", data: templateSamples.welcome }),
  );

test("recipients of mails are erased after 90 days; waiting mails and unresolved failed ones are kept", async () => {
  await queue("sent@example.mn");
  await drainJobs();
  for (const to of ["queued@example.mn", "failed@example.mn", "dealt@example.mn"]) await queue(to);
  const failed = { state: "failed", data: {}, endedAt: new Date() } as const;
  await db()
    .update(mailMessagesTable)
    .set(failed)
    .where(eq(mailMessagesTable.recipient, "failed@example.mn"));
  const dealt = { ...failed, dealtAt: new Date(), dealtBy: 1 };
  await db().update(mailMessagesTable).set(dealt).where(eq(mailMessagesTable.recipient, "dealt@example.mn"));
  await eraseOldMails(later(89));
  expect(await left()).toHaveLength(4);
  expect(await db().select().from(mailboxTable)).toHaveLength(1);
  await eraseOldMails(later(91));
  expect(await left()).toEqual(["queued@example.mn", "failed@example.mn"]);
  expect(await db().select().from(mailboxTable)).toEqual([]);
});

test("deleting a person while a mail arrives in the mailbox deletes it too", async () => {
  const [person, to] = [4_711, "going@example.mn"];
  await runInTransaction((tx) =>
    sendMail(tx, { template: "welcome", to, userId: person, language: "en", data: templateSamples.welcome }),
  );
  const [mail] = await db().select().from(mailMessagesTable).where(eq(mailMessagesTable.userId, person));
  if (mail === undefined) throw new Error("no mail");
  const [kept, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const delivering = runInTransaction(async (tx) => {
    const words = { subject: "Welcome", html: "", text: "" };
    await storeInMailbox(tx, { id: mail.id, ...words, from: senderOf("welcome"), to, at: new Date() });
    kept.resolve();
    await over.promise;
    const sent = { state: "sent", data: {}, endedAt: new Date() } as const;
    await tx.update(mailMessagesTable).set(sent).where(eq(mailMessagesTable.id, mail.id));
  });
  await kept.promise;
  const going = runInTransaction((tx) => forgetMails(tx, person));
  await Bun.sleep(200);
  over.resolve();
  await Promise.all([delivering, going]);
  expect(await db().select().from(mailMessagesTable).where(eq(mailMessagesTable.userId, person))).toEqual([]);
  expect(await db().select().from(mailboxTable).where(eq(mailboxTable.id, mail.id))).toEqual([]);
});
