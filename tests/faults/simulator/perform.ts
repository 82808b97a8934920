import type { Body, Client, Reply } from "../../support/server/http-client.ts";
import { agreement, paidBy } from "./answers.ts";
import { atTheFarEnd, type FarEnd, isFarEnd, type Pay, type Paying, payingFor } from "./far-end.ts";
import type { Operation } from "./linearize.ts";
import type { Circumstances, Command } from "./model/commands.ts";
import { whatIsDue } from "./model/payouts.ts";
import { type Account, type HoldReason, keyOf, type State } from "./model/state.ts";
import { figuresFor, type Given } from "./plan.ts";
import { shownFor } from "./shown.ts";
import type { World } from "./world.ts";

/** A trade under way in a world, with what its people know of it. */
export type Subject = {
  id: number;
  roomId: number;
  pair: number;
  /** What makes its bank references its own. */
  tag: string;
  /** Invoices that its people were shown, oldest first. */
  invoices: string[];
  /** The payments that the provider lists, and those that it took back. */
  rows: string[];
  reversed: string[];
  /** The ids of its payouts, oldest first, and the marks of where each goes, as they were when the burst began. */
  payouts: number[];
  marks: string[];
  /** When its latest dispute was opened. */
  disputedAt: string | null;
  /** The open holds, and the ruling that waits for a second administrator. */
  holds: Array<{ id: number; reason: HoldReason; row: string }>;
  ruling: number | null;
  /** Payments that are listed under another trade's invoice and name this one's. */
  strays: Stray[];
  /** The trade played beside it whose invoice a payment may name. */
  beside: Subject | null;
  /** How it stood when the burst began, as far as that is known. */
  seen: State;
};

export type Stray = { id: string; amount: number; invoice: string; paidIn: number };

/** What everybody in the world shares while a burst lasts. */
export type Moment = { fresh: boolean; halted: boolean[] };

/** Gives a command over HTTP and keeps what came of it; null for one that nobody could give (an invoice nobody has). */
export async function perform(
  world: World,
  subject: Subject,
  given: Given,
  moment: Moment,
): Promise<Operation | null> {
  const { command, on } = given;
  const sums = figuresFor(command, subject.seen, world.rules);
  if (isFarEnd(command)) return atTheFarEnd(world, subject, { ...given, command });
  const requestedAt = command.do === "decline-cancel" ? await readRequest(world, subject, given) : null;
  const paying = command.do === "pay" ? await payingFor(world, subject, command) : null;
  const call =
    command.do === "pay"
      ? payment(world, subject, command, sums, paying)
      : callOf(world, subject, command, { ...sums, requestedAt });
  if (call === null) return null;
  if (given.after > 0) await Bun.sleep(given.after);
  const told = subject.rows.slice();
  const reversed = subject.reversed.slice();
  const from = performance.now();
  const reply = await call.by[on].send(call.method ?? "POST", call.path, call.body);
  const to = performance.now();
  // Load that was shed promises that nothing was changed: no order may need it.
  if (reply.status === 503 && reply.body?.code === "OVERLOADED") return null;
  const how: Circumstances = {
    ...moment,
    ...sums,
    ...shownFor(command, subject.seen),
    requestedAt,
    told,
    reversed,
    invoice: null,
    paid: command.do === "pay" ? paidBy(reply) : [],
    paidFor: paying?.invoice ?? null,
  };
  if (command.do === "invoice" && reply.status === 200) {
    how.invoice = reply.body.invoiceId;
    if (!subject.invoices.includes(how.invoice)) subject.invoices.push(how.invoice);
  }
  // Whoever asks next is told of it, but for what the list does not have, or has under a name that nobody knows yet.
  if (command.do === "pay" && command.how === "plain") subject.rows.push(...how.paid.map(({ id }) => id));
  if (paying?.names) {
    const { beside, invoice } = paying.names;
    for (const { id, amount } of how.paid) beside.strays.push({ id, amount, invoice, paidIn: world.minute });
  }
  // The provider refuses in words of its own: it took nothing.
  const refused = reply.status < 300 || command.do === "pay" ? null : codeOf(reply);
  const says = [reply.status, (reply.body?.transaction as Body)?.status ?? reply.body?.status ?? ""]
    .join(" ")
    .trim();
  return { command, how, from, to, refused, says, agrees: agreement(command, reply) };
}

