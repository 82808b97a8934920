import type { Tx } from "#db/client";
import type { Letter } from "#modules/mailer";
import type { DeadlineRow } from "../core/schema.ts";
import { listSpeakers } from "../disputes/dispute-cases.ts";
import type { DeadlineKind, Party, Trade } from "../machine/trade-types.ts";
import { type AdminTask, mailAdmins, mailTo, type Reader } from "../notifications/mail-parties.ts";

type Task =
  | "pay"
  | "handOver"
  | "buyerConfirm"
  | "sellerConfirm"
  | "refundAccount"
  | "statement"
  | "payout"
  | "ruling";
/** What a party waits for that the other one still has to do. */
type AwaitedTask = "buyerPays" | "sellerHandsOver";
/** Who is mailed about a deadline: each party with what it has to do (or waits for), and what administrators have to do. */
type DeadlineAudience<T = Task> = { parties: ReadonlyArray<readonly [Party, T]>; admins?: AdminTask };

/** Before the deadline: those who have to act. */
const reminderAudiences: Record<DeadlineKind, DeadlineAudience> = {
  payment_window: { parties: [["buyer", "pay"]] },
  hand_over: { parties: [["seller", "handOver"]] },
  buyer_finish: { parties: [["buyer", "buyerConfirm"]] },
  admin_review: { parties: [] },
  seller_finish: { parties: [["seller", "sellerConfirm"]] },
  payout: { parties: [], admins: "payout" },
  refund_account: { parties: [["buyer", "refundAccount"]] },
  dispute_statements: {
    parties: [
      ["buyer", "statement"],
      ["seller", "statement"],
    ],
  },
  dispute_ruling: { parties: [], admins: "dispute" },
};

/**
 * After the deadline: also those who wait for them. A payment window is overdue only while it cannot be ended; its end is notified
 * separately.
 */
const overdueAudiences: Record<DeadlineKind, DeadlineAudience<Task | AwaitedTask>> = {
  payment_window: {
    parties: [
      ["buyer", "pay"],
      ["seller", "buyerPays"],
    ],
  },
  hand_over: {
    parties: [
      ["seller", "handOver"],
      ["buyer", "sellerHandsOver"],
    ],
    admins: "overdue",
  },
  buyer_finish: { parties: [["buyer", "buyerConfirm"]] },
  admin_review: { parties: [], admins: "overdue" },
  seller_finish: { parties: [["seller", "sellerConfirm"]], admins: "overdue" },
  payout: { parties: [["seller", "payout"]], admins: "overdue" },
  refund_account: { parties: [["buyer", "refundAccount"]], admins: "overdue" },
  dispute_statements: {
    parties: [
      ["buyer", "statement"],
      ["seller", "statement"],
    ],
  },
  dispute_ruling: {
    parties: [
      ["buyer", "ruling"],
      ["seller", "ruling"],
    ],
    admins: "overdue",
  },
};

/** Mails a reminder of a deadline. For the statements in a dispute, only a party that has made none gets it. */
export async function mailReminder(tx: Tx, trade: Trade, row: DeadlineRow): Promise<void> {
  const concern = reminderAudiences[row.kind];
  const done = row.kind === "dispute_statements" ? await listSpeakers(tx, trade.id) : [];
  const parties = concern.parties.filter(([party]) => !done.includes(party));
  const write = (reader: Reader, task: Task, deadline: string): Letter => ({
    template: "deadlineReminder",
    data: { ...reader, task, deadline },
  });
  await mailDeadline(tx, trade, row, { ...concern, parties }, write);
}

/** Mails that a deadline has passed. */
export function mailOverdue(tx: Tx, trade: Trade, row: DeadlineRow): Promise<void> {
  const write = (reader: Reader, task: Task | AwaitedTask, deadline: string): Letter => ({
    template: "deadlineOverdue",
    data: { ...reader, task, deadline },
  });
  return mailDeadline(tx, trade, row, overdueAudiences[row.kind], write);
}

async function mailDeadline<T>(
  tx: Tx,
  trade: Trade,
  row: DeadlineRow,
  { parties, admins }: DeadlineAudience<T>,
  write: (reader: Reader, task: T, deadline: string) => Letter,
): Promise<void> {
  const deadline = row.dueAt.toISOString();
  for (const [party, task] of parties) {
    await mailTo(tx, trade, party, (reader) => write(reader, task, deadline));
  }
  if (admins !== undefined) await mailAdmins(tx, trade, admins, row.kind);
}
