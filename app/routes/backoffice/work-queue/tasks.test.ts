import { expect, test } from "bun:test";
import { hasText, supportedLanguages, translateText } from "#locales";
import { templateNames } from "#modules/mailer";
import type { WorkQueue } from "#views/escrow";
import { tasksOf } from "./tasks.ts";

const dueAt = "2026-11-22T08:00:00.000Z";
const nothing: WorkQueue = {
  alarms: [],
  ...{
    payouts: [],
    disputes: [],
    overdue: [],
    holds: [],
    handConfirmations: [],
    settlements: [],
    restrictions: [],
    reports: [],
    chores: [],
  },
  ...{ more: [], serverTime: dueAt },
};

test.each(templateNames)("a failed mail is named in words: %s", (template) => {
  const mail = { kind: "mail", id: 1, template, recipient: "bat@example.mn", userId: null, dueAt } as const;
  const [task] = tasksOf({ ...nothing, chores: [{ ...mail, reason: "mailbox full" }] });
  expect(task).toMatchObject({ who: "bat@example.mn", reason: "mailbox full" });
  const keys = task?.notes.filter(hasText) ?? [];
  expect(keys).toHaveLength(1);
  const said = supportedLanguages.map((language) => keys.map((key) => translateText(language, key)).join());
  expect(new Set(said).size).toBe(supportedLanguages.length);
  expect(said).not.toContain(template);
});

const late: Record<WorkQueue["overdue"][number]["kind"], true> = {
  payment_window: true,
  hand_over: true,
  admin_review: true,
  seller_finish: true,
  refund_account: true,
};

test.each(Object.keys(late) as Array<keyof typeof late>)("what is late is named in words: %s", (kind) => {
  const [task] = tasksOf({
    ...nothing,
    overdue: [{ transactionId: 7, transactionCode: "MM-00000007", kind, dueAt }],
  });
  expect(task).toMatchObject({ kind: "unconfirmed", code: "MM-00000007", overdue: true });
  const said = supportedLanguages.map((language) =>
    task?.notes.filter(hasText).map((key) => translateText(language, key)),
  );
  expect(said.flat()).toHaveLength(supportedLanguages.length);
  expect(new Set(said.flat()).size).toBe(supportedLanguages.length);
});
