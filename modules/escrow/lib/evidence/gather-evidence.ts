import type { Tx } from "#db/client";
import { lastFour } from "#format";
import { proveEntries } from "#modules/audit";
import { findPeople } from "#modules/identity";
import { journalsOf, listInvoices, type Payout, paymentsOf, payoutsOf } from "#modules/payments";
import {
  findUnsharedUntil,
  listStoredImages,
  type MessageProof,
  messageProofs,
  readTranscriptPage,
} from "#modules/rooms";
import { sideOf } from "../core/party-access.ts";
import { everyCase } from "../disputes/dispute-cases.ts";
import type { Trade } from "../machine/trade-types.ts";
import { stepViews } from "../trade/view/step-views.ts";
import { transactionView } from "../trade/view/transaction-view.ts";

/** The files of a bundle: the content of each JSON file by its name. */
export type EvidenceFiles = Record<string, unknown>;

const PAGE = 500;

/** Connections to the room say nothing about the trade. */
const excludedActions = ["websocket_connect", "websocket_disconnect"];

/** Collects all that Midman keeps of a trade, except the vault's contents, full account numbers and contact details. */
export async function gatherEvidence(tx: Tx, trade: Trade): Promise<EvidenceFiles> {
  const payouts = await payoutsOf(tx, trade.id);
  const messages = await messagesOf(tx, trade);
  // Read after the messages, so that each of them has its digest by then.
  const lastSeq = messages.reduce((last, { seq }) => Math.max(last, seq), 0);
  const proofs = (await messageProofs(tx, trade.roomId)).filter(({ seq }) => seq <= lastSeq);
  return {
    "transaction.json": {
      ...transactionView(trade),
      steps: stepViews(trade.steps),
      deadlines: trade.deadlines,
      parties: await partiesOf(tx, trade),
    },
    "disputes.json": await everyCase(tx, trade.id),
    "messages.json": replaceUnprovedMessages(messages, proofs),
    "digests.json": proofs.filter(isSigned).map(({ seq, state, later, fields, picture }) => ({
      seq,
      sealed: state === "waiting" ? "no" : later ? "later" : "when sent",
      fields,
      picture,
    })),
    "payments.json": {
      invoices: (await listInvoices(tx, trade.id)).map(
        ({ qrImageUrl: _q, bankLinks: _b, ...invoice }) => invoice,
      ),
      payments: await paymentsOf(tx, trade.id),
      journals: await journalsOf(tx, trade.id),
      payouts: payouts.map(maskPayout),
    },
    "audit.json": await proveEntries(tx, {
      roomId: trade.roomId,
      after: await findUnsharedUntil(tx, trade.roomId),
      subjects: [{ kind: "transaction", id: trade.id }, ...payouts.map(({ kind, id }) => ({ kind, id }))],
      except: excludedActions,
    }),
  };
}

const isSigned = ({ state }: MessageProof) => state === "proved" || state === "waiting";

/** Replaces a message that the log does not prove with its number and state, so that nobody signs its text. */
function replaceUnprovedMessages<M extends { seq: number }>(messages: M[], proofs: MessageProof[]) {
  const wrong = new Map(proofs.filter((proof) => !isSigned(proof)).map(({ seq, state }) => [seq, state]));
  const there = new Set(messages.map(({ seq }) => seq));
  const removed = [...wrong]
    .filter(([seq]) => !there.has(seq))
    .map(([seq, state]) => ({ seq, unproved: state }));
  const all: Array<M | { seq: number; unproved: string }> = messages.map((message) => {
    const state = wrong.get(message.seq);
    return state === undefined ? message : { seq: message.seq, unproved: state };
  });
  return [...all, ...removed].sort((a, b) => a.seq - b.seq);
}

async function partiesOf(tx: Tx, { buyerId, sellerId }: Trade) {
  const known = await findPeople(tx, [buyerId, sellerId]);
  const person = (id: number) => ({
    id,
    username: known.get(id)?.username ?? "",
    displayName: known.get(id)?.displayName ?? "",
  });
  return { buyer: person(buyerId), seller: person(sellerId) };
}

/** Every message that both parties could read, oldest first; a picture appears as the digests of its file, as stored and as sent. */
async function messagesOf(tx: Tx, trade: Trade) {
  const pictures = new Map((await listStoredImages(tx, trade.roomId)).map((image) => [image.seq, image]));
  const all = [];
  for (let before: number | undefined; ; ) {
    const page = await readTranscriptPage(tx, trade.roomId, { before, limit: PAGE, language: "en" });
    all.unshift(...page);
    before = page.at(0)?.seq;
    if (page.length < PAGE) break;
  }
  return all.map(({ seq, createdAt, senderId, type, content, image, notice }) => {
    const { bytes, sha256, sentSha256 } = pictures.get(seq) ?? {};
    return {
      seq,
      at: createdAt,
      from: senderId === null ? "midman" : (sideOf(trade, senderId) ?? "member"),
      senderId,
      type,
      content: notice?.text ?? image?.caption ?? content,
      ...(notice && { notice: notice.code, params: notice.params }),
      ...(notice?.person && { person: notice.person }),
      ...(image && { image: { bytes, sha256, sentSha256 } }),
    };
  });
}

/**
 * Reduces a payout's destination to the bank, the holder's name and the last four digits of the account. Leaves out the note of a claim:
 * the form promises that only administrators see it.
 */
function maskPayout({ destination, claimNote: _claimNote, ...payout }: Payout) {
  if (destination === null) return { ...payout, destination };
  const { bankName, accountName, accountNumber } = destination;
  return { ...payout, destination: { bankName, accountName, accountNumber: lastFour(accountNumber) } };
}
