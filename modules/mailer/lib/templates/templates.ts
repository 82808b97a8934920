import { z } from "zod";
import { lineTextSchema } from "./line-text-schema.ts";
import { isOwnLink } from "./own-links.ts";

/** What a person wrote, with its lines and nothing that turns text around; cut at what a form takes. */
const proseSchema = z.string().transform((value) =>
  value
    .replace(/\r\n?/g, "\n")
    .replace(/(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, " ")
    .trim()
    .slice(0, 4000)
    .toWellFormed(),
);
/** Whole tugrik. */
const amountSchema = z.number().int().nonnegative();
/** ISO 8601 in UTC, as `date.toISOString()` gives it. */
const dateTimeSchema = z.iso.datetime();
/** A path on our own site ("/chat/12") or an address that begins with `publicUrl()`; nothing else is ever linked to. */
const ownUrlSchema = z.string().refine(isOwnLink, "must lead to Midman itself");
const roleSchema = z.enum(["buyer", "seller"]);

/** To a person about their account: `name` is theirs, "" until the address is proved. */
const accountFields = { name: lineTextSchema, url: ownUrlSchema };
/** To one party about a trade: `name` is the reader's as above, `code` the transaction's, `other` how the other side is called. */
const tradeFields = { name: lineTextSchema, code: lineTextSchema, url: ownUrlSchema };

/** What a party still has to do, or what we owe the parties. */
export const partyTask = z.enum([
  "pay",
  "handOver",
  "buyerConfirm",
  "sellerConfirm",
  "refundAccount",
  "statement",
  "payout",
  "ruling",
]);
/** How a dispute goes on. */
export const disputeStep = z.enum([
  "taken",
  "givenBack",
  "statement",
  "mediatorWrote",
  "withdrawn",
  "released",
  "ruledRelease",
  "ruledSplit",
]);
/** How a transaction may stand, as far as its parties are told. */
const tradeState = z.enum([
  "initiated",
  "payment_initiated",
  "payment_pending",
  "payment_processing",
  "payment_failed",
  "payment_confirmed",
  "exchange_completed",
  "settlement_pending",
  "disputed",
  "completed",
  "cancelled",
]);
/** What waits for an administrator. */
const adminTask = z.enum([
  "payout",
  "refund",
  "dispute",
  "overdue",
  "excess",
  "confirmByHand",
  "bankReference",
  "notSent",
  "shownAgain",
  "rulingProposed",
  "reconcile",
  "hold",
  "loss",
  "report",
  "other",
]);

/** Each template and the data it needs; anything missing, mistyped or unknown is refused when the mail is queued. */
export const templateSchemas = {
  accountVerification: z.strictObject(accountFields),
  passwordReset: z.strictObject({ ...accountFields, minutes: z.number().int().positive() }),
  welcome: z.strictObject(accountFields),
  /** `amount`: what this reader paid, or was paid; 0 when it was closed without any money. */
  transactionCompletion: z.strictObject({ ...tradeFields, role: roleSchema, amount: amountSchema }),
  /** To the buyer. `fee`: the buyer's part of it; `total`: what the buyer is to pay; `description` is said nowhere: versions that run beside ask for it. */
  paymentRequested: z.strictObject({
    ...tradeFields,
    other: lineTextSchema,
    goods: z.enum(["account", "licence", "key", "item", "other"]),
    description: lineTextSchema,
    amount: amountSchema,
    fee: amountSchema,
    total: amountSchema,
    deadline: dateTimeSchema,
  }),
  /** `amount`: what is held; `deadline`: until when the seller hands over. */
  paymentConfirmed: z.strictObject({
    ...tradeFields,
    role: roleSchema,
    amount: amountSchema,
    deadline: dateTimeSchema,
  }),
  /** To the buyer; `deadline`: until when to check and confirm, "" for a buyer who has confirmed before. */
  handedOver: z.strictObject({
    ...tradeFields,
    other: lineTextSchema,
    deadline: dateTimeSchema.or(z.literal("")),
  }),
  /** To whoever's confirmation is missing: the buyer's first, then the seller's. */
  confirmPlease: z.strictObject({ ...tradeFields, role: roleSchema, other: lineTextSchema }),
  /** To the other party; `other` asked. */
  cancellationRequested: z.strictObject({ ...tradeFields, other: lineTextSchema }),
  /** `refund`: what goes back to the buyer, 0 when nothing was paid. */
  tradeCancelled: z.strictObject({
    ...tradeFields,
    role: roleSchema,
    reason: z.enum(["withdrawn", "expired", "agreed", "admin", "ruling"]),
    refund: amountSchema,
  }),
  /** To the buyer: where shall `amount` go? */
  refundAccountNeeded: z.strictObject({ ...tradeFields, amount: amountSchema }),
  refundAccountNamed: z.strictObject({ ...tradeFields, amount: amountSchema, destination: lineTextSchema }),
  /** `other` opened it; `deadline`: until when to explain. */
  disputeOpened: z.strictObject({ ...tradeFields, other: lineTextSchema, deadline: dateTimeSchema }),
  /** To either party, of whom `other` is the other one. `refund`, `payout`: what each side gets by the step, 0 for nothing yet. */
  disputeStep: z.strictObject({
    ...tradeFields,
    step: disputeStep,
    other: lineTextSchema,
    refund: amountSchema,
    payout: amountSchema,
  }),
  /** An administrator lets the seller have what is held; `amount`: what the seller gets. */
  payoutDecided: z.strictObject({ ...tradeFields, role: roleSchema, amount: amountSchema }),
  /** To the seller. `destination`: bank and masked account; `reference`: the bank's, "" while it is not known. */
  payoutSent: z.strictObject({
    ...tradeFields,
    amount: amountSchema,
    destination: lineTextSchema,
    reference: lineTextSchema,
  }),
  /** To the buyer. */
  refundSent: z.strictObject({
    ...tradeFields,
    amount: amountSchema,
    destination: lineTextSchema,
    reference: lineTextSchema,
  }),
  /** To whose money it is, who was told before that it was sent. */
  transferNotArrived: z.strictObject({
    ...tradeFields,
    kind: z.enum(["payout", "refund"]),
    amount: amountSchema,
  }),
  /** To both parties, when an administrator asks them to look; `state`: how the transaction stands. */
  transactionNotice: z.strictObject({ ...tradeFields, state: tradeState }),
  /** To the buyer, an hour after opening the hand-over at `moment`, while the checklist is not done. */
  vaultReminder: z.strictObject({ ...tradeFields, moment: dateTimeSchema }),
  deadlineReminder: z.strictObject({ ...tradeFields, task: partyTask, deadline: dateTimeSchema }),
  deadlineOverdue: z.strictObject({ ...tradeFields, task: partyTask, deadline: dateTimeSchema }),
  /** To an administrator. `detail`: one line more, "" for none. */
  adminTask: z.strictObject({
    task: adminTask,
    code: lineTextSchema,
    detail: lineTextSchema,
    url: ownUrlSchema,
  }),
  /** To an administrator: a verification found the books or the log broken at `moment`; `found` says what, as programs name it. */
  brokenAlarm: z.strictObject({
    of: z.enum(["ledger", "log"]),
    found: lineTextSchema,
    moment: dateTimeSchema,
    url: ownUrlSchema,
  }),
  /** To an administrator: nobody has verified the books or the log since `moment`, which is too long ago. */
  missingAlarm: z.strictObject({ of: z.enum(["ledger", "log"]), moment: dateTimeSchema, url: ownUrlSchema }),
  /** To an administrator: since `moment` no head of the log could be sent off the machine. */
  anchorAlarm: z.strictObject({ moment: dateTimeSchema, url: ownUrlSchema }),
  /** To the place that keeps heads of the log: `head` as `audit:verify --head` takes it, and the signed line with its signature. */
  logHead: z.strictObject({
    head: lineTextSchema,
    statement: lineTextSchema,
    signature: lineTextSchema,
    url: ownUrlSchema,
  }),
  /** To whoever an administrator says: does mail go out? */
  mailTest: z.strictObject({ url: ownUrlSchema }),
  /** To the owner of an account: what was done to it, when, and from which browser and system. */
  securityNotice: z.strictObject({
    ...accountFields,
    event: z.enum([
      "password_changed",
      "second_factor_on",
      "second_factor_off",
      "recovery_codes_renewed",
      "recovery_code_used",
      "second_factor_removed",
      "passkey_added",
      "passkey_removed",
      "passkeys_removed",
      "passkey_copied",
      "signed_out_everywhere",
      "profile_edited",
      "admin_granted",
      "admin_revoked",
      "administrator_made",
    ]),
    moment: dateTimeSchema,
    device: lineTextSchema,
  }),
  /** To a person whom an administrator limited or suspended, or no longer; `deadline`: its end, "" for good. No word that anybody typed. */
  accountRestricted: z.strictObject({
    event: z.enum(["limit", "suspend", "lifted"]),
    cause: z.enum(["fraud", "impersonation", "abuse", "terms"]),
    moment: dateTimeSchema,
    deadline: dateTimeSchema.or(z.literal("")),
    url: ownUrlSchema,
  }),
  /** To who was in the room already; `other` joined it. The `room` is said nowhere, here and below: versions that run beside ask for it. */
  roomJoined: z.strictObject({
    name: lineTextSchema,
    other: lineTextSchema,
    room: lineTextSchema,
    url: ownUrlSchema,
  }),
  /** To who has not read what was said to them; never with its words. */
  unreadMessages: z.strictObject({
    name: lineTextSchema,
    room: lineTextSchema,
    unread: z.number().int().positive(),
    url: ownUrlSchema,
  }),
  /**
   * To the support address; `topic` is in the letter's language. `standing`: whether the code is a transaction of the asker's own, said without proof, or not given;
   * only an own one has a `url` ("" otherwise). `account`: who is signed in, "" for a visitor.
   */
  supportRequest: z.strictObject({
    number: lineTextSchema,
    topic: lineTextSchema,
    /** Topic and code as the subject has them. */
    about: lineTextSchema,
    code: lineTextSchema,
    standing: z.enum(["own", "unproven", "none"]),
    name: lineTextSchema,
    email: lineTextSchema,
    account: lineTextSchema,
    message: proseSchema,
    url: ownUrlSchema.or(z.literal("")),
  }),
  /** To whoever asked. Nothing of what they wrote is in it: anybody can type a stranger's address. */
  supportReceived: z.strictObject({
    number: lineTextSchema,
    topic: lineTextSchema,
    code: lineTextSchema,
    hours: lineTextSchema,
    url: ownUrlSchema,
  }),
} as const;

export type TemplateName = keyof typeof templateSchemas;
export type TemplateData = { [T in TemplateName]: z.input<(typeof templateSchemas)[T]> };

export const templateNames = Object.keys(templateSchemas) as TemplateName[];
