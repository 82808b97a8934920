import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { expectMatch } from "../support/expect-match.ts";
import { postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Reply } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import {
  bankInfo,
  buyerContact,
  openPaidTrade,
  payAt,
  payoutOf,
  readDisputeTime,
  requestPayment,
  type ServerTrade,
  untilStatus,
} from "../support/trades/server-trades.ts";

// What buyer and seller are told and offered, by pages that no script has touched and by the API: never more than is true.

setDefaultTimeout(60_000);

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
});

afterAll(() => disconnectDatabase());

const room = ({ roomId }: Pick<ServerTrade, "roomId">) => `/chat/${roomId}`;
const call = ({ id }: ServerTrade, path = "") => `/api/transactions/${id}${path}`;
const formsOf = (page: Reply) =>
  [...page.text.matchAll(/<input type="hidden" name="form" value="([\w-]+)"/g)].map(([, form]) => form);
/** The button of a form, with its classes: the filled one is the main thing to do. */
const buttonOf = (page: Reply, form: string) =>
  new RegExp(
    `<form[^>]*>(?:<input type="hidden" name="shownTo"[^>]*>)?<input type="hidden" name="form" value="${form}".*?</form>`,
    "s",
  ).exec(page.text)?.[0] ?? "";

async function say(who: Person, deal: ServerTrade, form: string, fields: Record<string, string> = {}) {
  return (await readToastAfter(who, await postForm(who, room(deal), { form, ...fields })))[1];
}

/** Does something to both pages of both people. */
async function pagesOf(deal: ServerTrade): Promise<Reply[]> {
  const paths = [room(deal), `/transactions/${deal.id}`, `${room(deal)}/panel`];
  return Promise.all(
    [deal.buyer, deal.seller].flatMap((who) =>
      paths.map(async (path) => expectStatus(await who.get(path), 200)),
    ),
  );
}

describe("a completion before any handover", () => {
  test("is a separate step for the buyer, explained with its consequence, and recorded", async () => {
    const deal = await openPaidTrade(server);
    const before = expectStatus(await deal.buyer.get(room(deal)), 200);
    expect(formsOf(before)).not.toContain("confirm");
    expect(formsOf(before)).toContain("confirm-otherwise");
    expect(buttonOf(before, "confirm-otherwise")).not.toContain(" bg-brand ");
    expect(visibleText(buttonOf(before, "confirm-otherwise"))).toContain("No handover is recorded.");
    expect(await say(deal.buyer, deal, "confirm")).toBe(
      "The seller hasn't recorded the handover yet. Midman holds the money until you confirm.",
    );
    expect(await say(deal.buyer, deal, "confirm-otherwise")).toContain("waiting for other party to confirm");
    const kept = expectStatus(await deal.seller.get(call(deal)), 200).body;
    expect(kept).toMatchObject({ status: "exchange_completed", handedOverAt: null });
    expect(kept.receivedOtherwiseAt).toBeString();
    for (const page of await pagesOf(deal)) {
      expect(visibleText(page.text)).toContain("without a recorded handover: received another way");
      expect(visibleText(page.text)).not.toMatch(/Handover\s+\(done\)/);
    }
    // The seller may still hand over, in the vault or otherwise.
    const theirs = expectStatus(await deal.seller.get(room(deal)), 200);
    expect(formsOf(theirs)).toContain("hand-over");
    expect(visibleText(theirs.text)).toContain("You can still hand over here until the transaction ends");
    expectStatus(await deal.seller.post(call(deal, "/vault"), { login: "late-login" }), 200);
    expect(expectStatus(await deal.buyer.post(call(deal, "/vault/open")), 200).body.values).toEqual({
      login: "late-login",
    });
    const line = visibleText(expectStatus(await deal.buyer.get(room(deal)), 200).text);
    expect(line).toMatch(/Handover\s+\(done\)/);
  });

  test("by the call without a body is accepted and recorded the same way", async () => {
    const deal = await openPaidTrade(server);
    const done = expectStatus(await deal.buyer.post(call(deal, "/complete")), 200).body;
    expectMatch(done.transaction, {
      ...{ status: "exchange_completed", handedOverAt: null, receivedOtherwiseAt: expect.any(String) },
    });
  });

  test("after a handover is the one primary button, and nothing counts as received another way", async () => {
    const deal = await openPaidTrade(server);
    expectStatus(await deal.seller.post(call(deal, "/hand-over"), { note: "In the game" }), 200);
    const page = expectStatus(await deal.buyer.get(room(deal)), 200);
    expect(formsOf(page)).toContain("confirm");
    expect(formsOf(page)).not.toContain("confirm-otherwise");
    expect(await say(deal.buyer, deal, "confirm")).toContain("waiting for other party to confirm");
    expect(expectStatus(await deal.buyer.get(call(deal)), 200).body.receivedOtherwiseAt).toBeNull();
  });
});

