import type { Executor, Tx } from "#db/client";
import { db } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf, requireAdmin } from "#modules/identity";
import { exceedsFourEyes, outgoingTotals } from "#modules/payments";
import type { RulingInput, RulingPreviewInput } from "../../forms.ts";
import { applyCommand, type CommandRefusal, decideFor } from "../core/apply-command.ts";
import { type AdminGrant, requireAdminForTrade, requireFreshAdmin } from "../core/authorization.ts";
import { type ChangeContext, recordChange } from "../core/carry-out-effects.ts";
import { loadTrade } from "../core/load-trade.ts";
import { refuseAction, runAtomically, type TradeRefusal, type TradeResult } from "../core/outcomes.ts";
import { isId, sideOf } from "../core/party-access.ts";
import { type Shares, sharesOf, sumToType } from "../machine/dispute.ts";
import type { CommandOf, GivenBy, Trade } from "../machine/trade-types.ts";
import { vaultRefusal } from "../vault/vault-shown.ts";
import { findOpenCase, recordStatement } from "./dispute-cases.ts";
import { takeCase } from "./mediate.ts";
import { proposeRuling } from "./rulings/proposals.ts";
import type { RulingWarning } from "./rulings/schema.ts";
import { warningsOf } from "./rulings/warnings.ts";

type RulingCommand = GivenBy<"admin", CommandOf<"rule">>;
/** Why the machine refuses a ruling. */
type RulingRejection = CommandRefusal<RulingCommand>;
type BeginRefusal = RulingRejection | "SUM_DIFFERS" | "VAULT_CHANGED" | "DISPUTE_TAKEN" | "RULING_WARNED";

/** What a ruling gives each party, and the one sum that the administrator must type to give it. */
export type RulingFigures = Shares & { sum: number };

/** The figures of a ruling before it is given. */
export type RulingPreview = RulingFigures & {
  /** What the administrator must confirm first. */
  warnings: RulingWarning[];
  /** The sum needs two administrators: the ruling is proposed, and another administrator confirms it. */
  secondNeeded: boolean;
};

/**
 * Calculates the sums of a ruling; changes nothing. Refuses ADMIN_REQUIRED, TRANSACTION_NOT_FOUND, OWN_TRADE, SPLIT_OUT_OF_RANGE,
 * TRADE_OVERTAKEN.
 */
export async function previewRuling(actor: Actor, id: number, asked: RulingPreviewInput) {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const trade = isId(id) ? await loadTrade(id) : undefined;
  if (trade === undefined) return refuseAction("TRANSACTION_NOT_FOUND");
  if (sideOf(trade, admin.member.userId) !== undefined) return refuseAction("OWN_TRADE", trade);
  const at = currentTime();
  const shown = calculateRuling(trade, asked, at);
  if (!shown.ok) return shown;
  const [warnings, secondNeeded] = await Promise.all([
    warningsOf(db(), trade, at),
    needsSecondAdministrator(db(), trade, shown.ruling),
  ]);
  const ruling: RulingPreview = { ...shown.ruling, warnings, secondNeeded };
  return { ok: true, ruling } as const;
}

/** The ruling was given or, if it needs a second administrator, proposed. */
export type RulingResult = TradeResult & { state: "ruled" | "proposed" };

/**
 * Gives a ruling as the mediator, never on the administrator's own trade: release, refund, or a split, of which `refundAmount` goes to the
 * buyer and the rest of gross − fee to the seller. `sum` is the sum as the administrator typed it. Ruling on a case that nobody has takes
 * it. That, and ruling while a party may still explain its side, must be confirmed, and the confirmation is recorded. Above the four-eyes
 * limit the ruling replaces the mediator's earlier proposal, and takes effect once another administrator confirms it. Refuses
 * ADMIN_REQUIRED, REAUTH_REQUIRED, OWN_TRADE, SPLIT_OUT_OF_RANGE, SUM_DIFFERS, VAULT_CHANGED, DISPUTE_TAKEN, RULING_WARNED,
 * TRADE_OVERTAKEN.
 */
