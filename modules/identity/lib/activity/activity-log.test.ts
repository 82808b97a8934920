import { beforeAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { listEntries, recordAuditEntry } from "#modules/audit";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { activityQuery, activitySearch, daysBetween } from "../../forms.ts";
import {
  activityLogs,
  countActivityLogs,
  deleteUserAsAdmin,
  exportActivityLogs,
  findPeopleByIdOrName,
  findPeopleByName,
  setAdmin,
} from "../../index.ts";
import { anAdmin, someone, visitor } from "../core/people.fixture.ts";
import type { ActivityLog } from "../core/responses.ts";
import { usersTable } from "../core/schema.ts";
import { activityLogsOf } from "./activity-log.ts";

useDatabase();
const at = new Date("2026-03-01T10:00:00Z");

let admin: Awaited<ReturnType<typeof anAdmin>>;
let member: Awaited<ReturnType<typeof someone>>;

beforeAll(async () => {
  admin = await anAdmin();
  member = await someone({ displayName: "Ганбат Болд" });
  const by = { userId: member.id, ip: "203.0.113.9", device: "x".repeat(100) };
  await runInTransaction((tx) =>
    recordAuditEntry(tx, [
      {
        by,
        action: "message_sent",
        at,
        roomId: 7,
        subject: { kind: "message", id: 9 },
        data: { messageType: "text", messageId: 9 },
      },
      { by: { userId: 987_654 }, action: "logout", at, subject: { kind: "user", id: 3 } },
      { by: { userId: null }, action: "login_failed", at },
    ]),
  );
});

/** The content of a successful outcome; throws if it was refused. */
function held<A extends { ok: boolean }>(answer: A): Extract<A, { ok: true }> {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer as Extract<A, { ok: true }>;
}

test("an entry stands in the specified words, with whoever did it", async () => {
  const { logs, next } = held(await activityLogs(admin.actor, { userId: member.id, action: "message_sent" }));
  expect(next).toBeNull();
  expect(logs).toEqual([
    {
      id: expect.any(Number),
      userId: member.id,
      user: { username: member.username, displayName: "Ганбат Болд" },
      chatRoomId: 7,
      action: "message_sent",
      ipAddress: "203.0.113.9",
      deviceFingerprint: "x".repeat(100),
      createdAt: at.toISOString(),
      additionalData: { messageType: "text", messageId: 9 },
    },
  ]);
});

test("nobody's and a stranger's entries have no name; what an entry is about stands with its data", async () => {
  const { logs } = held(await activityLogs(admin.actor, { toDate: at }));
  expect(logs.map(({ userId, user, additionalData }) => ({ userId, user, additionalData }))).toEqual([
    { userId: null, user: null, additionalData: null },
    { userId: 987_654, user: null, additionalData: { subject: { kind: "user", id: "3" } } },
    expect.objectContaining({ userId: member.id }),
  ]);
});

test("who is no administrator reads, counts and exports nothing", async () => {
  for (const [actor, code] of [
    [visitor(), "AUTH_REQUIRED"],
    [member.actor, "ADMIN_REQUIRED"],
  ] as const) {
    for (const answer of [
      await activityLogs(actor),
      await activityLogsOf(actor, member.id),
      await countActivityLogs(actor, {}),
      await exportActivityLogs(actor, {}),
    ]) {
      expect(answer).toEqual({ ok: false, code });
    }
  }
});

test("one person's entries are read also after they are gone; of nobody there are none", async () => {
  const gone = await someone();
  held(await deleteUserAsAdmin(admin.actor, gone.id));
  const { logs } = held(await activityLogsOf(admin.actor, gone.id));
  expect(logs.map(({ action }) => action)).toContain("register");
  expect(await activityLogsOf(admin.actor, 987_654)).toEqual({ ok: false, code: "USER_NOT_FOUND" });
});

test("reading leaves no entry, an export leaves one that names no address", async () => {
  const before = held(await countActivityLogs(admin.actor, {})).count;
  await activityLogs(admin.actor);
  expect(held(await countActivityLogs(admin.actor, {})).count).toBe(before);

  const filter = { userId: member.id, ipAddress: "203.0.113" };
  expect(await rows(filter)).toHaveLength(1);
  const { entries } = await listEntries({ action: "logs_exported" });
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    userId: admin.id,
    data: { userId: member.id, byAddress: true },
  });
  expect(JSON.stringify(entries[0]?.data)).not.toContain("203.0.113");
});