function codeOf({ status, body, text }: Reply): string {
  if (body?.code === "PROVIDER_UNAVAILABLE") return body.code;
  return status < 500 && typeof body?.code === "string" ? body.code : `${status} ${text.slice(0, 300)}`;
}

type ByPeople = Exclude<Command, FarEnd | { do: "pay" }>;
type Call = { by: readonly [Client, Client]; method?: string; path: string; body?: unknown };
type Sums = { sum: number; part: number };
type Shown = Sums & Pick<Circumstances, "requestedAt">;

/** The time of the other party's open request to cancel, as the page of the party who declines it has it. */
async function readRequest(world: World, subject: Subject, { command, on }: Given): Promise<string | null> {
  if (!("by" in command)) return null;
  const reader = world.pairs[subject.pair]?.[command.by].at[on];
  const requests = (await reader?.get(`/api/transactions/${subject.id}`))?.body?.cancellationRequests;
  const time = (requests as Record<string, string | null> | undefined)?.[
    command.by === "buyer" ? "seller" : "buyer"
  ];
  return time ?? null;
}

function callOf(world: World, subject: Subject, command: ByPeople, sums: Shown): Call | null {
  if ("admin" in command) return callOfAdmin(world, subject, command, sums);
  const pair = world.pairs[subject.pair];
  if (pair === undefined) throw new Error("a trade without people");
  const by = pair[command.by].at;
  const at = `/api/transactions/${subject.id}`;
  switch (command.do) {
    case "create":
      return { by, path: "/api/transactions", body: asked(subject.roomId, command) };
    case "amend":
      return { by, path: `${at}/amend`, body: { amount: command.amount, feePayer: command.payer } };
    case "invoice":
      return { by, path: "/api/qpay/invoices", body: { transactionId: subject.id, fresh: command.fresh } };
    case "look":
      return { by, method: "GET", path: at };
    case "dispute":
      return { by, path: `${at}/dispute`, body: { reason: "It is not what was promised" } };
    case "withdraw-dispute":
      return { by, path: `${at}/dispute/withdraw`, body: { openedAt: subject.disputedAt ?? undefined } };
    case "bank-info":
      return {
        by,
        path: `${at}/bank-info`,
        body: { infoType: "seller", ...reachable, ...sellers[command.account] },
      };
    case "refund-destination":
      return { by, path: `${at}/refund-destination`, body: buyers[command.account] };
    case "hand-over":
      return { by, path: `${at}/hand-over`, body: {} };
    case "complete":
      return { by, path: `${at}/complete`, body: { endsDispute: subject.disputedAt ?? undefined } };
    case "decline-cancel":
      return { by, path: `${at}/decline-cancel`, body: { requestedAt: sums.requestedAt ?? neverRequested } };
    default:
      return { by, path: `${at}/${command.do}` };
  }
}

/** The time that a party names who was shown no request to cancel. */
const neverRequested = "2026-01-01T00:00:00.000Z";

/** What a seller asks for. */
export function asked(chatRoomId: number, { amount, payer }: { amount: number; payer: string }) {
  return { chatRoomId, amount, feePayer: payer };
}

const reachable = { phoneNumber: "99112233", email: "bat@example.mn", ibanNumber: "" };
const account = (accountNumber: string) => ({
  accountName: "Bat Erdene",
  bankName: "Khan Bank",
  accountNumber,
});
const sellers = { A: account("5012345678"), B: account("5087654321") };
const buyers = { A: account("1105123456"), B: account("1105654321") };

/** Which account a stored number is. */
export const accountOf = (accountNumber: string): Account =>
  [sellers.A, buyers.A].some((one) => one.accountNumber === accountNumber) ? "A" : "B";

