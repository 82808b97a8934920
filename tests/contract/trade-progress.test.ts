import { describe, expect, test } from "bun:test";
import { translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { expectStatus, type Person } from "../support/people/registered-people.ts";
import { useSharedServer } from "../support/server/use-shared-server.ts";
import { endPaymentWindow } from "../support/trades/end-payment-window.ts";
import {
  openDisputedTrade,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  refundAccount,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";

/** The progress of a trade is said in the same words on its own page, in its room and in the history, in every state. */

const { server, admin } = useSharedServer();

const say = (key: string) => translateText("en", key);

async function openSealedTrade(): Promise<ServerTrade> {
  const deal = await openPaidTrade(server);
  const vault = { login: "golden-eagle", password: "a long password" };
  expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/vault`, vault), 200);
  return deal;
}

async function openAskedTrade(): Promise<ServerTrade> {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/cancel`), 200);
  return deal;
}

async function openCancelledTrade(): Promise<ServerTrade> {
  const deal = await openAskedTrade();
  expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/cancel`), 200);
  return deal;
}

async function openRefundingTrade(): Promise<ServerTrade> {
  const deal = await openCancelledTrade();
  const at = `/api/transactions/${deal.id}/refund-destination`;
  expectStatus(await deal.buyer.post(at, refundAccount), 200);
  return deal;
}

async function openRuledTrade(ruling: object): Promise<ServerTrade> {
  const deal = await openDisputedTrade(server);
  const at = `/api/admin/transactions/${deal.id}/rule`;
  expectStatus(await postAsShown(admin, at, { reason: "As both have described it", ...ruling }), 200);
  return deal;
}

async function settle(deal: ServerTrade): Promise<ServerTrade> {
  const at = `/api/admin/payouts/${await payoutOf(admin, deal)}`;
  expectStatus(await postAsShown(admin, `${at}/approve`), 200);
  expectStatus(await postAsShown(admin, `${at}/send`, { bankReference: `progress-${deal.id}` }), 200);
  return deal;
}

/** What the sentence about a state is for: both sides, each side by itself, or nobody, because the head says the same. */
type Banner = "both" | "each" | "none";

/** Each state of a trade: how it is reached, and the key of its texts (`status.<state>`, `trade.banner.<state>`). */
const states: Record<string, { open: () => Promise<ServerTrade>; state: string; banner?: Banner }> = {
  "awaiting payment": { open: () => requestPayment(server), state: "payment_initiated", banner: "none" },
  paid: { open: () => openPaidTrade(server), state: "payment_confirmed", banner: "each" },
  "cancellation asked": { open: openAskedTrade, state: "cancel_asked" },
  "vault filled": { open: openSealedTrade, state: "handed_over", banner: "each" },
  "vault opened": {
    open: async () => {
      const deal = await openSealedTrade();
      expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/vault/open`), 200);
      return deal;
    },
    state: "handed_over",
    banner: "each",
  },
  "both confirmed": { open: () => openSettlingTrade(server), state: "settlement_pending", banner: "each" },
  "paid out": {
    open: async () => settle(await openSettlingTrade(server)),
    state: "completed",
    banner: "each",
  },
  disputed: { open: () => openDisputedTrade(server), state: "disputed" },
  "payout decided": {
    open: () => openRuledTrade({ ruling: "release", sum: 100_000 }),
    state: "paying_out",
    banner: "each",
  },
  "money split": {
    open: () => openRuledTrade({ ruling: "split", refundAmount: 40_000, sum: 40_000 }),
    state: "paying_parts",
  },
  withdrawn: {
    open: async () => {
      const deal = await requestPayment(server);
      expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/withdraw`), 200);
      return deal;
    },
    state: "cancelled",
  },
  expired: {
    open: async () => {
      const deal = await requestPayment(server);
      await endPaymentWindow(deal);
      return deal;
    },
    state: "cancelled",
  },
  cancelled: { open: openCancelledTrade, state: "cancelled_refunding", banner: "each" },
  "refund due": { open: openRefundingTrade, state: "cancelled_refunding", banner: "each" },
  refunded: {
    open: async () => settle(await openRefundingTrade()),
    state: "cancelled_refunded",
    banner: "each",
  },
};

/** The sentence about a state as one side reads it; empty where there is none. */
function bannerFor({ state, banner = "both" }: { state: string; banner?: Banner }, side: "buyer" | "seller") {
  if (banner === "none") return "";
  return say(banner === "each" ? `trade.banner.${state}.${side}` : `trade.banner.${state}`);
}

/** The head of a trade, the section about its progress and the sentence in it, as texts: without the running seconds of its deadlines. */
async function readProgress(who: Person, path: string): Promise<string[]> {
  const { text } = expectStatus(await who.get(path), 200);
  const [, head = ""] =
    /rounded-card border p-3\.5[^>]*data-hand-over[^>]*>([\s\S]*?)<\/h2>/.exec(text) ?? [];
  const label = `<section aria-label="${say("trade.progress")}"`;
  const [, section = ""] = new RegExp(`(${label}[\\s\\S]*?)</section>`).exec(text) ?? [];
  const [, banner = ""] = /data-banner[^>]*>([^<]*)</.exec(section) ?? [];
  return [head, section, banner].map((html) =>
    visibleText(html)
      .replaceAll(/\d\d:\d\d:\d\d/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

const rowOf = (html: string, id: number) =>
  visibleText(html.split("<li").find((row) => row.includes(`href="${paths.transaction(id)}"`)) ?? "");

describe("a trade's page, its room and the history", () => {
  test.each(Object.entries(states))(
    "%s: say the same",
    async (_, { open, ...told }) => {
      const deal = await open();
      for (const side of ["buyer", "seller"] as const) {
        const who = deal[side];
        const [head = "", section = "", banner = ""] = await readProgress(who, paths.transaction(deal.id));
        expect([head, section, banner]).toEqual(await readProgress(who, paths.roomTrade(deal.roomId)));
        expect(head.length).toBeGreaterThan(5);
        expect(banner).toBe(bannerFor(told, side));
        const { text } = expectStatus(await who.get(paths.history), 200);
        expect(rowOf(text, deal.id)).toContain(say(`status.${told.state}`));
      }
    },
    60_000,
  );

  test("a cancelled trade says why, who sends the refund and when it was sent, and nowhere that it is held", async () => {
    const sum = "110,000 ₮";
    const deal = await openCancelledTrade();
    const said = async (who: Person) => {
      const page = expectStatus(await who.get(paths.transaction(deal.id)), 200).text;
      expect(page).not.toContain('data-money="held"');
      expect(expectStatus(await who.get(paths.history), 200).text).not.toContain('data-money="held"');
      const [, section = ""] = await readProgress(who, paths.transaction(deal.id));
      expect(section).toContain(say("trade.cancelled.reason.agreed"));
      return section;
    };
    const sentence = (key: string, params: Record<string, string> = {}) =>
      translateText("en", `trade.cancelled.${key}`, { sum, ...params });
    for (const [step, stage] of [
      [undefined, "account"],
      [() => deal.buyer.post(`/api/transactions/${deal.id}/refund-destination`, refundAccount), "due"],
    ] as const) {
      if (step !== undefined) expectStatus(await step(), 200);
      expect(await said(deal.buyer)).toContain(sentence(`${stage}.buyer`));
      expect(await said(deal.seller)).toContain(sentence(`${stage}.seller`));
    }
    await settle(deal);
    const before = sentence("sent.buyer", { at: "\n" }).split("\n")[0] ?? "";
    const after = await said(deal.buyer);
    expect(after).toContain(before);
    expect(after.slice(after.indexOf(before) + before.length)).toMatch(
      /^\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d\. /,
    );
    expect(await said(deal.seller)).toContain(say("trade.banner.cancelled_refunded.seller"));
  }, 60_000);
});
