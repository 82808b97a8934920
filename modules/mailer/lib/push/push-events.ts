import { z } from "zod";
import { disputeStep, overdueTask, partyTask } from "../templates/templates.ts";
import { lineTextSchema } from "../templates/text-schemas.ts";

const tradeParams = { code: lineTextSchema };
const otherPersonParams = { code: lineTextSchema, other: lineTextSchema };

/**
 * The push events and the parameters of their texts (`push.<event>`). Anyone can read a lock screen: no amount, no account, no message
 * text.
 */
export const pushEventSchemas = {
  joined: z.strictObject({ other: lineTextSchema, room: lineTextSchema }),
  paymentRequested: z.strictObject(otherPersonParams),
  paymentConfirmed: z.strictObject(tradeParams),
  handedOver: z.strictObject(otherPersonParams),
  handedOverLate: z.strictObject(otherPersonParams),
  confirmPlease: z.strictObject(otherPersonParams),
  cancellationRequested: z.strictObject(otherPersonParams),
  cancellationDeclined: z.strictObject(otherPersonParams),
  cancelled: z.strictObject(tradeParams),
  cancelledAccountNeeded: z.strictObject(tradeParams),
  refundAccountNeeded: z.strictObject(tradeParams),
  refundAccountNamed: z.strictObject(tradeParams),
  disputeOpened: z.strictObject(otherPersonParams),
  disputeStep: z.strictObject({ ...tradeParams, step: disputeStep }),
  splitAccountNeeded: z.strictObject(tradeParams),
  payoutDecided: z.strictObject(tradeParams),
  paidOut: z.strictObject(tradeParams),
  refunded: z.strictObject(tradeParams),
  transferNotArrived: z.strictObject(tradeParams),
  completed: z.strictObject(tradeParams),
  adminNotified: z.strictObject(tradeParams),
  transferTaken: z.strictObject(otherPersonParams),
  transferAttempted: z.strictObject(otherPersonParams),
  transferReported: z.strictObject(otherPersonParams),
  transferNotSent: z.strictObject(tradeParams),
  disputeWanted: z.strictObject(otherPersonParams),
  paymentTakenBack: z.strictObject(tradeParams),
  ledgerBroken: z.strictObject({}),
  logBroken: z.strictObject({}),
  ledgerMissing: z.strictObject({}),
  logMissing: z.strictObject({}),
  reminder: z.strictObject({ ...tradeParams, task: partyTask }),
  overdue: z.strictObject({ ...tradeParams, task: overdueTask }),
  vaultCheck: z.strictObject(tradeParams),
  unreadMessages: z.strictObject({ room: lineTextSchema, unread: z.number().int().positive() }),
  test: z.strictObject({}),
} as const;

export type PushEvent = keyof typeof pushEventSchemas;
export type PushParams = { [E in PushEvent]: z.input<(typeof pushEventSchemas)[E]> };

/** Events in which money moves, is at risk, or is stuck: notified with sound at any hour. */
const moneyEvents: readonly PushEvent[] = [
  "paymentConfirmed",
  "cancellationRequested",
  "cancelled",
  "cancelledAccountNeeded",
  "refundAccountNeeded",
  "refundAccountNamed",
  "disputeOpened",
  "disputeStep",
  "splitAccountNeeded",
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

/** True if the event is notified with sound even during quiet hours. */
export function isAboutMoney(event: PushEvent): boolean {
  return moneyEvents.includes(event);
}

const secondsPerHour = 3600;
const eventLifetimes: Partial<Record<PushEvent, number>> = {
  paymentRequested: 2 * secondsPerHour,
  test: 300,
};

/** For how many seconds a push is kept for a phone that is off; later it is not delivered. */
export function lifetimeOf(event: PushEvent): number {
  return eventLifetimes[event] ?? (isAboutMoney(event) ? 72 * secondsPerHour : 24 * secondsPerHour);
}

/**
 * The tag by which a newer notification replaces an older one: of the same trade, or of the same conversation. Unread messages do not
 * replace notifications about money.
 */
export function tagOf(event: PushEvent, path: string): string {
  const kind = event === "unreadMessages" || event === "joined" ? "talk" : "trade";
  return event === "test" ? "test" : `${kind}:${path}`;
}
