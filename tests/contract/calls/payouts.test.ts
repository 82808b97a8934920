import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../../db/client.ts";
import { postAsShown } from "../../support/backoffice/post-as-shown.ts";
import { setRight } from "../../support/people/administrator-rights.ts";
import { threeAdministrators } from "../../support/people/administrators.ts";
import { expectStatus, type Person } from "../../support/people/registered-people.ts";
import type { Client } from "../../support/server/http-client.ts";
import { type Server, startServer } from "../../support/server/midman-server.ts";
import {
  bankInfo,
  openDisputedTrade,
  openPaidTrade,
  openSettlingTrade,
  payAt,
  payoutOf,
  refundAccount,
  requestPayment,
  type ServerTrade,
} from "../../support/trades/server-trades.ts";

/** What the back office's calls about money refuse, as their document says. Every sum here takes two pairs of eyes. */

setDefaultTimeout(120_000);

let server: Server;
let first: Client;
let second: Person;
let related: Person;

beforeAll(async () => {
  server = await startServer({ environment: { PAYOUT_FOUR_EYES_ABOVE: "1000" } });
  connectDatabase(server.databaseUrl);
  ({ first, second, related } = await threeAdministrators(server));
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

type Step = [who: Client, path: string, body: unknown, code?: string];

async function each(steps: Step[]): Promise<void> {
  for (const [who, path, body, code] of steps) {
    const reply = await postAsShown(who, `/api/admin/${path}`, body);
    expect([path, reply.status < 300 ? undefined : reply.body?.code]).toEqual([path, code]);
  }
}

let given = 0;
const slip = () => ({ bankReference: `SLIP-${++given}` });
const because = { reason: "It is so" };

test("a payout goes through its steps, by the right people and with its own reference", async () => {
  const deal = await openSettlingTrade(server);
  const at = `payouts/${await payoutOf(first, deal)}`;
  const used = slip();
  await each([
    [first, `${at}/claim`, {}, "PAYOUT_CONFLICT"],
    [first, `${at}/done`, undefined, "PAYOUT_CONFLICT"],
    [first, `${at}/unknown`, because, "PAYOUT_CONFLICT"],
    [first, `transactions/${deal.id}/settle`, slip(), "FOUR_EYES_REQUIRED"],
    [first, `${at}/approve`, {}],
    [first, `${at}/withdraw-approval`, because],
    [first, `${at}/approve`, {}],
    [first, `${at}/claim`, {}, "FOUR_EYES_REQUIRED"],
    [first, `${at}/send`, slip(), "FOUR_EYES_REQUIRED"],
    [first, `transactions/${deal.id}/complete`, undefined, "FOUR_EYES_REQUIRED"],
    [related, `${at}/claim`, {}, "FOUR_EYES_RELATED"],
    [related, `${at}/send`, slip(), "FOUR_EYES_RELATED"],
    [related, `transactions/${deal.id}/settle`, slip(), "FOUR_EYES_RELATED"],
    [related, `transactions/${deal.id}/complete`, undefined, "FOUR_EYES_RELATED"],
    [second, `${at}/claim`, {}],
    [second, `${at}/send`, used],
    [second, `${at}/withdraw-approval`, because, "PAYOUT_CONFLICT"],
    [second, `${at}/done`, undefined, "FOUR_EYES_REQUIRED"],
    [first, `${at}/done`, undefined],
  ]);
  const other = await openSettlingTrade(server);
  const next = `payouts/${await payoutOf(first, other)}`;
  await each([
    [first, `${next}/approve`, {}],
    [second, `${next}/send`, used, "BANK_REFERENCE_USED"],
    [second, `transactions/${other.id}/settle`, used, "BANK_REFERENCE_USED"],
    [second, `${next}/claim`, {}],
    [first, `${next}/claim`, {}, "PAYOUT_CLAIMED"],
    [second, `${next}/already-sent`, slip(), "PAYOUT_CONFLICT"],
    [first, `${next}/withdraw-approval`, because, "PAYOUT_CLAIMED"],
    [second, `${next}/unknown`, because],
    [first, `${next}/resolve`, { outcome: "not_sent", ...because }, "PAYOUT_CLAIMED"],
    [first, `${next}/resolve`, { outcome: "sent", ...slip() }, "FOUR_EYES_REQUIRED"],
    [related, `${next}/resolve`, { outcome: "sent", ...slip() }, "FOUR_EYES_RELATED"],
    [second, `${next}/resolve`, { outcome: "sent", ...used }, "BANK_REFERENCE_USED"],
    [second, `${next}/resolve`, { outcome: "sent", ...slip() }],
    [second, `${next}/resolve`, { outcome: "sent", ...slip() }, "PAYOUT_CONFLICT"],
  ]);
});

test("a payout is not confirmed on the statement by an administrator whom its sender appointed", async () => {
  const at = `payouts/${await payoutOf(first, await openSettlingTrade(server))}`;
  await each([
    [second, `${at}/approve`, {}],
    [first, `${at}/claim`, {}],
    [first, `${at}/send`, slip()],
    [related, `${at}/done`, undefined, "FOUR_EYES_RELATED"],
    [second, `${at}/done`, undefined],
  ]);
});

test("a transfer made before it was taken over is reported, and is then in doubt", async () => {
  const deal = await openSettlingTrade(server);
  const at = `payouts/${await payoutOf(first, deal)}`;
  const bare = expectStatus(await first.get(`/api/admin/transactions/${deal.id}`), 200);
  expect(bare.body.payouts).toMatchObject([{ correctedAt: null, reportedBy: null }]);
  for (const path of [`${at}/approve`, `transactions/${deal.id}/settle`]) {
    const reply = await first.post(`/api/admin/${path}`, path.endsWith("settle") ? slip() : {});
    expect([reply.status, reply.body.code]).toEqual([422, "DESTINATION_DIGEST_REQUIRED"]);
  }
  await each([
    [first, `${at}/approve`, {}],
    [second, `${at}/claim`, {}],
  ]);
  const sent = await second.post(`/api/admin/${at}/send`, slip());
  expect([sent.status, sent.body.code]).toEqual([422, "DESTINATION_DIGEST_REQUIRED"]);
  const theirs = slip();
  await each([
    [first, `${at}/already-sent`, theirs],
    [second, `${at}/send`, slip(), "PAYOUT_CONFLICT"],
    // Who took it over ends the doubt by the other's number alone.
    [second, `${at}/resolve`, { outcome: "sent", ...slip() }, "FOUR_EYES_REQUIRED"],
    [second, `${at}/resolve`, { outcome: "sent", ...theirs }],
  ]);
});

test("an approval ends with its author's right, and a corrected account waits for a second person and three hours", async () => {
  const deal = await openSettlingTrade(server);
  const at = `payouts/${await payoutOf(first, deal)}`;
  await each([[second, `${at}/approve`, {}]]);
  await setRight(second.id, false);
  await each([
    [first, `${at}/claim`, {}, "APPROVAL_LAPSED"],
    [first, `${at}/send`, slip(), "APPROVAL_LAPSED"],
    [first, `transactions/${deal.id}/settle`, slip(), "FOUR_EYES_REQUIRED"],
  ]);
  await setRight(second.id, true);
  const other = await openSettlingTrade(server);
  const next = `payouts/${await payoutOf(first, other)}`;
  expectStatus(
    await other.seller.post(`/api/transactions/${other.id}/bank-info`, {
      ...bankInfo,
      accountNumber: "5099999999",
    }),
    200,
    201,
  );
  await each([
    [first, `${next}/approve`, {}],
    [second, `${next}/approve`, {}, "ACCOUNT_JUST_CORRECTED"],
    [second, `transactions/${other.id}/settle`, slip(), "ACCOUNT_JUST_CORRECTED"],
    [second, `transactions/${other.id}/complete`, { destinationDigest: "x" }, "PAYOUT_CONFLICT"],
    [second, `transactions/${other.id}/complete`, undefined, "ACCOUNT_JUST_CORRECTED"],
  ]);
});

test("a payout completed immediately waits for its reference", async () => {
  const deal = await openSettlingTrade(server);
  const at = `payouts/${await payoutOf(first, deal)}`;
  await each([
    [first, `${at}/approve`, {}],
    [second, `transactions/${deal.id}/complete`, undefined],
    [second, `${at}/done`, undefined, "BANK_REFERENCE_REQUIRED"],
    [second, `${at}/send`, slip()],
    [first, `${at}/done`, undefined],
  ]);
});

test("while all money is halted nothing is sent", async () => {
  const [due, approved] = [await openSettlingTrade(server), await openSettlingTrade(server)];
  const at = `payouts/${await payoutOf(first, due)}`;
  const next = `payouts/${await payoutOf(first, approved)}`;
  await each([
    [first, `${next}/approve`, {}],
    [first, "money/halt", { on: true, ...because }],
    [first, `${at}/approve`, {}, "MONEY_HALTED"],
    [second, `${next}/claim`, {}, "MONEY_HALTED"],
    [second, `${next}/send`, slip(), "MONEY_HALTED"],
    [second, `transactions/${approved.id}/settle`, slip(), "MONEY_HALTED"],
    [second, `transactions/${approved.id}/complete`, undefined, "MONEY_HALTED"],
    [first, "money/halt", { on: false, ...because }],
    [first, `${at}/approve`, {}, "MONEY_HALTED"],
    [related, "money/halt", { on: false, ...because }, "FOUR_EYES_RELATED"],
  ]);
  // A proposal that the log does not know is nobody's to confirm; halting anew drops it.
  await db().execute(sql`UPDATE payments.halt SET resume_at = resume_at + interval '1 second'`);
  await each([
    [second, "money/halt", { on: false, ...because }, "RECORD_ALTERED"],
    [second, "money/halt", { on: true, ...because }],
    [first, "money/halt", { on: false, ...because }],
    [second, "money/halt", { on: false, ...because }],
  ]);
});

test("a split needs both accounts, and waits while one half is in doubt", async () => {
  const deal = await openDisputedTrade(server);
  const shares = { ruling: "split", refundAmount: 40_000, sum: 40_000, ...because };
  const rule = `transactions/${deal.id}/rule`;
  const proposal = async () => {
    const [row] = await db().execute<{ id: string }>(sql`
      SELECT id FROM escrow.ruling_proposals WHERE trade_id = ${deal.id} ORDER BY id DESC LIMIT 1`);
    return Number(row?.id);
  };
  await each([[first, rule, { ...shares, warningsConfirmed: false }, "RULING_WARNED"]]);
  await each([[first, rule, shares]]);
  await each([[second, `${rule}/withdraw`, { proposal: await proposal() }, "DISPUTE_TAKEN"]]);
  await each([[first, `${rule}/withdraw`, { proposal: await proposal() }]]);
  await each([[second, `${rule}/confirm`, { proposal: await proposal(), sum: 40_000 }, "PROPOSAL_CHANGED"]]);
  await each([[first, rule, shares]]);
  const confirm = { proposal: await proposal(), sum: 40_000 };
  const admins = (yes: boolean) =>
    db().execute(sql`UPDATE identity.users SET is_admin = ${yes} WHERE username = 'admin'`);
  await admins(false);
  await each([[second, `${rule}/confirm`, confirm, "PROPOSER_NOT_ADMIN"]]);
  await admins(true);
  await each([
    [first, `${rule}/withdraw`, { proposal: 999_999 }, "NOT_FOUND"],
    [first, `${rule}/confirm`, confirm, "FOUR_EYES_REQUIRED"],
    [related, `${rule}/confirm`, confirm, "FOUR_EYES_RELATED"],
    [second, `${rule}/confirm`, { ...confirm, sum: 1 }, "SUM_DIFFERS"],
    [second, `${rule}/confirm`, { ...confirm, proposal: 999_999 }, "NOT_FOUND"],
    [second, `${rule}/confirm`, confirm],
    [first, `${rule}/withdraw`, confirm, "PROPOSAL_CHANGED"],
    [first, `${rule}/confirm`, confirm, "TRADE_OVERTAKEN"],
  ]);
  const { body } = expectStatus(await first.get(`/api/admin/transactions/${deal.id}`), 200);
  const halves = body.payouts as Array<{ id: number; kind: string }>;
  const of = (kind: string) => `payouts/${halves.find((half) => half.kind === kind)?.id}`;
  const [payout, refund] = [of("payout"), of("refund")];
  await each([
    [second, `${refund}/approve`, {}, "DESTINATION_REQUIRED"],
    [first, `${payout}/approve`, {}],
    [second, `transactions/${deal.id}/complete`, undefined, "DESTINATION_REQUIRED"],
  ]);
  expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/refund-destination`, refundAccount), 200);
  await each([
    [first, `${refund}/approve`, {}],
    [second, `${payout}/unknown`, because],
    [second, `${refund}/claim`, {}, "PAYOUT_UNKNOWN_OPEN"],
    [second, `${refund}/send`, slip(), "PAYOUT_UNKNOWN_OPEN"],
    [second, `transactions/${deal.id}/settle`, slip(), "PAYOUT_UNKNOWN_OPEN"],
    [second, `transactions/${deal.id}/complete`, undefined, "TRADE_ON_HOLD"],
    [first, `${refund}/withdraw-approval`, because],
    [first, `${refund}/approve`, {}, "PAYOUT_UNKNOWN_OPEN"],
    [second, `${payout}/resolve`, { outcome: "not_sent", ...because }],
  ]);
});

test("a used reference is refused, and so is settling without an account", async () => {
  const deal = await openPaidTrade(server);
  expectStatus(await first.post(`/api/admin/transactions/${deal.id}/cancel`), 200);
  await each([[first, `transactions/${deal.id}/settle`, slip(), "DESTINATION_REQUIRED"]]);
  // What is owed is still to be seen to: the transaction stays in the lists.
  const hidden = await first.delete(`/api/admin/transactions/${deal.id}`);
  expect([hidden.status, hidden.body.code]).toEqual([409, "MONEY_HELD"]);
});

describe("a manual payment", () => {
  const seen = (reference: string, amount = 110_000) => ({ amount, reference });

  test("needs two administrators who agree and are not related", async () => {
    const deal = await requestPayment(server);
    const at = `transactions/${deal.id}/confirm-payment`;
    await each([
      [first, at, seen("HAND-1")],
      [second, at, seen("HAND-1", 100_000), "PROPOSAL_DIFFERS"],
      [related, at, seen("HAND-1"), "FOUR_EYES_RELATED"],
    ]);
    const id = await openProposal(deal);
    await each([
      [first, `${at}/lay-aside`, { proposal: id, ...because }],
      [second, at, seen("HAND-2")],
    ]);
    await setRight(second.id, false);
    await each([[first, at, seen("HAND-2"), "PROPOSER_NOT_ADMIN"]]);
    await setRight(second.id, true);
    const next = await openProposal(deal);
    await each([
      [first, at, seen("HAND-2")],
      [first, `${at}/lay-aside`, { proposal: next, ...because }, "PROPOSAL_CHANGED"],
    ]);
    const other = await requestPayment(server);
    await each([[first, `transactions/${other.id}/confirm-payment`, seen("HAND-2"), "BANK_REFERENCE_USED"]]);
  });

  test("is not booked if the provider has reported it", async () => {
    const deal = await openPaidTrade(server);
    const at = `transactions/${deal.id}/confirm-payment`;
    await each([
      [first, at, seen("HAND-3")],
      [second, at, seen("HAND-3"), "PAYMENT_ALREADY_BOOKED"],
    ]);
  });

  async function openProposal({ id }: ServerTrade): Promise<number> {
    const { body } = expectStatus(await first.get(`/api/admin/transactions/${id}`), 200);
    return (body.byHand as { open: { id: number } | null }).open?.id ?? 0;
  }
});

describe("a difference with the provider", () => {
  test("is resolved by a person who is not a party", async () => {
    const deal = await requestPayment(server);
    await payAt(deal.buyer, deal.invoiceId, { callback: false });
    const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10);
    await each([
      [first, "reconciliation", { day: tomorrow }, "DAY_AHEAD"],
      [first, "reconciliation", { day }],
    ]);
    const { differences } = expectStatus(await first.get(`/api/admin/reconciliation?day=${day}`), 200)
      .body as unknown as {
      differences: Array<{ id: number; transaction: { id: number } | null }>;
    };
    const one = differences.find(({ transaction }) => transaction?.id === deal.id);
    await own(deal, `differences/${one?.id}/resolve`, { note: "x" });
    await own(deal, `differences/${one?.id}/ask`, undefined);
    const behave = (told: object) =>
      fetch(`${server.url}/sandbox/qpay/behave`, { method: "POST", body: JSON.stringify(told) });
    await behave({ operation: "*", nextCalls: "all", fail: 503, error: "SYSTEM_BUSY" });
    await each([[first, `differences/${one?.id}/ask`, undefined, "PROVIDER_UNAVAILABLE"]]);
    await behave({ reset: true });
    await each([
      [first, `differences/${one?.id}/ask`, undefined],
      [first, `differences/${one?.id}/resolve`, { note: "Seen at the bank" }],
    ]);
  });

  /** A party of it who is an administrator, too, is told that it is their own. */
  async function own({ buyer }: ServerTrade, path: string, body: unknown): Promise<void> {
    await setRight(buyer.id, true);
    await each([[buyer, path, body, "OWN_TRADE"]]);
    await setRight(buyer.id, false);
  }
});
