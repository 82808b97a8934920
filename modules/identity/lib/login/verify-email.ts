import { eq } from "drizzle-orm";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { sendMail } from "#modules/mailer";
import type { VerifyEmailInput } from "../../forms.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotSignedIn, requireUser } from "../core/require-actor.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser, type UserRow } from "../core/users/find-users.ts";
import { greetedName } from "../names/greeted-name.ts";
import { makeLink, readLink, redeemLink } from "./mailed-links.ts";
import { mayTry, type ThrottleRefusal } from "./throttles.ts";

/** Verifies an email address by the mailed link, which works once and for a day, for anyone who holds it, signed in or not. */
export async function verifyEmail(
  actor: Actor,
  input: VerifyEmailInput,
): Promise<{ ok: true } | { ok: false; code: "VERIFICATION_LINK_INVALID" }> {
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const link = await readLink(tx, "email_verification", input.token, at);
    const held = link && (await holdUser(tx, link.userId));
    // The address may have changed since the mail: the link proves only the one it was sent to.
    const proves = held !== undefined && held.email?.toLowerCase() === link?.email.toLowerCase();
    const used = proves && (await redeemLink(tx, "email_verification", input.token, at));
    if (!used) return { ok: false, code: "VERIFICATION_LINK_INVALID" };
    await tx
      .update(usersTable)
      .set({ emailVerifiedAt: at, updatedAt: at })
      .where(eq(usersTable.id, used.userId));
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "email_verified",
      at,
      subject: { kind: "user", id: used.userId },
    });
    return { ok: true };
  });
}

/** Mails a new verification link; the earlier one stops working. If the address is already verified, returns ok and sends nothing. */
export async function resendVerification(
  actor: Actor,
): Promise<{ ok: true } | NotSignedIn | ThrottleRefusal> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const at = currentTime();
  const passed = await mayTry({ "verification:user": String(needed.member.userId) }, at);
  if (!passed.ok) return passed;
  await runInTransaction(async (tx) => {
    const user = await holdUser(tx, needed.member.userId);
    if (user === undefined || user.emailVerifiedAt !== null) return;
    await mailVerification(tx, user, at);
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "verification_resent",
      at,
      subject: { kind: "user", id: user.id },
    });
  });
  return { ok: true };
}

/** Queues the verification mail in the transaction. */
export async function mailVerification(tx: Tx, user: UserRow, at: Date): Promise<void> {
  if (user.email === null) return;
  const url = await makeLink(tx, "email_verification", { id: user.id, email: user.email }, at);
  await sendMail(tx, {
    template: "accountVerification",
    to: user.email,
    language: user.language,
    data: { name: greetedName(user), url },
    userId: user.id,
  });
}
