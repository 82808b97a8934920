import { expectStatus, makeRoomOf, makeRoomPair, type Person } from "../people/registered-people.ts";
import type { Body, Client, Reply } from "../server/http-client.ts";
import type { Server } from "../server/midman-server.ts";

/** Two people, their room and their trade. */
export type ServerTrade = { seller: Person; buyer: Person; roomId: number; id: number; invoiceId: string };

export const bankInfo = {
  infoType: "seller",
  accountName: "Bat Erdene",
  bankName: "Khan Bank",
  accountNumber: "5012345678",
  ibanNumber: "",
  phoneNumber: "99112233",
  email: "bat@example.mn",
} as const;

export const buyerContact = {
  infoType: "buyer",
  accountName: "Dorj",
  phoneNumber: "88112233",
  email: "dorj@example.mn",
} as const;

export const refundAccount = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
} as const;

/** Two who trade with each other, in a room of its own each time. */
export type Pair = Pick<ServerTrade, "seller" | "buyer">;

/**
 * A trade of 100,000 ₮ with its invoice on the screen (gross 110,000, the buyer pays the fee of 10,000), of two new people unless
 * it is told of whom.
 */
export async function requestPayment(server: Pick<Server, "client">, people?: Pair): Promise<ServerTrade> {
  const pair = await (people === undefined ? makeRoomPair(server) : makeRoomOf(people));
  const asked = { chatRoomId: pair.roomId, amount: 100_000, description: "Account, level 60" };
  const { id } = expectStatus(await pair.seller.post("/api/transactions", asked), 201).body;
  const { invoiceId } = expectStatus(
    await pair.buyer.post("/api/qpay/invoices", { transactionId: id }),
    200,
  ).body;
  return { ...pair, id, invoiceId };
}

/** The payer's bank pays; the provider calls back `callback` times. */
export async function payAt(
  by: Person,
  invoiceId: string,
  told: Record<string, unknown> = {},
): Promise<Body> {
  return expectStatus(await by.post(`/sandbox/qpay/pay/${invoiceId}`, { callback: true, ...told }), 200).body;
}

/** A trade whose payment is confirmed. */
export async function openPaidTrade(server: Pick<Server, "client">, people?: Pair): Promise<ServerTrade> {
  const deal = await requestPayment(server, people);
  await payAt(deal.buyer, deal.invoiceId);
  await untilStatus(deal, "payment_confirmed");
  return deal;
}

/** A trade whose seller is to be paid. */
export async function openSettlingTrade(server: Pick<Server, "client">): Promise<ServerTrade> {
  const deal = await openPaidTrade(server);
  const at = `/api/transactions/${deal.id}`;
  expectStatus(await deal.seller.post(`${at}/bank-info`, bankInfo), 200, 201);
  expectStatus(await deal.seller.post(`${at}/hand-over`, {}), 200, 201);
  expectStatus(await deal.buyer.post(`${at}/complete`), 200);
  expectStatus(await deal.seller.post(`${at}/complete`), 200);
  await untilStatus(deal, "settlement_pending");
  return deal;
}

/** A trade whose buyer has opened a dispute. */
export async function openDisputedTrade(server: Pick<Server, "client">): Promise<ServerTrade> {
  const deal = await openPaidTrade(server);
  const at = `/api/transactions/${deal.id}`;
  expectStatus(await deal.seller.post(`${at}/bank-info`, bankInfo), 200, 201);
  expectStatus(await deal.buyer.post(`${at}/dispute`, { reason: "The password is wrong" }), 200);
  await untilStatus(deal, "disputed");
  return deal;
}

/** When the latest dispute of a trade was opened: the name of that dispute. */
export async function readDisputeTime({ buyer, id }: Pick<ServerTrade, "buyer" | "id">): Promise<string> {
  const { dispute } = expectStatus(await buyer.get(`/api/transactions/${id}`), 200).body;
  return (dispute as { openedAt: string }).openedAt;
}

/** The latest payout or refund of a trade, as an administrator sees it. */
export async function payoutOf(admin: Client, { id }: ServerTrade): Promise<number> {
  const { body } = expectStatus(await admin.get(`/api/admin/transactions/${id}`), 200);
  return (body.payouts as Array<{ id: number }>).at(-1)?.id ?? 0;
}

/** A payment that came once its trade was over and `then` had happened; answers the refund that is due. */
export async function lateRefund(
  server: Pick<Server, "client">,
  admin: Client,
  then: (deal: ServerTrade) => Promise<Reply>,
): Promise<{ deal: ServerTrade; refund: number }> {
  const deal = await requestPayment(server);
  expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/withdraw`), 200);
  expectStatus(await then(deal), 200);
  await payAt(deal.seller, deal.invoiceId);
  for (const from = Date.now(); Date.now() - from < 45_000; await Bun.sleep(50)) {
    const refund = await payoutOf(admin, deal);
    if (refund !== 0) return { deal, refund };
  }
  throw new Error(`transaction ${deal.id} has no refund after 45 s`);
}

/** The buyer deletes their account. */
export function deleteBuyerAccount({ buyer: { password, username, send } }: ServerTrade): Promise<Reply> {
  return send("DELETE", "/api/users/me", { password, confirmation: username });
}

/** Waits until the trade stands in a status, as a page that polls our database would; answers the trade. */
export async function untilStatus({ buyer, id }: ServerTrade, status: string, seconds = 45): Promise<Body> {
  let last = "";
  for (const from = Date.now(); Date.now() - from < seconds * 1000; await Bun.sleep(100)) {
    const { body } = expectStatus(await buyer.get(`/api/transactions/${id}`), 200);
    if (body.status === status) return body;
    last = body.status;
  }
  throw new Error(`transaction ${id} is ${last}, not ${status}, after ${seconds} s`);
}
