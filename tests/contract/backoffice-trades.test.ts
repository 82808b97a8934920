import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import { expectStatus, registerPerson, signInAdministrator } from "../support/people/registered-people.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { plantTrade } from "../support/trades/planted-trades.ts";
import { openPaidTrade, requestPayment, type ServerTrade } from "../support/trades/server-trades.ts";

/** The administrators' list of transactions: its page and its call. */

let server: Server;
let admin: Awaited<ReturnType<typeof signInAdministrator>>;
let paid: ServerTrade;
let asked: ServerTrade;

const list = paths.adminTransactions;
const codesOn = (html: string) =>
  [...html.matchAll(/<tr data-code="([^"]+)"/g)].map(([, code]) => code ?? "");

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  [admin, paid, asked] = await Promise.all([
    signInAdministrator(server),
    openPaidTrade(server),
    requestPayment(server),
  ]);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

async function codeOf({ buyer, id }: ServerTrade): Promise<string> {
  return String(expectStatus(await buyer.get(`/api/transactions/${id}`), 200).body.transactionCode);
}

async function found(query: string): Promise<string[]> {
  return codesOn(expectStatus(await admin.get(`${list}?${query}`), 200).text);
}

describe("the list of transactions", () => {
  test("searches by code, description and party, and shows how many match which filter", async () => {
    const code = await codeOf(paid);
    expect(await found(`q=${code.toLowerCase()}`)).toEqual([code]);
    expect((await found("q=LEVEL+60")).length).toBe(2);
    expect(await found(`q=%40${asked.seller.username}`)).toEqual([await codeOf(asked)]);
    const page = visibleText(
      expectStatus(await admin.get(`${list}?q=level&status=payment_confirmed&money=held`), 200).text,
    );
    expect(page).toContain("1 transaction found");
    expect(page).toContain("“level” · Payment confirmed · Held");
    expect(page).toContain("QPay");
    const due = visibleText(expectStatus(await admin.get(`${list}?q=level&money=refunding`), 200).text);
    expect(due).toContain("“level” · Refund due");
    expect(due).toContain("0 transactions found");
    const none = visibleText(expectStatus(await admin.get(`${list}?q=no+such+thing`), 200).text);
    expect(none).toContain("0 transactions found");
    expect(none).toContain("No transactions found matching your criteria");
  });

  test("ignores invalid parts of an address", async () => {
    const wrong = "q=%00&status=nonsense&money=x&sort=up&from=0000-01-01&to=x&before=-1";
    expect((await found(wrong)).length).toBe(2);
  });

  test("says on a transaction's page that no step was recorded, where none was", async () => {
    const { id } = await plantTrade("completed");
    const none = "No steps recorded for this transaction";
    const said = async (of: number) =>
      visibleText(expectStatus(await admin.get(paths.adminTransaction(of)), 200).text).includes(none);
    expect([await said(id), await said(paid.id)]).toEqual([true, false]);
  });

  test("continues page by page with the filter kept, and back to the first", async () => {
    for (let n = 0; n < 26; n += 1) {
      const { id } = await plantTrade("completed");
      await db().execute(sql`UPDATE escrow.trades SET description = 'paged & found' WHERE id = ${id}`);
    }
    const first = expectStatus(await admin.get(`${list}?q=paged+%26+found&sort=oldest`), 200).text;
    expect(codesOn(first).length).toBe(25);
    const next = /href="([^"]*before=\d+)"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = expectStatus(await admin.get(next), 200).text;
    expect(codesOn(second).length).toBe(1);
    expect(codesOn(first)).not.toContain(codesOn(second)[0]);
    expect(visibleText(second)).toContain("26 transactions found");
    expect(second).toContain(`<a href="${list}?q=paged+%26+found&amp;sort=oldest" class`);
    expect(second).not.toMatch(/<a href="[^"]*before=/);
  });

  test("deletes what holds nothing, with the amount shown, and keeps its place", async () => {
    const code = await codeOf(asked);
    const here = `${list}?q=${code}`;
    const open = await postForm(admin, here, { form: "delete", transaction: String(asked.id) });
    expect(await readToastAfter(admin, open)).toEqual([
      here,
      "A transaction is still in progress and has to end first",
    ]);
    expect(expectStatus(await admin.get(here), 200).text).not.toContain('value="delete"');
    expectStatus(await admin.post(`/api/admin/transactions/${asked.id}/cancel`), 200);
    expect(visibleText(expectStatus(await admin.get(here), 200).text)).toContain(
      "The transaction for 110,000 ₮ disappears",
    );
    const held = await postForm(admin, list, { form: "delete", transaction: String(paid.id) });
    expect((await readToastAfter(admin, held))[0]).toBe(list);
    expect(await found("status=payment_confirmed")).toEqual([await codeOf(paid)]);
    const done = await postForm(admin, here, { form: "delete", transaction: String(asked.id) });
    expect(await readToastAfter(admin, done)).toEqual([here, "Transaction deleted"]);
    expect(await found(`q=${code}`)).toEqual([]);
  });

  test("offers no deletion of held money", async () => {
    const page = expectStatus(await admin.get(`${list}?q=${await codeOf(paid)}`), 200).text;
    expect(page).not.toContain('value="delete"');
  });

  test("is only for administrators, and closed as soon as someone loses the right", async () => {
    const demoted = await registerPerson(server, "Once Trusted");
    await setRight(demoted.id, true);
    expect((await demoted.get(list)).status).toBe(200);
    await setRight(demoted.id, false);
    for (const who of [server.client(), paid.seller, demoted]) {
      for (const reply of [await who.get(`${list}?q=x`), await postForm(who, list, { form: "delete" })]) {
        expect(reply.status).toBe(303);
        expect(reply.headers.get("location")).toStartWith("/admin/login?next=%2Fadmin%2Ftransactions");
      }
      expect([401, 403]).toContain((await who.get("/api/admin/transactions?search=level")).status);
    }
  });
});

