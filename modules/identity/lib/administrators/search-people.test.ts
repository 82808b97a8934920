import { beforeAll, describe, expect, test } from "bun:test";
import { inArray, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import { db } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { peopleFilter } from "../../forms.ts";
import { anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { usersTable } from "../core/schema.ts";
import { deleteUserAsAdmin } from "./delete-user-as-admin.ts";
import { searchPeople } from "./search-people.ts";

useDatabase();

const made: Array<{ id: number; username: string; email: string }> = [];
let admin: Awaited<ReturnType<typeof anAdmin>>;
let gone: number;

beforeAll(async () => {
  admin = await anAdmin();
  const people = [
    { username: "sarnai_g", displayName: "Сарнай Ганбат", email: "sarnai@khan.example" },
    { username: "bold.u", displayName: "Болд Үрцайх", email: "bold@example.mn" },
    {
      username: "o'brien'".replaceAll("'", "-"),
      displayName: "Pat O'Brien \\ Sons",
      email: "pat@example.mn",
    },
    { username: "ганбаатар", displayName: "Өлзий", email: "ulzii@example.mn" },
  ];
  for (const person of people) made.push(await someone(person));
  await db()
    .update(usersTable)
    .set({ phoneNumber: "+976 9911 2233" })
    .where(inArray(usersTable.id, [idOf("sarnai_g")]));
  const leaver = await someone({ displayName: "Ганбат Явсан" });
  gone = leaver.id;
  await deleteUserAsAdmin(admin.actor, gone);
});

function idOf(username: string): number {
  return made.find((person) => person.username === username)?.id ?? 0;
}

async function found(query: Record<string, unknown>) {
  const answer = await searchPeople(admin.actor, peopleFilter.parse(query));
  if (!answer.ok) throw new Error(answer.code);
  return answer;
}

const idsOf = async (query: Record<string, unknown>) => (await found(query)).users.map(({ id }) => id);

describe("searching people", () => {
  const cases: Array<[string, string, string[]]> = [
    ["the beginning of a username", "sarn", ["sarnai_g"]],
    ["a username with its sign", "@bold.u", ["bold.u"]],
    ["a part of a username", "g", ["sarnai_g"]],
    ["nothing less than every word", "сарн үрц", []],
    ["a word of the display name, in any case", "ҮРЦ", ["bold.u"]],
    ["two words in any order", "ганбат сарн", ["sarnai_g"]],
    ["a Cyrillic username and another's name alike", "Ганба", ["ганбаатар", "sarnai_g"]],
    ["a whole e-mail address", "Pat@Example.mn", ["o-brien-"]],
    ["the host of an address", "khan.ex", ["sarnai_g"]],
    ["a phone number however it is spaced", "9911-2233", ["sarnai_g"]],
    ["a phone number with its country", "+976 99112233", ["sarnai_g"]],
    ["a quote", "o'br", ["o-brien-"]],
    ["a backslash", "\\", ["o-brien-"]],
    ["no middle of a word", "arnai", []],
  ];
  for (const [what, q, expected] of cases) {
    test(`finds by ${what}`, async () => expect(await idsOf({ q })).toEqual(expected.map(idOf)));
  }

  test("finds by the whole id, with or without #", async () => {
    expect(await idsOf({ q: String(idOf("bold.u")) })).toContain(idOf("bold.u"));
    expect(await idsOf({ q: `#${idOf("bold.u")}` })).toContain(idOf("bold.u"));
    expect(await idsOf({ q: "9".repeat(40) })).toEqual([]);
  });

  test("handles anything typed into a search box", async () => {
    for (const q of ["'", "''", "\\'", ":*", "&|!()", "\0x", "a\ud800", "%", "x".repeat(500)]) {
      expect((await found({ q })).ok).toBe(true);
    }
  });

  test("shows active people, administrators or deleted people, whose personal data are not searched", async () => {
    expect(await idsOf({ show: "admins" })).toEqual([admin.id]);
    const { users: left } = await found({ show: "deleted" });
    expect(left).toMatchObject([{ id: gone, email: "", phoneNumber: null }]);
    expect(left[0]?.deletedAt).toBeString();
    expect(await idsOf({ q: "Явсан", show: "deleted" })).toEqual([]);
    expect(await idsOf({})).not.toContain(gone);
  });

  for (const sort of ["newest", "name"]) {
    test(`pages follow each other without gap or overlap, sorted by ${sort}`, async () => {
      const all = await found({ sort });
      expect(all.total).toEqual({ count: all.users.length, more: false });
      const names = all.users.map(({ displayName }) => displayName.toLowerCase());
      const ids = all.users.map(({ id }) => id);
      if (sort === "name") expect(names).toEqual([...names].sort());
      else expect(ids).toEqual([...ids].sort((one, other) => other - one));
      const seen: number[] = [];
      let before: number | null | undefined;
      while (before !== null) {
        const page = await found({ sort, limit: 2, before });
        seen.push(...page.users.map(({ id }) => id));
        before = page.next;
      }
      expect(seen).toEqual(ids);
    });
  }

  test("is for administrators", async () => {
    const filter = peopleFilter.parse({});
    expect(await searchPeople(visitor(), filter)).toEqual({ ok: false, code: "AUTH_REQUIRED" });
    expect(await searchPeople((await someone()).actor, filter)).toEqual({
      ok: false,
      code: "ADMIN_REQUIRED",
    });
  });
});

describe("with 50,000 people", () => {
  beforeAll(async () => {
    await db().execute(sql`
      INSERT INTO identity.users (username, username_key, email, display_name, avatar_initials, phone_number,
        password_hash, language, created_at, updated_at)
      SELECT 'many' || n, 'many' || n, 'many' || n || '@example.mn', 'Иргэн ' || md5(n::text), 'ИР',
        (80000000 + n)::text, '$argon2id$', 'mn', now(), now()
      FROM generate_series(1, 50000) AS n`);
    await ownerDatabase().execute(sql`ANALYZE identity.users`);
  });

  const searches: Array<Record<string, unknown>> = [
    {},
    { sort: "name" },
    { sort: "name", before: 30_000 },
    { before: 30_000 },
    { show: "admins" },
    { show: "deleted" },
    { q: "many4999" },
    { q: "80041234" },
    { q: "many77@example.mn" },
    { q: "ганбат сарн" },
    { q: "many412", sort: "name" },
  ];
  test("no page and no count reads them all", async () => {
    for (const search of searches) {
      const plans = await plansOf(() => found({ limit: 25, ...search }));
      expect([search, plans.filter((plan) => plan.includes("Seq Scan on users"))]).toEqual([search, []]);
      if ("q" in search) expect(plans.every((plan) => plan.includes("users_words"))).toBe(true);
    }
  });

  test("matches beyond the counting limit are found in the list's order, without collecting them", async () => {
    for (const sort of ["newest", "name"]) {
      const page = await found({ limit: 25, q: "many4", sort });
      expect(page.total).toEqual({ count: 1_000, more: true });
      expect(page.users.map(({ username }) => username.slice(0, 5))).toEqual(Array(25).fill("many4"));
      const plans = await plansOf(() => found({ limit: 25, q: "many4", sort }));
      expect(plans.filter((plan) => /Seq Scan on users|Sort/.test(plan))).toEqual([]);
    }
  });

  test("a count stops at ten thousand", async () => {
    expect((await found({ limit: 25 })).total).toEqual({ count: 10_000, more: true });
    expect((await found({ limit: 25, q: "many4999" })).total).toEqual({ count: 11, more: false });
  });
});

/** The query plans of the statements that a read sends, from EXPLAIN. */
async function plansOf(read: () => Promise<unknown>): Promise<string[]> {
  const session = (db() as unknown as { $client: Sql }).$client;
  const sent: Array<{ text: string; values: unknown[] }> = [];
  const unsafe = session.unsafe.bind(session);
  session.unsafe = ((text: string, values: unknown[], ...rest: never[]) => {
    sent.push({ text, values });
    return unsafe(text, values as never, ...rest);
  }) as typeof session.unsafe;
  try {
    await read();
  } finally {
    session.unsafe = unsafe as typeof session.unsafe;
  }
  expect(sent.length).toBeGreaterThan(0);
  return Promise.all(
    sent.map(async ({ text, values }) => JSON.stringify(await unsafe(`EXPLAIN ${text}`, values as never))),
  );
}
