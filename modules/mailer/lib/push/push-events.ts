import { z } from "zod";
import { disputeStep, partyTask } from "../templates/templates.ts";
import { words } from "../templates/words.ts";

const trade = { code: words };
const met = { code: words, other: words };

/**
 * What is pushed, and what each says beside its words (`push.<event>`). A lock screen is read by whoever passes: no sum, no
 * account, no line of a conversation.
 */
export const events = {
  joined: z.strictObject({ other: words, room: words }),
  paymentRequested: z.strictObject(met),
  paymentConfirmed: z.strictObject(trade),
  handedOver: z.strictObject(met),
  confirmPlease: z.strictObject(met),
  cancellationRequested: z.strictObject(met),
  cancelled: z.strictObject(trade),
  refundAccountNeeded: z.strictObject(trade),
  refundAccountNamed: z.strictObject(trade),
  disputeOpened: z.strictObject(met),
  disputeStep: z.strictObject({ ...trade, step: disputeStep }),
  payoutDecided: z.strictObject(trade),
  paidOut: z.strictObject(trade),
  refunded: z.strictObject(trade),
  transferNotArrived: z.strictObject(trade),
  completed: z.strictObject(trade),
  adminNotified: z.strictObject(trade),
  transferTaken: z.strictObject(met),
  transferAttempted: z.strictObject(met),
  transferReported: z.strictObject(met),
  transferNotSent: z.strictObject(trade),
  disputeWanted: z.strictObject(met),
  paymentTakenBack: z.strictObject(trade),
  ledgerBroken: z.strictObject({}),
  logBroken: z.strictObject({}),
  ledgerMissing: z.strictObject({}),
  logMissing: z.strictObject({}),
  reminder: z.strictObject({ ...trade, task: partyTask }),
  overdue: z.strictObject({ ...trade, task: partyTask }),
  vaultCheck: z.strictObject(trade),
  unreadMessages: z.strictObject({ room: words, unread: z.number().int().positive() }),
  test: z.strictObject({}),
} as const;

export type PushEvent = keyof typeof events;
export type PushParams = { [E in PushEvent]: z.input<(typeof events)[E]> };

/** Money moves, is in danger, or is stuck: told aloud at any hour. */
const money: readonly PushEvent[] = [
  "paymentConfirmed",
  "cancellationRequested",
  "cancelled",
  "refundAccountNeeded",
  "refundAccountNamed",
  "disputeOpened",
  "disputeStep",
  "payoutDecided",
  "paidOut",
  "refunded",
  "transferNotArrived",
  "overdue",
  "adminNotified",
  "transferTaken",
  "transferAttempted",
  "transferReported",
  "transferNotSent",
  "disputeWanted",
  "paymentTakenBack",
  "ledgerBroken",
  "logBroken",
  "ledgerMissing",
  "logMissing",
  "test",
];

/** Whether quiet hours do not hush this one. */
export function isAboutMoney(event: PushEvent): boolean {
  return money.includes(event);
}

const hour = 3600;
const lives: Partial<Record<PushEvent, number>> = { paymentRequested: 2 * hour, test: 300 };

/** For how many seconds it is worth telling: after that a phone that was off is not told any more. */
export function lifeOf(event: PushEvent): number {
  return lives[event] ?? (isAboutMoney(event) ? 72 * hour : 24 * hour);
}

/**
 * What a newer notification takes the place of: what was told before of the same trade, or of the same conversation. Unread
 * messages do not hide what happened to the money.
 */
export function tagOf(event: PushEvent, path: string): string {
  const kind = event === "unreadMessages" || event === "joined" ? "talk" : "trade";
  return event === "test" ? "test" : `${kind}:${path}`;
}
