import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { holdsOf, payoutsOf } from "#modules/payments";
import {
  approvePayout,
  sendPayout,
  settleShownTrade,
} from "../../../../tests/support/backoffice/payouts-as-shown.ts";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import {
  confirmByBoth,
  createPaidTrade,
  expectAccepted,
  moneyOf,
  type PlantedTrade,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { adminComplete } from "../backoffice/transactions/administrator-commands.ts";
import { resolveTradeHold } from "./resolve-hold.ts";

/** An administrator dismisses the hold of an unanswered check while one of their own steps waits for that check. */

useDatabase();
const market = useSandboxProvider();

const reference = () => `UN${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
const payoutOf = async (deal: PlantedTrade) => (await payoutsOf(db(), deal.id))[0]?.id ?? 0;

/**
 * Dismisses each hold of an unanswered check as soon as it opens. Returns a function that stops this and returns how many were dismissed.
 */
function dismissing(deal: PlantedTrade): () => Promise<number> {
  let on = true;
  let closed = 0;
  const work = (async () => {
    while (on) {
      for (const { id, reason, closedAt } of await holdsOf(db(), deal.id)) {
        if (reason !== "CHECK_UNANSWERED" || closedAt !== null) continue;
        const done = await resolveTradeHold(deal.admin, id, { outcome: "dismissed", note: "it will answer" });
        if (done.ok && done.state === "closed") closed += 1;
      }
      await Bun.sleep(1);
    }
    return closed;
  })();
  return () => {
    on = false;
    return work;
  };
}

test.each(["send", "settle", "complete"] as const)(
  "money is not sent by %s if its hold was dismissed before the step reached the trade",
  async (step) => {
    let dismissed = 0;
    for (let round = 0; round < 2; round++) {
      const deal = await createPaidTrade();
      await confirmByBoth(deal);
      const id = await payoutOf(deal);
      if (step === "send") await expectAccepted(approvePayout(deal.admin, id));
      await db().execute(sql`UPDATE sandbox.payments SET status = 'REFUNDED'`);
      await market.behave({ operation: "check", fail: 500, nextCalls: "all" });
      const stop = dismissing(deal);
      const bankReference = reference();
      const done =
        step === "send"
          ? await sendPayout(deal.admin, id, { bankReference })
          : step === "settle"
            ? await settleShownTrade(deal.admin, deal.id, { bankReference })
            : await adminComplete(deal.admin, deal.id);
      dismissed += await stop();
      expect(done).toMatchObject({ ok: false, code: "TRADE_ON_HOLD" });
      expect(await moneyOf(deal)).toMatchObject({ held: 110_000 });
      await market.behave({ reset: true });
    }
    expect(dismissed).toBeGreaterThan(0);
  },
);
