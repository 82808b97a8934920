import { db, transaction } from "#db/client";
import { now } from "#db/clock";
import { day as dayOf, daySpan } from "#format";
import { record } from "#modules/audit";
import { type Actor, by, type NotAdmin, people, requireAdmin } from "#modules/identity";
import {
  haltMoney,
  haltState,
  moneyHalted,
  type PayoutState,
  sentBetween,
  suspenseList,
} from "#modules/payments";
import { freshAdmin } from "./acting.ts";
import { tradeRows } from "./load.ts";
import { type Refused, refused } from "./outcomes.ts";

const PAGE = 25;

/** Money of no trade: how much, what it was paid for, where it came from and how far its refund is. */
export type SuspenseView = {
  paymentId: number;
  providerPaymentId: string | null;
  /** What is still here, in tugrik. */
  amount: number;
  paidAt: string;
  transaction: { id: number; code: string } | null;
  wallet: string | null;
  /** The code of the payer's bank. */
  payerBank: string | null;
  refund: { state: PayoutState; destination: boolean } | null;
};

export type MoneyDesk = {
  halt: { halted: boolean; reason: string | null; by: string | null; at: string | null };
  suspense: SuspenseView[];
  next: number | null;
  today: string;
};

/** How the switch stands, and the money that belongs to no trade, newest payment first, from `before` on. Refuses AUTH_REQUIRED, ADMIN_REQUIRED. */
export async function moneyDesk(
  actor: Actor,
  input: { before?: number | undefined } = {},
): Promise<{ ok: true; desk: MoneyDesk } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const [halt, rows] = await Promise.all([
    haltState(db()),
    suspenseList(db(), { limit: PAGE + 1, ...(input.before !== undefined && { before: input.before }) }),
  ]);
  const shown = rows.slice(0, PAGE);
  const [who, trades] = await Promise.all([
    people(db(), halt.changedBy === null ? [] : [halt.changedBy]),
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
  const { halted, reason, changedBy, changedAt } = halt;
  const name = changedBy === null ? null : (who.get(changedBy)?.displayName ?? null);
  const next = rows.length > PAGE ? (shown.at(-1)?.paymentId ?? null) : null;
  return {
    ok: true,
    desk: {
      halt: { halted, reason, by: name, at: changedAt?.toISOString() ?? null },
      suspense,
      next,
      today: dayOf(now()),
    },
  };
}

/** Whether outgoing money is stopped, for the banner of the desk's pages. */
export function outgoingHalted(): Promise<boolean> {
  return moneyHalted(db());
}

/**
 * Stops or resumes every outgoing step at once; setting what is set changes nothing. Refuses AUTH_REQUIRED, ADMIN_REQUIRED,
 * REAUTH_REQUIRED.
 */
export async function switchMoney(
  actor: Actor,
  { on, reason }: { on: boolean; reason: string },
): Promise<{ ok: true; changed: boolean } | Refused> {
  const at = now();
  const admin = freshAdmin(actor, at);
  if (!admin.ok) return admin;
  return haltMoney({ on, reason, at, by: { ...by(actor), userId: admin.member.userId } });
}

/** One transfer as it left. */
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
 * What was sent on a Mongolian day, oldest first; that it was taken along is in the log, for it names accounts. Refuses
 * AUTH_REQUIRED, ADMIN_REQUIRED, DAY_AHEAD.
 */
export async function transfersOf(
  actor: Actor,
  { day }: { day: string },
): Promise<{ ok: true; transfers: Transfer[] } | Refused> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = now();
  if (day > dayOf(at)) return refused("DAY_AHEAD");
  const { from, until } = daySpan(day);
  const rows = await sentBetween(db(), from, until);
  const [who, trades] = await Promise.all([
    people(
      db(),
      rows.flatMap(({ sentBy }) => sentBy ?? []),
    ),
    tradeRows(db(), [...new Set(rows.map(({ reference }) => reference))]),
  ]);
  const codes = new Map(trades.map(({ id, code }) => [id, code]));
  await transaction((tx) =>
    record(tx, {
      by: { ...by(actor), userId: admin.member.userId },
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
