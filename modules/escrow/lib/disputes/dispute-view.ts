import { db } from "#db/client";
import { currentTime } from "#db/clock";
import {
  type Actor,
  findPeople,
  type NotAdmin,
  relatedAdministratorIds,
  requireAdmin,
} from "#modules/identity";
import { loadTrade } from "../core/load-trade.ts";
import { isId, sideOf } from "../core/party-access.ts";
import { type Clock, clocksOf } from "../deadlines/clock-view.ts";
import { type EvidencePicture, picturesOf } from "../evidence/pictures.ts";
import type { Status, Trade } from "../machine/trade-types.ts";
import { recordsOf } from "../vault/vault-records.ts";
import { type VaultView, vaultView } from "../vault/view.ts";
import { type AnswerToMediator, answerIn } from "./answers-to-mediator.ts";
import { type CaseView, casesOf, findDecidingCase } from "./dispute-cases.ts";
import { findOpenRulings, type RulingProposalView, viewRulingProposal } from "./rulings/proposals.ts";

/** What an administrator needs to decide a dispute. Sums are whole tugrik. */
export type DisputeView = {
  transactionId: number;
  transactionCode: string;
  status: Status;
  description: string | null;
  grossAmount: number;
  fee: number;
  heldAmount: number;
  buyer: { id: number; displayName: string };
  seller: { id: number; displayName: string };
  /** Oldest first; never empty. */
  cases: CaseView[];
  pictures: EvidencePicture[];
  vault: VaultView;
  clocks: Clock[];
  /** A ruling that waits for a second administrator. */
  proposal: RulingProposalView | null;
  /** The party that last answered the mediator. */
  answered: AnswerToMediator | null;
  /** True if the reader is the mediator of the open case. */
  mine: boolean;
  /** An administrator never acts on a trade of their own. */
  ownTrade: boolean;
  /** Why the trade is on hold, so that no ruling can end it; empty if it is not. */
  holds: Trade["holds"];
  serverTime: string;
};

/** Reads the disputes of a trade for administrators. Refuses TRANSACTION_NOT_FOUND also if it never had one. */
export async function adminDispute(
  actor: Actor,
  tradeId: number,
): Promise<{ ok: true; dispute: DisputeView } | NotAdmin | { ok: false; code: "TRANSACTION_NOT_FOUND" }> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const trade = isId(tradeId) ? await loadTrade(tradeId) : undefined;
  const cases = trade === undefined ? [] : await casesOf(db(), tradeId);
  const latest = cases.at(-1);
  if (trade === undefined || latest === undefined) return { ok: false, code: "TRANSACTION_NOT_FOUND" };
  const at = currentTime();
  const { userId } = admin.member;
  const open = latest.outcome === null ? await findDecidingCase(db(), trade.id) : undefined;
  const [known, pictures, vault, proposal, answered] = await Promise.all([
    findPeople(db(), [trade.buyerId, trade.sellerId]),
    picturesOf(db(), trade),
    recordsOf(db(), trade),
    open === undefined ? null : proposalFor(open.id, userId, at),
    open === undefined ? null : answerIn(db(), trade, open),
  ]);
  const person = (id: number) => ({ id, displayName: known.get(id)?.displayName ?? "" });
  const dispute = {
    transactionId: trade.id,
    transactionCode: trade.code,
    status: trade.status,
    description: trade.description,
    grossAmount: trade.gross,
    fee: trade.fee,
    heldAmount: trade.held,
    buyer: person(trade.buyerId),
    seller: person(trade.sellerId),
    cases,
    pictures,
    vault: vaultView(vault, at),
    clocks: clocksOf(trade.deadlines, at).filter(({ paused }) => !paused),
    proposal,
    answered,
    mine: latest.outcome === null && latest.mediator?.id === userId,
    ownTrade: sideOf(trade, userId) !== undefined,
    holds: trade.holds,
    serverTime: at.toISOString(),
  };
  return { ok: true, dispute };
}

async function proposalFor(disputeId: number, userId: number, at: Date): Promise<RulingProposalView | null> {
  const row = (await findOpenRulings(db(), [disputeId])).get(disputeId);
  if (row === undefined) return null;
  return viewRulingProposal(db(), row, {
    userId,
    relatedAdminIds: await relatedAdministratorIds(db(), userId, at),
  });
}
