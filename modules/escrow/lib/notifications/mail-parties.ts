import { config } from "#config";
import type { Tx } from "#db/client";
import { translateText } from "#locales";
import { findPeople, type Person, wantsMail } from "#modules/identity";
import { type Letter, queuePush, sendMail } from "#modules/mailer";
import { isRoomOpen } from "#modules/rooms";
import { otherParty } from "../machine/decision-helpers.ts";
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

/** What the buyer gets back and the seller gets, by this change or before it, in tugrik. */
export type MovedMoney = { refund: number; payout: number };

/** Writes to one party about a trade as it now stands, in their language; somebody without an address is passed over. */
export async function mailParty(
  tx: Tx,
  trade: Trade,
  mail: { to: Party; template: PartyMail },
  moved: MovedMoney,
): Promise<void> {
  await mailTo(tx, trade, mail.to, (reader, them) => writeLetter(trade, mail, moved, reader, them));
}

type Reader = { name: string; code: string; url: string };

/**
 * Sends what `write` makes of the reader and of what the other one is called (by their side: a name is its owner's own text, and an
 * address that nobody proved may be a stranger's), unless the reader does not want such mails, and tells their
 * devices of it.
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
  const about = { name: reader.greetedAs, code: trade.code, url: await placeOf(tx, trade) };
  const written = write(about, them);
  if (wantsMail(reader, written.template))
    await sendMail(tx, { ...written, ...createRecipient(reader, reader.email) });
  const occasion = occasionOf(written, trade.code, them);
  if (occasion !== undefined) await queuePush(tx, { ...occasion, userId: reader.id, url: written.data.url });
}

/** Where a party acts: in the room, or once it is deleted on the trade's own page. */
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
      const { amount, gross, goods } = trade;
      const sums = { amount, fee: gross - amount, total: gross, deadline: until("payment_window") };
      return { template, data: { ...reader, other: them, goods, description: "", ...sums } };
    }
    case "paymentConfirmed":
      return { template, data: { ...reader, role, amount: trade.held, deadline: until("hand_over") } };
    case "handedOver":
      return {
        template,
        data: { ...reader, other: them, deadline: trade.buyerCompletedAt ? "" : until("buyer_finish") },
      };
    case "confirmPlease":
      return { template, data: { ...reader, role, other: them } };
    case "cancellationRequested":
      return { template, data: { ...reader, other: them } };
    case "tradeCancelled": {
      return { template, data: { ...reader, role, reason: cancelReason(trade), refund: moved.refund } };
    }
    case "refundAccountNeeded":
      return { template, data: { ...reader, amount: moved.refund } };
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

/** Tells both sides, or `only` one of them, how their dispute went on; sums are those that it ended with. */
export async function mailDisputeStep(
  tx: Tx,
  trade: Trade,
  step: DisputeStep,
  { refund, payout }: MovedMoney = { refund: 0, payout: 0 },
  only?: Party,
): Promise<void> {
  const sums = {
    refund: step === "ruledSplit" ? refund : 0,
    payout: step === "ruledSplit" || step === "ruledRelease" || step === "released" ? payout : 0,
  };
  for (const party of only === undefined ? (["buyer", "seller"] as const) : [only]) {
    await mailTo(tx, trade, party, (reader, other) => ({
      template: "disputeStep",
      data: { ...reader, step, other, ...sums },
    }));
  }
}

function cancelReason({ endReason }: Trade) {
  return endReason === null || endReason === "paid_out" || endReason === "closed" ? "admin" : endReason;
}

/** Tells the administrators' address that something waits for them; the same key never tells it twice. */
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
