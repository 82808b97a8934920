import { eq } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { recordAuditEntry } from "#modules/audit";
import { mailSecurityNotice } from "../account/security-notice.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { secondFactorsTable } from "../core/schema.ts";
import type { UserRow } from "../core/users/find-users.ts";
import { mayTryHere } from "../login/attempts-by-place.ts";
import { forgiveTries, type ThrottleRefusal } from "../login/throttles.ts";
import { networkPrefixOf } from "../request/network-prefix.ts";
import { recoveryCodesLeft, takeRecoveryCode } from "./recovery-codes.ts";
import { openSecret, stepOf } from "./totp.ts";

/** How the second factor was proved; "none" if it is off. */
export type FactorProof = { ok: true; by: "none" | "code" | "recovery" };
type CodeProblem = "SECOND_FACTOR_REQUIRED" | "SECOND_FACTOR_WRONG";
/** A code that is missing or wrong; one that was given is only ever wrong. */
export type WrongCode<Problem extends CodeProblem = CodeProblem> = {
  ok: false;
  code: Problem;
  fields: Record<string, string[]>;
};

/** A user's stored secret, in use or pending. */
export async function factorOf(exec: Executor, userId: number) {
  const [row] = await exec.select().from(secondFactorsTable).where(eq(secondFactorsTable.userId, userId));
  return row;
}

/**
 * Counts one attempt with a code against the account and its address; called before the transaction that checks the code. Attempts made
 * elsewhere do not refuse a person where they have signed in before.
 */
export async function mayTryCode(
  actor: Actor,
  userId: number,
  code: string | undefined,
  at: Date,
): Promise<{ ok: true } | ThrottleRefusal> {
  if (code === undefined) return { ok: true };
  const { "factor:user-ip": here, "factor:user": anywhere } = codeAttemptsOf(actor, userId);
  const counts = { here: { "factor:user-ip": here }, anywhere: { "factor:user": anywhere } };
  return mayTryHere(actor, { ...counts, owner: async () => userId }, at);
}

/** Clears the failed attempts before a correct code. */
export function forgiveCodes(actor: Actor, userId: number): Promise<void> {
  return forgiveTries(codeAttemptsOf(actor, userId));
}

/**
 * Checks this user's code: one of the app, accepted once, or a recovery code, which is used up. Passes without a code if the second factor
 * is off. A refusal is recorded in this transaction, which must commit. The caller has locked the user's row, so that of two requests with
 * the same code, one passes.
 */
export async function passFactor(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  code: string | undefined,
  at: Date,
): Promise<FactorProof | WrongCode> {
  if (user.secondFactorAt !== null && code === undefined) return refuseCode("SECOND_FACTOR_REQUIRED");
  return passGivenCode(tx, actor, user, code ?? "", at);
}

/** Checks a code that the form requires, like `passFactor`. */
export async function passGivenCode(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  code: string,
  at: Date,
): Promise<FactorProof | WrongCode<"SECOND_FACTOR_WRONG">> {
  if (user.secondFactorAt === null) return { ok: true, by: "none" };
  const passed =
    code.length === 6 ? await passCode(tx, user.id, code, at) : await passRecovery(tx, actor, user, code, at);
  if (passed) return { ok: true, by: code.length === 6 ? "code" : "recovery" };
  const subject = { kind: "user", id: user.id };
  await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "second_factor_failed", at, subject });
  return refuseCode("SECOND_FACTOR_WRONG");
}

/** Whether a code of the app is correct and newer than the last accepted one; if so, it becomes the last one. */
export async function passCode(tx: Tx, userId: number, code: string, at: Date): Promise<boolean> {
  const factor = await factorOf(tx, userId);
  if (factor === undefined) return false;
  const step = stepOf(openSecret(factor.secret, userId), code, at);
  if (step === undefined || step <= factor.usedStep) return false;
  await tx.update(secondFactorsTable).set({ usedStep: step }).where(eq(secondFactorsTable.userId, userId));
  return true;
}

async function passRecovery(tx: Tx, actor: Actor, user: UserRow, code: string, at: Date): Promise<boolean> {
  if (!(await takeRecoveryCode(tx, user.id, code))) return false;
  const left = await recoveryCodesLeft(tx, user.id);
  const subject = { kind: "user", id: user.id };
  await recordAuditEntry(tx, {
    by: { ...auditAuthorOf(actor), userId: user.id },
    action: "recovery_code_used",
    at,
    subject,
    data: { left },
  });
  await mailSecurityNotice(tx, user, "recovery_code_used", actor, at);
  return true;
}

/** The refusal of a missing or wrong code, with its message at the field `code`. */
export function refuseCode<Problem extends CodeProblem>(code: Problem): WrongCode<Problem> {
  return { ok: false, code, fields: { code: [`errors.${code}`] } };
}

function codeAttemptsOf(actor: Actor, userId: number) {
  return { "factor:user-ip": `${userId} ${networkPrefixOf(actor.ip)}`, "factor:user": String(userId) };
}
