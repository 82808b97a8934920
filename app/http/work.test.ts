import { expect, test } from "bun:test";
import { hasText, languages, text } from "#locales";
import type { WorkQueue } from "#modules/escrow";
import { templateNames } from "#modules/mailer";
import { tasksOf } from "./work.ts";

const dueAt = "2026-11-22T08:00:00.000Z";
const nothing: WorkQueue = {
  alarms: [],
  ...{
    payouts: [],
    disputes: [],
    overdue: [],
    problems: [],
    handConfirmations: [],
    settlements: [],
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
  const said = languages.map((language) => keys.map((key) => text(language, key)).join());
  expect(new Set(said).size).toBe(languages.length);
  expect(said).not.toContain(template);
});
