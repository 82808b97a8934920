import { db, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { type Actor, auditAuthorOf } from "#modules/identity";
import { liveInvoice } from "#modules/payments";
import type { AmendInput } from "../../forms.ts";
import { applyCommand } from "../core/apply-command.ts";
import { requireLockedParty, requireParty } from "../core/authorization.ts";
import { refuseAction, runAtomically } from "../core/outcomes.ts";
import { decideCommand } from "../machine/decide.ts";
import type { Command, Trade } from "../machine/trade-types.ts";
import { throttleReversal } from "../notifications/throttles.ts";
import { withInvoicingLease } from "../payment/invoicing-lease.ts";
import { closeEarlierInvoices, mayHaveAnother } from "../payment/issue-invoice.ts";
import { descriptionRefusal } from "./description-refusal.ts";
import { type QuoteResult, quoteTrade } from "./fees.ts";

/**
 * The seller corrects a wrong request while nothing is paid; the payment window starts again. Before this, the live invoice is checked,
 * cancelled and checked again; money that still arrives by an old invoice counts towards the new amount. Refuses AUTH_REQUIRED,
 * TRANSACTION_NOT_FOUND, VALIDATION (`descriptionRefusal`), SELLER_ONLY, AMOUNT_INVALID, NET_TOO_SMALL, TRADE_OVERTAKEN, GOODS_FIXED, MONEY_BOOKED,
 * WINDOW_OVER, THROTTLED, INVOICING_BUSY, and TOO_MANY_INVOICES if no invoice for the new amount could be created.
 */
export async function amendTrade(actor: Actor, id: number, input: AmendInput) {
  const found = await requireParty(actor, id);
  if (!found.ok) return found;
  const misleading = descriptionRefusal(input);
  if (misleading !== undefined) return misleading;
  const wanted = buildAmendment(found.trade, input);
  if (!wanted.ok) return wanted;
  const decision = decideCommand(found.trade, { ...wanted.command, who: found.party }, currentTime());
  if (!decision.ok || !decision.changed) return decision;
  const more = await mayHaveAnother(db(), found.trade);
  if (!more.ok) return more;
  const paced = await throttleReversal(found.member, id);
  if (!paced.ok) return paced;
  return withInvoicingLease(id, async () => {
    const settled = await closeEarlierInvoices(id, actor);
    return settled.ok ? runAtomically((tx) => amendNow(tx, actor, id, input)) : settled;
  });
}

async function amendNow(tx: Tx, actor: Actor, id: number, input: AmendInput) {
  const at = currentTime();
  const found = await requireLockedParty(tx, actor, id);
  if (!found.ok) return found;
  const { trade, party } = found;
  const wanted = buildAmendment(trade, input);
  if (!wanted.ok) return wanted;
  const done = await applyCommand(
    tx,
    trade,
    { ...wanted.command, who: party },
    { at, by: auditAuthorOf(actor) },
  );
  // Only a caller whose lease ran out can have created one in the meantime; it would be for the old amount.
  const stale = done.ok && done.changed && (await liveInvoice(tx, id)) !== null;
  return stale ? refuseAction("INVOICING_BUSY", trade) : done;
}

function buildAmendment(
  trade: Trade,
  input: AmendInput,
): { ok: true; command: Extract<Command, { kind: "amend" }> } | (QuoteResult & { ok: false }) {
  const priced = quoteTrade(input.amount ?? trade.amount, input.feePayer ?? trade.feePayer, trade.feePolicy);
  if (!priced.ok) return priced;
  const description = input.description === undefined ? trade.description : input.description;
  const goods = input.goods ?? trade.goods;
  return { ok: true, command: { kind: "amend", figures: priced.quote, goods, description } };
}
