import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { db, type Executor, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { takeThrottledAttempt } from "#db/throttle/throttle-attempts";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, networkPrefixOf } from "#modules/identity";
import type { SupportInput } from "../../forms.ts";
import { sideOf } from "../core/party-access.ts";
import { tradesTable } from "../core/schema.ts";
import { newCode } from "../core/transaction-code.ts";
import { mailSupport, type SupportAsker } from "./mails.ts";
import { supportRequestsTable } from "./schema.ts";

// Many people share one mobile IP address, so that limit is generous. The receipt goes to any email address that is typed, so that limit is
// tight.
const supportLimits = { ip: { max: 20, seconds: 3_600 }, email: { max: 5, seconds: 3_600 } } as const;

export type AskSupportResult = { ok: true; changed: boolean; number: string; receipt: string };
export type SupportRefused =
  | { ok: false; code: "THROTTLED"; retryAfterSeconds: number }
  | { ok: false; code: "VALIDATION"; fields: Record<string, string[]> };

/**
 * Stores a request for support under a number and emails it: to the support address, whose reply goes to the asker, and a receipt to the
 * asker. The same form sent again is the same request. A code is looked up only among the trades of the signed-in user, and the answer is
 * the same whether or not it is found. If the hidden field is filled in, the request is stored and answered like any other, but nobody gets
 * an email. Refuses VALIDATION (a visitor without a name or address) and THROTTLED.
 */
export async function askSupport(
  actor: Actor,
  input: SupportInput,
): Promise<AskSupportResult | SupportRefused> {
  const at = currentTime();
  const asker = askerOf(actor, input);
  if (!asker.ok) return asker;
  const fingerprint = fingerprintOf(asker, input);
  const sentBefore = { ok: true, changed: false, receipt: fingerprint } as const;
  const before = await findRequestNumber(db(), fingerprint);
  if (before !== undefined) return { ...sentBefore, number: before };
  const passed = await mayAsk(networkPrefixOf(actor.ip), asker.email, at);
  if (!passed.ok) return passed;
  return runInTransaction(async (tx) => {
    const tradeId = await ownTrade(tx, asker.userId, input.code);
    const request = await insertSupportRequest(tx, { asker, input, fingerprint, tradeId, at });
    if (request === undefined) {
      // Another request with the same form came first, and has committed.
      const number = await findRequestNumber(tx, fingerprint);
      if (number === undefined) throw new Error("support: a request that is there and is not");
      return { ...sentBefore, number };
    }
    const { id, number, suspect } = request;
    if (!suspect) await mailSupport(tx, asker, { number, tradeId, ...input }, actor.language);
    const subject = { kind: "support_request", id };
    const data = { number, topic: input.topic, tradeId, suspect };
    await recordAuditEntry(tx, { by: auditAuthorOf(actor), action: "support_requested", at, subject, data });
    return { ok: true, changed: true, number, receipt: fingerprint };
  });
}

function askerOf(
  actor: Actor,
  { name, email }: SupportInput,
): ({ ok: true } & SupportAsker) | SupportRefused {
  if (actor.kind === "user") {
    const { userId, username, displayName, email } = actor;
    return { ok: true, userId, username, name: displayName, email };
  }
  if (name !== undefined && email !== undefined) return { ok: true, userId: null, name, email };
  const fields = {
    ...(name === undefined && { name: ["validation.supportName"] }),
    ...(email === undefined && { email: ["validation.contactEmail"] }),
  };
  return { ok: false, code: "VALIDATION", fields };
}

/**
 * Identifies a form, so that it is one request: a hash of its hidden id and its content. A user who goes back and writes something else
 * under the same hidden id makes a new request, so that no text is lost. The hash cannot be guessed without the id, so it opens the
 * receipt.
 */
function fingerprintOf({ userId, name, email }: SupportAsker, input: SupportInput): string {
  const { clientId = crypto.randomUUID(), topic, code, message } = input;
  const held = JSON.stringify([clientId, userId, name, email, topic, code ?? null, message]);
  return createHash("sha256").update(held).digest("base64url");
}

async function mayAsk(place: string, email: string, at: Date) {
  const digest = (what: string) => createHash("sha256").update(what).digest("base64url");
  const byAddress = await takeThrottledAttempt(`support:ip:${digest(place)}`, supportLimits.ip, at);
  if (!byAddress.ok) return byAddress;
  return takeThrottledAttempt(`support:email:${digest(email.toLowerCase())}`, supportLimits.email, at);
}

async function findRequestNumber(exec: Executor, fingerprint: string): Promise<string | undefined> {
  const [row] = await exec
    .select({ number: supportRequestsTable.number })
    .from(supportRequestsTable)
    .where(eq(supportRequestsTable.fingerprint, fingerprint));
  return row?.number;
}

/** The trade of a code, if the asker is a party to it; null for any other code. */
async function ownTrade(tx: Tx, userId: number | null, code: string | undefined): Promise<number | null> {
  if (userId === null || code === undefined) return null;
  const [trade] = await tx.select().from(tradesTable).where(eq(tradesTable.code, code));
  return trade !== undefined && sideOf(trade, userId) !== undefined ? trade.id : null;
}

type NewSupportRequest = {
  asker: SupportAsker;
  input: SupportInput;
  fingerprint: string;
  tradeId: number | null;
  at: Date;
};

async function insertSupportRequest(tx: Tx, { asker, input, fingerprint, tradeId, at }: NewSupportRequest) {
  const visitor = asker.userId === null;
  const [row] = await tx
    .insert(supportRequestsTable)
    .values({
      number: newCode("SR"),
      fingerprint,
      userId: asker.userId,
      name: visitor ? asker.name : null,
      email: visitor ? asker.email : null,
      topic: input.topic,
      code: input.code,
      tradeId,
      message: input.message,
      suspect: (input.website ?? "") !== "",
      createdAt: at,
    })
    .onConflictDoNothing({ target: supportRequestsTable.fingerprint })
    .returning();
  return row;
}
