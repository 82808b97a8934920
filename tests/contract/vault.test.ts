import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openClient } from "../../db/client.ts";
import { errorOf, postForm, readFieldValue, readToastAfter } from "../support/pages/post-form.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Reply } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { openPaidTrade, requestPayment, type ServerTrade } from "../support/trades/server-trades.ts";

/** The hand-over vault through both doors: who may what, and that what is sealed is to be found nowhere but in the answer to its buyer. */

setDefaultTimeout(60_000);

let server: Server;
let stranger: Person;

beforeAll(async () => {
  server = await startServer({ environment: { LOG_LEVEL: "debug" } });
  stranger = await registerPerson(server);
}, 240_000);

afterAll(async () => {
  await server?.stop();
});

const secret = {
  login: "zorigt-the-login",
  password: "  eagle & <falcon> 4711 ",
  email: "zorigt.account@example.mn",
  emailPassword: "mailbox-secret-0815",
  recoveryNotes: "recovery-AAAA-1111\nrecovery-BBBB-2222",
  notes: "born in Arvaikheer",
};
/** Enough of each to know it again, however it is written. */
const traces = ["zorigt-the-login", "falcon", "zorigt.account", "secret-0815", "AAAA-1111", "Arvaikheer"];
const found = (text: string) => traces.filter((trace) => text.includes(trace));

const api = ({ id }: ServerTrade, call = "") => `/api/transactions/${id}/vault${call}`;
const page = ({ roomId }: ServerTrade) => `/chat/${roomId}/vault`;
const vaultOf = async ({ buyer, id }: ServerTrade) =>
  expectStatus(await buyer.get(`/api/transactions/${id}`), 200).body.vault as Record<string, unknown>;

async function sealedDeal(): Promise<ServerTrade> {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.seller.post(api(deal), secret), 200);
  return deal;
}

describe("through the API", () => {
  test("the seller fills the vault, only the buyer opens it, by POST, and the response is not cached", async () => {
    const deal = await openPaidTrade(server);
    const sealed = expectStatus(await deal.seller.post(api(deal), secret), 200);
    expect(sealed.body).toMatchObject({ success: true, vault: { state: "sealed" } });
    expect(found(sealed.text)).toEqual([]);
    const opened = expectStatus(await deal.buyer.post(api(deal, "/open")), 200);
    expect(opened.body.values).toEqual(secret);
    expect(opened.headers.get("cache-control")).toBe("no-store");
    expect(opened.body.vault).toMatchObject({ state: "opened", openedCount: 1 });
    const ticked = expectStatus(await deal.buyer.post(api(deal, "/check"), { password: true }), 200);
    expect(ticked.body.vault).toMatchObject({
      checked: { password: true, secondFactor: false, recovery: false },
    });
    expect(found(ticked.text)).toEqual([]);
  });

  test("everyone else is refused, and nobody reads it by GET", async () => {
    const deal = await sealedDeal();
    const admin = await signInAdministrator(server);
    const codes = async (replies: Array<Promise<Reply>>) =>
      (await Promise.all(replies)).map(({ status, body }) => `${status} ${body.code}`);
    const visitor = server.client();
    expect(
      await codes([
        deal.seller.post(api(deal, "/open")),
        admin.post(api(deal, "/open")),
        stranger.post(api(deal, "/open")),
        visitor.post(api(deal, "/open")),
        deal.buyer.post(api(deal), secret),
        stranger.post(api(deal), secret),
        deal.seller.post(api(deal, "/check"), { password: true }),
        deal.buyer.post(api(deal, "/check"), { password: true }),
        deal.buyer.send("POST", api(deal, "/open"), undefined, { Origin: "https://elsewhere.example" }),
      ]),
    ).toEqual([
      "403 BUYER_ONLY",
      "404 TRANSACTION_NOT_FOUND",
      "404 TRANSACTION_NOT_FOUND",
      "401 AUTH_REQUIRED",
      "403 SELLER_ONLY",
      "404 TRANSACTION_NOT_FOUND",
      "403 BUYER_ONLY",
      "409 VAULT_NOT_OPENED",
      "403 BAD_ORIGIN",
    ]);
    for (const path of [api(deal), api(deal, "/open")]) {
      expect((await deal.buyer.get(path)).status).toBe(404);
    }
    const office = expectStatus(await admin.get(`/api/admin/transactions/${deal.id}`), 200);
    expect(office.body.vault).toMatchObject({ state: "sealed", openedCount: 0 });
    expect(found(office.text)).toEqual([]);
    expect(await vaultOf(deal)).toMatchObject({ state: "sealed", openedCount: 0 });
  });

  test("the vault is not filled before the payment, with empty contents, or with direction characters", async () => {
    const early = await requestPayment(server);
    const refused = expectStatus(await early.seller.post(api(early), secret), 409);
    expect(refused.body).toMatchObject({ code: "NOT_PAID_YET", current: "payment_initiated" });
    const deal = await openPaidTrade(server);
    const wrong = [
      {},
      { login: "  ", password: "" },
      { password: "a\u202eb" },
      { notes: "a\u2066b" },
      { password: "x".repeat(201) },
      { recoveryNotes: "x".repeat(2_001) },
      { email: "nobody" },
      { password: 7 },
      [],
    ];
    for (const body of wrong) {
      const reply = await deal.seller.post(api(deal), body);
      expect([JSON.stringify(body).slice(0, 60), reply.status]).toEqual([
        JSON.stringify(body).slice(0, 60),
        422,
      ]);
    }
    expect(await vaultOf(deal)).toMatchObject({ state: "none" });
    expect((await deal.buyer.post(api(deal, "/open"))).body.code).toBe("VAULT_EMPTY");
    expect((await deal.buyer.post(api(deal, "/check"), {})).status).toBe(422);
    expectStatus(await deal.seller.post(api(deal), { password: "   " }), 200);
    const opened = expectStatus(await deal.buyer.post(api(deal, "/open")), 200);
    expect(opened.body.values).toEqual({ password: "   " });
  });
});

