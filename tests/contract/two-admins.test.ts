import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { approveOnPage, readPayoutPage } from "../support/backoffice/payout-page.ts";
import { postAsShown, postFormAsShown } from "../support/backoffice/post-as-shown.ts";
import { acceptAltered } from "../support/database/accept-altered.ts";
import { errorOf, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  bankInfo,
  openDisputedTrade,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  refundAccount,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { findBookFaults, readTradeBalances } from "../support/trades/trade-books.ts";

/** Two administrators at one payout or dispute at once: one wins, the other is told what happened. */

setDefaultTimeout(60_000);

let server: Server;
let first: Client;
let second: Person;

beforeAll(async () => {
  // A payout of 100,000 is one person's, a refund of 110,000 takes two.
  server = await startServer({ environment: { PAYOUT_FOUR_EYES_ABOVE: "105000" } });
  connectDatabase(server.databaseUrl);
  [first, second] = await Promise.all([signInAdministrator(server), registerPerson(server, "Second Desk")]);
  await grant(second);
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

/** An administrator whom no administrator made. */
async function grant({ id }: Person): Promise<void> {
  await setRight(id, true);
}

/** Both do it at the same moment. */
const both = <T>(act: (who: Client, n: 1 | 2) => Promise<T>): Promise<T[]> =>
  Promise.all([act(first, 1), act(second, 2)]);

const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort();
const codes = (replies: Reply[]) => replies.flatMap(({ body }) => body?.code ?? []);

/** What each is told on the page that their form led to, in alphabetical order. */
async function toasts(answers: Reply[]): Promise<Array<string | null>> {
  const told = await Promise.all(
    answers.map(async (answer, n) => {
      // A number for a transfer that another makes stays in the form.
      if (answer.status === 409) return errorOf(answer, "already-sent");
      const [, said] = await readToastAfter(n === 0 ? first : second, answer);
      return said;
    }),
  );
  return told.sort();
}

/** What is said to who presses "sent" after another has, or instead of who makes the transfer. */
const notTheirs = [
  translateText("en", "errors.PAYOUT_CONFLICT"),
  ...["admin", "Second Desk"].map((name) => translateText("en", "errors.PAYOUT_CLAIMED", { name })),
];

const said = (...keys: string[]) => keys.map((key) => translateText("en", key)).sort();

async function sentTimes(payout: number): Promise<number> {
  const rows = await db().execute(sql`SELECT id FROM payments.journals WHERE event = ${`payout:${payout}`}`);
  return rows.length;
}

describe("one payout", () => {
  test("by pages: approved once, sent with one reference, done once; the second person is told so", async () => {
    const id = await payoutOf(first, await openSettlingTrade(server));
    const act = (fields: (n: 1 | 2) => Record<string, string>) =>
      both((who, n) => postFormAsShown(who, paths.adminPayout(id), fields(n)));
    const seen = await both((who) => readPayoutPage(who, id));
    const approved = await Promise.all(seen.map(({ approve }) => approve()));
    expect(await toasts(approved)).toEqual(said("toast.payout.approve", "toast.payout.already"));
    const send = (n: 1 | 2) => ({ form: "send", bankReference: `DESK-${n}`, sum: "100000" });
    const sent = await toasts(await act(send));
    expect(sent).toContain(translateText("en", "toast.payout.send"));
    expect(sent.filter((one) => notTheirs.includes(one ?? ""))).toHaveLength(1);
    expect(await sentTimes(id)).toBe(1);
    // Who sent it does not see it on the statement: the other does.
    expect(await toasts(await act(() => ({ form: "done" })))).toContain(
      translateText("en", "toast.payout.done"),
    );
  });

  test("by calls: repeating gets the same reply, another reference gets 409 with the trade's state", async () => {
    const deal = await openSettlingTrade(server);
    const at = `/api/admin/payouts/${await payoutOf(first, deal)}`;
    expect(statuses(await both((who) => postAsShown(who, `${at}/approve`)))).toEqual([200, 200]);
    const sent = await both((who, n) => postAsShown(who, `${at}/send`, { bankReference: `CALL-${n}` }));
    expect(statuses(sent)).toEqual([200, 409]);
    expect(["PAYOUT_CONFLICT", "PAYOUT_CLAIMED"]).toContain(codes(sent)[0] ?? "");
    const again = await both((who) => postAsShown(who, `${at}/send`, { bankReference: "CALL-3" }));
    expect(codes(again)).toEqual(["PAYOUT_CONFLICT", "PAYOUT_CONFLICT"]);
    expect(again.map(({ body }) => body.current)).toEqual(["completed", "completed"]);
    const sender = sent[0]?.status === 200 ? first : second;
    expect(expectStatus(await sender.post(`${at}/done`), 409).body.code).toBe("FOUR_EYES_REQUIRED");
    expectStatus(await (sender === first ? second : first).post(`${at}/done`), 200);
    expect(statuses(await both((who) => who.post(`${at}/done`)))).toEqual([200, 200]);
    expect(await readTradeBalances(deal.id)).toMatchObject({ fees: 10_000 });
  });

  test("sent while the approval is withdrawn ends in one of the two; nobody withdraws what another sends", async () => {
    const id = await payoutOf(first, await openSettlingTrade(server));
    const at = `/api/admin/payouts/${id}`;
    expectStatus(await postAsShown(first, `${at}/approve`), 200);
    const reason = "Another account";
    const refused = await second.post(`${at}/withdraw-approval`, { reason });
    expect([refused.status, refused.body.code]).toEqual([409, "PAYOUT_CLAIMED"]);
    const answers = await Promise.all([
      postAsShown(first, `${at}/send`, { bankReference: "RACE-1" }),
      first.post(`${at}/withdraw-approval`, { reason }),
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
    expect(codes(answers)).toEqual(["PAYOUT_CONFLICT"]);
    expect(await sentTimes(id)).toBe(answers[0]?.status === 200 ? 1 : 0);
  });
});

describe("one transfer", () => {
  const number = bankInfo.accountNumber;
  const send = { form: "send", bankReference: "ONCE-1", sum: "100000" };
  const makes = (name: string) =>
    translateText("en", "admin.payout.claim.other", { name, at: "" }).split(" (")[0] ?? "";

  test("is made by its approver; the other sees who and since when, not the whole account, here and in the lists", async () => {
    const id = await payoutOf(first, await openSettlingTrade(server));
    const at = paths.adminPayout(id);
    for (const who of [first, second])
      expect((await who.get(at)).text).not.toContain(`data-copy="${number}"`);
    expectStatus(await approveOnPage(first, id), 303);
    const own = expectStatus(await first.get(at), 200).text;
    expect(own).toContain(`data-copy="${number}"`);
    expect(own).toContain('value="send"');
    const theirs = expectStatus(await second.get(at), 200).text;
    expect(visibleText(theirs)).toContain(makes("admin"));
    expect(theirs).not.toContain(number);
    expect(theirs).not.toContain('value="send"');
    for (const list of [paths.adminWork("payout"), paths.adminPayouts]) {
      const told = visibleText(expectStatus(await second.get(list), 200).text);
      expect(told).toContain("admin is sending it (since ");
    }
  });

  test("by calls and at its trade shows the whole account to its maker and to the seller, and to no other administrator", async () => {
    const deal = await openSettlingTrade(server);
    // The list of work holds other transfers too: this one goes to an account of its own.
    const account = "5098761234";
    const corrected = { ...bankInfo, accountNumber: account };
    expectStatus(await deal.seller.post(`/api/transactions/${deal.id}/bank-info`, corrected), 200, 201);
    const id = await payoutOf(first, deal);
    const step = (who: Client, verb: string, body: object) =>
      postAsShown(who, `/api/admin/payouts/${id}/${verb}`, body);
    const desk = (who: Client) =>
      Promise.all(
        ["/api/admin/queue", `/api/admin/transactions/${deal.id}`, paths.adminTransaction(deal.id)].map(
          (at) => who.get(at).then((reply) => expectStatus(reply, 200).text),
        ),
      );
    for (const who of [first, second]) expect((await desk(who)).join()).not.toContain(account);
    // A corrected account takes two, and three hours.
    expectStatus(await step(second, "approve", {}), 200);
    await db().execute(
      sql`UPDATE payments.payouts SET corrected_at = now() - interval '4 hours' WHERE id = ${id}`,
    );
    await acceptAltered("transfer", id);
    const own = expectStatus(await step(first, "approve", {}), 200);
    expect(own.body.payout).toMatchObject({ destination: { accountNumber: account } });
    const again = expectStatus(await step(second, "approve", {}), 200);
    expect(again.body.payout).toMatchObject({ destination: { accountNumber: `••••${account.slice(-4)}` } });
    const [queue, trade] = await desk(first);
    for (const text of [queue, trade]) expect(text).toContain(account);
    expect((await desk(second)).join()).not.toContain(account);
    for (const verb of ["unknown", "done", "send"]) {
      const body = verb === "send" ? { bankReference: `SEEN-${id}` } : { reason: "it broke off" };
      expect((await step(second, verb, body)).text).not.toContain(account);
    }
    const sent = await step(first, "resolve", { outcome: "sent", bankReference: `SEEN-${id}` });
    expect(expectStatus(sent, 200).text).toContain(account);
    expect(expectStatus(await step(second, "done", {}), 200).text).not.toContain(account);
    expect(expectStatus(await second.get(paths.adminReceipt(id)), 200).text).not.toContain(account);
    expect(expectStatus(await first.get(paths.adminReceipt(id)), 200).text).toContain(account);
    const given = expectStatus(await deal.seller.get(`/api/transactions/${deal.id}/info-exchange`), 200);
    expect(given.body.sellerInfo).toMatchObject({ accountNumber: account });
  });

  test("is withdrawn from its maker only by their name, and nobody else reports it as in doubt", async () => {
    const id = await payoutOf(first, await openSettlingTrade(server));
    const at = paths.adminPayout(id);
    expectStatus(await approveOnPage(first, id), 303);
    const why = { reason: "they left for the day" };
    const refusedTo = translateText("en", "errors.PAYOUT_CLAIMED", { name: "admin" });
    const unnamed = await postFormAsShown(second, at, { form: "withdraw", ...why });
    expect(await readToastAfter(second, unnamed)).toEqual([at, refusedTo]);
    const [, from = ""] = /name="from" value="(\d+)"/.exec((await second.get(at)).text) ?? [];
    const taken = await postFormAsShown(second, at, { form: "withdraw", from, ...why });
    expect(await readToastAfter(second, taken)).toEqual([at, translateText("en", "toast.payout.withdraw")]);
    expectStatus(await approveOnPage(second, id), 303);
    expectStatus(await postFormAsShown(first, at, { form: "unknown", ...why }), 303);
    const doubted = expectStatus(await first.get(at), 200).text;
    expect(visibleText(doubted)).toContain(makes("Second Desk"));
    expect(doubted).not.toContain(number);
    expect(doubted).not.toMatch(/value="found-(un)?sent"/);
    const found = await postFormAsShown(first, at, { form: "found-unsent", ...why });
    const not = translateText("en", "errors.PAYOUT_CLAIMED", { name: "Second Desk" });
    expect(await readToastAfter(first, found)).toEqual([at, not]);
    expectStatus(await postFormAsShown(second, at, { form: "found-unsent", ...why }), 303);
    expect(await sentTimes(id)).toBe(0);
  });

  test("is taken over by a logged button; the previous maker is notified immediately, by page and by call", async () => {
    const deal = await openSettlingTrade(server);
    const id = await payoutOf(first, deal);
    const at = paths.adminPayout(id);
    expectStatus(await approveOnPage(first, id), 303);
    const forced = await postFormAsShown(second, at, send);
    expect([forced.status, errorOf(forced, "already-sent")]).toEqual([
      ...[409, translateText("en", "errors.PAYOUT_CLAIMED", { name: "admin" })],
    ]);
    const unasked = await postFormAsShown(second, at, { form: "claim" });
    expect((await readToastAfter(second, unasked))[1]).toBe(
      translateText("en", "errors.PAYOUT_CLAIMED", { name: "admin" }),
    );
    const [, from = ""] = /name="from" value="(\d+)"/.exec((await second.get(at)).text) ?? [];
    const taken = await postFormAsShown(second, at, { form: "claim", from });
    expect(await readToastAfter(second, taken)).toEqual([at, translateText("en", "toast.payout.claim")]);
    const late = await postFormAsShown(first, at, send);
    const not = translateText("en", "errors.PAYOUT_CLAIMED", { name: "Second Desk" });
    expect([late.status, errorOf(late, "already-sent")]).toEqual([409, not]);
    // The number and the sum stand in the form by which they say that they had sent it.
    expect(late.text).toContain('value="ONCE-1"');
    const called = await postAsShown(first, `/api/admin/transactions/${deal.id}/settle`, {
      bankReference: "ONCE-2",
    });
    expect([called.status, called.body.code, called.body.message]).toEqual([409, "PAYOUT_CLAIMED", not]);
    const closed = await first.post(`/api/admin/transactions/${deal.id}/complete`);
    expect(closed.status).toBe(409);
    const page = expectStatus(await first.get(at), 200).text;
    expect(visibleText(page)).toContain(makes("Second Desk"));
    expect(page).not.toContain(number);
    expect(await sentTimes(id)).toBe(0);
    expect((await readToastAfter(second, await postFormAsShown(second, at, send)))[1]).toBe(
      translateText("en", "toast.payout.send"),
    );
    const [entry] = await db().execute<{ data: { before: object; after: object } }>(
      sql`SELECT data FROM audit.entries WHERE action = 'payout.taken_over' AND subject_id = ${String(id)}`,
    );
    expect(entry?.data).toMatchObject({
      before: { claimedBy: Number(from) },
      after: { claimedBy: second.id },
    });
  });

  test("may be noted why it is taken over; the note is kept when it is refused, and administrators read it", async () => {
    const id = await payoutOf(first, await openSettlingTrade(server));
    const at = paths.adminPayout(id);
    expectStatus(await approveOnPage(first, id), 303);
    const note = "Миний банк нээлттэй байна";
    const long = await postFormAsShown(second, at, { form: "claim", note: note.repeat(30) });
    expect([long.status, errorOf(long, "claim-note")]).toEqual([
      422,
      translateText("en", "validation.tooLong"),
    ]);
    const refused = await postFormAsShown(second, at, { form: "claim", note });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(`value="${note}"`);
    const [, from = ""] = /name="from" value="(\d+)"/.exec(refused.text) ?? [];
    expectStatus(await postFormAsShown(second, at, { form: "claim", from, note }), 303);
    for (const reader of [first, second]) {
      expect(visibleText(expectStatus(await reader.get(at), 200).text)).toContain(
        translateText("en", "admin.payout.claim.noted", { note }),
      );
    }
    const reply = await first.post(`/api/admin/payouts/${id}/claim`, {
      from: second.id,
      note: "By the call",
    });
    expect(expectStatus(reply, 200).body.payout).toMatchObject({
      claimNote: "By the call",
      claimedBy: Number(from),
    });
    expect((await second.post(`/api/admin/payouts/${id}/claim`, { note: "x".repeat(501) })).status).toBe(422);
  });

  test("by calls: the approver has it, another names the maker they take it over from", async () => {
    const id = await payoutOf(first, await openSettlingTrade(server));
    const at = `/api/admin/payouts/${id}`;
    expectStatus(await postAsShown(first, `${at}/approve`), 200);
    expectStatus(await first.post(`${at}/claim`), 200);
    const { body } = await second.post(`${at}/claim`);
    expect(body.code).toBe("PAYOUT_CLAIMED");
    const { payouts } = expectStatus(await second.get("/api/admin/queue"), 200).body as unknown as {
      payouts: Array<{ id: number; sender: { id: number } | null }>;
    };
    const from = payouts.find((one) => one.id === id)?.sender?.id;
    expectStatus(await second.post(`${at}/claim`, { from }), 200);
    expect((await second.post(`${at}/claim`, { from: "nobody" })).status).toBe(422);
    expect((await postAsShown(first, `${at}/send`, { bankReference: "ONCE-3" })).status).toBe(409);
    expectStatus(await postAsShown(second, `${at}/send`, { bankReference: "ONCE-3" }), 200);
  });
});

describe("one dispute", () => {
  const reason = "As seen in the room";

  test("is taken by one; the other sees who has it, by page and by call", async () => {
    const byPage = await openDisputedTrade(server);
    const pressed = await both((who) =>
      postFormAsShown(who, paths.adminDispute(byPage.id), { form: "take" }),
    );
    const told = await toasts(pressed);
    expect(told).toContain(translateText("en", "escrow.disputeTaken"));
    const names = ["admin", "Second Desk"].map((name) =>
      translateText("en", "errors.DISPUTE_TAKEN", { name }),
    );
    expect(names).toContain(told.find((one) => one !== translateText("en", "escrow.disputeTaken")) ?? "");
    const { id } = await openDisputedTrade(server);
    const called = await both((who) => who.post(`/api/admin/transactions/${id}/dispute/take`));
    expect(statuses(called)).toEqual([200, 409]);
    expect(codes(called)).toEqual(["DISPUTE_TAKEN"]);
    expect(names).toContain(called.find(({ status }) => status === 409)?.body.message ?? "");
  });

  test("that nobody has is ruled once; the other ruling moves nothing and learns that the case has changed", async () => {
    const { id } = await openDisputedTrade(server);
    const rule = [
      { ruling: "release", sum: 100_000, reason },
      { ruling: "split", refundAmount: 40_000, sum: 40_000, reason },
    ] as const;
    const ruled = await both((who, n) => postAsShown(who, `/api/admin/transactions/${id}/rule`, rule[n - 1]));
    expect(statuses(ruled)).toEqual([200, 409]);
    expect(codes(ruled)).toEqual(["TRADE_OVERTAKEN"]);
    expect(ruled.find(({ status }) => status === 409)?.body.current).toBe("settlement_pending");
    const { body } = expectStatus(await first.get(`/api/admin/transactions/${id}`), 200);
    expect(body.payouts).toHaveLength(ruled[0]?.status === 200 ? 1 : 2);
  });

  test("above the limit is not ended by one administrator's cancellation", async () => {
    const deal = await openDisputedTrade(server);
    const at = `/api/admin/transactions/${deal.id}`;
    expectStatus(await first.post(`${at}/dispute/take`), 200);
    expect(expectStatus(await first.post(`${at}/cancel`), 409).body.code).toBe("FOUR_EYES_REQUIRED");
  });

  test("that one handles is not ruled by the other, who sees the mediator; the same ruling again is reported as done", async () => {
    const { id } = await openDisputedTrade(server);
    const at = paths.adminDispute(id);
    expectStatus(await first.post(`/api/admin/transactions/${id}/dispute/take`), 200);
    const fields = { form: "rule", ruling: "release", sum: "100,000", reason, warningsConfirmed: "on" };
    const refused = await postFormAsShown(second, `${at}?ruling=release`, fields);
    const taken = translateText("en", "errors.DISPUTE_TAKEN", { name: "admin" });
    expect(await readToastAfter(second, refused)).toEqual([at, taken]);
    const spoken = await postFormAsShown(second, at, { form: "mediate", words: "Listen to me" });
    expect(await readToastAfter(second, spoken)).toEqual([at, taken]);
    for (const key of ["toast.admin.rule", "toast.payout.already"]) {
      expect((await readToastAfter(first, await postFormAsShown(first, at, fields)))[1]).toBe(
        translateText("en", key),
      );
    }
    const { body } = expectStatus(await first.get(`/api/admin/transactions/${id}`), 200);
    expect(body.payouts).toHaveLength(1);
  });
});

/** A cancelled trade whose refund of 110,000 knows where it goes. */
async function refunding(): Promise<ServerTrade & { refund: number }> {
  const deal = await openPaidTrade(server);
  expectStatus(await first.post(`/api/admin/transactions/${deal.id}/cancel`), 200);
  expectStatus(
    await deal.buyer.post(`/api/transactions/${deal.id}/refund-destination`, refundAccount),
    200,
    201,
  );
  return { ...deal, refund: await payoutOf(first, deal) };
}

describe("four-eyes approval on the page of a payout", () => {
  const send = (bankReference: string) => ({ form: "send", bankReference, sum: "110000" });

  test("the approver cannot send and is told that another must; another sends", async () => {
    const { refund } = await refunding();
    const at = paths.adminPayout(refund);
    expectStatus(await approveOnPage(first, refund), 303);
    const own = expectStatus(await first.get(at), 200).text;
    expect(visibleText(own)).toContain(translateText("en", "admin.payout.another"));
    expect(own).not.toContain('value="send"');
    const forced = await postFormAsShown(first, at, send("EYES-1"));
    expect((await readToastAfter(first, forced))[1]).toBe(translateText("en", "errors.FOUR_EYES_REQUIRED"));
    const called = await postAsShown(first, `/api/admin/payouts/${refund}/send`, { bankReference: "EYES-1" });
    expect([called.status, called.body.code]).toEqual([409, "FOUR_EYES_REQUIRED"]);
    const unclaimed = expectStatus(await second.get(at), 200).text;
    expect(unclaimed).not.toContain(refundAccount.accountNumber);
    expect(unclaimed).not.toContain('value="send"');
    expect(own).not.toContain(refundAccount.accountNumber);
    const claimed = await postFormAsShown(second, at, { form: "claim" });
    expect((await readToastAfter(second, claimed))[1]).toBe(translateText("en", "toast.payout.claim"));
    const mine = expectStatus(await second.get(at), 200).text;
    expect(mine).toContain(`data-copy="${refundAccount.accountNumber}"`);
    expect(mine).toContain('value="send"');
    const back = await postFormAsShown(first, at, { form: "claim", from: String(second.id) });
    expect((await readToastAfter(first, back))[1]).toBe(translateText("en", "errors.FOUR_EYES_REQUIRED"));
    const sent = await postFormAsShown(second, at, send("EYES-1"));
    expect((await readToastAfter(second, sent))[1]).toBe(translateText("en", "toast.refund.send"));
  });

  test("an administrator whom the approver appointed does not count as another, by page or call", async () => {
    const { refund } = await refunding();
    const puppet = await registerPerson(server, "Third Desk");
    expectStatus(await postFormAsShown(first, paths.adminUser(puppet.id), { form: "make-admin" }), 303);
    const { username, password } = puppet;
    expectStatus(await puppet.post("/api/admin/login", { username, password }), 200);
    const newPassword = `pass ${crypto.randomUUID()}`;
    expectStatus(
      await puppet.post("/api/auth/change-password", { currentPassword: password, newPassword }),
      200,
    );
    expectStatus(await postAsShown(first, `/api/admin/payouts/${refund}/approve`), 200);
    const at = paths.adminPayout(refund);
    const page = expectStatus(await puppet.get(at), 200).text;
    expect(visibleText(page)).toContain(translateText("en", "errors.FOUR_EYES_RELATED"));
    expect(page).not.toMatch(/value="(send|claim)"/);
    const taken = await puppet.post(`/api/admin/payouts/${refund}/claim`);
    expect([taken.status, taken.body.code]).toEqual([409, "FOUR_EYES_RELATED"]);
    const forced = await postFormAsShown(puppet, at, send("EYES-2"));
    expect((await readToastAfter(puppet, forced))[1]).toBe(translateText("en", "errors.FOUR_EYES_RELATED"));
    const called = await postAsShown(puppet, `/api/admin/payouts/${refund}/send`, {
      bankReference: "EYES-2",
    });
    expect([called.status, called.body.code]).toEqual([409, "FOUR_EYES_RELATED"]);
    expect(await sentTimes(refund)).toBe(0);
    expectStatus(
      await postAsShown(second, `/api/admin/payouts/${refund}/send`, { bankReference: "EYES-2" }),
      200,
    );
  });
});

test("an administrator gets no actions on the payout of their own trade, and is refused by page and call", async () => {
  const deal = await openSettlingTrade(server);
  await grant(deal.seller);
  const id = await payoutOf(first, deal);
  const at = paths.adminPayout(id);
  const page = expectStatus(await deal.seller.get(at), 200).text;
  expect(visibleText(page)).toContain(translateText("en", "errors.OWN_TRADE"));
  expect(page).not.toContain('value="approve"');
  const own = translateText("en", "errors.OWN_TRADE");
  for (const form of ["approve", "claim", "done"]) {
    expect(await readToastAfter(deal.seller, await postFormAsShown(deal.seller, at, { form }))).toEqual([
      at,
      own,
    ]);
  }
  expectStatus(await postAsShown(first, `/api/admin/payouts/${id}/approve`), 200);
  const sending = { form: "send", bankReference: "OWN-1", sum: "100000" };
  expect((await readToastAfter(deal.seller, await postFormAsShown(deal.seller, at, sending)))[1]).toBe(own);
  const calls: Array<[string, object?]> = [
    ["approve"],
    ["claim"],
    ["send", { bankReference: "OWN-1" }],
    ["done"],
    ["withdraw-approval", { reason: "x" }],
    ["unknown", { reason: "x" }],
    ["resolve", { outcome: "not_sent", reason: "x" }],
  ];
  for (const [step, body] of calls) {
    const answer = await deal.seller.post(`/api/admin/payouts/${id}/${step}`, body);
    expect([step, answer.status, answer.body.code]).toEqual([step, 403, "OWN_TRADE"]);
  }
  expect(await sentTimes(id)).toBe(0);
});

test("finally the ledger and the log are intact", async () => {
  expect(await findBookFaults()).toEqual([]);
});
