import { sql } from "drizzle-orm";
import { daysAfter, formatDay } from "#format";
import { db } from "../../../db/client.ts";
import { DEAD_LETTERS } from "../../../db/jobs.ts";
import { postAsShown } from "../../support/backoffice/post-as-shown.ts";
import { setRight } from "../../support/people/administrator-rights.ts";
import { expectStatus, type Person, registerPerson } from "../../support/people/registered-people.ts";
import type { Client } from "../../support/server/http-client.ts";
import type { Server } from "../../support/server/midman-server.ts";
import {
  bankInfo,
  openPaidTrade,
  type Pair,
  payAt,
  refundAccount,
  requestPayment,
  type ServerTrade,
  untilStatus,
} from "../../support/trades/server-trades.ts";

/** An address that the mail server of the day refuses. */
export const gone = "gone@example.mn";

/** What a second administrator saw at the bank, and entered. */
export const slip = { amount: 110_000, reference: "SLIP-20" } as const;

/** Who fills the desk: two who trade with each other, and a second administrator. */
export type Office = Pair & { server: Server; second: Person };

/** Makes the people; the test's process reads and writes the server's database. */
export async function openOffice(server: Server): Promise<Office> {
  const [seller, buyer, second] = await Promise.all([
    registerPerson(server, "Ганболдын Өлзийсайхан"),
    registerPerson(server, "Мөнхбаярын Энхжаргал"),
    registerPerson(server, "Оюунчимэг Доржсүрэн"),
  ]);
  await setRight(second.id, true);
  return { server, seller, buyer, second };
}

const at = ({ id }: ServerTrade) => `/api/transactions/${id}`;
const asAdmin = ({ id }: ServerTrade) => `/api/admin/transactions/${id}`;

/** A trade that is over: its seller is to be paid. */
async function payoutDue(office: Office): Promise<ServerTrade> {
  const deal = await handedOver(office);
  expectStatus(await deal.buyer.post(`${at(deal)}/complete`), 200);
  expectStatus(await deal.seller.post(`${at(deal)}/complete`), 200);
  await untilStatus(deal, "settlement_pending");
  return deal;
}

async function handedOver(office: Office): Promise<ServerTrade> {
  const deal = await openPaidTrade(office.server, office);
  expectStatus(await deal.seller.post(`${at(deal)}/bank-info`, bankInfo), 200, 201);
  expectStatus(await deal.seller.post(`${at(deal)}/hand-over`, {}), 200, 201);
  return deal;
}

/** A payout that a second administrator has approved and is making; answers where its calls are. */
export async function payoutBegun(office: Office): Promise<string> {
  const deal = await payoutDue(office);
  const { payouts } = expectStatus(await office.second.get(asAdmin(deal)), 200).body as unknown as {
    payouts: Array<{ id: number }>;
  };
  const payout = `/api/admin/payouts/${payouts[0]?.id}`;
  expectStatus(await postAsShown(office.second, `${payout}/approve`), 200);
  return payout;
}

/** A payout of which nobody knows whether it left. */
async function payoutInDoubt(office: Office): Promise<void> {
  const payout = await payoutBegun(office);
  expectStatus(await office.second.post(`${payout}/unknown`, { reason: "The bank's page broke off" }), 200);
}

/** A trade that was ended: its buyer gets the money back, and has said where to. */
export async function refundDue(office: Office): Promise<ServerTrade> {
  const deal = await openPaidTrade(office.server, office);
  expectStatus(await office.second.post(`${asAdmin(deal)}/cancel`), 200);
  expectStatus(await deal.buyer.post(`${at(deal)}/refund-destination`, refundAccount), 200, 201);
  return deal;
}

/** A dispute in which both sides have explained themselves. */
export async function plantDispute(office: Office): Promise<ServerTrade> {
  const deal = await handedOver(office);
  expectStatus(
    await deal.buyer.post(`${at(deal)}/dispute`, { reason: "Нэвтрэх нууц үг таарахгүй байна" }),
    200,
    201,
  );
  return deal;
}

/** Paid once more after it was confirmed: that money belongs to no trade. */
async function suspense(office: Office): Promise<void> {
  const deal = await openPaidTrade(office.server, office);
  await payAt(deal.buyer, deal.invoiceId);
  await refundOf(deal);
  expectStatus(await deal.buyer.post(`${at(deal)}/refund-destination`, refundAccount), 200, 201);
}

