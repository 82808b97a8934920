import { expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  createInvoicedTrade,
  createPaidTrade,
  expectAccepted,
  readMailTemplates,
  runAtTime,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { amendTrade } from "../trade/amend-trade.ts";
import { requestCancellation, withdrawCancellation } from "../trade/party-commands.ts";
import { throttleReversibleCommand, throttleWrites } from "./throttles.ts";

useDatabase();
useSandboxProvider();

const reason = "the account was taken back";

test("repeated requests and withdrawals cannot fill the other's mailbox; a repetition is free", async () => {
  const [asked, disputed, amended] = [
    await createPaidTrade(),
    await createPaidTrade(),
    await createInvoicedTrade(),
  ];
  overrideConfig({ THROTTLE_FACTOR: 0.1 });
  try {
    const refused: string[] = [];
    const note = (answer: { ok: true } | { ok: false; code: string }) => {
      if (!answer.ok) refused.push(answer.code);
    };
    for (let i = 0; i < 8; i++) {
      note(await requestCancellation(asked.buyer, asked.id));
      note(await withdrawCancellation(asked.buyer, asked.id));
      note(await openDispute(disputed.seller, disputed.id, { reason }));
      note(await withdrawDispute(disputed.seller, disputed.id));
      note(await amendTrade(amended.seller, amended.id, { amount: 50_000 + i }));
    }
    expect(new Set(refused)).toEqual(new Set(["THROTTLED"]));
    expect(
      (await readMailTemplates(asked.seller)).filter((one) => one === "cancellationRequested"),
    ).toHaveLength(1);
    expect((await readMailTemplates(disputed.buyer)).filter((one) => one === "disputeOpened")).toHaveLength(
      1,
    );
    expect((await readMailTemplates(amended.buyer)).filter((one) => one === "paymentRequested")).toHaveLength(
      1 + 6,
    );
    for (let i = 0; i < 10; i++) {
      expect(await expectAccepted(withdrawCancellation(asked.buyer, asked.id))).toMatchObject({
        changed: false,
      });
    }
    expect(await requestCancellation(asked.seller, asked.id)).toMatchObject({ ok: true, changed: true });
  } finally {
    overrideConfig({ THROTTLE_FACTOR: 1 });
  }
});

test("a person asks to cancel ten times a day and opens ten disputes, and always withdraws and agrees", async () => {
  const [asked, disputed] = [await createPaidTrade(), await createPaidTrade()];
  const start = Date.now();
  for (let turn = 0; turn < 10; turn++) {
    await runAtTime(new Date(start + turn * 60_000), async () => {
      await expectAccepted(requestCancellation(asked.buyer, asked.id));
      await expectAccepted(withdrawCancellation(asked.buyer, asked.id));
      await expectAccepted(openDispute(disputed.seller, disputed.id, { reason }));
      await expectAccepted(withdrawDispute(disputed.seller, disputed.id));
    });
  }
  await runAtTime(new Date(start + 600_000), async () => {
    for (const refused of [
      await requestCancellation(asked.buyer, asked.id),
      await openDispute(disputed.seller, disputed.id, { reason }),
    ])
      expect(refused).toMatchObject({ code: "THROTTLED" });
    // The other party is free to ask, and the first one to agree.
    await expectAccepted(openDispute(disputed.buyer, disputed.id, { reason }));
    await expectAccepted(requestCancellation(asked.seller, asked.id));
    const agreed = await expectAccepted(requestCancellation(asked.buyer, asked.id));
    expect(agreed.trade.endReason).toBe("agreed");
  });
});

test("a request refused for another reason, or for another's trade, does not count", async () => {
  const [deal, stranger] = [await createPaidTrade(), await plantUser()];
  overrideConfig({ THROTTLE_FACTOR: 0.05 });
  try {
    const tried: unknown[] = [];
    for (let i = 0; i < 5; i++) {
      tried.push(await throttleReversibleCommand(stranger, deal.id, { kind: "request_cancellation" }));
      tried.push(await throttleReversibleCommand(deal.buyer, deal.id, { kind: "withdraw" }));
    }
    expect(tried).toEqual(Array(10).fill({ ok: true }));
    const turns = [];
    for (let i = 0; i < 4; i++) {
      turns.push((await throttleReversibleCommand(deal.buyer, deal.id, { kind: "request_cancellation" })).ok);
    }
    expect(turns).toEqual([true, false, false, false]);
  } finally {
    overrideConfig({ THROTTLE_FACTOR: 1 });
  }
});

test("a person may write so often a minute, independent of others; visitors are handled by the function itself", async () => {
  const [one, other] = [await plantUser(), await plantUser()];
  const visitor = { kind: "visitor", ip: "", device: "", language: "en", requestId: "" } as const;
  overrideConfig({ THROTTLE_FACTOR: 0.05 });
  try {
    const answers = [];
    for (const who of [one, one, one, one, other, visitor]) answers.push((await throttleWrites(who)).ok);
    expect(answers).toEqual([true, true, true, false, true, true]);
  } finally {
    overrideConfig({ THROTTLE_FACTOR: 1 });
  }
});
