import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { supportedLanguages, translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { readPayoutPage } from "../support/backoffice/payout-page.ts";
import { postAsShown, postFormAsShown } from "../support/backoffice/post-as-shown.ts";
import { errorOf, readFieldValue, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { plantGrant, setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  deleteBuyerAccount,
  lateRefund,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  refundAccount,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { findBookFaults, readTradeBalances } from "../support/trades/trade-books.ts";

/** Who says where a refund goes once the room is deleted, or its buyer is gone or silent. */

setDefaultTimeout(60_000);

let server: Server;
let first: Client;
let second: Person;
/** Made an administrator by the first one just now: with them one pair of eyes. */
let related: Person;

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  [first, second, related] = await Promise.all([
    signInAdministrator(server),
    registerPerson(server, "Second Desk"),
    registerPerson(server, "Third Desk"),
  ]);
  await setRight([second.id, related.id], true);
  await plantGrant(related.id);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

const reason = "The payer's bank says that it is theirs";
const account = { ...refundAccount, ibanNumber: "", reason };

/** A refund of a trade that an administrator called off. */
async function calledOff(): Promise<{ deal: ServerTrade; refund: number }> {
  const deal = await openPaidTrade(server);
  expectStatus(await first.post(`/api/admin/transactions/${deal.id}/cancel`), 200);
  return { deal, refund: await payoutOf(first, deal) };
}

const overdue = ({ id }: ServerTrade) =>
  db().execute(sql`
    UPDATE escrow.deadlines SET due_at = now() - interval '1 minute' WHERE trade_id = ${id} AND kind = 'refund_account'`);

const review = (page: Reply) => /<form[^>]*data-review[^>]*>.*?<\/form>/s.exec(page.text)?.[0] ?? "";

describe("on the page of a refund whose buyer is gone", () => {
  let refund: number;
  let deal: ServerTrade;
  const at = () => paths.adminPayout(refund);
  const post = (who: Client, fields: Record<string, string>) =>
    postFormAsShown(who, at(), { form: "destination", ...account, ...fields });

  beforeAll(async () => {
    ({ deal, refund } = await lateRefund(server, first, deleteBuyerAccount));
  });

  test("an administrator may enter its account, in both languages", async () => {
    for (const language of supportedLanguages) {
      const said = visibleText(expectStatus(await first.get(`${at()}?lang=${language}`), 200).text);
      for (const key of ["name.press", "name.ask", "name.reason", "noDestination"]) {
        expect(said).toContain(translateText(language, `admin.payout.${key}`));
      }
    }
    expectStatus(await first.get(`${at()}?lang=en`), 200);
    expect(visibleText(expectStatus(await second.get(at()), 200).text)).not.toContain(
      translateText("en", "admin.payout.press.approve"),
    );
  });

  test("with a reason, reviewed again before it is saved", async () => {
    const bare = await post(first, { reason: " " });
    expect([bare.status, errorOf(bare, "destination-reason")]).toEqual([
      422,
      translateText("en", "validation.accountProof"),
    ]);
    const asked = expectStatus(await post(first, {}), 200);
    for (const said of [refundAccount.accountNumber, refundAccount.accountName]) {
      expect(visibleText(review(asked))).toContain(said);
    }
    expect(visibleText(review(asked))).toContain("The payer");
    const back = expectStatus(await post(first, { edit: "1", confirmed: "1" }), 200);
    expect(readFieldValue(back, "destination-accountNumber")).toBe(refundAccount.accountNumber);
    expect(visibleText(expectStatus(await first.get(at()), 200).text)).toContain(
      translateText("en", "admin.payout.noDestination"),
    );
    const done = await post(first, { confirmed: "1" });
    expect(await readToastAfter(first, done)).toEqual([
      at(),
      translateText("en", "toast.payout.destination"),
    ]);
    const again = await post(first, { confirmed: "1" });
    expect((await readToastAfter(first, again))[1]).toBe(translateText("en", "toast.payout.already"));
  });

  test("then another approves it: neither its author, nor a related administrator", async () => {
    for (const [who, key] of [
      [first, "admin.payout.name.another"],
      [related, "errors.FOUR_EYES_RELATED"],
    ] as const) {
      const page = expectStatus(await who.get(at()), 200).text;
      expect(visibleText(page)).toContain(translateText("en", key));
      expect(page).not.toContain('value="approve"');
      expect(page).toContain('value="destination"');
    }
    const { html, approve } = await readPayoutPage(second, refund);
    for (const said of [reason, translateText("en", "admin.payout.name.by", { name: "admin" })]) {
      expect(visibleText(html)).toContain(said);
    }
    const [, destinationDigest = ""] = /name="destinationDigest" value="([^"]+)"/.exec(html) ?? [];
    const forced = await postFormAsShown(first, at(), { form: "approve", destinationDigest });
    expect((await readToastAfter(first, forced))[1]).toBe(translateText("en", "errors.FOUR_EYES_REQUIRED"));
    expect((await readToastAfter(second, await approve()))[1]).toBe(
      translateText("en", "toast.refund.approve"),
    );
    const late = await post(first, { accountNumber: "1105000000", confirmed: "1" });
    expect((await readToastAfter(first, late))[1]).toBe(
      translateText("en", "errors.REFUND_DESTINATION_FINAL"),
    );
    const sent = { form: "send", bankReference: `GONE-${refund}`, sum: "110000" };
    expect((await readToastAfter(second, await postFormAsShown(second, at(), sent)))[1]).toBe(
      translateText("en", "toast.refund.send"),
    );
    expect(await readTradeBalances(deal.id)).toEqual({ "provider:qpay": -110_000, bank: 110_000 });
  });
});

describe("the call", () => {
  const call = (refund: number) => `/api/admin/payouts/${refund}/destination`;
  const codeOf = async (who: Client, path: string, body: object = account) => {
    const reply = await postAsShown(who, path, body);
    return reply.status === 200 ? "ok" : reply.body.code;
  };

  test("enters the account of an overdue refund, whose buyer gets a mail and may still enter their own", async () => {
    const { deal, refund } = await calledOff();
    const approve = `/api/admin/payouts/${refund}/approve`;
    expect(await codeOf(first, call(refund))).toBe("BUYER_NAMES_ACCOUNT");
    expect(expectStatus(await first.get(paths.adminPayout(refund)), 200).text).not.toContain(
      'value="destination"',
    );
    await overdue(deal);
    const named = expectStatus(await first.post(call(refund), account), 200);
    expect(named.body.payout).toMatchObject({
      ...{ state: "due", namedReason: reason },
      destination: { accountNumber: "••••3456" },
    });
    expect(await codeOf(first, approve, {})).toBe("FOUR_EYES_REQUIRED");
    expect(await codeOf(related, approve, {})).toBe("FOUR_EYES_RELATED");
    const mailed = await db().execute(sql`
      SELECT 1 FROM mailer.messages WHERE user_id = ${deal.buyer.id} AND template = 'refundAccountNamed'`);
    expect(mailed).toHaveLength(1);
    const own = { ...refundAccount, accountNumber: "1105777777" };
    expectStatus(await deal.buyer.post(`/api/transactions/${deal.id}/refund-destination`, own), 200);
    expect(await codeOf(second, call(refund))).toBe("BUYER_NAMES_ACCOUNT");
    expect(await codeOf(first, approve, {})).toBe("ok");
    expect(await codeOf(second, call(refund))).toBe("REFUND_DESTINATION_FINAL");
  });

  test("refuses one for a payout, for one's own trade, for a missing record, or without a reason", async () => {
    const { deal, refund } = await calledOff();
    await overdue(deal);
    expect(await codeOf(first, call(await payoutOf(first, await openSettlingTrade(server))))).toBe(
      "NO_REFUND_DUE",
    );
    expect(await codeOf(first, call(999_999))).toBe("PAYOUT_NOT_FOUND");
    expect(await codeOf(first, call(refund), refundAccount)).toBe("VALIDATION");
    await setRight(deal.buyer.id, true);
    expect(await codeOf(deal.buyer, call(refund))).toBe("OWN_TRADE");
    expect(expectStatus(await deal.buyer.get(paths.adminPayout(refund)), 200).text).not.toContain(
      'value="destination"',
    );
    await setRight(deal.buyer.id, false);
  });
});

describe("the buyer of a refund", () => {
  const read = async (who: Client, path: string) => visibleText(expectStatus(await who.get(path), 200).text);
  const placesOf = ({ id, roomId }: ServerTrade) => [paths.transaction(id), paths.roomTrade(roomId)];
  const beginning = (key: string) => translateText("en", key, { at: "|" }).split("|")[0] ?? "";

  test("sees until when the account is wanted and what happens then, then which one was chosen; the seller sees neither", async () => {
    const { deal } = await calledOff();
    const told = async (who: Client, key: string) =>
      Promise.all(placesOf(deal).map(async (at) => (await read(who, at)).includes(beginning(key))));
    for (const at of placesOf(deal)) {
      expect(expectStatus(await deal.buyer.get(at), 200).text).toContain('data-clock="refund_account"');
    }
    expect(await told(deal.buyer, "trade.refund.deadline")).toEqual([true, true]);
    expect(await told(deal.seller, "trade.refund.deadline")).toEqual([false, false]);
    await overdue(deal);
    expect(await told(deal.buyer, "trade.refund.deadline")).toEqual([false, false]);
    expect(await told(deal.buyer, "trade.refund.late")).toEqual([true, true]);
    const call = `/api/transactions/${deal.id}`;
    expectStatus(await deal.buyer.post(`${call}/refund-destination`, refundAccount), 200);
    expect(await told(deal.buyer, "trade.refund.late")).toEqual([false, false]);
    for (const at of placesOf(deal)) {
      const [own, other] = [await read(deal.buyer, at), await read(deal.seller, at)];
      for (const part of [refundAccount.bankName, refundAccount.accountName, refundAccount.accountNumber]) {
        expect([at, own.includes(part), other.includes(part)]).toEqual([at, true, false]);
      }
    }
    const { bankName, accountName, accountNumber } = refundAccount;
    const chosen = { bankName, accountName, accountNumber, iban: null, byAdministrator: false };
    expect(expectStatus(await deal.buyer.get(call), 200).body.refundAccount).toEqual(chosen);
    expect(expectStatus(await deal.seller.get(call), 200).body.refundAccount).toBeNull();
  });

  test("sees the bank and the last digits of an account that an administrator added, and that it was", async () => {
    const { deal, refund } = await calledOff();
    await overdue(deal);
    expectStatus(await first.post(`/api/admin/payouts/${refund}/destination`, account), 200);
    for (const at of placesOf(deal)) {
      const said = await read(deal.buyer, at);
      expect(said).toContain(translateText("en", "trade.refund.named"));
      expect(said).toContain(`••••${refundAccount.accountNumber.slice(-4)}`);
      expect(said).not.toContain(refundAccount.accountNumber);
    }
    expectStatus(await postAsShown(second, `/api/admin/payouts/${refund}/approve`), 200);
    for (const at of placesOf(deal)) {
      const said = await read(deal.buyer, at);
      expect(said).toContain(translateText("en", "trade.refund.namedFinal"));
      expect(said).not.toContain(translateText("en", "trade.refund.named"));
    }
  });
});

describe("if the room is deleted", () => {
  test("the buyer enters the account on the transaction's page, reviewed again; the seller sees no form", async () => {
    const { deal, refund } = await lateRefund(server, first, ({ seller, roomId }) =>
      seller.delete(`/api/chat/rooms/${roomId}`),
    );
    const at = paths.transaction(deal.id);
    const typed = { form: "refund-destination", ...refundAccount, ibanNumber: "" };
    for (const language of supportedLanguages) {
      const page = expectStatus(await deal.buyer.get(`${at}?lang=${language}`), 200).text;
      expect(visibleText(page)).toContain(translateText(language, "info.refundTitle"));
      expect(page).toContain('value="refund-destination"');
    }
    expectStatus(await deal.buyer.get(`${at}?lang=en`), 200);
    expect(expectStatus(await deal.seller.get(at), 200).text).not.toContain('value="refund-destination"');
    expect((await postFormAsShown(deal.seller, at, typed)).status).toBe(403);
    const wrong = await postFormAsShown(deal.buyer, at, { ...typed, accountNumber: "12" });
    const short = translateText("en", "validation.accountNumber");
    expect([wrong.status, errorOf(wrong, "refund-destination-accountNumber")]).toEqual([422, short]);
    const asked = expectStatus(await postFormAsShown(deal.buyer, at, typed), 200);
    expect(visibleText(review(asked))).toContain(refundAccount.accountNumber);
    const done = await postFormAsShown(deal.buyer, at, { ...typed, confirmed: "1" });
    expect(await readToastAfter(deal.buyer, done)).toEqual([
      at,
      translateText("en", "toast.done.refund-destination"),
    ]);
    expectStatus(await postAsShown(first, `/api/admin/payouts/${refund}/approve`), 200);
    expectStatus(
      await postAsShown(first, `/api/admin/payouts/${refund}/send`, { bankReference: `ROOM-${refund}` }),
      200,
    );
    expect(visibleText(expectStatus(await deal.buyer.get(at), 200).text)).toContain(
      translateText("en", "trade.refund.sent"),
    );
  });

  test("otherwise the room has the form and the page leads there", async () => {
    const { deal } = await calledOff();
    const page = expectStatus(await deal.buyer.get(paths.transaction(deal.id)), 200).text;
    expect(page).not.toContain('value="refund-destination"');
    expect(page).toContain(`href="/chat/${deal.roomId}`);
  });
});

test("finally the ledger and the log are intact", async () => {
  expect(await findBookFaults()).toEqual([]);
});