/** Waits until the money that came too much has its refund. */
async function refundOf({ id }: ServerTrade): Promise<void> {
  for (const from = Date.now(); Date.now() - from < 45_000; await Bun.sleep(50)) {
    const found = await db().execute(sql`SELECT 1 FROM payments.payouts WHERE reference = ${id}`);
    if (found.length > 0) return;
  }
  throw new Error(`transaction ${id} has no refund after 45 s`);
}

/** A promise of 24 hours that was broken an hour ago. */
async function late(deal: ServerTrade, kind: "hand_over" | "admin_review"): Promise<void> {
  await db().execute(sql`
    UPDATE escrow.deadlines SET due_at = now() - interval '1 hour', state = 'overdue', overdue_at = now(), next_at = NULL
    WHERE trade_id = ${deal.id} AND kind = ${kind}`);
}

async function unconfirmed(office: Office): Promise<void> {
  await late(await openPaidTrade(office.server, office), "hand_over");
  await late(await handedOver(office), "admin_review");
}

/** The provider tells of money that no rule can count. */
async function oddPayment(office: Office, told: object): Promise<void> {
  const deal = await requestPayment(office.server, office);
  await payAt(deal.buyer, deal.invoiceId, { callback: false, ...told });
  expectStatus(await deal.buyer.post(`${at(deal)}/verify`), 200);
}

/** A second administrator has entered a payment that the provider does not tell of. */
async function proposed(office: Office): Promise<ServerTrade> {
  const deal = await requestPayment(office.server, office);
  expectStatus(await office.second.post(`${asAdmin(deal)}/confirm-payment`, slip), 200);
  return deal;
}

/** Two were paid yesterday, of which nobody told us, and somebody has compared that day. */
async function yesterdayOff(office: Office): Promise<void> {
  const yesterday = daysAfter(formatDay(new Date()), -1);
  for (const hour of ["10", "15"]) {
    const deal = await requestPayment(office.server, office);
    const { paymentIds } = await payAt(deal.buyer, deal.invoiceId, { callback: false });
    const [payment] = paymentIds as string[];
    await db().execute(sql`
      UPDATE sandbox.payments SET paid_at = ${`${yesterday}T${hour}:00:00+08:00`}::timestamptz WHERE id = ${payment}`);
  }
  expectStatus(await office.second.post("/api/admin/reconciliation", { day: yesterday }), 200);
}

/** A job that failed each time it was tried; tried again now, it works. */
async function deadJob(): Promise<void> {
  await db().execute(sql`
    INSERT INTO pgboss.job (name, data, source_name, source_output)
    VALUES (${DEAD_LETTERS}, '{"data": {}}', 'escrow.deadlines', '{"message": "the database was away for a moment"}')`);
}

/** A mail that its server has refused. */
async function refusedMail(admin: Client): Promise<void> {
  expectStatus(await admin.post("/api/admin/test-email", { testEmail: gone }), 502, 503, 500, 422, 400);
}

/** So much of each kind waits once the desk is filled. */
export const planted = {
  payout: 4,
  refund: 3,
  suspense: 2,
  dispute: 2,
  unconfirmed: 2,
  hold: 2,
  byHand: 1,
  difference: 2,
  job: 1,
  mail: 1,
} as const;

/** Fills the desk with twenty things to do; answers the disputes and the trade that a slip was seen of. */
export async function fillDesk(office: Office) {
  const times = <T>(count: number, make: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, make));
  const [disputes] = await Promise.all([
    times(planted.dispute, () => plantDispute(office)),
    times(planted.payout - 2, () => payoutDue(office)),
    payoutBegun(office),
    payoutInDoubt(office),
    times(planted.refund, () => refundDue(office)),
  ]);
  const [bySlip] = await Promise.all([
    proposed(office),
    times(planted.suspense, () => suspense(office)),
    unconfirmed(office),
    oddPayment(office, { currency: "USD" }),
    oddPayment(office, { amount: 1_000.5 }),
    yesterdayOff(office),
    deadJob(),
    refusedMail(office.second),
  ]);
  return { disputes, bySlip };
}