describe("GET /api/admin/transactions", () => {
  test("accepts the same filters and returns an array", async () => {
    const ask = async (query: string) =>
      expectStatus(await admin.get(`/api/admin/transactions?${query}`), 200).list.map(({ id }) => id);
    expect(await ask("money=held&search=level")).toEqual([paid.id]);
    expect(await ask("from=2001-01-01&to=2001-01-02")).toEqual([]);
    const [first, second] = await ask("sort=oldest&limit=2");
    expect([first, await ask(`sort=oldest&limit=1&before=${first}`)]).toEqual([paid.id, [second ?? 0]]);
    const links = async (query: string) =>
      expectStatus(await admin.get(`/api/admin/transactions?${query}`), 200).headers.get("link");
    expect(await links("sort=oldest&limit=1")).toBe(
      `</api/admin/transactions?sort=oldest&limit=1&before=${first}>; rel="next"`,
    );
    expect(await links("money=held&search=level")).toBeNull();
    for (const word of ["pending", "confirmed_complete", "COMPLETED", "disputed", ""]) {
      expectStatus(await admin.get(`/api/admin/transactions?status=${word}`), 200);
    }
    const statuses = ["status=nonsense", "status=constructor"];
    for (const wrong of [...statuses, "money=gold", "sort=up", "from=2026-02-31", "from=0000-01-01"]) {
      expect((await admin.get(`/api/admin/transactions?${wrong}`)).status).toBe(422);
    }
  });
});

describe("the page of a transaction", () => {
  test("shows the journals of its money, side by side, and the latest actions", async () => {
    const page = expectStatus(await admin.get(paths.adminTransaction(paid.id)), 200).text;
    const said = visibleText(page)
      .split("\n")
      .map((line) => line.trim());
    for (const words of ["Payment received", "At QPay", "Held for this transaction", "110,000 ₮"]) {
      expect(said).toContain(words);
    }
    expect(page.match(/data-journal=/g)).toHaveLength(1);
    expect(said).toContain("Payment requested");
    expect(page).toContain(`href="${paths.adminTranscript(paid.id)}"`);
  });

  test("links to the conversation, and each reading is recorded with the reader", async () => {
    const at = `/api/chat/rooms/${paid.roomId}/messages`;
    expectStatus(await paid.seller.post(at, { content: "Here is <the> account", type: "text" }), 200, 201);
    const readings = async () =>
      Number(
        (
          await db().execute<{ n: string }>(sql`SELECT count(*) AS n FROM audit.entries
            WHERE action = 'transcript_read' AND room_id = ${paid.roomId} AND user_id IS NOT NULL
              AND subject_kind = 'transaction' AND subject_id = ${String(paid.id)}`)
        )[0]?.n,
      );
    const here = paths.adminTranscript(paid.id);
    for (const who of [server.client(), paid.seller, paid.buyer]) {
      expect((await who.get(here)).status).toBe(303);
    }
    expectStatus(await admin.send("GET", here, undefined, { "Sec-Purpose": "prefetch" }), 503);
    const foreign = expectStatus(
      await admin.send("GET", here, undefined, { "Sec-Fetch-Site": "cross-site" }),
      303,
    );
    expect(foreign.headers.get("location")).toBe(paths.adminTransaction(paid.id));
    expect(await readings()).toBe(0);
    const page = expectStatus(await admin.get(here), 200).text;
    expect(visibleText(page)).toContain("Here is <the> account");
    expect(visibleText(page)).toContain("Seller One");
    expect(await readings()).toBe(1);
    expect(visibleText(expectStatus(await admin.get(paths.adminTransaction(paid.id)), 200).text)).toContain(
      "Conversation read by an administrator",
    );
    expect((await admin.get(paths.adminTranscript(999_999))).status).toBe(404);
  });

  test("pages back in the conversation", async () => {
    for (let n = 0; n < 52; n += 1) {
      await db().execute(sql`INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
        SELECT ${asked.roomId}, max(seq) + 1, ${asked.seller.id}, gen_random_uuid(), 'text', ${`line ${n}.`}, now()
        FROM rooms.messages WHERE room_id = ${asked.roomId}`);
    }
    const here = paths.adminTranscript(asked.id);
    const newest = expectStatus(await admin.get(here), 200).text;
    expect(newest.match(/data-seq=/g)).toHaveLength(50);
    expect(newest).toContain("line 51.");
    const older = /<a href="([^"]*before=\d+)"/.exec(newest)?.[1] ?? "";
    const before = expectStatus(await admin.get(older), 200).text;
    expect(before).toContain("line 1.");
    expect(before).not.toContain("line 2.");
    expect(before).toContain(`<a href="${here}" class`);
  });
});

test("the overview shows the figures, the latest five and the links", async () => {
  const page = expectStatus(await admin.get(paths.admin), 200).text;
  const said = visibleText(page);
  for (const words of ["Total users", "Total amount", "View all transactions"]) expect(said).toContain(words);
  expect(page).toContain(`href="${list}"`);
  expect(page).toContain(`href="${paths.adminActivityLogs}"`);
  expect(page).toContain('aria-current="page"');
});
