import { expect, test } from "bun:test";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { hearFrames } from "../../../../tests/support/trades/room-frames.ts";
import {
  createPaidTrade,
  expectAccepted,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import {
  confirmCompletion,
  handOver,
  requestCancellation,
  withdrawCancellation,
} from "../trade/party-commands.ts";
import { tradeNow } from "./trade.fixture.ts";

useDatabase();
useSandboxProvider();

test("the room is notified of every change, and once of another status", async () => {
  const deal = await createPaidTrade();
  const heard: { type: string; data?: { status?: string } }[] = [];
  const { roomId } = await tradeNow(deal);
  const deaf = hearFrames(roomId, (frame) => heard.push(JSON.parse(frame)));
  const of = (wanted: string) => heard.filter(({ type }) => type === wanted).map(({ data }) => data);
  const said = (status: string) => ({ transactionId: deal.id, status });
  await expectAccepted(requestCancellation(deal.buyer, deal.id));
  await expectAccepted(withdrawCancellation(deal.buyer, deal.id));
  await expectAccepted(handOver(deal.seller, deal.id));
  await expectAccepted(handOver(deal.seller, deal.id));
  expect(of("status_update")).toEqual([]);
  expect(of("transaction_update")).toEqual(Array(3).fill(said("payment_confirmed")));
  await expectAccepted(confirmCompletion(deal.buyer, deal.id));
  await expectAccepted(confirmCompletion(deal.buyer, deal.id));
  expect(await confirmCompletion(deal.seller, deal.id)).toMatchObject({ code: "DESTINATION_MISSING" });
  deaf();
  expect(of("status_update")).toEqual([said("exchange_completed")]);
  expect(of("transaction_update")).toHaveLength(4);
});