describe("the QR code", () => {
  test("appears for both with the seller's request, which says that the payment deadline starts", async () => {
    const pair = await makeRoomPair(server);
    const asked = { amount: "100000", feePayer: "buyer", goods: "account", description: "Level 60" };
    const typed = { form: "create-trade", ...asked };
    const review = expectStatus(await postForm(pair.seller, room(pair), typed), 200);
    expect(visibleText(review.text)).toContain("The QR code appears for both of you right away");
    const made = await postForm(pair.seller, room(pair), { ...typed, confirmed: "1" });
    expect((await readToastAfter(pair.seller, made))[1]).toBe("Payment request sent");
    for (const who of [pair.seller, pair.buyer]) {
      const page = expectStatus(await who.get(room(pair)), 200);
      expect(page.text).toContain("data-qr");
      expect(formsOf(page).includes("new-invoice")).toBe(who === pair.buyer);
      expect(formsOf(page)).not.toContain("invoice");
    }
    const [deal] = expectStatus(
      await pair.buyer.get(`/api/chat/rooms/${pair.roomId}/transactions`),
      200,
    ).list;
    expect(deal).toMatchObject({ status: "payment_initiated" });
  });

  test("comes with the request as the seller last reviewed it: an emptied description is removed, a call that leaves it out keeps it", async () => {
    const pair = await makeRoomPair(server);
    const first = { chatRoomId: pair.roomId, amount: 100_000, description: "Account, level 60" };
    const { id } = expectStatus(await pair.seller.post("/api/transactions", first), 201).body;
    const deal = { ...pair, id, invoiceId: "" };
    const described = async () =>
      expectStatus(await deal.buyer.get(call(deal)), 200).body.description as string | null;
    expectStatus(await deal.seller.post(call(deal, "/amend"), { description: "Level 60" }), 200);
    expectStatus(await deal.seller.post(call(deal, "/amend"), { amount: 90_000 }), 200);
    expect(await described()).toBe("Level 60");
    const form = { form: "amend", amount: "100 мянга", feePayer: "buyer", goods: "key", description: "" };
    expectStatus(await postForm(deal.seller, room(deal), form), 200);
    expectStatus(await postForm(deal.seller, room(deal), { ...form, confirmed: "1" }), 303);
    expect(await described()).toBeNull();
    // The QR code is for this item: only its price can be corrected from now on.
    expectStatus(await deal.buyer.post("/api/qpay/invoices", { transactionId: id }), 200);
    const late = await deal.seller.post(call(deal, "/amend"), { description: "Level 70" });
    expect([late.status, late.body.code]).toEqual([409, "GOODS_FIXED"]);
    const page = expectStatus(await deal.seller.get(room(deal)), 200);
    expect(visibleText(page.text)).toContain("The item can't be changed once a QR code was created.");
  });

  test("is renewed by the buyer, after a question; the seller is refused by page and API, and sees the live one", async () => {
    const deal = await requestPayment(server);
    const refused = (reply: Reply) => [reply.status, reply.body.code];
    for (const path of ["/api/qpay/invoices", "/api/qpay/create-payment"]) {
      expect(refused(await deal.seller.post(path, { transactionId: deal.id, fresh: true }))).toEqual([
        403,
        "BUYER_ONLY",
      ]);
      expectStatus(await deal.seller.post(path, { transactionId: deal.id }), 200);
    }
    expect(expectStatus(await deal.seller.post(call(deal, "/payment")), 200).body.invoiceId).toBe(
      deal.invoiceId,
    );
    expect(await say(deal.seller, deal, "new-invoice")).toBe("Only the buyer can do this");
    expect(expectStatus(await deal.buyer.get(call(deal)), 200).body.invoiceId).toBe(deal.invoiceId);
    const amended = await requestPayment(server);
    expectStatus(await amended.seller.post(call(amended, "/amend"), { amount: 50_000 }), 200);
    expect(refused(await amended.seller.post(call(amended, "/payment")))).toEqual([403, "BUYER_ONLY"]);
    const page = expectStatus(await deal.buyer.get(room(deal)), 200);
    expect(visibleText(buttonOf(page, "new-invoice"))).toContain("Have you already paid with this QR code?");
    expect(await say(deal.buyer, deal, "new-invoice")).toBe("A new QR code is ready");
    expect(expectStatus(await deal.buyer.get(call(deal)), 200).body.invoiceId).not.toBe(deal.invoiceId);
  });

  test("of a request can be created once by the seller's call, as programs do", async () => {
    const pair = await makeRoomPair(server);
    const { id } = expectStatus(
      await pair.seller.post("/api/transactions", { chatRoomId: pair.roomId, amount: 50_000 }),
      201,
    ).body;
    const made = expectStatus(
      await pair.seller.post("/api/qpay/create-payment", { transactionId: id }),
      200,
    ).body;
    expect(made.qrImageUrl).toStartWith("/qr/");
    expect(
      expectStatus(await pair.seller.post("/api/qpay/invoices", { transactionId: id }), 200).body.qrImageUrl,
    ).toBe(made.qrImageUrl);
  });
});

