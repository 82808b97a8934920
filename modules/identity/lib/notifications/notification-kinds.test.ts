import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { templateNames } from "#modules/mailer";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { notificationsForm, notificationsInput } from "../../forms.ts";
import { someone, visitor } from "../core/people.fixture.ts";
import { findPeople } from "../core/users/people.ts";
import { chooseNotifications, readNotificationChoices, wantsMail } from "./notification-kinds.ts";

useDatabase();

const all = { reminders: true, roomActivity: true, requests: true };

describe("notification preferences", () => {
  test("are all on at first; given ones change, others stay, and the log records it once", async () => {
    const { actor, id } = await someone();
    expect(await readNotificationChoices(actor)).toEqual({ ok: true, notifications: all });
    const without = { ...all, reminders: false };
    for (let time = 0; time < 2; time++) {
      const saved = await chooseNotifications(actor, { reminders: false });
      expect(saved).toEqual({ ok: true, notifications: without });
    }
    expect(await chooseNotifications(actor, {})).toEqual({ ok: true, notifications: without });
    expect(await readNotificationChoices(actor)).toEqual({ ok: true, notifications: without });
    expect((await findPeople(db(), [id])).get(id)?.notifications).toEqual(without);
    const entries = await db().execute<{ data: object }>(sql`
      SELECT data FROM audit.entries WHERE action = 'notifications_chosen' AND subject_id = ${String(id)}`);
    expect(entries.map(({ data }) => data)).toEqual([without]);
  });

  test("belong to the signed-in person", async () => {
    const refused = { ok: false, code: "AUTH_REQUIRED" } as const;
    expect(await readNotificationChoices(visitor())).toEqual(refused);
    expect(await chooseNotifications(visitor(), { requests: false })).toEqual(refused);
  });

  test("turn off optional mails only: money, disputes and security are always sent", () => {
    const nothing = { notifications: { reminders: false, roomActivity: false, requests: false } };
    const silenced = templateNames.filter((template) => !wantsMail(nothing, template));
    expect(silenced.sort().join(" ")).toBe(
      "confirmPlease deadlineReminder handedOver paymentRequested roomJoined",
    );
    expect(templateNames.every((template) => wantsMail({ notifications: all }, template))).toBe(true);
  });
});

test("unsent checkboxes of the page mean no; the API's fields are true or false", () => {
  expect(notificationsForm.parse({ requests: "on" })).toEqual({
    ...{ reminders: false, roomActivity: false, requests: true },
  });
  expect(notificationsInput.parse({ requests: false })).toEqual({ requests: false });
  for (const wrong of ["on", 1, null, {}]) {
    expect(notificationsInput.safeParse({ requests: wrong }).success).toBe(false);
  }
});
