import { config } from "#config";
import type { Tx } from "#db/client";
import { translateText } from "#locales";
import { findPeople, type Person, wantsMail } from "#modules/identity";
import { type Letter, queuePush, sendMail } from "#modules/mailer";
import { isRoomOpen } from "#modules/rooms";
import type { MissingAccount } from "../backoffice/payouts/refund-deadlines.ts";
import { isOnHold, otherParty } from "../machine/decision-helpers.ts";
import type { DisputeStep, Effect, Party, PartyMail, Trade } from "../machine/trade-types.ts";
import { occasionOf } from "./push-occasions.ts";

export type AdminTask =
  | Extract<Effect, { kind: "admin_task" }>["task"]
  | "overdue"
  | "excess"
  | "confirmByHand"
  | "reconcile"
  | "hold"
  | "loss"
  | "shownAgain"
  | "rulingProposed";

/**
 * The buyer's refund and the seller's payout, by this change or before it, in tugrik, and whether Midman still needs an account for the
 * refund. Only this decides whether a mail asks the buyer for an account.
 */
export type MovedMoney = { refund: number; payout: number; missing: MissingAccount | null };

/** For a mail about a step by which no money moves. */
export const nothingMoved: MovedMoney = { refund: 0, payout: 0, missing: null };

/** Emails one party about the current state of a trade, in the party's language. Does nothing for a person without an email address. */
export async function mailParty(
  tx: Tx,
  trade: Trade,
  mail: { to: Party; template: PartyMail },
  moved: MovedMoney,
): Promise<void> {
  await mailTo(tx, trade, mail.to, (reader, them) => writeLetter(trade, mail, moved, reader, them));
}

/** What every email about a trade says of its reader and of the trade. Names the kind of item; its description is user text. */
export type Reader = { name: string; code: string; url: string; goods: Trade["goods"]; price: number };

/**
 * Emails a party and pushes to their devices. `write` makes the email from the reader and a name for the other party, which is their role:
 * a display name is its owner's own text, and an address that nobody verified may be a stranger's. The email is left out if the reader has
 * opted out of it.
 */
export async function mailTo(
  tx: Tx,
  trade: Trade,
  to: Party,
  write: (reader: Reader, other: string) => Letter,
): Promise<void> {
  const id = idOf(trade, to);
  const reader = (await findPeople(tx, [id])).get(id);
  if (reader === undefined || reader.email === null || reader.deleted) return;
  const them = translateText(reader.language, `mail.them.${otherParty(to)}`);
  const { code, goods, amount: price } = trade;
  const about = { name: reader.greetedAs, code, url: await placeOf(tx, trade), goods, price };
  const written = write(about, them);
  if (wantsMail(reader, written.template))
    await sendMail(tx, { ...written, ...createRecipient(reader, reader.email) });
  const occasion = occasionOf(written, trade.code, them);
  if (occasion !== undefined) await queuePush(tx, { ...occasion, userId: reader.id, url: written.data.url });
}

/** The page where a party acts: the room, or the trade's own page once the room is deleted. */
async function placeOf(tx: Tx, { id, roomId }: Trade): Promise<string> {
  return (await isRoomOpen(tx, roomId)) ? `/chat/${roomId}` : `/transactions/${id}`;
}

function createRecipient({ id, language }: Person, email: string) {
  return { to: email, language, userId: id };
}