describe("a payment that needs a check", () => {
  test.each([
    ["in another currency", { amount: 110_000, currency: "USD" }],
    ["of a fraction", { amount: 110_000.5 }],
  ])("%s says so and to pay nothing again, and offers no QR code", async (_, paid) => {
    const deal = await requestPayment(server);
    await payAt(deal.buyer, deal.invoiceId, { callback: false, ...paid });
    const words = "We are checking your payment. Don't pay again.";
    expect(expectStatus(await deal.buyer.post(call(deal, "/verify")), 200).body).toMatchObject({
      ...{ success: false, finding: "held_for_checking", message: words },
    });
    expect(expectStatus(await deal.buyer.post(call(deal, "/mark-paid")), 200).body).toMatchObject({
      ...{ finding: "held_for_checking", message: words },
    });
    expect(await say(deal.buyer, deal, "verify")).toBe(words);
    for (const page of await pagesOf(deal)) {
      expect(visibleText(page.text)).toContain("Midman is checking the payment.");
      expect(visibleText(page.text)).toMatch(/Don't (?:pay again|hand anything over) while Midman checks\./);
      for (const form of ["invoice", "new-invoice", "mark-paid"]) expect(formsOf(page)).not.toContain(form);
      expect(page.text).not.toContain("data-qr=");
      expect(page.text).not.toContain("<img data-qr");
      // Midman asks by itself, and there is no time that runs for anybody to pay in.
      expect(formsOf(page)).not.toContain("verify");
      expect(page.text).not.toContain('data-clock="payment_window"');
    }
    expect(expectStatus(await deal.seller.get(call(deal)), 200).body.heldForChecking).toBe(true);
  });

  test("although confirmed before asks nobody to hand over meanwhile", async () => {
    const deal = await openPaidTrade(server);
    const admin = await signInAdministrator(server);
    const before = visibleText(expectStatus(await deal.seller.get(room(deal)), 200).text);
    expect(before).toContain("Your turn: hand over the item.");
    expect(before).toContain("A screenshot isn't proof of payment");
    const report = { form: "report", reason: "Two victims name this account" };
    expectStatus(await postForm(admin, `/admin/transactions/${deal.id}/holds`, report), 303);
    for (const page of await pagesOf(deal)) {
      const said = visibleText(page.text);
      expect(said).not.toContain("turn: hand over.");
      expect(said).not.toContain("A screenshot isn't proof of payment");
      expect(page.text).not.toContain('data-clock="hand_over"');
      expect(page.text).not.toContain(`href="${room(deal)}/vault"`);
    }
    const [theirs, others] = await Promise.all([deal.seller.get(room(deal)), deal.buyer.get(room(deal))]);
    for (const { text } of [theirs, others]) {
      expect(visibleText(text)).toContain(
        "Midman is checking this transaction. Don't pay or hand anything over for now.",
      );
      expect(visibleText(text)).toContain("An administrator is looking at it.");
      expect(visibleText(text)).not.toMatch(/checking (the|your) payment/);
    }
    // What has changed hands already may still be recorded.
    expect(await say(deal.seller, deal, "hand-over")).toBe("Handover recorded");
  });

  test("that arrived after the end says that it is refunded, and that nothing is to be paid", async () => {
    const deal = await requestPayment(server);
    expectStatus(await deal.seller.post(call(deal, "/withdraw")), 200);
    expect(expectStatus(await deal.buyer.post(call(deal, "/verify")), 200).body).toMatchObject({
      ...{
        success: false,
        finding: "ended",
        message: "The transaction has ended and no payment arrived. Don't pay.",
      },
    });
    await payAt(deal.buyer, deal.invoiceId, { callback: false });
    const late = "The transaction has ended. Midman refunds 110,000 ₮ to the buyer. Don't pay again.";
    expect(expectStatus(await deal.buyer.post(call(deal, "/verify")), 200).body).toMatchObject({
      ...{ success: false, finding: "refunding", message: late, status: "cancelled" },
    });
    expect(await say(deal.buyer, deal, "verify")).toBe(late);
  });
});

describe("the notice that allows the handover", () => {
  const big = /data-notice="paymentConfirmed"[^>]*border-2/;

  test("is struck out for both on both pages once the trade is cancelled or disputed, and valid again after", async () => {
    const deal = await openPaidTrade(server);
    const conversations = async () =>
      (await pagesOf(deal)).filter(({ text }) => text.includes('data-notice="paymentConfirmed"'));
    for (const { text } of await conversations()) expect(text).toMatch(big);
    expectStatus(await deal.buyer.post(call(deal, "/dispute"), { reason: "It does not work" }), 200);
    for (const { text } of await conversations()) {
      expect(text).not.toMatch(big);
      expect(text).toContain('data-superseded="disputed"');
    }
    const shown = { openedAt: await readDisputeTime(deal) };
    expectStatus(await deal.buyer.post(call(deal, "/dispute/withdraw"), shown), 200);
    for (const { text } of await conversations()) expect(text).toMatch(big);
    expectStatus(await deal.buyer.post(call(deal, "/cancel")), 200);
    expectStatus(await deal.seller.post(call(deal, "/cancel")), 200);
    const after = await conversations();
    expect(after).toHaveLength(4);
    for (const { text } of after) {
      expect(text).not.toMatch(big);
      expect(text).toContain('data-superseded="cancelled"');
    }
    const sayings = await Promise.all(
      [deal.buyer, deal.seller].map(async (who) => visibleText((await who.get(room(deal))).text)),
    );
    expect(sayings[0]).toContain("The transaction was cancelled, so this payment is refunded to you.");
    expect(sayings[1]).toContain(
      "This no longer applies: the transaction was cancelled. Don't hand anything over.",
    );
    for (const who of [deal.buyer, deal.seller]) {
      expect((await who.get(`${room(deal)}/panel`)).text).toContain('data-hand-over="cancelled"');
    }
  });
});

describe("information", () => {
  test("is confirmed by a form that names what was read, and only if there is some", async () => {
    const deal = await openPaidTrade(server);
    const early = await deal.buyer.post(call(deal, "/info-exchange/confirm"));
    expect([early.status, early.body.code]).toEqual([409, "INFO_NOT_SHARED"]);
    expect(formsOf(expectStatus(await deal.buyer.get(room(deal)), 200))).not.toContain("confirm-info");
    expectStatus(await deal.seller.post(call(deal, "/bank-info"), bankInfo), 200);
    expectStatus(await deal.buyer.post(call(deal, "/bank-info"), buyerContact), 200);
    const page = expectStatus(await deal.buyer.get(room(deal)), 200);
    const version = /name="version" value="(\d+)"/.exec(buttonOf(page, "confirm-info"))?.[1] ?? "";
    expect(version).toBe("1");
    expectStatus(await deal.seller.post(call(deal, "/info-exchange"), { info: "Another login" }), 200);
    const stale = await deal.buyer.post(call(deal, "/info-exchange/confirm"), { version: 1 });
    expect([stale.status, stale.body.code]).toEqual([409, "INFO_CHANGED"]);
    const posted = await postForm(deal.buyer, room(deal), { form: "confirm-info", version });
    expect(posted.status).toBe(409);
    expect(visibleText(posted.text)).toContain("The other person changed their details.");
    expectStatus(await postForm(deal.buyer, room(deal), { form: "confirm-info", version: "2" }), 303);
    expectStatus(await deal.seller.post(call(deal, "/info-exchange/confirm")), 200);
    const both = expectStatus(await deal.seller.get(call(deal, "/info-exchange")), 200).body;
    expect(both).toMatchObject({ buyerConfirmed: true, sellerConfirmed: true });
    expectStatus(await deal.seller.post(call(deal, "/info-exchange"), { info: "And one more thing" }), 200);
    const fallen = expectStatus(await deal.buyer.get(call(deal, "/info-exchange")), 200).body;
    expect(fallen).toMatchObject({ buyerConfirmed: false, sellerConfirmed: true });
  });
});

describe("a dispute", () => {
  test("is the accused's turn with the deadline of their statement, on page and list, until they have explained it", async () => {
    const deal = await openPaidTrade(server);
    expectStatus(await deal.buyer.post(call(deal, "/dispute"), { reason: "It does not work" }), 200);
    const first = (page: Reply) => /<span data-clock="(\w+)"/.exec(page.text)?.[1];
    const theirs = expectStatus(await deal.seller.get(room(deal)), 200);
    expect(visibleText(theirs.text)).toContain(
      "Your turn: explain what happened. After that Midman decides.",
    );
    expect(first(theirs)).toBe("dispute_statements");
    expect(visibleText(expectStatus(await deal.buyer.get(room(deal)), 200).text)).toContain(
      "The seller's turn: explain what happened.",
    );
    expect(visibleText(expectStatus(await deal.seller.get(`/transactions/${deal.id}`), 200).text)).toContain(
      "Your turn: explain what happened.",
    );
    expect(visibleText(expectStatus(await deal.seller.get("/chat"), 200).text)).toContain(
      "Your turn: explain",
    );
    expectStatus(await deal.seller.post(call(deal, "/dispute/statement"), { reason: "It does" }), 200);
    const after = expectStatus(await deal.seller.get(room(deal)), 200);
    expect(visibleText(after.text)).toContain("Midman's turn: decide the dispute.");
    expect(first(after)).toBe("dispute_ruling");
  });
});

test("a request to cancel a trade that is checked promises no answer before the check ends", async () => {
  const deal = await openPaidTrade(server);
  const admin = await signInAdministrator(server);
  expectStatus(
    await admin.post(`/api/admin/transactions/${deal.id}/hold`, { reason: "The account was sold twice" }),
    200,
  );
  const shownTo = async (who: Person) =>
    visibleText(expectStatus(await who.get(`${room(deal)}/trade`), 200).text);
  const asks = visibleText(
    buttonOf(expectStatus(await deal.buyer.get(`${room(deal)}/trade`), 200), "cancel"),
  );
  expect(asks).toContain("The other person can agree only once the check is finished.");
  expect(asks).not.toContain("If you both agree");
  expectStatus(await deal.buyer.post(call(deal, "/cancel"), { agreesTo: null }), 200);
  expect(await shownTo(deal.buyer)).toContain("can agree only once Midman's check is finished.");
  expect(await shownTo(deal.seller)).toContain("You can agree once the check is finished.");
  expect(formsOf(expectStatus(await deal.seller.get(`${room(deal)}/trade`), 200))).not.toContain(
    "agree-cancel",
  );
});

describe("a payout that did not arrive", () => {
  test("after completion is shown on both pages and in the room", async () => {
    const admin = await signInAdministrator(server);
    const deal = await openPaidTrade(server);
    expectStatus(await deal.seller.post(call(deal, "/bank-info"), bankInfo), 200);
    expectStatus(await deal.seller.post(call(deal, "/hand-over"), {}), 200);
    expectStatus(await deal.buyer.post(call(deal, "/complete")), 200);
    expectStatus(await deal.seller.post(call(deal, "/complete")), 200);
    const settle = `/api/admin/transactions/${deal.id}/settle`;
    expectStatus(await postAsShown(admin, settle, { bankReference: `N-${deal.id}` }), 200);
    await untilStatus(deal, "completed");
    for (const page of await pagesOf(deal))
      expect(visibleText(page.text)).toMatch(/Transaction completed\. Midman has paid (?:you|the seller)\./);
    const payout = `/api/admin/payouts/${await payoutOf(admin, deal)}`;
    expectStatus(await admin.post(`${payout}/unknown`, { reason: "The seller asks" }), 200);
    const second = await registerPerson(server);
    await setRight(second.id, true);
    expectStatus(
      await second.post(`${payout}/resolve`, { outcome: "not_sent", reason: "It came back" }),
      200,
    );
    for (const page of await pagesOf(deal)) {
      expect(visibleText(page.text)).toContain("A transfer didn't arrive. Midman will send it again.");
      expect(visibleText(page.text)).toContain("Midman's turn: make the transfer again.");
      expect(visibleText(page.text)).not.toContain("Transaction completed. Midman has paid");
    }
    expect(expectStatus(await deal.seller.get(room(deal)), 200).text).toContain(
      'data-notice="payoutNotArrived"',
    );
  });
});