function payment(
  { pairs }: World,
  { pair }: Subject,
  { times: payments, callbacks: callback, failed, how }: Pay,
  { sum: amount }: Sums,
  paying: Paying | null,
): Call | null {
  const by = pairs[pair]?.buyer.at;
  if (paying === null || by === undefined) return null;
  // An invoice that nobody has named may be anybody's.
  const names = paying.names?.providerId ?? "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
  const lists = { listed: how !== "late", ...(how === "foreign" && { namesInvoice: names }) };
  const body = { amount, payments, callback, status: failed ? "FAILED" : "PAID", ...lists };
  return { by, path: `/sandbox/qpay/pay/${paying.at}`, body };
}

type ByAdmin = Extract<Command, { admin: number }>;

function callOfAdmin(world: World, subject: Subject, command: ByAdmin, { sum, part }: Sums): Call | null {
  const admin = world.admins[command.admin];
  if (admin === undefined) throw new Error("there is no such administrator");
  const by = admin.at;
  const at = `/api/admin/transactions/${subject.id}`;
  switch (command.do) {
    case "take":
    case "give-back":
      return { by, path: `${at}/dispute/${command.do}` };
    case "rule": {
      const refund = command.ruling === "split" ? { refundAmount: part } : {};
      return {
        by,
        path: `${at}/rule`,
        body: { ruling: command.ruling, ...refund, reason: "So it is", sum, warningsConfirmed: true },
      };
    }
    case "pay-seller":
      return { by, path: `${at}/pay-seller`, body: { sum } };
    case "admin-complete":
      return { by, path: `${at}/complete` };
    case "admin-cancel":
      return { by, path: `${at}/cancel` };
    case "hide":
      return { by, method: "DELETE", path: at };
    case "settle": {
      const due = whatIsDue(subject.seen)?.i;
      const bankReference = subject.tag + command.reference;
      return { by, path: `${at}/settle`, body: { bankReference, ...markFor(subject, due) } };
    }
    case "confirm-ruling": {
      const { ruling: proposal } = subject;
      return proposal === null ? null : { by, path: `${at}/rule/confirm`, body: { proposal, sum } };
    }
    case "resolve": {
      const { hold: shown } = shownFor(command, subject.seen);
      const hold = subject.holds.find((one) => keyOf(one) === shown)?.id;
      const body = { outcome: command.outcome, note: "So it is" };
      return hold === undefined ? null : { by, path: `/api/admin/holds/${hold}/resolve`, body };
    }
    case "by-hand":
      return {
        by,
        path: `${at}/confirm-payment`,
        body: { amount: sum, reference: subject.tag + command.reference },
      };
    default: {
      const id = subject.payouts[command.payout];
      const another = world.admins[1 - command.admin]?.id;
      return id === undefined ? null : onPayout(by, `/api/admin/payouts/${id}`, command, subject, another);
    }
  }
}

type OnPayout = Extract<ByAdmin, { payout: number }>;

/** What says which account was shown; nothing where none was. */
function markFor({ marks }: Subject, payout: number | undefined): { destinationDigest?: string } {
  const destinationDigest = payout === undefined ? "" : marks[payout];
  return destinationDigest ? { destinationDigest } : {};
}

function onPayout(by: Call["by"], at: string, command: OnPayout, subject: Subject, another?: number): Call {
  const { tag } = subject;
  const shown = markFor(subject, command.payout);
  const reason = "Nobody can tell";
  const from = "over" in command && command.over ? { from: another } : {};
  switch (command.do) {
    case "claim":
      return { by, path: `${at}/claim`, body: from };
    case "withdraw-approval":
      return { by, path: `${at}/withdraw-approval`, body: { reason, ...from } };
    case "report":
      return { by, path: `${at}/already-sent`, body: { bankReference: tag + command.reference } };
    case "send":
      return { by, path: `${at}/send`, body: { bankReference: tag + command.reference, ...shown } };
    case "found-sent":
      return { by, path: `${at}/resolve`, body: { outcome: "sent", bankReference: tag + command.reference } };
    case "not-sent":
      return { by, path: `${at}/resolve`, body: { outcome: "not_sent", reason } };
    case "approve":
      return { by, path: `${at}/approve`, body: shown };
    case "unknown":
      return { by, path: `${at}/unknown`, body: { reason } };
    default:
      return { by, path: `${at}/${command.do}` };
  }
}
