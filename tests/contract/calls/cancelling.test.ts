import { expect, setDefaultTimeout, test } from "bun:test";
import { postAsShown } from "../../support/backoffice/post-as-shown.ts";
import { expectStatus } from "../../support/people/registered-people.ts";
import type { Client } from "../../support/server/http-client.ts";
import { useSharedServer } from "../../support/server/use-shared-server.ts";
import {
  bankInfo,
  openPaidTrade,
  readDisputeTime,
  type ServerTrade,
} from "../../support/trades/server-trades.ts";

/** Decision 0078: what calls refuse while a request to cancel is open, or after the vault has changed since the page was shown. */

setDefaultTimeout(120_000);

const { server, admin } = useSharedServer();

const call = ({ id }: ServerTrade, path: string) => `/api/transactions/${id}/${path}`;
const login = { login: "zorigt-the-login" };

async function expectRefusal(who: Client, path: string, body: unknown, code: string): Promise<void> {
  expect([path, expectStatus(await who.post(path, body), 409).body.code]).toEqual([path, code]);
}

/** The time of a party's open request to cancel, as the API gives it. */
async function requestOf(deal: ServerTrade, party: "buyer" | "seller"): Promise<string> {
  const { body } = expectStatus(await deal.buyer.get(`/api/transactions/${deal.id}`), 200);
  return (body.cancellationRequests as Record<"buyer" | "seller", string>)[party];
}

test("a seller who asks to cancel shares no more information", async () => {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.seller.post(call(deal, "cancel")), 200);
  await expectRefusal(
    deal.seller,
    call(deal, "info-exchange"),
    { info: "The code is 4711" },
    "CANCELLATION_PENDING",
  );
  await expectRefusal(deal.seller, call(deal, "vault"), login, "CANCELLATION_PENDING");
});

test("agreeing names the request that is agreed to", async () => {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.buyer.post(call(deal, "cancel"), { agreesTo: null }), 200);
  const agreesTo = await requestOf(deal, "buyer");
  expectStatus(await deal.buyer.post(call(deal, "withdraw-cancel")), 200);
  await expectRefusal(deal.seller, call(deal, "cancel"), { agreesTo }, "CANCELLATION_CHANGED");
});

test("declining names the request that is declined, and the trade goes on", async () => {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.buyer.post(call(deal, "cancel"), { agreesTo: null }), 200);
  const requestedAt = await requestOf(deal, "buyer");
  await expectRefusal(deal.buyer, call(deal, "decline-cancel"), { requestedAt }, "CANCELLATION_CHANGED");
  expectStatus(await deal.seller.post(call(deal, "decline-cancel"), {}), 422);
  const declined = expectStatus(await deal.seller.post(call(deal, "decline-cancel"), { requestedAt }), 200);
  expect(declined.body).toMatchObject({
    message: "The cancellation request was declined",
    transaction: { status: "payment_confirmed", buyerConfirmedCancel: false },
  });
  expectStatus(await deal.buyer.post(call(deal, "cancel"), { agreesTo: null }), 200);
  await expectRefusal(deal.seller, call(deal, "decline-cancel"), { requestedAt }, "CANCELLATION_CHANGED");
  const later = await requestOf(deal, "buyer");
  expectStatus(await deal.seller.post(call(deal, "cancel"), { agreesTo: later, vaultShown: "none" }), 200);
  await expectRefusal(deal.seller, call(deal, "decline-cancel"), { requestedAt: later }, "TRADE_OVERTAKEN");
});

test("an answer to a request that is gone claims no act", async () => {
  const none = { success: true, message: "There's no open request to cancel. Nothing has changed." };
  const noneOfOwn = { success: true, message: "You have no open request to cancel. Nothing has changed." };
  const deal = await openPaidTrade(server);
  const requestedAt = new Date().toISOString();
  const declines = async () =>
    expectStatus(await deal.seller.post(call(deal, "decline-cancel"), { requestedAt }), 200).body;
  const withdraws = async () => expectStatus(await deal.buyer.post(call(deal, "withdraw-cancel")), 200).body;
  // Nobody has asked.
  expect(await declines()).toMatchObject(none);
  expect(await withdraws()).toMatchObject(noneOfOwn);
  expectStatus(await deal.buyer.post(call(deal, "cancel"), { agreesTo: null }), 200);
  expect(await withdraws()).toMatchObject({ message: "The cancellation request was withdrawn" });
  // Withdrawn before it was answered.
  expect(await declines()).toMatchObject(none);
  expect(await withdraws()).toMatchObject(noneOfOwn);
  expectStatus(await deal.seller.post(call(deal, "cancel"), { agreesTo: null }), 200);
  // The open request is the other party's.
  expect(await withdraws()).toMatchObject(noneOfOwn);
});

