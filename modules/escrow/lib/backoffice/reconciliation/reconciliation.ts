import { db, runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { formatDay as dayOf, daysAfter } from "#format";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, findPeople, type NotAdmin, requireAdmin } from "#modules/identity";
import {
  type Difference,
  daysWithOpenDifferences,
  differencesOf,
  findDifference,
  lastReconciliation,
  listReconciliationRuns,
  type ReconciliationRun,
  reconcileDay,
  resolveDifference,
} from "#modules/payments";
import { requireAdminForTrade } from "../../core/authorization.ts";
import { tradeRows } from "../../core/load-trade.ts";
import { refuseAction, runAtomically, type TradeRefusal } from "../../core/outcomes.ts";
import { checkPayment } from "../../payment/check-payment.ts";
import type { DifferenceView, Reconciliation, RunView } from "../treasury/responses.ts";

const PAGE = 14;

/**
 * A day's reconciliation with the provider, yesterday's by default; the open differences of other days; and the history of runs from
 * `before` on. Refuses AUTH_REQUIRED, ADMIN_REQUIRED.
 */
export async function readReconciliation(
  actor: Actor,
  input: { day?: string | undefined; before?: number | undefined } = {},
): Promise<{ ok: true; reconciliation: Reconciliation } | NotAdmin> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const today = dayOf(currentTime());
  const day = input.day ?? daysAfter(today, -1);
  const [last, found, open, runs] = await Promise.all([
    lastReconciliation(db(), day),
    differencesOf(db(), day),
    daysWithOpenDifferences(db()),
    listReconciliationRuns(db(), {
      limit: PAGE + 1,
      ...(input.before !== undefined && { before: input.before }),
    }),
  ]);
  const shown = runs.slice(0, PAGE);
  const [names, codes] = await Promise.all([
    namesOf([...shown, last].map((run) => run?.begunBy ?? null).concat(found.map((one) => one.resolvedBy))),
    codesOf(found),
  ]);
  return {
    ok: true,
    reconciliation: {
      day,
      today,
      last: last && runView(last, names),
      differences: found.map((one) => differenceView(one, names, codes)),
      openDays: open,
      runs: shown.map((run) => runView(run, names)),
      next: runs.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
    },
  };
}

async function namesOf(ids: Array<number | null>): Promise<Map<number, string>> {
  const who = await findPeople(
    db(),
    ids.flatMap((id) => id ?? []),
  );
  return new Map([...who].map(([id, { displayName }]) => [id, displayName]));
}

async function codesOf(found: readonly Difference[]): Promise<Map<number, string>> {
  const references = [...new Set(found.flatMap(({ reference }) => reference ?? []))];
  return new Map((await tradeRows(db(), references)).map(({ id, code }) => [id, code]));
}

function runView({ begunAt, begunBy, ...run }: ReconciliationRun, names: Map<number, string>): RunView {
  const by = begunBy === null ? null : (names.get(begunBy) ?? "");
  return { ...run, begunAt: begunAt.toISOString(), by };
}

function differenceView(
  one: Difference,
  names: Map<number, string>,
  codes: Map<number, string>,
): DifferenceView {
  const { id, day, cause, state, providerPaymentId, thereAmount, thereStatus, hereAmount, note } = one;
  const code = one.reference === null ? undefined : codes.get(one.reference);
  return {
    ...{ id, day, cause, state, providerPaymentId, thereAmount, thereStatus, hereAmount, note },
    transaction: one.reference === null || code === undefined ? null : { id: one.reference, code },
    foundAt: one.foundAt.toISOString(),
    seenAt: one.seenAt.toISOString(),
    closedAt: one.closedAt?.toISOString() ?? null,
    resolvedBy: one.resolvedBy === null ? null : (names.get(one.resolvedBy) ?? ""),
  };
}

