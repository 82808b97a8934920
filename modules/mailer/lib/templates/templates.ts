import { z } from "zod";
import { isOwnLink } from "./own-links.ts";
import { lineTextSchema, proseSchema } from "./text-schemas.ts";

/** Whole ₮. */
const amountSchema = z.number().int().nonnegative();
/** A time in ISO 8601 and UTC, as from `date.toISOString()`. */
const dateTimeSchema = z.iso.datetime();
/** A path on Midman ("/chat/12") or a URL that begins with `publicUrl()`; no other link is allowed. */
const ownUrlSchema = z.string().refine(isOwnLink, "must lead to Midman itself");
const roleSchema = z.enum(["buyer", "seller"]);

/** To a user about their account: `name` is theirs, "" until the address is verified. */
const accountFields = { name: lineTextSchema, url: ownUrlSchema };
/**
 * To one party about a trade: `name` is the reader's, as above; `code` is the transaction's; `other` is the other party's role. `goods`: the
 * kind of item, never its description, which a person wrote; `price`: the agreed price. Both are empty in a mail that an earlier version
 * queued (`completeStoredData`).
 */
const tradeFields = {
  name: lineTextSchema,
  code: lineTextSchema,
  url: ownUrlSchema,
  goods: z.enum(["account", "licence", "key", "item", "other", ""]),
  price: amountSchema,
};

/** A time by which the reader must act; "" for none. */
const optionalTimeSchema = dateTimeSchema.or(z.literal(""));
/**
 * `account`: whether the reader must add a bank account, or Midman has it; "" if the mail is not about one, or does not know
 * (`completeStoredData`). `deadline`: the time by which to act.
 */
const bankAccountFields = { account: z.enum(["needed", "known", ""]), deadline: optionalTimeSchema };

/** A transfer that was sent. `destination`: bank and masked account; `reference`: the bank's reference, "" while unknown. */
const transferFields = { amount: amountSchema, destination: lineTextSchema, reference: lineTextSchema };

/** What a party still has to do, or what Midman owes the parties. */
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
/** The same for a deadline that has passed, with what a party waits for that the other one still has to do. */
export const overdueTask = z.enum([...partyTask.options, "buyerPays", "sellerHandsOver"]);
/** Steps of a dispute. */
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
/** States of a transaction that its parties are notified of. */
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
/** Tasks for an administrator. */
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

