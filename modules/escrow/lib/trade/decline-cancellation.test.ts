import { describe, expect, test } from "bun:test";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  declineOpenRequest,
  neverRequested,
  readOpenRequest,
} from "../../../../tests/support/trades/cancellation-requests.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { hearFrames } from "../../../../tests/support/trades/room-frames.ts";
import {
  createPaidTrade,
  createRequestedTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  readAuditActions,
  readMailTemplates,
  readNoticeCodes,
  runAtTime,
  statusOf,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import {
  declineCancellation,
  handOver,
  requestCancellation,
  withdrawCancellation,
} from "./party-commands.ts";

useDatabase();
useSandboxProvider();

type Side = "buyer" | "seller";

/** A trade with a request to cancel of `asker`, and the time that names it on the other party's page. */
async function askedTrade(asker: Side): Promise<{ deal: PlantedTrade; requestedAt: string }> {
  const deal = await createPaidTrade();
  await expectAccepted(requestCancellation(deal[asker], deal.id));
  const requestedAt = await readOpenRequest(deal, asker === "buyer" ? "seller" : "buyer");
  return { deal, requestedAt: requestedAt ?? "no request" };
}

const declinesOf = async (deal: PlantedTrade) =>
  (await readNoticeCodes(deal)).filter((code) => code.startsWith("cancelDeclined"));

describe("declining a request to cancel", () => {
  test("goes on with the trade, tells the room and the asker, and is in the log", async () => {
    for (const [asker, decliner, notice] of [
      ["buyer", "seller", "cancelDeclinedBySeller"],
      ["seller", "buyer", "cancelDeclinedByBuyer"],
    ] as const) {
      const { deal, requestedAt } = await askedTrade(asker);
      const frames: string[] = [];
      const deaf = hearFrames(deal.roomId, (frame) => frames.push(frame));
      const { changed, trade } = await expectAccepted(
        declineCancellation(deal[decliner], deal.id, { requestedAt }),
      );
      deaf();
      expect([changed, trade.status, trade.buyerCancelAt, trade.sellerCancelAt]).toEqual([
        true,
        "payment_confirmed",
        null,
        null,
      ]);
      expect(await declinesOf(deal)).toEqual([notice]);
      expect((await readMailTemplates(deal[asker])).at(-1)).toBe("cancellationDeclined");
      expect(await readMailTemplates(deal[decliner])).not.toContain("cancellationDeclined");
      expect(await readAuditActions(deal)).toContain("transaction.decline_cancellation");
      expect(frames.join()).toContain('"command":"decline_cancellation"');
      expect((await moneyOf(deal)).records).toEqual([]);
    }
  });

  test("lets the seller hand over again, and the asker ask again", async () => {
    const { deal } = await askedTrade("seller");
    expect(await handOver(deal.seller, deal.id)).toMatchObject({ code: "CANCELLATION_PENDING" });
    await declineOpenRequest(deal, "buyer");
    await expectAccepted(handOver(deal.seller, deal.id));
    await expectAccepted(requestCancellation(deal.seller, deal.id));
    await expectAccepted(requestCancellation(deal.buyer, deal.id));
    expect(await statusOf(deal)).toBe("cancelled");
  });

  test("is possible in a dispute, and leaves the dispute open", async () => {
    const deal = await createPaidTrade();
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "The password is wrong" }));
    await expectAccepted(requestCancellation(deal.seller, deal.id));
    await declineOpenRequest(deal, "buyer");
    expect(await statusOf(deal)).toBe("disputed");
  });

  test("twice changes nothing the second time", async () => {
    const { deal, requestedAt } = await askedTrade("buyer");
    const all = await Promise.all(
      Array.from({ length: 8 }, () =>
        expectAccepted(declineCancellation(deal.seller, deal.id, { requestedAt })),
      ),
    );
    expect(all.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await declinesOf(deal)).toEqual(["cancelDeclinedBySeller"]);
    expect(
      (await readMailTemplates(deal.buyer)).filter((one) => one === "cancellationDeclined"),
    ).toHaveLength(1);
  });
});