test("a vault that the buyer has not opened is named before a payout", async () => {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.seller.post(call(deal, "vault"), login), 200);
  expectStatus(await deal.seller.post(call(deal, "bank-info"), bankInfo), 200);
  const at = `/api/admin/transactions/${deal.id}`;
  await expectRefusal(admin, `${at}/complete`, undefined, "VAULT_CHANGED");
  await expectRefusal(admin, `${at}/pay-seller`, { sum: 100_000 }, "VAULT_CHANGED");
});

test("a vault that was opened since is named before a cancellation or a ruling", async () => {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.seller.post(call(deal, "vault"), login), 200);
  expectStatus(await deal.buyer.post(call(deal, "vault/open")), 200);
  await expectRefusal(admin, `/api/admin/transactions/${deal.id}/cancel`, undefined, "VAULT_CHANGED");
  expectStatus(await deal.buyer.post(call(deal, "cancel"), { agreesTo: null }), 200);
  const agreesTo = await requestOf(deal, "buyer");
  await expectRefusal(deal.seller, call(deal, "cancel"), { agreesTo }, "VAULT_CHANGED");

  expectStatus(await deal.buyer.post(call(deal, "dispute"), { reason: "The password is wrong" }), 200);
  const ruling = { ruling: "release", reason: "So it is", sum: 100_000 };
  await expectRefusal(admin, `/api/admin/transactions/${deal.id}/rule`, ruling, "VAULT_CHANGED");
  const { vault } = expectStatus(await admin.get(`/api/admin/transactions/${deal.id}`), 200).body;
  const informed = { ...ruling, vaultShown: (vault as { revision: string }).revision };
  expectStatus(await postAsShown(admin, `/api/admin/transactions/${deal.id}/rule`, informed), 200);
});

test("the contents of an earlier form do not replace later ones", async () => {
  const deal = await openPaidTrade(server);
  const form = { ...login, clientId: crypto.randomUUID() };
  expectStatus(await deal.seller.post(call(deal, "vault"), form), 200);
  const later = { login: "another-login", clientId: crypto.randomUUID() };
  expectStatus(await deal.seller.post(call(deal, "vault"), later), 200);
  await expectRefusal(deal.seller, call(deal, "vault"), form, "VAULT_CHANGED");
});

test("the buyer opens no vault for the first time after asking to cancel, or in a dispute", async () => {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.seller.post(call(deal, "vault"), login), 200);
  expectStatus(await deal.buyer.post(call(deal, "cancel"), { agreesTo: null }), 200);
  await expectRefusal(deal.buyer, call(deal, "vault/open"), undefined, "CANCELLATION_PENDING");
  expectStatus(await deal.buyer.post(call(deal, "withdraw-cancel")), 200);
  expectStatus(await deal.buyer.post(call(deal, "dispute"), { reason: "It is not mine" }), 200);
  await expectRefusal(deal.buyer, call(deal, "vault/open"), undefined, "DISPUTE_OPEN");
});

test("a confirmation from before a dispute does not end it", async () => {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.seller.post(call(deal, "hand-over")), 200);
  expectStatus(await deal.buyer.post(call(deal, "complete")), 200);
  expectStatus(await deal.buyer.post(call(deal, "dispute"), { reason: "The password is wrong" }), 200);
  await expectRefusal(deal.buyer, call(deal, "complete"), undefined, "DISPUTE_OPEN");
  await expectRefusal(
    deal.buyer,
    call(deal, "complete"),
    { endsDispute: "2026-01-01T00:00:00Z" },
    "DISPUTE_CHANGED",
  );
  const release = { endsDispute: await readDisputeTime(deal) };
  const ended = expectStatus(await deal.buyer.post(call(deal, "complete"), release), 200).body;
  expect((ended.transaction as { status: string }).status).toBe("settlement_pending");
});
