import { beforeAll, expect, test } from "bun:test";
import { runInTransaction } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { countEntries, type EntryFilter, listEntries, recordAuditEntry } from "../../index.ts";

useDatabase();
const hour = (n: number) => new Date(Date.UTC(2026, 2, 1, n));

beforeAll(async () => {
  const rows = Array.from({ length: 12 }, (_, i) => ({
    by: { userId: (i % 3) + 1, ip: i % 2 === 0 ? `10.0.${i}.1` : `192.168.0.${i}`, device: "Firefox" },
    action: i % 4 === 0 ? ("login" as const) : ("message_sent" as const),
    at: hour(i),
    roomId: i < 6 ? 1 : 2,
    subject: { kind: "message", id: i },
    data: { i },
  }));
  await runInTransaction((tx) => recordAuditEntry(tx, rows));
});

async function found(filter: EntryFilter): Promise<unknown[]> {
  return (await listEntries(filter)).entries.map((entry) => entry.data.i);
}

const cases: Array<[string, EntryFilter, number[]]> = [
  ["everything, newest first", {}, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
  ["of one user", { userId: 1 }, [9, 6, 3, 0]],
  ["of one action", { action: "login" }, [8, 4, 0]],
  ["of one room", { roomId: 2, action: "login" }, [8]],
  ["of one subject", { subject: { kind: "message", id: 5 } }, [5]],
  ["of one network", { ip: "192.168.0.1" }, [11, 1]],
  ["of one network between two hours", { ip: "10.", from: hour(2), to: hour(8) }, [8, 6, 4, 2]],
  ["of an address with a wildcard in it", { ip: "10%" }, []],
  ["of what Postgres cannot hold", { action: "log\0in\ud800", ip: "\0" }, []],
  ["between two hours, both included", { from: hour(3), to: hour(5) }, [5, 4, 3]],
  ["all together", { userId: 1, roomId: 1, from: hour(1), ip: "192." }, [3]],
];
for (const [what, filter, expected] of cases) {
  test(`lists and counts entries ${what}`, async () => {
    expect(await found(filter)).toEqual(expected);
    expect(await countEntries(filter, 100)).toEqual({ count: expected.length, more: false });
  });
}

test("counting stops at its limit", async () => {
  expect(await countEntries({}, 5)).toEqual({ count: 5, more: true });
  expect(await countEntries({ before: 1, limit: 1 }, 12)).toEqual({ count: 12, more: false });
});

test("after an entry that does not exist there are no results", async () => {
  expect(await found({ before: 999_999 })).toEqual([]);
  expect(await found({ before: 999_999, ip: "10." })).toEqual([]);
});

for (const [filter, limit, expected] of [
  [{}, 5, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
  [{ ip: "10." }, 2, [10, 8, 6, 4, 2, 0]],
] as const) {
  test(`pages of ${JSON.stringify(filter)} follow each other without gap or overlap`, async () => {
    const seen: unknown[] = [];
    let before: number | undefined;
    let pages = 0;
    do {
      const page = await listEntries({ ...filter, limit, before });
      seen.push(...page.entries.map((entry) => entry.data.i));
      before = page.next ?? undefined;
      pages += 1;
    } while (before !== undefined);
    expect(pages).toBe(3);
    expect(seen).toEqual([...expected]);
  });
}

test("an entry recorded late is listed at the time it happened", async () => {
  const by = { userId: 40 };
  const late = [hour(2), hour(5), hour(5), hour(1)].map((at, i) => ({
    by,
    action: "login" as const,
    at,
    data: { i },
  }));
  await runInTransaction((tx) => recordAuditEntry(tx, late));
  expect(await found({ userId: 40 })).toEqual([2, 1, 0, 3]);
  const first = await listEntries({ userId: 40, limit: 2 });
  expect(await found({ userId: 40, before: first.next ?? 0 })).toEqual([0, 3]);
});
