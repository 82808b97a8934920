import { z } from "zod";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { defineJob } from "#db/jobs";
import { recordAuditEntry } from "#modules/audit";
import { sendMail } from "#modules/mailer";
import type { ForgotPasswordInput } from "../../forms.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { linkLifetimes } from "../core/lifetimes.ts";
import { holdUser, userByEmail } from "../core/users/find-users.ts";
import { makeLink } from "../login/mailed-links.ts";
import { mayTry, type ThrottleRefusal } from "../login/throttles.ts";
import { greetedName } from "../names/greeted-name.ts";
import { networkPrefixOf } from "../request/network-prefix.ts";

/** Mails the link in a job, apart from the request. `userId` is null if nobody has the email address; the job then does nothing. */
const mailReset = defineJob(
  "identity.password-reset",
  z.object({ userId: z.int().nullable() }),
  async ({ userId }) => {
    if (userId !== null) await mailPasswordReset(userId, currentTime());
  },
);

/**
 * Requests a link that resets the password. The reply is always the same, and so is the work before it (one query, one entry, one job,
 * whether or not anyone has the address), so neither reveals who is a user.
 */
export async function forgotPassword(
  actor: Actor,
  input: ForgotPasswordInput,
): Promise<{ ok: true } | ThrottleRefusal> {
  const at = currentTime();
  const tries = { "forgot:ip": networkPrefixOf(actor.ip), "forgot:email": input.email.toLowerCase() };
  const passed = await mayTry(tries, at);
  if (!passed.ok) return passed;
  const user = await userByEmail(db(), input.email);
  const userId = user?.id ?? null;
  await runInTransaction(async (tx) => {
    const subject = { kind: "user", id: userId ?? "nobody" };
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "password_reset_requested", at, subject });
    await mailReset.enqueue(tx, { userId });
  });
  return { ok: true };
}

/** Creates the link, which works for an hour, and queues its mail in the same transaction. */
async function mailPasswordReset(userId: number, at: Date): Promise<void> {
  await runInTransaction(async (tx) => {
    const user = await holdUser(tx, userId);
    if (user === undefined || user.email === null) return;
    const url = await makeLink(tx, "password_reset", { id: user.id, email: user.email }, at);
    await sendMail(tx, {
      template: "passwordReset",
      to: user.email,
      language: user.language,
      data: { name: greetedName(user), url, minutes: linkLifetimes.password_reset / 60_000 },
      userId: user.id,
    });
  });
}
