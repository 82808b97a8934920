import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { db } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { errorOf, postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { useSharedServer } from "../support/server/use-shared-server.ts";
import {
  bankInfo,
  openDisputedTrade,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  requestPayment,
} from "../support/trades/server-trades.ts";
import { readTradeBalances } from "../support/trades/trade-books.ts";

/** What the page of a transaction lets an administrator decide about its money, and where it leads instead. */

setDefaultTimeout(60_000);

const { server, admin } = useSharedServer();

const page = paths.adminTransaction;
const say = (key: string, params = {}) => translateText("en", key, params);
const calls = ({ id }: { id: number }) => `/api/admin/transactions/${id}`;
const statusOf = async (deal: { id: number }) => {
  const { transaction } = expectStatus(await admin.get(calls(deal)), 200).body as unknown as {
    transaction: { status: string };
  };
  return transaction.status;
};

async function formsOn(id: number): Promise<string[]> {
  const { text: html } = expectStatus(await admin.get(page(id)), 200);
  const found = [...html.matchAll(/name="form" value="([^"]+)"/g)].map(([, form]) => form ?? "");
  return found.filter((form) => ["complete", "pay-seller", "cancel", "delete"].includes(form)).sort();
}

const press = async (id: number, fields: Record<string, string>) =>
  readToastAfter(admin, await postForm(admin, page(id), fields));

/** What a seller reads who asks for a payment in a room that has had its trade. */
async function askedAgain({ seller, roomId }: { seller: Client; roomId: number }): Promise<string> {
  const fields = { form: "create-trade", amount: "50000", goods: "account" };
  return visibleText(expectStatus(await postForm(seller, paths.room(roomId), fields), 409, 422).text);
}

describe("the page of a transaction", () => {
  test("with nothing held is closed or cancelled by a button, and not after money has arrived", async () => {
    const [unpaid, paid] = await Promise.all([requestPayment(server), openPaidTrade(server)]);
    expectStatus(await paid.seller.post(`/api/transactions/${paid.id}/bank-info`, bankInfo), 200, 201);
    expect(await formsOn(unpaid.id)).toEqual(["cancel", "complete"]);
    expect(await press(paid.id, { form: "complete" })).toEqual([page(paid.id), say("errors.MONEY_HELD")]);
    expect(await press(paid.id, { form: "cancel" })).toEqual([
      page(paid.id),
      say("errors.SUM_DIFFERS", { sum: 110_000 }),
    ]);
    expect(await statusOf(paid)).toBe("payment_confirmed");
    expect(await press(unpaid.id, { form: "complete" })).toEqual([
      page(unpaid.id),
      say("toast.admin.complete"),
    ]);
    expect(await press(unpaid.id, { form: "complete" })).toEqual([
      page(unpaid.id),
      say("toast.payout.already"),
    ]);
    expect(await formsOn(unpaid.id)).toContain("delete");
  });

  test("with money held shows each amount, and decides only with the right one typed", async () => {
    const deal = await openPaidTrade(server);
    expect(await formsOn(deal.id)).toEqual(["cancel"]);
    expect(visibleText(expectStatus(await admin.get(page(deal.id)), 200).text)).toContain(
      say("admin.decide.noAccount"),
    );
    expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/bank-info`, bankInfo), 200, 201);
    expect(await formsOn(deal.id)).toEqual(["cancel", "pay-seller"]);
    const words = visibleText(expectStatus(await admin.get(page(deal.id)), 200).text);
    expect(words).toContain(say("admin.completeAsk", { sum: "100,000 ₮" }));
    expect(words).toContain(say("admin.cancelAsk", { sum: "110,000 ₮" }));
    expect(words).toContain(say("admin.dispute.typeSeller", { sum: "100,000 ₮" }));
    expect(words).toContain(say("admin.dispute.typeBuyer", { sum: "110,000 ₮" }));
    const decide = (form: string, sum: string) => postForm(admin, page(deal.id), { form, sum });
    for (const form of ["pay-seller", "cancel"]) {
      expect(errorOf(expectStatus(await decide(form, ""), 422), `${form}-sum`)).toBe(
        say("validation.rulingSum"),
      );
      const sum = form === "cancel" ? 110_000 : 100_000;
      expect(errorOf(expectStatus(await decide(form, "5"), 422), form)).toBe(
        say("errors.SUM_DIFFERS", { sum }),
      );
    }
    expect(await statusOf(deal)).toBe("payment_confirmed");
    const stale = sql`UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes'`;
    await db().execute(stale);
    for (const [form, sum] of [
      ["pay-seller", "100,000"],
      ["cancel", "110,000"],
    ] as const) {
      const turned = expectStatus(await decide(form, sum), 403);
      expect(errorOf(turned, form)).toBe(say("errors.REAUTH_REQUIRED"));
      expect(turned.text).toContain(`value="${sum}"`);
    }
    expect((await admin.post(`${calls(deal)}/cancel`)).body.code).toBe("REAUTH_REQUIRED");
    await db().execute(sql`UPDATE identity.sessions SET authenticated_at = now()`);
    expect(await readToastAfter(admin, await decide("pay-seller", "100,000"))).toEqual([
      page(deal.id),
      say("toast.admin.pay-seller"),
    ]);
    expect(await statusOf(deal)).toBe("settlement_pending");
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      [`escrow:${deal.id}`]: 110_000,
    });
    const { text: html } = expectStatus(await admin.get(page(deal.id)), 200);
    expect(html).toContain(`href="${paths.adminPayout(await payoutOf(admin, deal))}"`);
    expect(await formsOn(deal.id)).toEqual(["cancel"]);
  });

  test("decides without either side's confirmation, and no page says that both gave it", async () => {
    const deal = await openPaidTrade(server);
    expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/bank-info`, bankInfo), 200, 201);
    expectStatus(await admin.post(`${calls(deal)}/pay-seller`, { sum: 100_000 }), 200);
    for (const side of ["buyer", "seller"] as const) {
      for (const path of [paths.room(deal.roomId), paths.transaction(deal.id)]) {
        const words = visibleText(expectStatus(await deal[side].get(path), 200).text);
        expect(words).toContain(say(`trade.banner.paying_out.${side}`));
        expect(words).not.toContain(say(`trade.banner.settlement_pending.${side}`));
        expect(words).not.toContain(say("trade.buyerFirst"));
        expect(words).not.toContain(say("confirmations.notYet"));
      }
    }
    const { body } = expectStatus(await deal.buyer.get(`/api/transactions/${deal.id}`), 200);
    expect(
      visibleText(
        expectStatus(await server.client().get(paths.verify(String(body.transactionCode))), 200).text,
      ),
    ).toContain(say("verify.state.paying"));
    expect(await askedAgain(deal)).toContain(say("trade.refused.payingOut"));
    expect(visibleText(expectStatus(await admin.get(page(deal.id)), 200).text)).toContain(
      say("line.to.paidOut"),
    );
  });

  test("has the agreed texts where both confirmed", async () => {
    const deal = await openSettlingTrade(server);
    const words = visibleText(expectStatus(await deal.buyer.get(paths.transaction(deal.id)), 200).text);
    expect(words).toContain(say("trade.banner.settlement_pending.buyer"));
    expect(await askedAgain(deal)).toContain(say("trade.refused.bothConfirmed"));
  });

  test("tells a buyer who confirmed first that this is recorded, not that the seller must confirm", async () => {
    const deal = await openPaidTrade(server);
    expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/bank-info`, bankInfo), 200, 201);
    expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/complete`), 200);
    expectStatus(await admin.post(`${calls(deal)}/pay-seller`, { sum: 100_000 }), 200);
    const again = expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/complete`), 200).body;
    expect(again.message).toBe(say("escrow.completionRecorded"));
  });

  test("links to the payout once it is due, and to the dispute while there is one", async () => {
    const [due, disputed] = await Promise.all([openSettlingTrade(server), openDisputedTrade(server)]);
    expect(await formsOn(due.id)).toEqual(["cancel"]);
    expect(visibleText(expectStatus(await admin.get(page(due.id)), 200).text)).toContain(
      say("admin.decide.due"),
    );
    expect(await formsOn(disputed.id)).toEqual([]);
    const { text: html } = expectStatus(await admin.get(page(disputed.id)), 200);
    expect(visibleText(html)).toContain(say("admin.decide.disputed"));
    expect(html).toContain(`href="${paths.adminDispute(disputed.id)}"`);
    for (const fields of [
      { form: "pay-seller", sum: "100000" },
      { form: "cancel", sum: "110000" },
    ]) {
      expect(await press(disputed.id, fields)).toEqual([page(disputed.id), say("errors.DISPUTE_NOT_TAKEN")]);
    }
    for (const call of ["complete", "cancel"]) {
      expect((await admin.post(`${calls(disputed)}/${call}`)).body.code).toBe("DISPUTE_NOT_TAKEN");
    }
    expect(await statusOf(disputed)).toBe("disputed");
  });
});

describe("POST /api/admin/transactions/{id}/pay-seller", () => {
  test("makes the net amount due, requires the amount, and is for administrators only", async () => {
    const deal = await openPaidTrade(server);
    const call = `${calls(deal)}/pay-seller`;
    expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/bank-info`, bankInfo), 200, 201);
    for (const who of [server.client(), deal.seller]) {
      expect([401, 403]).toContain((await who.post(call, { sum: 100_000 })).status);
    }
    expect((await admin.post(call, {})).status).toBe(422);
    const wrong = await admin.post(call, { sum: 1 });
    expect([wrong.status, wrong.body.code, wrong.body.message]).toEqual([
      422,
      "SUM_DIFFERS",
      say("errors.SUM_DIFFERS", { sum: 100_000 }),
    ]);
    const done = expectStatus(await admin.post(call, { sum: 100_000 }), 200).body;
    expect(done).toMatchObject({ success: true, transaction: { status: "settlement_pending" } });
    expectStatus(await postAsShown(admin, `${calls(deal)}/settle`, { bankReference: `PAY-${deal.id}` }), 200);
    expect(await readTradeBalances(deal.id)).toEqual({
      "provider:qpay": -110_000,
      bank: 100_000,
      fees: 10_000,
    });
  });
});
