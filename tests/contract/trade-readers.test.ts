import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { postForm, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { expectStatus, type Person } from "../support/people/registered-people.ts";
import { useSharedServer } from "../support/server/use-shared-server.ts";
import {
  bankInfo,
  openPaidTrade,
  openSettlingTrade,
  payAt,
  payoutOf,
  refundAccount,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";

/** What the pages of a trade say to each of its two readers, so that neither takes it for the other's. */

setDefaultTimeout(60_000);

const { server, admin } = useSharedServer();

const sides = ["buyer", "seller"] as const;
const say = (key: string, params: Record<string, string> = {}) => translateText("en", key, params);
const call = ({ id }: ServerTrade, path = "") => `/api/transactions/${id}${path}`;
const oneLine = (html: string) => visibleText(html).replaceAll(/\s+/g, " ");
const readHtml = async (who: Person, path: string) => expectStatus(await who.get(path), 200).text;
const pathsOf = ({ roomId, id }: ServerTrade) => [paths.roomTrade(roomId), paths.transaction(id)];

/** The row of a trade that opens, with its line. */
function rowOf(html: string, id: string): string {
  const row = html.split("<details").find((part) => part.includes(`<div id="${id}"`)) ?? "";
  return oneLine(`<details${row.split("</details>")[0] ?? ""}`);
}

async function settle(deal: ServerTrade): Promise<void> {
  const at = `/api/admin/payouts/${await payoutOf(admin, deal)}`;
  expectStatus(await postAsShown(admin, `${at}/approve`), 200);
  expectStatus(await postAsShown(admin, `${at}/send`, { bankReference: `readers-${deal.id}` }), 200);
}

async function openFinishedTrade(): Promise<ServerTrade> {
  const deal = await openSettlingTrade(server);
  await settle(deal);
  return deal;
}

describe("shared information", () => {
  test("is no third confirmation: it is named once it exists, and only what was confirmed is said", async () => {
    const deal = await openPaidTrade(server);
    const sharedWith = async (who: Person) =>
      rowOf(await readHtml(who, paths.roomTrade(deal.roomId)), "shared");
    for (const side of sides) {
      const row = await sharedWith(deal[side]);
      expect(row).toContain(say("trade.row.share"));
      expect(row).toContain(say("info.notProvided"));
      expect(row.toLowerCase()).not.toContain("confirm");
    }
    expectStatus(await deal.seller.post(call(deal, "/bank-info"), bankInfo), 200, 201);
    const name = String(
      (expectStatus(await deal.buyer.get(call(deal)), 200).body.seller as unknown as { displayName: string })
        .displayName,
    );
    const offered = await sharedWith(deal.buyer);
    for (const part of [
      say("trade.row.shared"),
      say("info.hasShared", { name }),
      say("info.confirmMeans", { name }),
      say("info.confirm"),
    ]) {
      expect(offered).toContain(part);
    }
    const press = { form: "confirm-info", version: "1" };
    expect(
      (await readToastAfter(deal.buyer, await postForm(deal.buyer, paths.room(deal.roomId), press)))[1],
    ).toBe(say("toast.done.confirm-info"));
    const confirmed = await sharedWith(deal.buyer);
    expect(confirmed).toContain(say("trade.row.received"));
    expect(confirmed).toContain(say("info.youReceived"));
    expect(confirmed).not.toContain(say("info.confirmMeans", { name }));
    for (const path of pathsOf(deal))
      expect(await readHtml(deal.seller, path)).toContain('data-received="mine"');
    expect(await readHtml(deal.seller, paths.roomTrade(deal.roomId))).not.toContain('data-received="theirs"');
  });

  test("asks nobody for a confirmation after the end", async () => {
    const deal = await openFinishedTrade();
    for (const side of sides) {
      for (const path of pathsOf(deal)) {
        const html = await readHtml(deal[side], path);
        expect(html).not.toContain('value="confirm-info"');
        expect(oneLine(html)).not.toContain(say("info.notConfirmed"));
        expect(html).not.toContain("data-received");
      }
    }
    const row = rowOf(await readHtml(deal.buyer, paths.roomTrade(deal.roomId)), "shared");
    expect(row).toContain("Khan Bank");
  });
});

describe("the seller's account after the end", () => {
  const number = bankInfo.accountNumber;
  const readEverywhere = async (who: Person, deal: ServerTrade) =>
    Promise.all(
      [...pathsOf(deal), paths.room(deal.roomId), call(deal), call(deal, "/info-exchange")].map((path) =>
        readHtml(who, path),
      ),
    );

  test("is for the buyer its bank and last four digits, on pages and in the API", async () => {
    const deal = await openSettlingTrade(server);
    const { body: open } = expectStatus(await deal.buyer.get(call(deal, "/info-exchange")), 200);
    expect(open.sellerInfo).toMatchObject({ accountNumber: number, accountName: "Bat Erdene" });
    await settle(deal);
    for (const text of await readEverywhere(deal.buyer, deal)) {
      expect(text).not.toContain(number);
      expect(text).not.toContain("Bat Erdene");
      expect(text).toContain("••••5678");
      expect(text).toContain("Khan Bank");
    }
    const [own = ""] = await readEverywhere(deal.seller, deal);
    expect(own).toContain(number);
  });

  test("is the same after a cancellation", async () => {
    const deal = await openPaidTrade(server);
    expectStatus(await deal.seller.post(call(deal, "/bank-info"), bankInfo), 200, 201);
    for (const side of sides) expectStatus(await deal[side].post(call(deal, "/cancel")), 200);
    for (const text of await readEverywhere(deal.buyer, deal)) {
      expect(text).not.toContain(number);
      expect(text).not.toContain("Bat Erdene");
      expect(text).toContain("••••5678");
    }
  });
});

describe("the reader's amount", () => {
  /** The words beside an amount in the strip above the conversation and in the list of rooms. */
  async function wordsBeside(who: Person, deal: ServerTrade): Promise<string[]> {
    const strip = await readHtml(who, paths.room(deal.roomId));
    const list = await readHtml(who, paths.chat);
    const row = list.split("<li").find((part) => part.includes(`id="room-${deal.roomId}"`)) ?? "";
    return [strip, row].map((html) =>
      oneLine(/<span data-money="\w+"[^>]*>.*?<\/span>/s.exec(html)?.[0] ?? "").trim(),
    );
  }

  test("never reads as the other person's money", async () => {
    const finished = await openFinishedTrade();
    expect(await wordsBeside(finished.buyer, finished)).toEqual(["Completed", "Completed"]);
    expect(await wordsBeside(finished.seller, finished)).toEqual(["Paid out", "Paid out"]);
    const cancelled = await openPaidTrade(server);
    for (const side of sides) expectStatus(await cancelled[side].post(call(cancelled, "/cancel")), 200);
    expect(await wordsBeside(cancelled.buyer, cancelled)).toEqual(["Refund due", "Refund due"]);
    expect(await wordsBeside(cancelled.seller, cancelled)).toEqual(["Refund to buyer", "Refund to buyer"]);
    expectStatus(await cancelled.buyer.post(call(cancelled, "/refund-destination"), refundAccount), 200);
    await settle(cancelled);
    expect(await wordsBeside(cancelled.buyer, cancelled)).toEqual(["Refunded", "Refunded"]);
    expect(await wordsBeside(cancelled.seller, cancelled)).toEqual([
      "Refunded to buyer",
      "Refunded to buyer",
    ]);
  });
});

describe("two deadlines at a time", () => {
  test("each say what happens at their end", async () => {
    const deal = await requestPayment(server);
    const paying = oneLine(await readHtml(deal.buyer, paths.roomTrade(deal.roomId)));
    expect(paying).toContain(say("clock.end.payment_window"));
    expect(paying).toContain(say("trade.qrEnd.buyer"));
    const sellers = oneLine(await readHtml(deal.seller, paths.roomTrade(deal.roomId)));
    expect(sellers).toContain(say("trade.qrEnd.seller"));
    expect(sellers).not.toContain(say("clock.end.payment_window"));

    const paid = await openPaidTrade(server);
    expectStatus(await paid.seller.post(call(paid, "/hand-over"), {}), 200);
    for (const path of pathsOf(paid)) {
      const checking = oneLine(await readHtml(paid.buyer, path));
      for (const key of ["clock.end.buyer_finish", "clock.own.admin_review", "clock.end.admin_review"])
        expect(checking).toContain(say(key));
      const waiting = oneLine(await readHtml(paid.seller, path));
      expect(waiting).toContain(say("clock.what.admin_review"));
      expect(waiting).not.toContain(say("clock.end.buyer_finish"));
    }
  });
});

test("an open request to cancel is the turn of the one who must answer, and the handover stays possible", async () => {
  const deal = await openPaidTrade(server);
  expectStatus(await deal.buyer.post(call(deal, "/cancel")), 200);
  const said = { buyer: "trade.turn.seller_answer_cancel", seller: "trade.yourTurn.seller_answer_cancel" };
  for (const side of sides) {
    for (const path of pathsOf(deal)) {
      const html = await readHtml(deal[side], path);
      expect(/data-next-step[^>]*>([^<]*)</.exec(html)?.[1]?.replaceAll("&#x27;", "'")).toBe(say(said[side]));
      const steps = html.split(`aria-label="${say("line.label")}"`)[1]?.split("</ol>")[0] ?? "";
      const current = steps.split("<li").filter((step) => step.includes('aria-current="step"'));
      expect(current.map((step) => oneLine(`<li${step}`).trim())).toEqual([
        `${say("status.cancel_asked")} ${say("line.now")}`,
      ]);
    }
  }
  expect(await readHtml(deal.seller, paths.roomTrade(deal.roomId))).toContain('value="hand-over"');
});

test("a failed payment offers support once, and every page names the QR code's button alike", async () => {
  const deal = await requestPayment(server);
  const toQr = oneLine(await readHtml(deal.buyer, paths.transaction(deal.id)));
  expect(toQr).toContain(say("trade.getQr"));
  await payAt(deal.buyer, deal.invoiceId, { status: "FAILED", callback: false });
  expectStatus(await postForm(deal.buyer, paths.room(deal.roomId), { form: "verify" }), 303);
  for (const side of sides) {
    const html = await readHtml(deal[side], paths.roomTrade(deal.roomId));
    expect(html).toContain('data-status="payment_failed"');
    expect(html.split(`topic=payment&amp;code=`).length - 1).toBe(1);
  }
});

test("the offer of notifications names what will come: a turn, or the end where no turn is left", async () => {
  const offerTo = async (who: Person, deal: ServerTrade) =>
    oneLine(/data-push-line.*?<\/p>/s.exec(await readHtml(who, paths.roomTrade(deal.roomId)))?.[0] ?? "");
  const paid = await openPaidTrade(server);
  expect(await offerTo(paid.buyer, paid)).toContain(say("trade.pushOffer.turn"));
  const settling = await openSettlingTrade(server);
  expect(await offerTo(settling.seller, settling)).toContain(say("trade.pushOffer.payout"));
  expect(await offerTo(settling.buyer, settling)).toContain(say("trade.pushOffer.completion"));
});
