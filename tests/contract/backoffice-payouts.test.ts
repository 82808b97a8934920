import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { supportedLanguages, translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { approveOnPage, readPayoutPage } from "../support/backoffice/payout-page.ts";
import { postAsShown, postFormAsShown } from "../support/backoffice/post-as-shown.ts";
import { errorOf, postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { plantGrant, setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  bankInfo,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  refundAccount,
  type ServerTrade,
} from "../support/trades/server-trades.ts";

/** The desk's work: the list of it, and a payout from due to done on its own page. */

setDefaultTimeout(60_000);

let server: Server;
let admin: Client;
let outsider: Person;
let deal: ServerTrade;
let payout: number;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  [deal, outsider] = await Promise.all([openSettlingTrade(server), registerPerson(server)]);
  payout = await payoutOf(admin, deal);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const act = (fields: Record<string, string>, id = payout) =>
  postFormAsShown(admin, paths.adminPayout(id), fields);
const page = async (id = payout) => expectStatus(await admin.get(paths.adminPayout(id)), 200).text;

describe("someone who is not an administrator", () => {
  test("sees no treasury page and changes nothing, even if they were one", async () => {
    const demoted = await registerPerson(server);
    const grant = (yes: boolean) => setRight(demoted.id, yes);
    await grant(true);
    expectStatus(await demoted.get(paths.adminPayouts), 200);
    await grant(false);
    const acting = [paths.admin, paths.adminPayout(payout), paths.adminByHand(deal.id)];
    for (const who of [server.client(), outsider, demoted]) {
      for (const path of [...acting, paths.adminPayouts, paths.adminReceipt(payout)]) {
        const reply = await who.get(path);
        expect([path, reply.status, reply.text]).toEqual([path, 303, ""]);
      }
      for (const path of acting) {
        const posted = await postFormAsShown(who, path, { form: "approve" });
        expect(posted.headers.get("location") ?? "").toStartWith(paths.adminLogin);
      }
    }
    expect(await page()).toContain('data-payout-state="due"');
  });
});

describe("the work queue", () => {
  test("has the payout with its deadline and amount, one link from its page, in both languages", async () => {
    for (const language of supportedLanguages) {
      const html = expectStatus(await admin.get(`${paths.admin}?lang=${language}`), 200).text;
      const said = visibleText(html);
      expect(said).toContain(translateText(language, "admin.work.title"));
      expect(said).toContain("100,000 ₮");
      expect(html).toContain(`href="${paths.adminPayout(payout)}"`);
      expect(html).toContain("data-countdown=");
    }
    expectStatus(await admin.get(`${paths.admin}?lang=en`), 200);
  });

  test("can show one kind alone, and says when there is none of it", async () => {
    const only = expectStatus(await admin.get(paths.adminWork("payout")), 200).text;
    expect(only.match(/data-task="(\w+)"/g)).toEqual(['data-task="payout"']);
    const none = visibleText(expectStatus(await admin.get(paths.adminWork("mail")), 200).text);
    expect(none).toContain(translateText("en", "admin.work.nothing"));
    expectStatus(await admin.get(`${paths.admin}?show=__proto__`), 200);
  });

  test("lets a failed mail be resolved in the list, which keeps its place", async () => {
    const [row] = await db().execute<{ id: string }>(sql`
      INSERT INTO mailer.messages (message_id, template, language, recipient, data, state, created_at, ended_at)
      VALUES ('<failed@example.mn>', 'welcome', 'en', 'bat@example.mn', '{}', 'failed', now(), now()) RETURNING id`);
    const list = paths.adminWork("mail");
    expect(expectStatus(await admin.get(list), 200).text).toContain('data-task="mail"');
    const task = { form: "settle-mail", task: String(row?.id) };
    expect(await readToastAfter(admin, await postFormAsShown(admin, list, task))).toEqual([
      list,
      translateText("en", "toast.work.settle-mail"),
    ]);
    expect(expectStatus(await admin.get(list), 200).text).not.toContain('data-task="mail"');
  });
});

describe("the charts", () => {
  test("are drawn by the server, with titles and descriptions, and the same data as a table", async () => {
    for (const by of ["day", "week"]) {
      const html = expectStatus(await admin.get(`${paths.admin}?by=${by}`), 200).text;
      expect(html.match(/<svg role="img" aria-labelledby="chart-/g)).toHaveLength(4);
      expect(html.match(/<desc id="chart-/g)).toHaveLength(4);
      expect(html.match(/<tr class="border-b border-line last:/g)).toHaveLength(by === "day" ? 30 : 12);
    }
  });
});

describe("a payout", () => {
  const account = [bankInfo.bankName, bankInfo.accountName, bankInfo.accountNumber];

  test("shows the amount, the bank, the name and the account, not yet to copy, and has no receipt", async () => {
    const html = visibleText(await page());
    for (const value of ["100,000 ₮", ...account]) expect(html).toContain(value);
    expect(await page()).not.toContain("data-copy=");
    expect((await admin.get(paths.adminReceipt(payout))).status).toBe(404);
    expect((await admin.get(paths.adminPayout(999_999))).status).toBe(404);
  });

  test("goes from approved to sent only with the bank reference and the typed amount", async () => {
    const early = await act({ form: "send", bankReference: "KHAN-1", sum: "100000" });
    expect((await readToastAfter(admin, early))[1]).toBe(translateText("en", "errors.PAYOUT_CONFLICT"));
    const { approve } = await readPayoutPage(admin, payout);
    expect(await readToastAfter(admin, await approve())).toEqual([
      paths.adminPayout(payout),
      translateText("en", "toast.payout.approve"),
    ]);
    expect((await readToastAfter(admin, await approve()))[1]).toBe(
      translateText("en", "toast.payout.already"),
    );
    for (const value of ["100000", ...account]) expect(await page()).toContain(`data-copy="${value}"`);
    expect(errorOf(await act({ form: "send", bankReference: "KHAN-1", sum: "" }), "send-sum")).toBe(
      translateText("en", "validation.sum"),
    );
    for (const sum of ["110,000", "10000", "1e5"]) {
      const refused = await act({ form: "send", bankReference: "KHAN-1", sum });
      expect(refused.status).toBe(422);
      expect(errorOf(refused, "send-sum")).not.toBeNull();
    }
    expect(errorOf(await act({ form: "send", bankReference: "", sum: "100000" }), "send-bankReference")).toBe(
      translateText("en", "validation.bankReference"),
    );
    expect(await page()).toContain('data-payout-state="approved"');
    expect(
      (await readToastAfter(admin, await act({ form: "send", bankReference: "KHAN-1", sum: "100,000" })))[1],
    ).toBe(translateText("en", "toast.payout.send"));
    expect(await page()).toContain('data-payout-state="sent"');
  });

  test("has a printable receipt once it is sent, and is done when it is on the statement", async () => {
    for (const language of supportedLanguages) {
      const receipt = visibleText(
        expectStatus(await admin.get(`${paths.adminReceipt(payout)}?lang=${language}`), 200).text,
      );
      expect(receipt).toContain("KHAN-1");
      expect(receipt).toContain("100,000 ₮");
      expect(receipt).toContain(bankInfo.accountNumber);
    }
    expectStatus(await admin.get(`${paths.adminPayouts}?lang=en`), 200);
    expect((await readToastAfter(admin, await act({ form: "done" })))[1]).toBe(
      translateText("en", "errors.FOUR_EYES_REQUIRED"),
    );
    expect(visibleText(await page())).toContain(translateText("en", "admin.payout.notBySender"));
    const other = await registerPerson(server);
    await setRight(other.id, true);
    const seen = await postFormAsShown(other, paths.adminPayout(payout), { form: "done" });
    expect((await readToastAfter(other, seen))[1]).toBe(translateText("en", "toast.payout.done"));
    expect(expectStatus(await admin.get(paths.adminPayoutsOf("done")), 200).text).toContain(
      `data-payout="${payout}"`,
    );
    expect(expectStatus(await admin.get(paths.adminPayouts), 200).text).not.toContain(
      `data-payout="${payout}"`,
    );
  });

  test("in doubt waits for the bank's answer; found not sent, a new one replaces it", async () => {
    const other = await openPaidTrade(server);
    expectStatus(await admin.post(`/api/admin/transactions/${other.id}/cancel`), 200);
    const refund = await payoutOf(admin, other);
    expect(visibleText(await page(refund))).toContain(translateText("en", "admin.payout.noDestination"));
    expectStatus(
      await other.buyer.post(`/api/transactions/${other.id}/refund-destination`, refundAccount),
      200,
      201,
    );
    expectStatus(await approveOnPage(admin, refund), 303);
    expect(errorOf(await act({ form: "unknown", reason: "" }, refund), "unknown-reason")).not.toBeNull();
    await act({ form: "unknown", reason: "The bank's page broke off" }, refund);
    expect(await page(refund)).toContain('data-payout-state="unknown"');
    const list = visibleText(expectStatus(await admin.get(paths.adminWork("refund")), 200).text);
    expect(list.split("check with the bank")).toHaveLength(2);
    const [to] = await readToastAfter(
      admin,
      await act({ form: "found-unsent", reason: "Not there" }, refund),
    );
    expect(to).not.toBe(paths.adminPayout(refund));
    expect(expectStatus(await admin.get(to ?? ""), 200).text).toContain('data-payout-state="due"');
    expect(visibleText(await page(refund))).toContain("Not there");
  });

  test("asks for a fresh sign-in before money moves, and returns", async () => {
    await db().execute(sql`UPDATE identity.sessions SET authenticated_at = now() - interval '1 hour'
      WHERE user_id = (SELECT id FROM identity.users WHERE username = 'admin')`);
    const asked = await approveOnPage(admin, await payoutOf(admin, await openSettlingTrade(server)));
    expect(asked.headers.get("location")).toStartWith(`${paths.adminLogin}?next=`);
    admin = await signInAdministrator(server);
  });
});

describe("an account corrected between viewing and submitting", () => {
  const other = "5099999999";
  const changed = translateText("en", "admin.payout.accountChanged");

  async function corrected() {
    const late = await openSettlingTrade(server);
    const id = await payoutOf(admin, late);
    const seen = await readPayoutPage(admin, id);
    const at = `/api/admin/transactions/${late.id}`;
    const { body } = expectStatus(await admin.get(at), 200);
    const [{ destinationDigest }] = body.payouts as [{ destinationDigest: string }];
    const account = { ...bankInfo, accountNumber: other };
    expectStatus(await late.seller.post(`/api/transactions/${late.id}/bank-info`, account), 200, 201);
    return { id, at, seen, destinationDigest };
  }

  test("is not approved by the page: it shows the new one, and only that can be approved", async () => {
    const { id, seen } = await corrected();
    expect(seen.html).not.toContain(other);
    expect(await readToastAfter(admin, await seen.approve())).toEqual([paths.adminPayout(id), changed]);
    expect((await readToastAfter(admin, await act({ form: "approve" }, id)))[1]).toBe(changed);
    const now = await readPayoutPage(admin, id);
    expect(now.html).toContain('data-payout-state="due"');
    expect(now.html).toContain(other);
    expect((await readToastAfter(admin, await now.approve()))[1]).toBe(
      translateText("en", "toast.payout.approve"),
    );
  });

  test("is neither approved nor settled by a call with the old account, nor by one without", async () => {
    const { id, at, destinationDigest } = await corrected();
    for (const [call, body] of [
      [`/api/admin/payouts/${id}/approve`, { destinationDigest }],
      [`${at}/settle`, { destinationDigest, bankReference: `SEEN-${id}` }],
    ] as const) {
      const refused = await admin.post(call, body);
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([
        ...[409, "PAYOUT_CONFLICT", changed],
      ]);
    }
    expect(await page(id)).toContain('data-payout-state="due"');
    for (const [call, body] of [
      [`/api/admin/payouts/${id}/approve`, {}],
      [`${at}/settle`, { bankReference: `SEEN-${id}` }],
    ] as const) {
      const refused = await admin.post(call, body);
      expect([refused.status, refused.body.code]).toEqual([422, "DESTINATION_DIGEST_REQUIRED"]);
    }
    // It was corrected just now: one approval is not enough, and nothing is paid for three hours.
    expectStatus(await postAsShown(admin, `/api/admin/payouts/${id}/approve`), 200);
    const html = await page(id);
    expect(html).toContain('data-payout-state="due"');
    expect(html).toContain('data-correction="same"');
    for (const said of [bankInfo.accountNumber, other]) expect(html).toContain(said);
  });
});

describe("a manual payment", () => {
  test("is entered by one administrator and confirmed by a second who enters the same", async () => {
    const second = await registerPerson(server);
    await setRight(second.id, true);
    const late = await openPaidTrade(server);
    const at = paths.adminByHand(late.id);
    const seen = { amount: "5,000", reference: "SLIP-77" };
    expect((await readToastAfter(admin, await postFormAsShown(admin, at, seen)))[1]).toBe(
      translateText("en", "escrow.handProposed"),
    );
    const html = expectStatus(await second.get(at), 200).text;
    const list = expectStatus(await second.get(paths.adminWork("byHand")), 200).text;
    expect(list).toContain(`href="${at}"`);
    const log = expectStatus(
      await second.get(`${paths.adminActivityLogs}?action=transaction.propose_by_hand`),
      200,
    ).text;
    expect(log).toContain("propose_by_hand");
    const queue = expectStatus(await second.get("/api/admin/queue"), 200).text;
    for (const said of [html, list, log, queue].map(visibleText)) {
      expect(said).not.toContain("SLIP-77");
      expect(said).not.toMatch(/\b5,?000\b/);
    }
    expect((await postFormAsShown(second, at, { ...seen, amount: "6000" })).status).toBe(409);
    const confirmed = await postFormAsShown(second, at, seen);
    expect((await readToastAfter(second, confirmed))[1]).toBe(translateText("en", "escrow.handConfirmed"));
  });

  test("is not offered to an administrator whom its proposer has just appointed, with the reason", async () => {
    const { id } = await openPaidTrade(server);
    expectStatus(
      await admin.post(`/api/admin/transactions/${id}/confirm-payment`, { amount: 1, reference: `T-${id}` }),
      200,
    );
    const made = await registerPerson(server);
    await setRight(made.id, true);
    await plantGrant(made.id);
    for (const language of supportedLanguages) {
      const html = expectStatus(await made.get(`${paths.adminByHand(id)}?lang=${language}`), 200).text;
      expect(visibleText(html)).toContain(translateText(language, "errors.FOUR_EYES_RELATED"));
      expect(html).not.toContain('name="reference"');
      const list = expectStatus(await made.get(`${paths.adminWork("byHand")}&lang=${language}`), 200).text;
      expect(visibleText(list)).toContain(translateText(language, "admin.work.cannot.FOUR_EYES_RELATED"));
    }
    expect(expectStatus(await admin.get(paths.adminByHand(id)), 200).text).toContain('name="reference"');
  });

  test("is discarded with a reason, by its page or its call, and may be entered again", async () => {
    const { id } = await openPaidTrade(server);
    const at = paths.adminByHand(id);
    const call = `/api/admin/transactions/${id}/confirm-payment`;
    const slip = { amount: 5_000, reference: `SLIP-${id}` };
    const proposed = async () => {
      expectStatus(await admin.post(call, slip), 200);
      const { byHand } = expectStatus(await admin.get(`/api/admin/transactions/${id}`), 200)
        .body as unknown as {
        byHand: { open: { id: number } | null };
      };
      return String(byHand.open?.id);
    };
    const proposal = await proposed();
    expect((await postFormAsShown(admin, at, { form: "lay-aside", proposal, reason: " " })).status).toBe(422);
    const aside = { form: "lay-aside", proposal, reason: "Another trade's slip" };
    expect((await readToastAfter(admin, await postFormAsShown(admin, at, aside)))[1]).toBe(
      translateText("en", "escrow.handLaidAside"),
    );
    const html = expectStatus(await admin.get(at), 200).text;
    expect(visibleText(html)).toContain("Another trade's slip");
    expect(html).not.toContain('value="lay-aside"');
    expect(expectStatus(await admin.get(paths.adminWork("byHand")), 200).text).not.toContain(`href="${at}"`);
    const again = { proposal: Number(await proposed()), reason: "Not there after all" };
    expectStatus(await admin.post(`${call}/lay-aside`, again), 200);
    expect((await outsider.post(`${call}/lay-aside`, again)).status).toBe(403);
  });

  test("entered at another transaction is refused with that one's code, by the page and by the call", async () => {
    const [there, here] = [await openPaidTrade(server), await openPaidTrade(server)];
    const slip = { amount: 5_000, reference: `SLIP-${there.id}` };
    expectStatus(await admin.post(`/api/admin/transactions/${there.id}/confirm-payment`, slip), 200);
    const { transaction } = expectStatus(await admin.get(`/api/admin/transactions/${there.id}`), 200)
      .body as unknown as {
      transaction: { transactionCode: string };
    };
    const params = { code: transaction.transactionCode };
    const said = translateText("en", "admin.byHandPage.slipEntered", params);
    const called = await admin.post(`/api/admin/transactions/${here.id}/confirm-payment`, slip);
    expect(expectStatus(called, 409).body).toMatchObject({ code: "BANK_REFERENCE_USED", message: said });
    const fields = { amount: "5000", reference: slip.reference };
    const posted = await postFormAsShown(admin, paths.adminByHand(here.id), fields);
    expect(errorOf(expectStatus(posted, 409), "by-hand")).toBe(said);
  });
});

test("if there are more items of a kind than are read, the list says so, and shows no wrong number", async () => {
  await db().execute(sql`
    INSERT INTO mailer.messages (message_id, template, language, recipient, data, state, created_at, ended_at)
    SELECT gen_random_uuid()::text, 'welcome', 'en', 'bat@example.mn', '{}', 'failed', now(), now()
    FROM generate_series(1, 101)`);
  const list = visibleText(expectStatus(await admin.get(paths.adminWork("mail")), 200).text);
  expect(list).toMatch(/Email not sent\s*100\+/);
  expect(list).toMatch(/All\s*\d{3}\+/);
  expect(list).toContain("More than 50 more after these");
  await db().execute(sql`UPDATE mailer.messages SET dealt_at = now(), dealt_by = 1
    WHERE id = (SELECT max(id) FROM mailer.messages WHERE state = 'failed')`);
  const exactly = visibleText(expectStatus(await admin.get(paths.adminWork("mail")), 200).text);
  expect(exactly).toMatch(/Email not sent\s*100(?!\+)/);
  expect(exactly).toContain("50 more after these");
  expect(exactly).not.toContain("More than");
});

describe("a payout of a trade on hold", () => {
  test("shows this with its reasons at the top, and offers no step that is refused", async () => {
    const held = await openSettlingTrade(server);
    const id = await payoutOf(admin, held);
    const report = { form: "report", reason: "Two victims name this account" };
    const approve = '<input type="hidden" name="form" value="approve"';
    expect(await page(id)).toContain(approve);
    expectStatus(await postForm(admin, paths.adminHolds(held.id), report), 303);
    const html = await page(id);
    expect(visibleText(html)).toContain("Transaction on hold");
    expect(visibleText(html)).toContain("suspected fraud");
    expect(html).toContain(`href="${paths.adminHolds(held.id)}"`);
    expect(visibleText(html)).toContain("The transaction is on hold: nothing can be approved or sent.");
    expect(html).not.toContain(approve);
  });

  test("approved before tells its maker what to do if it was sent", async () => {
    const held = await openSettlingTrade(server);
    const id = await payoutOf(admin, held);
    await approveOnPage(admin, id);
    expect(await page(id)).toContain('name="form" value="send"');
    const report = { form: "report", reason: "Two victims name this account" };
    expectStatus(await postForm(admin, paths.adminHolds(held.id), report), 303);
    const html = await page(id);
    expect(visibleText(html)).toContain(
      "Don't send it now. If you have already sent it, record it as in doubt",
    );
    expect(html).not.toContain('name="form" value="send"');
    expect(html).toContain('name="form" value="unknown"');
  });
});