describe("on its page", () => {
  const form = { form: "seal", ...secret, recoveryNotes: "recovery-AAAA-1111", sure: "on" };

  test("an invalid form returns with what is not secret, and never with a password", async () => {
    const deal = await openPaidTrade(server);
    const { sure: _, ...unsure } = form;
    const wrong = await postForm(deal.seller, page(deal), { ...unsure, email: "nobody" });
    expect(wrong.status).toBe(422);
    expect(readFieldValue(wrong, "seal-login")).toBe(secret.login);
    expect(errorOf(wrong, "seal-email")).toBe("Please enter a valid email address.");
    expect(errorOf(wrong, "seal-sure")).toBe("Tick the box to hand over");
    for (const hidden of ["falcon", "secret-0815", "AAAA-1111"]) expect(wrong.text).not.toContain(hidden);
    const empty = await postForm(deal.seller, page(deal), { form: "seal", sure: "on" });
    expect([empty.status, errorOf(empty, "seal")]).toEqual([422, "Fill in at least one field"]);
    expect(await vaultOf(deal)).toMatchObject({ state: "none" });
  });

  test("sent again after a missed tick it is never stored without the password that was typed", async () => {
    const deal = await openPaidTrade(server);
    const { sure: _, ...unsure } = form;
    const missed = await postForm(deal.seller, page(deal), unsure);
    expect([missed.status, errorOf(missed, "seal-sure")]).toEqual([422, "Tick the box to hand over"]);
    const typed = /<input[^>]*name="typed"[^>]*value="([^"]*)"/.exec(missed.text)?.[1] ?? "";
    expect(typed).toBe("password emailPassword recoveryNotes");
    expect(missed.text).toMatch(/<input(?=[^>]*type="checkbox")(?=[^>]*name="sure")(?=[^>]*required)/);
    // What the browser sends then: the fields of passwords came back empty.
    const left = { ...unsure, password: "", emailPassword: "", recoveryNotes: "" };
    const twice = await postForm(deal.seller, page(deal), { ...left, typed });
    expect(/name="typed"[^>]*value="([^"]*)"/.exec(twice.text)?.[1]).toBe(typed);
    const again = await postForm(deal.seller, page(deal), { ...left, typed, sure: "on" });
    expect(again.status).toBe(422);
    for (const name of ["password", "emailPassword", "recoveryNotes"]) {
      expect(errorOf(again, `seal-${name}`)).toBe("Type this again. For safety, we didn't keep it.");
    }
    expect(readFieldValue(again, "seal-login")).toBe(secret.login);
    expect(await vaultOf(deal)).toMatchObject({ state: "none" });
    const half = { ...left, typed, sure: "on", password: secret.password };
    expect((await postForm(deal.seller, page(deal), half)).status).toBe(422);
    expectStatus(await postForm(deal.seller, page(deal), { ...form, typed }), 303);
    const opened = expectStatus(await deal.buyer.post(api(deal, "/open")), 200);
    expect(opened.body.values).toEqual({ ...secret, recoveryNotes: form.recoveryNotes });
  });

  test("a form that never had a password is stored without one", async () => {
    const deal = await openPaidTrade(server);
    const plain = { form: "seal", login: secret.login, password: "", notes: secret.notes };
    const missed = expectStatus(await postForm(deal.seller, page(deal), plain), 422);
    expect(missed.text).not.toContain('name="typed"');
    expectStatus(await postForm(deal.seller, page(deal), { ...plain, sure: "on" }), 303);
    expect(expectStatus(await deal.buyer.post(api(deal, "/open")), 200).body.values).toEqual({
      login: secret.login,
      notes: secret.notes,
    });
  });

  test("twice by one form is one record; opened, it is in that response only, which is not cached", async () => {
    const deal = await openPaidTrade(server);
    const clientId = crypto.randomUUID();
    const first = await postForm(deal.seller, page(deal), { ...form, clientId });
    expect(await readToastAfter(deal.seller, first)).toEqual([page(deal), "Added and handed over"]);
    await postForm(deal.seller, page(deal), { ...form, clientId });
    expect(await vaultOf(deal)).toMatchObject({ state: "sealed", earlier: [] });

    const opened = await postForm(deal.buyer, page(deal), { form: "open" });
    expect(opened.status).toBe(200);
    expect(opened.headers.get("cache-control")).toBe("no-store");
    expect(opened.text).toContain("  eagle &amp; &lt;falcon&gt; 4711 ");
    expect(found(opened.text)).toEqual(traces);
    for (const who of [deal.buyer, deal.seller]) {
      for (const path of [page(deal), `/chat/${deal.roomId}`, `/chat/${deal.roomId}/panel`]) {
        const seen = expectStatus(await who.get(path), 200);
        expect([path, found(seen.text)]).toEqual([path, []]);
        expect(seen.headers.get("cache-control")).toContain("no-store");
      }
      const own = expectStatus(await postForm(who, "/settings/data"), 200);
      expect(own.text).toContain('"openedAt": "');
      expect(found(own.text)).toEqual([]);
    }
    const ticked = await postForm(deal.buyer, page(deal), { form: "check", secondFactor: "on" });
    expect((await readToastAfter(deal.buyer, ticked))[0]).toBe(page(deal));
    expect((await vaultOf(deal)).checked).toEqual({ password: false, secondFactor: true, recovery: false });
  });

  test("is for nobody else, and refuses a form from another site", async () => {
    const deal = await sealedDeal();
    const admin = await signInAdministrator(server);
    for (const who of [stranger, admin]) {
      expect((await who.get(page(deal))).status).toBe(404);
      expect((await postForm(who, page(deal), { form: "open" })).status).toBe(404);
    }
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      Origin: "https://elsewhere.example",
      "Sec-Fetch-Site": "cross-site",
    };
    const foreign = await deal.buyer.send("POST", page(deal), "form=open", headers);
    expect([foreign.status, found(foreign.text)]).toEqual([403, []]);
    const seller = await postForm(deal.seller, page(deal), { form: "open" });
    expect(await readToastAfter(deal.seller, seller)).toEqual([page(deal), "Only the buyer can do this"]);
    expect(await vaultOf(deal)).toMatchObject({ openedCount: 0 });
  });
});