/**
 * Compares a day with the provider's list now, for an administrator. No money moves, and the audit log records the run. Refuses
 * AUTH_REQUIRED, ADMIN_REQUIRED, DAY_AHEAD, PROVIDER_UNAVAILABLE and PROVIDER_REFUSED (recorded as a failed run).
 */
export async function runReconciliation(
  actor: Actor,
  { day }: { day: string },
): Promise<
  | { ok: true; run: ReconciliationRun }
  | NotAdmin
  | TradeRefusal<"DAY_AHEAD" | "PROVIDER_UNAVAILABLE" | "PROVIDER_REFUSED">
> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = currentTime();
  if (day > dayOf(at)) return refuseAction("DAY_AHEAD");
  const done = await reconcileDay({ day, at, by: auditAuthorOf(actor) });
  return done.ok ? done : refuseAction(done.code);
}

type DifferenceRefusal =
  | NotAdmin
  | TradeRefusal<"NOT_FOUND" | "OWN_TRADE" | "ADMIN_REQUIRED" | "RECORD_ALTERED">;

/**
 * Resolves a difference with an administrator's note; the first note is kept. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, NOT_FOUND and
 * OWN_TRADE.
 */
export async function settleDifference(
  actor: Actor,
  id: number,
  { note }: { note: string },
): Promise<{ ok: true; changed: boolean; day: string } | DifferenceRefusal> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = currentTime();
  const seen = await findDifference(db(), id);
  if (seen === null) return refuseAction("NOT_FOUND");
  return runAtomically(async (tx) => {
    const own = await refuseOwnDifference(actor, seen)(tx);
    if (!own.ok) return own;
    const doer = { ...auditAuthorOf(actor), userId: admin.member.userId };
    const done = await resolveDifference(tx, { id, by: doer, note, at });
    return done.ok ? { ...done, day: seen.day } : refuseAction(done.code);
  });
}

/**
 * Asks the provider about the trade of a difference, as its buyer's Verify does: what is paid is booked, and the next run finds the
 * difference gone. No money leaves. Refuses AUTH_REQUIRED, ADMIN_REQUIRED, NOT_FOUND (also if it names no trade), TRANSACTION_NOT_FOUND (it
 * names a trade that Midman never had), OWN_TRADE, PROVIDER_UNAVAILABLE.
 */
export async function askAboutDifference(
  actor: Actor,
  id: number,
): Promise<
  | { ok: true; day: string }
  | DifferenceRefusal
  | TradeRefusal<"TRANSACTION_NOT_FOUND" | "PROVIDER_UNAVAILABLE">
> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = currentTime();
  const seen = await findDifference(db(), id);
  if (seen === null || seen.reference === null) return refuseAction("NOT_FOUND");
  const { reference, day } = seen;
  const allowed = await runAtomically(refuseOwnDifference(actor, seen));
  if (!allowed.ok) return allowed;
  const doer = { ...auditAuthorOf(actor), userId: admin.member.userId };
  await runInTransaction((tx) =>
    recordAuditEntry(tx, {
      by: doer,
      action: "reconciliation.asked",
      at,
      subject: { kind: "reconciliation", id: day },
      data: { difference: id, reference },
    }),
  );
  const checked = await checkPayment(reference, "reconciler", { force: true, by: doer });
  if (!checked.ok) return checked;
  return checked.answer.complete ? { ok: true, day } : refuseAction("PROVIDER_UNAVAILABLE");
}

/** Refuses OWN_TRADE to an administrator who is a party to the difference's trade. */
function refuseOwnDifference(actor: Actor, { reference }: Difference) {
  return async (tx: Tx): Promise<{ ok: true } | NotAdmin | TradeRefusal<"OWN_TRADE" | "ADMIN_REQUIRED">> => {
    if (reference === null) return { ok: true };
    const found = await requireAdminForTrade(tx, actor, reference);
    // A payment may name a reference that never was a trade; its difference is nobody's own.
    return found.ok || found.code === "TRANSACTION_NOT_FOUND" ? { ok: true } : { ...found, code: found.code };
  };
}