/** Each template and the data it needs; missing, mistyped or unknown data is refused when the mail is queued. */
export const templateSchemas = {
  accountVerification: z.strictObject(accountFields),
  passwordReset: z.strictObject({ ...accountFields, minutes: z.number().int().positive() }),
  welcome: z.strictObject(accountFields),
  /** `amount`: what this reader paid or received; 0 if the trade ended without money. */
  transactionCompletion: z.strictObject({ ...tradeFields, role: roleSchema, amount: amountSchema }),
  /**
   * To the buyer. `fee`: the buyer's part of the fee; `total`: what the buyer has to pay; `description` is not shown, but versions that run
   * beside this one require it.
   */
  paymentRequested: z.strictObject({
    ...tradeFields,
    other: lineTextSchema,
    description: lineTextSchema,
    amount: amountSchema,
    fee: amountSchema,
    total: amountSchema,
    deadline: dateTimeSchema,
  }),
  /** `amount`: what Midman holds; `deadline`: the time by which the seller must hand over, also in the buyer's mail. */
  paymentConfirmed: z.strictObject({
    ...tradeFields,
    role: roleSchema,
    amount: amountSchema,
    deadline: dateTimeSchema,
  }),
  /** To the buyer; `deadline`: the time by which to check and confirm, "" for a buyer who has already confirmed. */
  handedOver: z.strictObject({ ...tradeFields, other: lineTextSchema, deadline: optionalTimeSchema }),
  /** To the party whose confirmation is missing by `deadline`. `account`: the seller's, for the payout. */
  confirmPlease: z.strictObject({
    ...tradeFields,
    role: roleSchema,
    other: lineTextSchema,
    ...bankAccountFields,
  }),
  /** To the other party; `other` requested it. `checked`: whether Midman checks the trade, so that nobody can agree yet. */
  cancellationRequested: z.strictObject({
    ...tradeFields,
    role: roleSchema,
    other: lineTextSchema,
    checked: z.enum(["yes", "no"]),
  }),
  /** To the party who requested it; `other` declined. */
  cancellationDeclined: z.strictObject({ ...tradeFields, other: lineTextSchema }),
  /**
   * `refund`: what the buyer gets back, 0 if nothing was paid. `account`: the buyer's, for the refund; `deadline`: the time by which to add it,
   * "" for none or once it has passed.
   */
  tradeCancelled: z.strictObject({
    ...tradeFields,
    role: roleSchema,
    reason: z.enum(["withdrawn", "expired", "agreed", "admin", "ruling"]),
    refund: amountSchema,
    ...bankAccountFields,
  }),
  /**
   * To the buyer, whose trade goes on or has ended before: asks for the account to which `amount` is refunded. `deadline`: the time by which
   * to add it, "" once it has passed.
   */
  refundAccountNeeded: z.strictObject({ ...tradeFields, amount: amountSchema, deadline: optionalTimeSchema }),
  refundAccountNamed: z.strictObject({ ...tradeFields, amount: amountSchema, destination: lineTextSchema }),
  /** `other` opened the dispute; `deadline`: the time by which to explain. */
  disputeOpened: z.strictObject({ ...tradeFields, other: lineTextSchema, deadline: dateTimeSchema }),
  /**
   * To either party; `other` is the other one. `refund`, `payout`: what buyer and seller get by this step, 0 for nothing yet. `account`: the
   * reader's, for their part of the money; `deadline`: the time by which the buyer must add it, "" for none or once it has passed.
   */
  disputeStep: z.strictObject({
    ...tradeFields,
    role: roleSchema,
    step: disputeStep,
    other: lineTextSchema,
    refund: amountSchema,
    payout: amountSchema,
    ...bankAccountFields,
  }),
  /** An administrator decided to pay the held money to the seller; `amount`: what the seller gets. */
  payoutDecided: z.strictObject({ ...tradeFields, role: roleSchema, amount: amountSchema }),
  /** To the seller: the one mail about a transfer, also of a trade that it completes. */
  payoutSent: z.strictObject({ ...tradeFields, ...transferFields }),
  /** To the buyer. */
  refundSent: z.strictObject({ ...tradeFields, ...transferFields }),
  /** To the recipient of a transfer that was announced as sent but did not arrive. */
  transferNotArrived: z.strictObject({
    ...tradeFields,
    kind: z.enum(["payout", "refund"]),
    amount: amountSchema,
  }),
  /** To both parties, when an administrator asks them to check; `state`: the state of the transaction. */
  transactionNotice: z.strictObject({ ...tradeFields, state: tradeState }),
  /** To the buyer, an hour after opening the vault at `moment`, while the checklist is not complete. */
  vaultReminder: z.strictObject({ ...tradeFields, moment: dateTimeSchema }),
  deadlineReminder: z.strictObject({ ...tradeFields, task: partyTask, deadline: dateTimeSchema }),
  deadlineOverdue: z.strictObject({ ...tradeFields, task: overdueTask, deadline: dateTimeSchema }),
  /** To an administrator. `detail`: an additional line, "" for none. */
  adminTask: z.strictObject({
    task: adminTask,
    code: lineTextSchema,
    detail: lineTextSchema,
    url: ownUrlSchema,
  }),
  /** To an administrator: at `moment` a verification found the ledger or the log broken; `found`: the problems' codes. */
  brokenAlarm: z.strictObject({
    of: z.enum(["ledger", "log"]),
    found: lineTextSchema,
    moment: dateTimeSchema,
    url: ownUrlSchema,
  }),
  /** To an administrator: the ledger or the log has not been verified since `moment`, which is too long ago. */
  missingAlarm: z.strictObject({ of: z.enum(["ledger", "log"]), moment: dateTimeSchema, url: ownUrlSchema }),
  /** To an administrator: since `moment` no head of the log could be sent off the machine. */
  anchorAlarm: z.strictObject({ moment: dateTimeSchema, url: ownUrlSchema }),
  /** To the place that keeps heads of the log: `head` as `audit:verify --head` accepts it, and the signed line with its signature. */
  logHead: z.strictObject({
    head: lineTextSchema,
    statement: lineTextSchema,
    signature: lineTextSchema,
    url: ownUrlSchema,
  }),
  /** To an address that an administrator chooses: tests whether mail is sent. */
  mailTest: z.strictObject({ url: ownUrlSchema }),
  /** To the owner of an account: what was changed, when, and from which browser and system. */
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
  /**
   * To a user whom an administrator limited or suspended, or whose restriction was lifted; `deadline`: its end, "" for a permanent one.
   * Contains no text that anybody typed.
   */
  accountRestricted: z.strictObject({
    event: z.enum(["limit", "suspend", "lifted"]),
    cause: z.enum(["fraud", "impersonation", "abuse", "terms"]),
    moment: dateTimeSchema,
    deadline: optionalTimeSchema,
    url: ownUrlSchema,
  }),
  /**
   * To the party who was already in the room; `other` joined it. `room` is not shown, here and below, but versions that run beside this one
   * require it.
   */
  roomJoined: z.strictObject({
    name: lineTextSchema,
    other: lineTextSchema,
    room: lineTextSchema,
    url: ownUrlSchema,
  }),
  /** To a user with unread messages; never contains their text. */
  unreadMessages: z.strictObject({
    name: lineTextSchema,
    room: lineTextSchema,
    unread: z.number().int().positive(),
    url: ownUrlSchema,
  }),
  /**
   * To the support address; `topic` is in the mail's language. `standing`: whether the code is a transaction of the sender's own, unproven,
   * or not given; only an own one has a `url` ("" otherwise). `account`: the signed-in user, "" for a visitor.
   */
  supportRequest: z.strictObject({
    number: lineTextSchema,
    topic: lineTextSchema,
    /** Topic and code, as in the subject line. */
    about: lineTextSchema,
    code: lineTextSchema,
    standing: z.enum(["own", "unproven", "none"]),
    name: lineTextSchema,
    email: lineTextSchema,
    account: lineTextSchema,
    message: proseSchema,
    url: ownUrlSchema.or(z.literal("")),
  }),
  /** To the sender of a support request. Contains nothing that they wrote, because anybody can type another person's address. */
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
