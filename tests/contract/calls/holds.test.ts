import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { setRight } from "../../support/people/administrator-rights.ts";
import { threeAdministrators } from "../../support/people/administrators.ts";
import { expectStatus, type Person } from "../../support/people/registered-people.ts";
import type { Client } from "../../support/server/http-client.ts";
import { type Server, startServer } from "../../support/server/midman-server.ts";
import {
  openDisputedTrade,
  openPaidTrade,
  openSettlingTrade,
  payAt,
  payoutOf,
  requestPayment,
  type ServerTrade,
} from "../../support/trades/server-trades.ts";

/** A trade's hold over the API: every call that it refuses, and how it is resolved. */

setDefaultTimeout(120_000);

let server: Server;
let first: Client;
let second: Person;
let related: Person;

beforeAll(async () => {
  // Above this a transfer takes a second administrator, so that an approved one is claimed by nobody.
  server = await startServer({ environment: { PAYOUT_FOUR_EYES_ABOVE: "1000" } });
  connectDatabase(server.databaseUrl);
  ({ first, second, related } = await threeAdministrators(server));
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const at = ({ id }: ServerTrade) => `/api/transactions/${id}`;
const asAdmin = ({ id }: ServerTrade) => `/api/admin/transactions/${id}`;

type View = { id: number; reason: string; closed: object | null; facts: Record<string, unknown> };
async function openHold(deal: ServerTrade): Promise<View> {
  const { holds } = expectStatus(await first.get(`${asAdmin(deal)}/holds`), 200).body as unknown as {
    holds: View[];
  };
  const open = holds.find(({ closed }) => closed === null);
  if (open === undefined) throw new Error("nothing holds it");
  return open;
}

/** An administrator suspects fraud. */
async function putOnHold(deal: ServerTrade): Promise<void> {
  expectStatus(await first.post(`${asAdmin(deal)}/hold`, { reason: "The account was sold twice" }), 200);
}

async function expectHeld(reply: ReturnType<Client["post"]>, told: "reasons" | "no reasons"): Promise<void> {
  const { status, body } = await reply;
  expect([status, body.code]).toEqual([409, "TRADE_ON_HOLD"]);
  // Its sides are told that the payment is being checked, and no more.
  expect(body.reasons).toEqual(told === "reasons" ? ["FRAUD_REPORT"] : undefined);
}

/** A digest that a page of the back office shows beside the account. */
async function digestOf(deal: ServerTrade): Promise<string | undefined> {
  const { body } = expectStatus(await first.get(asAdmin(deal)), 200);
  return (body.payouts as Array<{ destinationDigest: string }>).at(-1)?.destinationDigest;
}

describe("a trade on hold", () => {
  test("is neither requested again nor ended while it is unpaid", async () => {
    const deal = await requestPayment(server);
    await putOnHold(deal);
    const invoice = { transactionId: deal.id, fresh: true };
    await expectHeld(deal.buyer.post("/api/qpay/invoices", invoice), "no reasons");
    await expectHeld(deal.buyer.post("/api/qpay/create-payment", invoice), "no reasons");
    await expectHeld(deal.seller.patch(at(deal), { amount: 90_000 }), "no reasons");
    await expectHeld(deal.seller.post(`${at(deal)}/amend`, { amount: 90_000 }), "no reasons");
    await expectHeld(deal.seller.post(`${at(deal)}/withdraw`), "no reasons");
    await expectHeld(first.post(`${asAdmin(deal)}/cancel`), "reasons");
    await expectHeld(first.post(`${asAdmin(deal)}/complete`), "reasons");
    expect(expectStatus(await deal.buyer.get(at(deal)), 200).body.onHold).toBe(true);
  });

  test("gets no QR code if its payment window has passed without one", async () => {
    const deal = await requestPayment(server);
    await putOnHold(deal);
    await db().execute(
      sql`UPDATE payments.invoices SET expires_at = created_at + interval '1 second' WHERE reference = ${deal.id}`,
    );
    await Bun.sleep(1_100);
    await expectHeld(deal.buyer.post(`${at(deal)}/payment`), "no reasons");
  });

  test("is not cancelled by both, ruled for its buyer, or completed", async () => {
    const [paid, disputed] = [await openPaidTrade(server), await openDisputedTrade(server)];
    await Promise.all([putOnHold(paid), putOnHold(disputed)]);
    expectStatus(await paid.buyer.post(`${at(paid)}/cancel`), 200);
    await expectHeld(paid.seller.post(`${at(paid)}/cancel`), "no reasons");
    expectStatus(await first.post(`${asAdmin(disputed)}/dispute/take`), 200);
    await expectHeld(first.post(`${asAdmin(disputed)}/rule/preview`, { ruling: "refund" }), "reasons");
    const ruling = { ruling: "refund", reason: "It is broken", sum: 110_000 };
    await expectHeld(first.post(`${asAdmin(disputed)}/rule`, ruling), "reasons");
  });

  test("is not ended by confirming an earlier ruling proposal", async () => {
    const deal = await openDisputedTrade(server);
    expectStatus(await first.post(`${asAdmin(deal)}/dispute/take`), 200);
    const ruling = { ruling: "refund", reason: "It is broken", sum: 110_000, warningsConfirmed: true };
    expect(expectStatus(await first.post(`${asAdmin(deal)}/rule`, ruling), 200).body.state).toBe("proposed");
    await putOnHold(deal);
    const [row] = await db().execute<{ id: string }>(
      sql`SELECT id FROM escrow.ruling_proposals WHERE trade_id = ${deal.id}`,
    );
    const confirm = { proposal: Number(row?.id), sum: 110_000 };
    const reply = await second.post(`${asAdmin(deal)}/rule/confirm`, confirm);
    expect([reply.status, reply.body.code]).toEqual([409, "TRADE_ON_HOLD"]);
  });

  test("cannot have its vault filled, and the seller sees the reason instead of the form", async () => {
    const deal = await openPaidTrade(server);
    const page = async () => (await deal.seller.get(`/chat/${deal.roomId}/vault?lang=en`)).text;
    expect(await page()).toContain('name="login"');
    await putOnHold(deal);
    await expectHeld(deal.seller.post(`${at(deal)}/vault`, { login: "a-login" }), "no reasons");
    expect(await page()).not.toContain('name="login"');
    expect(await page()).toContain(translateText("en", "vault.state.checkingSeller"));
  });

  test("opens no vault record for the buyer, who can read again what they had opened before", async () => {
    const [deal, opened] = [await openPaidTrade(server), await openPaidTrade(server)];
    for (const one of [deal, opened]) {
      expectStatus(
        await one.seller.post(`${at(one)}/vault`, { login: "a-login", password: "a-password" }),
        200,
        201,
      );
    }
    expectStatus(await opened.buyer.post(`${at(opened)}/vault/open`), 200);
    await Promise.all([putOnHold(deal), putOnHold(opened)]);
    await expectHeld(deal.buyer.post(`${at(deal)}/vault/open`), "no reasons");
    expectStatus(await opened.buyer.post(`${at(opened)}/vault/open`), 200);
  });

  test("sends no money", async () => {
    const deal = await openSettlingTrade(server);
    const payout = `/api/admin/payouts/${await payoutOf(first, deal)}`;
    const destinationDigest = await digestOf(deal);
    expectStatus(await first.post(`${payout}/approve`, { destinationDigest }), 200);
    await putOnHold(deal);
    const bankReference = "HOLD-1";
    await expectHeld(second.post(`${payout}/send`, { bankReference, destinationDigest }), "reasons");
    await expectHeld(second.post(`${payout}/claim`, {}), "reasons");
    await expectHeld(second.post(`${asAdmin(deal)}/settle`, { bankReference, destinationDigest }), "reasons");
    const due = await openSettlingTrade(server);
    await putOnHold(due);
    const other = `/api/admin/payouts/${await payoutOf(first, due)}`;
    await expectHeld(first.post(`${other}/approve`, { destinationDigest: await digestOf(due) }), "reasons");
  });
});

describe("a hold's reason", () => {
  test("is listed with every fact, and resolved by an administrator who is not a party", async () => {
    const deal = await requestPayment(server);
    await payAt(deal.buyer, deal.invoiceId, { currency: "USD", callback: false });
    expectStatus(await deal.buyer.post(`${at(deal)}/verify`), 200);
    const hold = await openHold(deal);
    expect(hold).toMatchObject({
      ...{ reason: "WRONG_CURRENCY", facts: { currency: "USD", amount: "110000.00", billed: 110_000 } },
    });
    const { holds } = expectStatus(await first.get("/api/admin/holds"), 200).body as unknown as {
      holds: View[];
    };
    expect(holds.map(({ id }) => id)).toContain(hold.id);
    const path = `/api/admin/holds/${hold.id}/resolve`;
    const found = { outcome: "dismissed", note: "Sent back by its bank" };
    expect((await first.post(path, { ...found, outcome: "booked" })).body.code).toBe("HOLD_OUTCOME_INVALID");
    await setRight(deal.buyer.id, true);
    expect((await deal.buyer.post(path, found)).body.code).toBe("OWN_TRADE");
    expect((await deal.buyer.post(`${asAdmin(deal)}/hold`, { reason: "x" })).body.code).toBe("OWN_TRADE");
    await setRight(deal.buyer.id, false);
    expect(expectStatus(await first.post(path, found), 200).body.state).toBe("closed");
    expect(expectStatus(await deal.buyer.get(at(deal)), 200).body.onHold).toBe(false);
    expect((await first.post("/api/admin/holds/999999/resolve", found)).status).toBe(404);
    expect((await first.get("/api/admin/transactions/999999/holds")).status).toBe(404);
    expect((await first.post("/api/admin/transactions/999999/hold", { reason: "x" })).status).toBe(404);
  });

  test("that moves money needs two administrators who agree and are not related", async () => {
    const deal = await requestPayment(server);
    await payAt(deal.buyer, deal.invoiceId, { amount: 9_000_000, callback: false });
    expectStatus(await deal.buyer.post(`${at(deal)}/verify`), 200);
    const path = `/api/admin/holds/${(await openHold(deal)).id}/resolve`;
    const found = { outcome: "booked", note: "Seen in the merchant portal" };
    expect(expectStatus(await first.post(path, found), 200).body.state).toBe("proposed");
    expect((await related.post(path, found)).body.code).toBe("FOUR_EYES_RELATED");
    expect((await second.post(path, { ...found, outcome: "dismissed" })).status).toBe(200);
    expect(expectStatus(await deal.buyer.get(at(deal)), 200).body.status).not.toBe("payment_confirmed");
  });

  test("that releases money which was returned to its payer needs the same decision by two", async () => {
    const deal = await openSettlingTrade(server);
    await db().execute(sql`
      UPDATE sandbox.payments SET status = 'REFUNDED' WHERE invoice_id IN (
        SELECT p.provider_id::uuid FROM payments.provider_invoices p JOIN payments.invoices i ON i.id = p.invoice_id
        WHERE i.reference = ${deal.id} AND p.provider_id IS NOT NULL)`);
    const payout = `/api/admin/payouts/${await payoutOf(first, deal)}`;
    const destinationDigest = await digestOf(deal);
    const refused = await first.post(`${payout}/approve`, { destinationDigest });
    expect([refused.status, refused.body.reasons]).toEqual([409, ["PAYMENT_REVERSED"]]);
    const path = `/api/admin/holds/${(await openHold(deal)).id}/resolve`;
    const note = "QPay says so by letter";
    expect(expectStatus(await first.post(path, { outcome: "dismissed", note }), 200).body.state).toBe(
      "proposed",
    );
    expect((await second.post(path, { outcome: "taken_back", note })).body.code).toBe("PROPOSAL_DIFFERS");
    expectStatus(await first.post(path, { outcome: "taken_back", note }), 200);
    expect(expectStatus(await second.post(path, { outcome: "taken_back", note }), 200).body.state).toBe(
      "closed",
    );
    expect(expectStatus(await deal.buyer.get(at(deal)), 200).body).toMatchObject({
      status: "cancelled",
      heldAmount: 0,
    });
  });

  test("that would correct a payment in doubt is refused", async () => {
    const deal = await openSettlingTrade(server);
    const payout = `/api/admin/payouts/${await payoutOf(first, deal)}`;
    expectStatus(await first.post(`${payout}/approve`, { destinationDigest: await digestOf(deal) }), 200);
    expectStatus(await first.post(`${payout}/unknown`, { reason: "The line broke" }), 200);
    await db().execute(sql`
      UPDATE sandbox.payments SET status = 'REFUNDED' WHERE invoice_id IN (
        SELECT p.provider_id::uuid FROM payments.provider_invoices p JOIN payments.invoices i ON i.id = p.invoice_id
        WHERE i.reference = ${deal.id} AND p.provider_id IS NOT NULL)`);
    expectStatus(await deal.buyer.post(`${at(deal)}/verify`), 200);
    const { holds } = expectStatus(await first.get(`${asAdmin(deal)}/holds`), 200).body as unknown as {
      holds: View[];
    };
    const reversed = holds.find(({ reason }) => reason === "PAYMENT_REVERSED")?.id;
    const path = `/api/admin/holds/${reversed}/resolve`;
    const found = { outcome: "taken_back", note: "QPay says so by letter" };
    expectStatus(await first.post(path, found), 200);
    expect((await second.post(path, found)).body.code).toBe("MONEY_ALREADY_SENT");
  });
});

test("without a sealed block there is no head to store", async () => {
  let status = 200;
  // The log is sealed about once a second: what is sealed between the two is taken away again.
  for (let tries = 0; status === 200 && tries < 20; tries++) {
    await db().transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      await tx.execute(sql`DELETE FROM audit.blocks`);
    });
    status = (await first.get("/api/audit/head")).status;
  }
  expect(status).toBe(404);
});
