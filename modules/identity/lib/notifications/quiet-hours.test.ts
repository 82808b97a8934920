import { describe, expect, test } from "bun:test";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { notificationPreferencesForm, notificationPreferencesInput } from "../../forms.ts";
import { someone, visitor } from "../core/people.fixture.ts";
import { findPeople } from "../core/users/people.ts";
import { chooseNotificationPreferences, readNotificationPreferences } from "./notification-preferences.ts";
import { isQuiet, quietUntil } from "./quiet-hours.ts";

useDatabase();

const first = { pushMessages: true, mailMessages: true, quietFrom: null, quietTo: null };
const night = { pushMessages: false, mailMessages: true, quietFrom: "22:30", quietTo: "07:00" };

test("all notifications are on at first, at any hour; preferences persist", async () => {
  const { actor, id } = await someone();
  expect(await readNotificationPreferences(actor)).toEqual({ ok: true, notificationPreferences: first });
  expect(await chooseNotificationPreferences(actor, night)).toEqual({
    ok: true,
    notificationPreferences: night,
  });
  expect(await readNotificationPreferences(actor)).toEqual({ ok: true, notificationPreferences: night });
  expect((await findPeople(db(), [id])).get(id)?.notificationPreferences).toEqual(night);
  expect(await chooseNotificationPreferences(actor, first)).toEqual({
    ok: true,
    notificationPreferences: first,
  });
  expect(await readNotificationPreferences(visitor())).toEqual({ ok: false, code: "AUTH_REQUIRED" });
  expect(await chooseNotificationPreferences(visitor(), night)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
});

test("endless changes are throttled, because each one is logged", async () => {
  const { actor } = await someone();
  const answers = [];
  for (let at = 0; at < 61; at++)
    answers.push(await chooseNotificationPreferences(actor, at % 2 === 0 ? night : first));
  expect(answers.slice(0, 60).every(({ ok }) => ok)).toBe(true);
  expect(answers[60]).toMatchObject({ ok: false, code: "THROTTLED" });
});

describe("quiet hours", () => {
  // Mongolia is eight hours ahead of UTC all year.
  const at = (time: string) => new Date(`2026-11-21T${time}:00+08:00`);
  test.each([
    ["22:29", false],
    ["22:30", true],
    ["00:00", true],
    ["06:59", true],
    ["07:00", false],
    ["12:00", false],
  ])("over midnight: %s is quiet: %p", (time, quiet) => {
    expect(isQuiet(night, at(time))).toBe(quiet);
  });

  test("end when they end, and nobody has any by default", () => {
    expect(quietUntil(night, at("23:00"))).toEqual(new Date("2026-11-22T07:00:00+08:00"));
    const noon = { quietFrom: "12:00", quietTo: "13:15" };
    expect(quietUntil(noon, at("12:45"))).toEqual(at("13:15"));
    expect(quietUntil(noon, at("13:15"))).toEqual(at("13:15"));
    expect(quietUntil(first, at("03:00"))).toEqual(at("03:00"));
  });
});

test("the page's form: an empty time is none; both or neither, and not equal", () => {
  expect(notificationPreferencesForm.parse({ mailMessages: "on", quietFrom: "", quietTo: "" })).toEqual({
    ...{ pushMessages: false, mailMessages: true, quietFrom: null, quietTo: null },
  });
  const form = (quietFrom: string, quietTo: string) =>
    notificationPreferencesForm.safeParse({ quietFrom, quietTo });
  expect(form("22:30", "07:00").success).toBe(true);
  for (const [from, to] of [
    ["22:30", ""],
    ["", "07:00"],
    ["07:00", "07:00"],
    ["24:00", "07:00"],
    ["7:00", "22:00"],
  ] as const) {
    expect(form(from, to).success).toBe(false);
  }
  expect(notificationPreferencesInput.safeParse({ ...night, quietTo: null }).success).toBe(false);
  expect(notificationPreferencesInput.safeParse({ ...night, pushMessages: "on" }).success).toBe(false);
});