test("an export of nothing is null and leaves no entry", async () => {
  const before = (await listEntries({ action: "logs_exported" })).entries.length;
  expect(await exportActivityLogs(admin.actor, { ipAddress: "198.51.100.7" })).toEqual({
    ok: true,
    batches: null,
  });
  expect((await listEntries({ action: "logs_exported" })).entries).toHaveLength(before);
});

test("a long export holds every entry once, newest first, and ends when the administrator's session does", async () => {
  const many = Array.from({ length: 2500 }, (_, i) => ({
    by: { userId: 555 },
    action: "message_sent" as const,
    at: new Date(at.getTime() + Math.floor(i / 3)),
  }));
  await runInTransaction((tx) => recordAuditEntry(tx, many));
  const all = await rows({ userId: 555 });
  expect(all).toHaveLength(2500);
  const sorted = [...all].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id - a.id);
  expect(all.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));

  const other = await anAdmin();
  const { batches } = held(await exportActivityLogs(other.actor, { userId: 555 }));
  expect((await batches?.next())?.value).toHaveLength(1000);
  held(await setAdmin(admin.actor, other.id, false));
  await expect(batches?.next()).rejects.toThrow("session");
});

async function rows(filter: Parameters<typeof exportActivityLogs>[1]): Promise<ActivityLog[]> {
  const { batches } = held(await exportActivityLogs(admin.actor, filter));
  const all: ActivityLog[] = [];
  for await (const batch of batches ?? []) all.push(...batch);
  return all;
}

test("people are found by id, username, or the beginning of either name in any case", async () => {
  const names = async (words: string) => (await findPeopleByIdOrName(words, 5)).map(({ id }) => id);
  expect(await names(String(member.id))).toEqual([member.id]);
  // Where names are searched among other words, a number is not taken as an id.
  expect(await findPeopleByName(String(member.id), 5)).toEqual([]);
  expect(await names(`@${member.username.toUpperCase()}`)).toEqual([member.id]);
  expect(await names(member.username.slice(0, -2))).toEqual([member.id]);
  expect(await names("ганБАТ")).toEqual([member.id]);
  await someone({ displayName: "Ганбаатар" });
  expect(await names("Ганб")).toHaveLength(2);
  for (const words of ["", "@", "Болд Ганбат", "%", "ганбат_", "\u{10FFFF}", "9".repeat(15)]) {
    expect(await names(words)).toEqual([]);
  }
  await db().update(usersTable).set({ displayName: "100%" }).where(eq(usersTable.id, member.id));
  expect(await names("100%")).toEqual([member.id]);
});

test("a day is a Mongolian one, from its first moment to its last", () => {
  expect(daysBetween(activitySearch.parse({ from: "2026-03-01", to: "2026-03-01" }))).toEqual({
    fromDate: new Date("2026-02-28T16:00:00.000Z"),
    toDate: new Date("2026-03-01T15:59:59.999Z"),
  });
  const asked = activityQuery.parse({ fromDate: "2026-03-01", toDate: "2026-03-01T10:00:00+08:00" });
  expect(asked.fromDate).toEqual(new Date("2026-02-28T16:00:00.000Z"));
  expect(asked.toDate).toEqual(new Date("2026-03-01T02:00:00.000Z"));
});

test("an address may say anything: what means nothing is as if it were absent", () => {
  const odd = {
    view: "x",
    user: "\0",
    from: "2026-02-30",
    to: "yesterday",
    before: "-1",
    ip: "",
    action: "",
  };
  expect(activitySearch.parse(odd)).toEqual({ view: "list" });
  for (const query of [{ userId: "x" }, { fromDate: "2026-02-30" }, { toDate: "x" }, { limit: "101" }]) {
    expect(activityQuery.safeParse(query).success).toBe(false);
  }
  expect(activityQuery.parse({ userId: "", action: "", fromDate: "" })).toEqual({});
});
