import { z } from "zod";
import { lineTextSchema } from "../templates/line-text-schema.ts";
import { disputeStep, partyTask } from "../templates/templates.ts";

const tradeParams = { code: lineTextSchema };
const otherPersonParams = { code: lineTextSchema, other: lineTextSchema };

/**
 * What is pushed, and what each says beside its words (`push.<event>`). A lock screen is read by whoever passes: no sum, no
 * account, no line of a conversation.
 */
export const pushEventSchemas = {
  joined: z.strictObject({ other: lineTextSchema, room: lineTextSchema }),
  paymentRequested: z.strictObject(otherPersonParams),
  paymentConfirmed: z.strictObject(tradeParams),
  handedOver: z.strictObject(otherPersonParams),
  confirmPlease: z.strictObject(otherPersonParams),
  cancellationRequested: z.strictObject(otherPersonParams),
  cancelled: z.strictObject(tradeParams),
  refundAccountNeeded: z.strictObject(tradeParams),
  refundAccountNamed: z.strictObject(tradeParams),
  disputeOpened: z.strictObject(otherPersonParams),
  disputeStep: z.strictObject({ ...tradeParams, step: disputeStep }),
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
  overdue: z.strictObject({ ...tradeParams, task: partyTask }),
  vaultCheck: z.strictObject(tradeParams),
  unreadMessages: z.strictObject({ room: lineTextSchema, unread: z.number().int().positive() }),
  test: z.strictObject({}),
} as const;

export type PushEvent = keyof typeof pushEventSchemas;
export type PushParams = { [E in PushEvent]: z.input<(typeof pushEventSchemas)[E]> };

/** Money moves, is in danger, or is stuck: told aloud at any hour. */
const moneyEvents: readonly PushEvent[] = [
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
  return moneyEvents.includes(event);
}

const secondsPerHour = 3600;
const eventLifetimes: Partial<Record<PushEvent, number>> = {
  paymentRequested: 2 * secondsPerHour,
  test: 300,
};

/** For how many seconds it is worth telling: after that a phone that was off is not told any more. */
export function lifetimeOf(event: PushEvent): number {
  return eventLifetimes[event] ?? (isAboutMoney(event) ? 72 * secondsPerHour : 24 * secondsPerHour);
}

/**
 * What a newer notification takes the place of: what was told before of the same trade, or of the same conversation. Unread
 * messages do not hide what happened to the money.
 */
export function tagOf(event: PushEvent, path: string): string {
  const kind = event === "unreadMessages" || event === "joined" ? "talk" : "trade";
  return event === "test" ? "test" : `${kind}:${path}`;
}
