import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { errorOf, postForm, readToastAfter } from "../support/pages/post-form.ts";
import { expectStatus, registerPerson, signInAdministrator } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";

/** Saved filters of the three lists, and the keyboard that their pages alone bring. */

let server: Server;
let admin: Client;
let other: Client;

beforeAll(async () => {
  server = await startServer();
  admin = await signInAdministrator(server);
  const person = await registerPerson(server, "Second One");
  expectStatus(await postForm(admin, paths.adminUser(person.id), { form: "make-admin" }), 303);
  other = server.client();
  expectStatus(
    await other.post("/api/admin/login", { username: person.username, password: person.password }),
    200,
  );
  const renewed = { currentPassword: person.password, newPassword: "another long secret" };
  expectStatus(await other.post("/api/auth/change-password", renewed), 200);
}, 240_000);

afterAll(async () => {
  await server?.stop();
});

const said = (key: string) => translateText("en", key);

/** The saved filters on a page: their ids, names and where they lead. */
async function kept(who: Client, at: string) {
  const { text: html } = expectStatus(await who.get(at), 200);
  const [nav = ""] =
    new RegExp(`<nav aria-label="${said("admin.filters.kept")}">.*?</nav>`, "s").exec(html) ?? [];
  const chips = /<a href="([^"]*)"[^>]*?>([^<]*)<\/a>.*?name="filter" value="(\d+)"/gs;
  return [...nav.matchAll(chips)].map(([, to = "", name, id = ""]) => ({
    id,
    name,
    to: to.replaceAll("&amp;", "&"),
  }));
}

const lists = [
  [
    paths.adminTransactions,
    "q=level+60&status=pending&before=9&x=//elsewhere.example",
    "q=level+60&status=pending",
  ],
  [paths.adminUsers, "q=bat&show=admins&sort=newest&before=9", "q=bat&show=admins"],
  [paths.adminActivityLogs, "view=table&action=login&from=nonsense", "view=table&action=login"],
] as const;

describe("saved filters", () => {
  for (const [list, query, read] of lists) {
    test(`for ${list} are saved, listed, applied and deleted without scripts`, async () => {
      expect(expectStatus(await admin.get(list), 200).text).not.toContain('value="save-filter"');
      const at = `${list}?${query}`;
      expect(expectStatus(await admin.get(at), 200).text).toContain('value="save-filter"');
      const saved = await postForm(admin, at, { form: "save-filter", name: " Бат & <b> " });
      expect(await readToastAfter(admin, saved)).toEqual([`${list}?${read}`, said("toast.filters.kept")]);
      const [mine] = await kept(admin, list);
      expect(mine).toEqual({ id: expect.any(String), name: "Бат &amp; &lt;b&gt;", to: `${list}?${read}` });
      const followed = expectStatus(await admin.get(mine?.to ?? ""), 200).text;
      expect(followed).toMatch(/aria-current="true"[^>]*>Бат &amp; &lt;b&gt;<\/a>/);
      expect(followed).not.toContain('value="save-filter"');
      expect(await kept(other, list)).toEqual([]);
      const drop = { form: "drop-filter", filter: mine?.id ?? "" };
      expect(await readToastAfter(other, await postForm(other, list, drop))).toEqual([
        list,
        said("errors.FILTER_NOT_FOUND"),
      ]);
      expect(await kept(admin, list)).toHaveLength(1);
      expect(await readToastAfter(admin, await postForm(admin, at, drop))).toEqual([
        `${list}?${read}`,
        said("toast.filters.dropped"),
      ]);
      expect(await kept(admin, list)).toEqual([]);
    });
  }

  test("an invalid name is reported beside its field, and an empty filter above the form", async () => {
    const list = paths.adminUsers;
    const save = (query: string, name: string) =>
      postForm(admin, `${list}${query}`, { form: "save-filter", name });
    const empty = expectStatus(await save("?q=a", ""), 422);
    expect(errorOf(empty, "save-filter-name")).toBe(said("validation.required"));
    const long = expectStatus(await save("?q=a", "x".repeat(41)), 422);
    expect(errorOf(long, "save-filter-name")).toBe(said("validation.tooLong"));
    expect(errorOf(expectStatus(await save("?next=//elsewhere.example", "x"), 422), "save-filter")).toBe(
      said("errors.FILTER_EMPTY"),
    );
    expectStatus(await save("?q=a", "Mine"), 303);
    expect(errorOf(expectStatus(await save("?q=b", "Mine"), 409), "save-filter-name")).toBe(
      said("errors.FILTER_NAME_TAKEN"),
    );
    for (const form of [
      { form: "drop-filter", filter: "x" },
      { form: "nothing", filter: "" },
    ]) {
      expectStatus(await postForm(admin, list, form), 404);
    }
  });

  test("are closed to everyone else", async () => {
    const member = await registerPerson(server);
    for (const who of [member, server.client()]) {
      for (const [list] of lists) {
        const reply = expectStatus(
          await postForm(who, `${list}?q=a`, { form: "save-filter", name: "x" }),
          303,
        );
        expect(reply.headers.get("location")).toStartWith(paths.adminLogin);
      }
    }
  });
});

test("the back office's script is loaded by its pages and by no other", async () => {
  const script = (html: string) =>
    [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, src]) => src);
  const [everywhere, desk, more] = script(expectStatus(await admin.get(paths.admin), 200).text);
  expect(more).toBeUndefined();
  for (const at of [paths.support, paths.chat, paths.settings]) {
    const page = expectStatus(await admin.get(at), 200).text;
    const [own] = script(page);
    expect(own).toBe(everywhere);
    // The list of rooms has a script of its own.
    expect(script(page)).toHaveLength(at === paths.chat ? 2 : 1);
    expect(script(page)).not.toContain(desk);
    expect(page).not.toContain("data-backoffice");
  }
  const { text: code } = expectStatus(await admin.get(desk ?? "/none"), 200);
  expect(code).toContain("midman-keys");
  expect(Bun.gzipSync(code).length).toBeLessThan(2_500);
});