describe("a request to cancel stays open", () => {
  const refused = { code: "CANCELLATION_CHANGED", current: "payment_confirmed" };

  test("if the press was meant for an earlier one, which was withdrawn", async () => {
    const { deal, requestedAt } = await askedTrade("buyer");
    await expectAccepted(withdrawCancellation(deal.buyer, deal.id));
    expect(await declineCancellation(deal.seller, deal.id, { requestedAt })).toMatchObject({
      changed: false,
    });
    const later = new Date(Date.now() + 1_000);
    await runAtTime(later, () => expectAccepted(requestCancellation(deal.buyer, deal.id)));
    expect(await declineCancellation(deal.seller, deal.id, { requestedAt })).toMatchObject(refused);
    expect(await readOpenRequest(deal, "seller")).toBe(later.toISOString());
    expect(await declinesOf(deal)).toEqual([]);
  });

  test("if its asker declines it", async () => {
    const { deal, requestedAt } = await askedTrade("buyer");
    expect(await declineCancellation(deal.buyer, deal.id, { requestedAt })).toMatchObject(refused);
    expect(await readOpenRequest(deal, "seller")).toBe(requestedAt);
  });

  test("if a stranger or an administrator declines it", async () => {
    const { deal, requestedAt } = await askedTrade("buyer");
    for (const who of [await plantUser(), deal.admin])
      expect(await declineCancellation(who, deal.id, { requestedAt })).toEqual({
        ok: false,
        code: "TRANSACTION_NOT_FOUND",
      });
    expect(await readOpenRequest(deal, "seller")).toBe(requestedAt);
  });
});

test("who is declined asks ten times a day, as who withdraws does; declining is not limited so", async () => {
  const deal = await createPaidTrade();
  const start = Date.now();
  for (let turn = 0; turn < 10; turn++) {
    await runAtTime(new Date(start + turn * 60_000), async () => {
      await expectAccepted(requestCancellation(deal.buyer, deal.id));
      await declineOpenRequest(deal, "seller");
    });
  }
  await runAtTime(new Date(start + 600_000), async () => {
    expect(await requestCancellation(deal.buyer, deal.id)).toMatchObject({ code: "THROTTLED" });
    await expectAccepted(requestCancellation(deal.seller, deal.id));
    await declineOpenRequest(deal, "buyer");
  });
  expect(await declinesOf(deal)).toHaveLength(11);
});

test("a request can be declined only while the money is held and the trade goes on", async () => {
  const unpaid = await createRequestedTrade();
  expect(await declineCancellation(unpaid.buyer, unpaid.id, { requestedAt: neverRequested })).toMatchObject({
    code: "NOT_PAID_YET",
  });
  const agreed = await askedTrade("buyer");
  await expectAccepted(requestCancellation(agreed.deal.seller, agreed.deal.id));
  const ended = await askedTrade("seller");
  await expectAccepted(adminCancel(ended.deal.admin, ended.deal.id));
  for (const [{ deal, requestedAt }, side] of [
    [agreed, "seller"],
    [ended, "buyer"],
  ] as const)
    expect(await declineCancellation(deal[side], deal.id, { requestedAt })).toMatchObject({
      code: "TRADE_OVERTAKEN",
      current: "cancelled",
    });
});

test.each(Array.from({ length: 6 }, (_, round) => round))(
  "of agreeing and declining at the same time one takes effect (%d)",
  async () => {
    const { deal, requestedAt } = await askedTrade("buyer");
    const [agreed, declined] = await Promise.all([
      requestCancellation(deal.seller, deal.id, { agreesTo: requestedAt, vaultShown: "none" }),
      declineCancellation(deal.seller, deal.id, { requestedAt }),
    ]);
    expect([agreed.ok, declined.ok].filter(Boolean)).toHaveLength(1);
    expect(await statusOf(deal)).toBe(agreed.ok ? "cancelled" : "payment_confirmed");
    expect(await declinesOf(deal)).toEqual(declined.ok ? ["cancelDeclinedBySeller"] : []);
  },
);