function writeLetter(
  trade: Trade,
  { to: role, template }: { to: Party; template: PartyMail },
  moved: MovedMoney,
  reader: Reader,
  them: string,
): Letter {
  const until = (kind: keyof Trade["deadlines"]) =>
    (trade.deadlines[kind]?.dueAt ?? trade.updatedAt).toISOString();
  switch (template) {
    case "paymentRequested": {
      const { amount, gross } = trade;
      const sums = { amount, fee: gross - amount, total: gross, deadline: until("payment_window") };
      return { template, data: { ...reader, other: them, description: "", ...sums } };
    }
    case "paymentConfirmed":
      return { template, data: { ...reader, role, amount: trade.held, deadline: until("hand_over") } };
    case "handedOver":
      return {
        template,
        data: { ...reader, other: them, deadline: trade.buyerCompletedAt ? "" : until("buyer_finish") },
      };
    case "confirmPlease": {
      const account = role === "buyer" ? "" : trade.sellerDestination ? "known" : "needed";
      return {
        template,
        data: {
          ...reader,
          ...{ role, other: them, account },
          deadline: until(role === "buyer" ? "buyer_finish" : "seller_finish"),
        },
      };
    }
    case "cancellationRequested":
      return {
        template,
        data: { ...reader, role, other: them, checked: isOnHold(trade) ? "yes" : "no" },
      };
    case "cancellationDeclined":
      return { template, data: { ...reader, other: them } };
    case "tradeCancelled": {
      const about = { role, reason: cancelReason(trade), refund: moved.refund };
      return { template, data: { ...reader, ...about, ...refundAccountFor(role, moved) } };
    }
    case "refundAccountNeeded":
      return {
        template,
        data: { ...reader, amount: moved.refund, deadline: refundAccountFor(role, moved).deadline },
      };
    case "disputeOpened":
      return { template, data: { ...reader, other: them, deadline: until("dispute_statements") } };
    case "payoutDecided":
      return { template, data: { ...reader, role, amount: moved.payout } };
    case "transactionCompletion": {
      const paid = trade.confirmedAt === null ? 0 : trade.gross - moved.refund;
      return { template, data: { ...reader, role, amount: role === "buyer" ? paid : moved.payout } };
    }
  }
}

/** Notifies both parties, or `only` one of them, of a step of their dispute; the amounts are those that it ended with. */
export async function mailDisputeStep(
  tx: Tx,
  trade: Trade,
  step: DisputeStep,
  moved: MovedMoney = nothingMoved,
  only?: Party,
): Promise<void> {
  const { refund, payout } = moved;
  const sums = {
    refund: step === "ruledSplit" ? refund : 0,
    payout: step === "ruledSplit" || step === "ruledRelease" || step === "released" ? payout : 0,
  };
  for (const party of only === undefined ? (["buyer", "seller"] as const) : [only]) {
    await mailTo(tx, trade, party, (reader, other) => ({
      template: "disputeStep",
      data: {
        ...reader,
        ...{ role: party, step, other, ...sums },
        ...(party === "buyer"
          ? refundAccountFor(party, step === "ruledSplit" ? moved : nothingMoved)
          : payoutAccountFor(trade, sums)),
      },
    }));
  }
}

/** What a mail says of the account for the buyer's refund: nothing to the seller, and nothing without a refund. */
function refundAccountFor(role: Party, { refund, missing }: MovedMoney) {
  if (role === "seller" || refund === 0) return { account: "", deadline: "" } as const;
  if (missing === null) return { account: "known", deadline: "" } as const;
  return { account: "needed", deadline: missing.by?.toISOString() ?? "" } as const;
}

/** What a mail says of the account for the seller's payout; nothing if this step pays them nothing. */
function payoutAccountFor({ sellerDestination }: Trade, { payout }: { payout: number }) {
  const account = sellerDestination ? "known" : "needed";
  return { account: payout === 0 ? "" : account, deadline: "" } as const;
}

function cancelReason({ endReason }: Trade) {
  return endReason === null || endReason === "paid_out" || endReason === "closed" ? "admin" : endReason;
}

/** Emails the administrators' address that a task waits; the same `key` is never sent twice. */
export async function mailAdmins(
  tx: Tx,
  trade: Pick<Trade, "id" | "code">,
  task: AdminTask,
  detail = "",
  key?: string,
): Promise<void> {
  const data = { task, code: trade.code, detail, url: `/admin/transactions/${trade.id}` };
  const mail = { template: "adminTask", to: config().MAIL_ADMIN, language: "mn", data } as const;
  await sendMail(tx, key === undefined ? mail : { ...mail, key });
}

function idOf(trade: Pick<Trade, "buyerId" | "sellerId">, party: Party): number {
  return party === "buyer" ? trade.buyerId : trade.sellerId;
}