test("the contents are in no table, no mail and no log line, before and after the end", async () => {
  const deal = await sealedDeal();
  expectStatus(await deal.buyer.post(api(deal, "/open")), 200);
  expectStatus(await deal.seller.post(api(deal), { ...secret, email: "not an address" }), 422);
  expectStatus(await deal.seller.post(api(deal), secret), 200);
  expectStatus(await postForm(deal.buyer, page(deal), { form: "open" }), 200);
  const client = openClient(server.databaseUrl, { max: 1 });
  try {
    const broken = await sealedDeal();
    await client`
      DELETE FROM escrow.vault_keys WHERE vault_id IN (SELECT id FROM escrow.vaults WHERE trade_id = ${broken.id})`;
    expect((await broken.buyer.post(api(broken, "/open"))).body.code).toBe("VAULT_UNREADABLE");
    for (const end of [false, true]) {
      if (end) {
        expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/cancel`), 200);
        const { body } = expectStatus(await deal.seller.get(`/api/transactions/${deal.id}`), 200);
        const { revision: vaultShown } = body.vault as { revision: string };
        expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/cancel`, { vaultShown }), 200);
      }
      const written = traces.flatMap((trace) => [
        trace,
        Buffer.from(trace).toString("hex"),
        Buffer.from(trace).toString("base64").replace(/=+$/, "").slice(0, -1),
      ]);
      const tables = await client<Array<{ name: string }>>`
        SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;
      expect(tables.map(({ name }) => name)).toContain("escrow.vault_keys");
      for (const { name } of tables) {
        const rows = await client.unsafe<Array<{ row: string }>>(`SELECT t::text AS row FROM ${name} AS t`);
        const all = rows.map(({ row }) => row).join("\n");
        expect([name, written.filter((trace) => all.includes(trace))]).toEqual([name, []]);
      }
      const log = server.output();
      expect(log).toContain("a vault record cannot be read");
      expect(written.filter((trace) => log.includes(trace))).toEqual([]);
    }
    const [left] = await client<Array<{ count: number }>>`
      SELECT count(*)::int AS count FROM escrow.vaults v
      LEFT JOIN escrow.vault_keys k ON k.vault_id = v.id
      WHERE v.trade_id = ${deal.id} AND (v.body IS NOT NULL OR k.key IS NOT NULL)`;
    expect(left?.count).toBe(0);
  } finally {
    await client.end();
  }
});