export async function ruleDispute(actor: Actor, id: number, input: RulingInput) {
  const at = currentTime();
  const fresh = requireFreshAdmin(actor, at);
  if (!fresh.ok) return fresh;
  const changeContext = { at, by: auditAuthorOf(actor) };
  return runAtomically(async (tx) => {
    const found = await requireAdminForTrade(tx, actor, id);
    if (!found.ok) return found;
    const { trade } = found;
    if (trade.status === "disputed") {
      const begun = await beginRuling(tx, found, input, changeContext);
      if (!begun.ok || begun.state === "proposed") return begun;
    }
    const done = await applyCommand(tx, trade, buildRulingCommand(input), changeContext);
    return done.ok ? ({ ...done, state: "ruled" } satisfies RulingResult) : done;
  });
}

/** All steps before the ruling itself. A ruling that needs two administrators ends here, as a proposal. */
async function beginRuling(
  tx: Tx,
  found: AdminGrant,
  input: RulingInput,
  changeContext: ChangeContext,
): Promise<RulingResult | TradeRefusal<BeginRefusal>> {
  const { trade, member } = found;
  const shown = calculateRuling(trade, input, changeContext.at);
  if (!shown.ok) return shown;
  if (shown.ruling.sum !== input.sum) {
    return { ok: false, code: "SUM_DIFFERS", params: { sum: shown.ruling.sum } };
  }
  const changed = await vaultRefusal(tx, trade, input.vaultShown);
  if (changed !== null) return changed;
  const warnings = await warningsOf(tx, trade, changeContext.at);
  const took = await takeCase(tx, found, changeContext);
  if (!took.ok) return took;
  if (warnings.length > 0 && input.warningsConfirmed !== true) return refuseAction("RULING_WARNED", trade);
  if (warnings.length > 0) await recordChange(tx, trade, changeContext, "rule_warned", { warnings });
  if (await needsSecondAdministrator(tx, trade, shown.ruling)) {
    const dispute = await findOpenCase(tx, trade.id);
    if (dispute === undefined) return refuseAction("TRADE_OVERTAKEN", trade);
    const { ruling, refundAmount = null, sum, reason } = input;
    const given = { ruling, refundAmount, sum, reason, warnings };
    return { ...(await proposeRuling(tx, found, dispute.id, given, changeContext)), state: "proposed" };
  }
  await recordStatement(tx, trade.id, { role: "admin", member, body: input.reason, at: changeContext.at });
  return { ok: true, changed: true, trade, state: "ruled" };
}

/** Whether what a ruling moves, together with all else that the trade's payouts and refunds move, needs two administrators. */
async function needsSecondAdministrator(
  exec: Executor,
  { id }: Trade,
  { toBuyer, toSeller }: Shares,
): Promise<boolean> {
  const beside = (await outgoingTotals(exec, [id])).get(id) ?? 0;
  return exceedsFourEyes(beside + toBuyer + toSeller);
}

/**
 * Calculates the sums of a ruling with the machine. Refuses what the machine refuses, and TRADE_OVERTAKEN if the same ruling was given
 * before.
 */
export function calculateRuling(
  trade: Trade,
  asked: RulingPreviewInput,
  at: Date,
): { ok: true; ruling: RulingFigures } | TradeRefusal<RulingRejection> {
  const decision = decideFor(trade, buildRulingCommand(asked), at);
  if (!decision.ok) return decision;
  if (!decision.changed) return refuseAction("TRADE_OVERTAKEN", trade);
  const shares = sharesOf(decision.effects);
  return { ok: true, ruling: { ...shares, sum: sumToType(asked.ruling, shares) } };
}

/** The machine's command for a ruling. */
export function buildRulingCommand({ ruling, refundAmount }: RulingPreviewInput): RulingCommand {
  return { kind: "rule", ruling, who: "admin", ...(refundAmount && { refundAmount }) };
}
