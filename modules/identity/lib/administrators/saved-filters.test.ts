import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { saveFilterInput } from "../../forms.ts";
import { anAdmin, someone, visitor } from "../core/people.fixture.ts";
import { savedFiltersTable as table } from "../core/schema.ts";
import { deleteUserAsAdmin } from "./delete-user-as-admin.ts";
import { registerFilterPage } from "./filter-pages.ts";
import { deleteSavedFilter, listSavedFilters, saveFilter } from "./saved-filters.ts";

useDatabase();

type Admin = Awaited<ReturnType<typeof anAdmin>>;

const kept = async ({ actor }: Pick<Admin, "actor">, page: "users" | "activity-logs" = "users") => {
  const answer = await listSavedFilters(actor, page, "");
  if (!answer.ok) throw new Error(answer.code);
  return answer.filters.map(({ name, query }) => [name, query]);
};

const rowsOf = ({ id }: { id: number }) => db().select().from(table).where(eq(table.userId, id));

describe("saved filters", () => {
  test("are stored by name, page by page, with the page's own parameters", async () => {
    const admin = await anAdmin();
    const save = (name: string, query: string) => saveFilter(admin.actor, "users", { name, query });
    expect(await save("Бат", "q=bat&show=admins&before=17&limit=3")).toEqual({
      ok: true,
      query: "q=bat&show=admins",
    });
    expect(await save("A to Z", "sort=name&show=living")).toMatchObject({ ok: true });
    const logs = { name: "Бат", query: "view=table&action=login&from=2026-11-01" };
    expect(await saveFilter(admin.actor, "activity-logs", logs)).toMatchObject({ ok: true });
    expect(await kept(admin)).toEqual([
      ["A to Z", "sort=name"],
      ["Бат", "q=bat&show=admins"],
    ]);
    expect(await kept(admin, "activity-logs")).toEqual([["Бат", "view=table&action=login&from=2026-11-01"]]);
    expect(await listSavedFilters(admin.actor, "users", "sort=name&q=&before=4")).toMatchObject({
      present: "sort=name",
    });
  });

  test("unknown parameters are not stored, nor is a filter without any", async () => {
    const admin = await anAdmin();
    const save = (query: string) => saveFilter(admin.actor, "users", { name: "Odd", query });
    for (const query of [
      "",
      "q=",
      "before=9",
      "show=everybody&sort=up",
      "//elsewhere.example",
      "https://elsewhere.example/?x=1",
      "next=//elsewhere.example",
      "q=%00",
      `q=${"a".repeat(101)}`,
    ]) {
      expect(await save(query)).toEqual({ ok: false, code: "FILTER_EMPTY" });
    }
    expect(await save("q=x#//elsewhere.example&next=/&q=y")).toMatchObject({ ok: true, query: "q=y" });
  });

  test("a page of a higher module parses its own address", async () => {
    const restore = registerFilterPage("transactions", (query) => ({ q: query.get("q") ?? undefined }));
    try {
      const admin = await anAdmin();
      const filter = { name: "Late", query: "q=MM-1&status=x" };
      expect(await saveFilter(admin.actor, "transactions", filter)).toEqual({ ok: true, query: "q=MM-1" });
    } finally {
      restore();
    }
  });

  test("a name belongs to one filter: the same again changes nothing, another is refused", async () => {
    const admin = await anAdmin();
    const save = (query: string) => saveFilter(admin.actor, "users", { name: "Mine", query });
    expect(await Promise.all([save("q=a"), save("q=a")])).toEqual([
      { ok: true, query: "q=a" },
      { ok: true, query: "q=a" },
    ]);
    expect(await save("q=b")).toMatchObject({ ok: false, code: "FILTER_NAME_TAKEN" });
    expect(await kept(admin)).toEqual([["Mine", "q=a"]]);
    for (const [name, right] of [
      ["", false],
      ["  ", false],
      ["x".repeat(41), false],
      [" x ", true],
    ] as const) {
      expect(saveFilterInput.safeParse({ name }).success).toBe(right);
    }
  });

  test("twenty per page and person are allowed, also when saved at once", async () => {
    const [admin, other] = [await anAdmin(), await anAdmin()];
    const save = (who: Admin, at: number) =>
      saveFilter(who.actor, "users", { name: `Filter ${at}`, query: `q=${at}` });
    const answers = await Promise.all(Array.from({ length: 22 }, (_, at) => save(admin, at)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(20);
    expect(await save(admin, 99)).toEqual({ ok: false, code: "FILTERS_FULL" });
    expect(await save(other, 99)).toMatchObject({ ok: true });
    expect(await saveFilter(admin.actor, "activity-logs", { name: "More", query: "user=1" })).toMatchObject({
      ok: true,
    });
  });

  test("of other people are neither shown nor deleted", async () => {
    const [admin, other] = [await anAdmin(), await anAdmin()];
    await saveFilter(admin.actor, "users", { name: "Mine", query: "q=a" });
    const id = (await rowsOf(admin))[0]?.id ?? 0;
    expect(await kept(other)).toEqual([]);
    const gone = { ok: false, code: "FILTER_NOT_FOUND" } as const;
    expect(await deleteSavedFilter(other.actor, "users", id)).toEqual(gone);
    expect(await deleteSavedFilter(admin.actor, "activity-logs", id)).toEqual(gone);
    expect(await kept(admin)).toHaveLength(1);
    expect(await deleteSavedFilter(admin.actor, "users", id)).toEqual({ ok: true });
    expect(await deleteSavedFilter(admin.actor, "users", id)).toEqual(gone);
  });

  test("are only for administrators, and are deleted with the account", async () => {
    const [admin, other, person] = [await anAdmin(), await anAdmin(), await someone()];
    for (const [actor, code] of [
      [person.actor, "ADMIN_REQUIRED"],
      [visitor(), "AUTH_REQUIRED"],
    ] as const) {
      expect(await listSavedFilters(actor, "users", "")).toEqual({ ok: false, code });
      expect(await saveFilter(actor, "users", { name: "x", query: "q=a" })).toEqual({ ok: false, code });
      expect(await deleteSavedFilter(actor, "users", 1)).toEqual({ ok: false, code });
    }
    await saveFilter(other.actor, "users", { name: "Theirs", query: "q=a" });
    expect(await deleteUserAsAdmin(admin.actor, other.id)).toEqual({ ok: true });
    expect(await rowsOf(other)).toEqual([]);
    expect(await saveFilter(other.actor, "users", { name: "Late", query: "q=b" })).toEqual({
      ok: false,
      code: "AUTH_REQUIRED",
    });
  });
});
