import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { formatDay as dayOf, daySpan } from "#format";
import { recordAuditEntry } from "#modules/audit";
import {
  type Actor,
  auditAuthorOf,
  findPeople,
  hasAdministratorLeftSince,
  listAdministrators,
  type NotAdmin,
  requireAdmin,
} from "#modules/identity";
import {
  haltMoney,
  isMoneyHalted,
  type PayoutState,
  payoutsSentBetween,
  readHaltState,
  resumeMoney,
  suspenseList,
} from "#modules/payments";
import { loadPayoutActor, type NotFreshAdmin, requireFreshAdmin } from "../../core/authorization.ts";
import { tradeRows } from "../../core/load-trade.ts";
import { refuseAction, refuseAlteredRecord, type TradeRefusal } from "../../core/outcomes.ts";
import type { SuspenseView, TreasuryView } from "./responses.ts";

const PAGE = 25;

/** Reads the halt switch, and the money in suspense, newest payment first, from `before` on. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function readTreasury(
  actor: Actor,
  input: { before?: number | undefined } = {},
): Promise<{ ok: true; treasury: TreasuryView } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const [halt, rows] = await Promise.all([
    readHaltState(db()),
    suspenseList(db(), { limit: PAGE + 1, ...(input.before !== undefined && { before: input.before }) }),
  ]);
  const shown = rows.slice(0, PAGE);
  const [who, trades] = await Promise.all([
    findPeople(
      db(),
      [halt.changedBy, halt.resume?.by ?? null].flatMap((id) => id ?? []),
    ),
    tradeRows(db(), [...new Set(shown.map(({ reference }) => reference))]),
  ]);
  const codes = new Map(trades.map(({ id, code }) => [id, code]));
  const suspense = shown.map(({ reference, paidAt, refund, ...row }): SuspenseView => {
    const code = codes.get(reference);
    return {
      ...row,
      paidAt: paidAt.toISOString(),
      transaction: code === undefined ? null : { id: reference, code },
      refund: refund && { state: refund.state, destination: refund.destination !== null },
    };
  });
  const { halted, reason, changedBy, changedAt, resume } = halt;
  const name = changedBy === null ? null : (who.get(changedBy)?.displayName ?? null);
  const next = rows.length > PAGE ? (shown.at(-1)?.paymentId ?? null) : null;
  return {
    ok: true,
    treasury: {
      halt: {
        ...{ halted, reason, by: name, at: changedAt?.toISOString() ?? null },
        resume: resume && {
          by: who.get(resume.by)?.displayName ?? "",
          own: resume.by === admin.member.userId,
          at: resume.at.toISOString(),
          reason: resume.reason,
        },
      },
      suspense,
      next,
      today: dayOf(currentTime()),
    },
  };
}

/** Whether outgoing money is halted, for the banner of the back office. */
export function isOutgoingHalted(): Promise<boolean> {
  return isMoneyHalted(db());
}

/**
 * Halts every outgoing step at once, or resumes them. If there are two administrators, or were at any time of the halt, one proposes to
 * resume and another confirms it, so `halted` is the state of the switch afterwards. Setting the current state changes nothing, but halting
 * ends a proposal to resume. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, REAUTH_REQUIRED, FOUR_EYES_RELATED, RECORD_ALTERED (the switch does not
 * match its latest entry in the audit log, and must be halted again).
 */
export async function switchOutgoingMoney(
  actor: Actor,
  { on, reason }: { on: boolean; reason: string },
): Promise<
  | { ok: true; changed: boolean; halted: boolean }
  | NotFreshAdmin
  | TradeRefusal<"FOUR_EYES_RELATED" | "RECORD_ALTERED">
> {
  const at = currentTime();
  const admin = requireFreshAdmin(actor, at);
  if (!admin.ok) return admin;
  const { member } = admin;
  if (on) {
    const done = await haltMoney({ on, reason, at, by: { ...auditAuthorOf(actor), userId: member.userId } });
    return { ...done, halted: true };
  }
  return refuseAlteredRecord(() =>
    resumeMoney({
      reason,
      alone: async (tx, halted) => {
        // Otherwise one of two administrators could remove the other and then decide alone. In that case the operator's console resumes.
        if (halted !== null && (await hasAdministratorLeftSince(tx, halted))) return false;
        return (await listAdministrators(tx)).length < 2;
      },
      at,
      person: (tx) => loadPayoutActor(tx, member, at),
    }),
  );
}

/** One transfer that was sent. */
export type Transfer = {
  id: number;
  transactionCode: string;
  kind: "payout" | "refund";
  amount: number;
  fee: number;
  state: PayoutState;
  bankName: string;
  accountName: string;
  accountNumber: string;
  iban: string;
  bankReference: string;
  sentAt: string;
  sentBy: string;
};

/**
 * The transfers sent on a Mongolian day, oldest first. The audit log records each export, because it names accounts. Refuses AUTH_REQUIRED,
 * ADMIN_REQUIRED, DAY_AHEAD.
 */
export async function transfersOf(
  actor: Actor,
  { day }: { day: string },
): Promise<{ ok: true; transfers: Transfer[] } | NotAdmin | TradeRefusal<"DAY_AHEAD">> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = currentTime();
  if (day > dayOf(at)) return refuseAction("DAY_AHEAD");
  const { from, until } = daySpan(day);
  const rows = await payoutsSentBetween(db(), from, until);
  const [who, trades] = await Promise.all([
    findPeople(
      db(),
      rows.flatMap(({ sentBy }) => sentBy ?? []),
    ),
    tradeRows(db(), [...new Set(rows.map(({ reference }) => reference))]),
  ]);
  const codes = new Map(trades.map(({ id, code }) => [id, code]));
  await runInTransaction((tx) =>
    recordAuditEntry(tx, {
      by: { ...auditAuthorOf(actor), userId: admin.member.userId },
      action: "money.exported",
      at,
      subject: { kind: "money", id: day },
      data: { transfers: rows.length },
    }),
  );
  const transfers = rows.map((row) => ({
    id: row.id,
    transactionCode: codes.get(row.reference) ?? "",
    kind: row.kind,
    amount: row.amount,
    fee: row.fee,
    state: row.state,
    bankName: row.destination?.bankName ?? "",
    accountName: row.destination?.accountName ?? "",
    accountNumber: row.destination?.accountNumber ?? "",
    iban: row.destination?.iban ?? "",
    bankReference: row.bankReference ?? "",
    sentAt: row.sentAt?.toISOString() ?? "",
    sentBy: row.sentBy === null ? "" : (who.get(row.sentBy)?.username ?? ""),
  }));
  return { ok: true, transfers };
}
