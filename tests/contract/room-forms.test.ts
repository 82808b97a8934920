import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { errorOf, postForm, readFieldValue, readToastAfter } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { expectStatus, makeRoomPair, type Person } from "../support/people/registered-people.ts";
import type { Reply } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import {
  bankInfo,
  openPaidTrade,
  payAt,
  readDisputeTime,
  refundAccount,
  requestPayment,
  type ServerTrade,
  untilStatus,
} from "../support/trades/server-trades.ts";

// The room's forms as a browser without scripts sends them: what was typed is shown once more before it counts, and the same
// press a second time changes nothing.

setDefaultTimeout(60_000);

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

const room = (id: number) => `/chat/${id}`;

/** The form that waits for a yes, null where none does. */
function review(page: Reply): string | null {
  return /<form[^>]*data-review[^>]*>.*?<\/form>/s.exec(page.text)?.[0] ?? null;
}

/** The values that wait in a review. */
function waiting(page: Reply): Record<string, string> {
  const fields = (review(page) ?? "").matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
}

/** The hidden fields of a step's form, as the room's page shows it now. */
async function shownForm(who: Person, roomId: number, name: string): Promise<Record<string, string>> {
  const { text } = expectStatus(await who.get(room(roomId)), 200);
  const forms = text.match(/<form[^>]*>.*?<\/form>/gs) ?? [];
  const form = forms.find((one) => one.includes(`name="form" value="${name}"`)) ?? "";
  const fields = form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, field, value]) => [field, value]));
}

async function pressForm(who: Person, roomId: number, name: string): Promise<Reply> {
  return postForm(who, room(roomId), await shownForm(who, roomId, name));
}

async function tradesOf(person: Person, roomId: number): Promise<Array<Record<string, unknown>>> {
  return expectStatus(await person.get(`/api/chat/rooms/${roomId}/transactions`), 200).list;
}

describe("a payment request", () => {
  const typed = {
    ...{ form: "create-trade", amount: "120000", feePayer: "split" },
    ...{ goods: "account", description: "Level 80" },
  };

  test("is reviewed with each side's figures before it is made, returns to the input, and is made once", async () => {
    const { seller, roomId } = await makeRoomPair(server);
    const asked = expectStatus(await postForm(seller, room(roomId), typed), 200);
    const said = visibleText(review(asked) ?? "");
    for (const figure of ["120,000 ₮", "11,000 ₮", "125,500 ₮", "114,500 ₮", "Level 80"])
      expect(said).toContain(figure);
    expect(waiting(asked)).toEqual({ ...typed, confirmed: "1", shownTo: String(seller.id) });
    expect(await tradesOf(seller, roomId)).toEqual([]);

    const back = expectStatus(await postForm(seller, room(roomId), { ...waiting(asked), edit: "1" }), 200);
    expect(review(back)).toBeNull();
    expect(readFieldValue(back, "create-trade-amount")).toBe("120000");
    expect(back.text).toMatch(
      /<input[^>]*name="feePayer"[^>]*checked=""[^>]*value="split"|value="split"[^>]*checked=""/,
    );

    const yes = waiting(asked);
    const pressed = await Promise.all([1, 2].map(() => postForm(seller, room(roomId), yes)));
    expect(pressed.map(({ status }) => status)).toEqual([303, 303]);
    // From a page that the browser kept, long after.
    expectStatus(await postForm(seller, room(roomId), yes), 303);
    const made = await tradesOf(seller, roomId);
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ grossAmount: 125_500, netAmount: 114_500, feePayer: "split" });
  });

  test("needs a kind of goods: nothing is preselected, and none is refused", async () => {
    const { seller, roomId } = await makeRoomPair(server);
    const page = expectStatus(await seller.get(room(roomId)), 200).text;
    const [kinds = ""] = /<select[^>]*name="goods".*?<\/select>/s.exec(page) ?? [];
    expect(kinds).toMatch(/^<select[^>]*><option value="">/);
    expect(kinds).not.toContain("selected");
    expect(kinds).toContain('value="other"');
    for (const goods of ["", "anything"]) {
      const none = expectStatus(await postForm(seller, room(roomId), { ...typed, goods }), 422);
      expect(errorOf(none, "create-trade-goods")).toBe("Please choose the kind of item");
    }
    expect(await tradesOf(seller, roomId)).toEqual([]);
  });

  test("shows the amount as it was understood, however it was written, and refuses what has two readings", async () => {
    const { seller, roomId } = await makeRoomPair(server);
    const ask = (amount: string) => postForm(seller, room(roomId), { ...typed, amount });
    for (const amount of ["120.000", "120 000", "120k", "120 мянга", "0.12 сая", "120,000.00 ₮"]) {
      const shown = visibleText(review(expectStatus(await ask(amount), 200)) ?? "");
      expect([amount, shown.includes("120,000 ₮"), shown.includes("125,500 ₮")]).toEqual([
        amount,
        true,
        true,
      ]);
    }
    for (const amount of ["120,5", "1.5", "120m", "120м", "1.200 сая"]) {
      const refused = expectStatus(await ask(amount), 422);
      expect([amount, errorOf(refused, "create-trade-amount")]).toEqual([
        amount,
        "Please enter a valid payment amount: whole tugrik, for example 150,000",
      ]);
      expect(readFieldValue(refused, "create-trade-amount")).toBe(amount);
    }
    const much = expectStatus(await ask("1000 сая"), 422);
    expect(errorOf(much, "create-trade-amount")).toBe("At most 999,999,999 ₮");
    const withFee = expectStatus(await ask("999,999,999"), 422);
    expect(errorOf(withFee, "create-trade-amount")).toContain(
      "With the service fee, the buyer would pay more than 999,999,999 ₮",
    );
    const made = expectStatus(
      await postForm(seller, room(roomId), { ...typed, amount: "120k", confirmed: "1" }),
      303,
    );
    expect(made.status).toBe(303);
    expect((await tradesOf(seller, roomId))[0]).toMatchObject({ amount: 120_000 });
  });

  test("that is invalid is refused beside its amount before anyone commits", async () => {
    const { seller, buyer, roomId } = await makeRoomPair(server);
    const none = expectStatus(await postForm(seller, room(roomId), { ...typed, amount: "0" }), 422);
    expect(errorOf(none, "create-trade-amount")).toBe(
      "Please enter a valid payment amount: whole tugrik, for example 150,000",
    );
    const small = expectStatus(
      await postForm(seller, room(roomId), { ...typed, amount: "3000", feePayer: "seller" }),
      422,
    );
    expect(errorOf(small, "create-trade-amount")).toBe(
      "The service fee would leave nothing for the seller. Enter a higher price.",
    );
    const byBuyer = expectStatus(await postForm(buyer, room(roomId), { ...typed, confirmed: "1" }), 403);
    expect(visibleText(byBuyer.text)).toContain("Permission Error: Only sellers can create payment requests");
    expect(await tradesOf(seller, roomId)).toEqual([]);
  });

  test("is corrected the same way while nothing is paid", async () => {
    const { seller, buyer, roomId } = await requestPayment(server);
    const asked = expectStatus(
      await postForm(seller, room(roomId), {
        ...(await shownForm(seller, roomId, "amend")),
        ...{ amount: "90000", feePayer: "seller" },
      }),
      200,
    );
    expect(visibleText(review(asked) ?? "")).toContain("80,500 ₮");
    expect((await tradesOf(buyer, roomId))[0]).toMatchObject({ grossAmount: 110_000 });
    expectStatus(await postForm(seller, room(roomId), waiting(asked)), 303);
    expectStatus(await postForm(seller, room(roomId), waiting(asked)), 303);
    expect((await tradesOf(buyer, roomId))[0]).toMatchObject({ grossAmount: 90_000, netAmount: 80_500 });
  });

  test("shows its figures while the amount is typed", async () => {
    const { seller } = await makeRoomPair(server);
    const figures = async (amount: string) =>
      visibleText(expectStatus(await seller.get(`/quote?amount=${amount}`), 200).text).replaceAll(
        "\u00a0",
        " ",
      );
    expect(await figures("200,000")).toContain("Buyer pays 215,000 ₮, seller gets 200,000 ₮");
    expect(await figures("200,000")).toContain("Service fee: 15,000 ₮");
    expect((await figures("a%20lot")).trim()).toBe("");
  });
});

describe("verifying explains each result", () => {
  let deal: ServerTrade;
  const toast = async (form: string) =>
    (await readToastAfter(deal.buyer, await postForm(deal.buyer, room(deal.roomId), { form })))[1];
  const page = async () =>
    visibleText(expectStatus(await deal.buyer.get(room(deal.roomId)), 200).text).replaceAll("\u00a0", " ");

  beforeAll(async () => {
    deal = await requestPayment(server);
  });

  test("nothing yet, a failure, a part, and everything", async () => {
    expectStatus(await postForm(deal.buyer, room(deal.roomId), { form: "verify" }), 303);
    expect(await page()).toMatch(/Not paid yet · checked \d\d:\d\d/);
    await payAt(deal.buyer, deal.invoiceId, { status: "FAILED", callback: false });
    expect(await toast("verify")).toBe(
      "Payment failed: There was an error processing your payment. Please try again.",
    );
    expect(await page()).toContain(
      "The payment failed: no money arrived. The buyer can try again, or contact support.",
    );
    await payAt(deal.buyer, deal.invoiceId, { amount: 20_000, callback: false });
    expect(await toast("mark-paid")).toContain(
      "Part of the payment has arrived: 20,000 ₮. Left to pay: 90,000 ₮.",
    );
    const inPart = await page();
    expect(inPart).toContain("20,000 ₮ received. 90,000 ₮ left to pay.");
    expect(inPart).toContain("and returns it if the rest isn't paid in time.");
    await postForm(deal.buyer, room(deal.roomId), { form: "invoice" });
    const { invoiceId } = expectStatus(
      await deal.buyer.post(`/api/transactions/${deal.id}/payment`),
      200,
    ).body;
    await payAt(deal.buyer, String(invoiceId), { callback: false });
    expect(await toast("verify")).toBe("Payment confirmed");
    await untilStatus(deal, "payment_confirmed");
    expect(await page()).toContain("Payment confirmed. The seller hands over the item next.");
  });
});

describe("the information exchange", () => {
  test("reviews an account, saves it once, and allows one correction", async () => {
    const { seller, roomId, id } = await openPaidTrade(server);
    const iban = { ...bankInfo, form: "bank-info", ibanNumber: ibanOf("0005", "005012345678") };
    const asked = expectStatus(await postForm(seller, room(roomId), iban), 200);
    expect(visibleText(review(asked) ?? "")).toContain("Bank in the IBAN: Khan Bank");
    const other = { ...iban, bankName: "Golomt Bank" };
    expect(
      visibleText(review(expectStatus(await postForm(seller, room(roomId), other), 200)) ?? ""),
    ).toContain("The IBAN belongs to another bank: Khan Bank.");
    const stored = async () =>
      expectStatus(await seller.get(`/api/transactions/${id}/info-exchange`), 200).body.sellerInfo;
    expect(await stored()).toBeNull();
    const back = expectStatus(await postForm(seller, room(roomId), { ...waiting(asked), edit: "1" }), 200);
    expect(readFieldValue(back, "bank-info-accountNumber")).toBe("5012345678");
    for (const _ of [1, 2]) expectStatus(await postForm(seller, room(roomId), waiting(asked)), 303);
    expect(await stored()).toMatchObject({ accountNumber: "5012345678", bankName: "Khan Bank" });

    const corrected = expectStatus(
      await postForm(seller, room(roomId), { ...waiting(asked), confirmed: "", accountNumber: "5099999999" }),
      200,
    );
    expect(visibleText(review(corrected) ?? "")).toContain("You can correct these details only once");
    for (const _ of [1, 2]) expectStatus(await postForm(seller, room(roomId), waiting(corrected)), 303);
    expect(await stored()).toMatchObject({ accountNumber: "5099999999" });
    expect(expectStatus(await seller.get(room(roomId)), 200).text).toContain("These details are final");
    expectStatus(
      await postForm(seller, room(roomId), {
        ...waiting(corrected),
        confirmed: "",
        accountNumber: "5011111111",
      }),
      409,
    );
  });

  test("is shown beside the members", async () => {
    const { seller, buyer, roomId, id } = await openPaidTrade(server);
    const seats = async (who: Person) =>
      visibleText(
        /<div id="room-seats"[^>]*>.*?<\/ul>/s.exec(
          expectStatus(await who.get(room(roomId)), 200).text,
        )?.[0] ?? "",
      );
    expect(await seats(buyer)).not.toContain("5012345678");
    expectStatus(await seller.post(`/api/transactions/${id}/bank-info`, bankInfo), 200);
    expect(await seats(buyer)).toContain("Khan Bank 5012345678");
    expect(await seats(seller)).toContain("99112233");
  });

  test("marks a bank's name that is in another language than the page", async () => {
    const { seller, roomId, id } = await openPaidTrade(server);
    expectStatus(await seller.post(`/api/transactions/${id}/bank-info`, bankInfo), 200);
    const pageIn = async (language: string) => {
      expectStatus(await postForm(seller, "/preferences", { language, back: room(roomId) }), 303);
      return expectStatus(await seller.get(`${room(roomId)}/trade`), 200).text;
    };
    expect(await pageIn("mn")).toContain('<span lang="en">Khan Bank</span>');
    expect(await pageIn("en")).toContain(">Khan Bank</dd>");
  });

  test("reviews a refund account too", async () => {
    const { seller, buyer, roomId, id } = await openPaidTrade(server);
    const [first, second] = [
      await readToastAfter(buyer, await pressForm(buyer, roomId, "cancel")),
      await readToastAfter(seller, await pressForm(seller, roomId, "agree-cancel")),
    ];
    expect(first[1]).toContain("waiting for other party to confirm");
    expect(second[1]).toBe("Both parties have confirmed the cancellation");
    const asked = expectStatus(
      await postForm(buyer, room(roomId), { ...refundAccount, form: "refund-destination" }),
      200,
    );
    expect(visibleText(review(asked) ?? "")).toContain("1105123456");
    for (const _ of [1, 2]) expectStatus(await postForm(buyer, room(roomId), waiting(asked)), 303);
    const page = expectStatus(await buyer.get(room(roomId)), 200);
    expect(visibleText(page.text)).toContain("Midman sends it to the account you added.");
    // Another trade is offered once the refund has been sent.
    expect(page.text).not.toContain(`/chat?dialog=create&amp;with=${roomId}`);
    expect(expectStatus(await buyer.get(`/api/transactions/${id}`), 200).body.status).toBe("cancelled");
  });
});

describe("a cancellation", () => {
  test("does what its form said when the page was read: it asks or agrees, and knows what the buyer has opened", async () => {
    const { seller, buyer, roomId, id } = await openPaidTrade(server);
    const at = `/api/transactions/${id}`;
    const saidTo = async (who: Person, fields: Record<string, string>) =>
      (await readToastAfter(who, await postForm(who, room(roomId), fields)))[1];
    expectStatus(await seller.post(`${at}/vault`, { login: "altan" }), 200);
    const asks = await shownForm(seller, roomId, "cancel");
    expect(asks).toEqual({ shownTo: String(seller.id), form: "cancel", vaultShown: "sealed:1" });
    expectStatus(await pressForm(buyer, roomId, "cancel"), 303);
    const vault = expectStatus(await buyer.get(`${room(roomId)}/vault`), 200);
    expect(visibleText(vault.text)).toContain("Withdraw your request to open the vault.");
    expect(await saidTo(seller, asks)).toContain("The cancellation request has changed");
    const agrees = await shownForm(seller, roomId, "agree-cancel");
    expectStatus(await buyer.post(`${at}/withdraw-cancel`), 200);
    expectStatus(await buyer.post(`${at}/vault/open`), 200);
    expectStatus(await pressForm(buyer, roomId, "cancel"), 303);
    expect(await saidTo(seller, agrees)).toContain("The cancellation request has changed");
    const { agreesTo = "" } = await shownForm(seller, roomId, "agree-cancel");
    expect(await saidTo(seller, { ...agrees, agreesTo })).toContain("The vault has changed");
    expect(await saidTo(seller, { form: "agree-cancel" })).toContain("The cancellation request has changed");
    expect(expectStatus(await buyer.get(at), 200).body.status).toBe("payment_confirmed");
    expectStatus(await pressForm(seller, roomId, "agree-cancel"), 303);
    expect(expectStatus(await buyer.get(at), 200).body.status).toBe("cancelled");
  });
});

test("a request to cancel is declined by one press, which a later request outlives", async () => {
  const { seller, buyer, roomId, id } = await openPaidTrade(server);
  const saidTo = async (who: Person, fields: Record<string, string>) =>
    (await readToastAfter(who, await postForm(who, room(roomId), fields)))[1];
  expectStatus(await pressForm(buyer, roomId, "cancel"), 303);
  const declines = await shownForm(seller, roomId, "decline-cancel");
  expect(Object.keys(declines).sort()).toEqual(["form", "requestedAt", "shownTo"]);
  const withdraws = await shownForm(buyer, roomId, "withdraw-cancel");
  expect(await saidTo(seller, declines)).toBe("The cancellation request was declined");
  expect(await saidTo(seller, declines)).toBe("There's no open request to cancel. Nothing has changed.");
  expect(await saidTo(buyer, withdraws)).toBe("You have no open request to cancel. Nothing has changed.");
  const page = visibleText(expectStatus(await buyer.get(room(roomId)), 200).text);
  expect(page.split("The seller declined the request to cancel.")).toHaveLength(2);
  expectStatus(await pressForm(buyer, roomId, "cancel"), 303);
  expect(await saidTo(seller, declines)).toContain("The cancellation request has changed");
  expect(await saidTo(buyer, { ...declines, shownTo: String(buyer.id) })).toContain("has changed");
  const { cancellationRequests } = expectStatus(await buyer.get(`/api/transactions/${id}`), 200).body;
  expect(cancellationRequests).toEqual({ buyer: expect.any(String), seller: null });
  expectStatus(await postForm(seller, room(roomId), { form: "decline-cancel" }), 422);
});

test("an old page's press withdraws no later dispute, and the page says that another one is open", async () => {
  const { buyer, roomId, id } = await openPaidTrade(server);
  const at = `/api/transactions/${id}`;
  expectStatus(await buyer.post(`${at}/dispute`, { reason: "The password is wrong" }), 200);
  const old = await shownForm(buyer, roomId, "withdraw-dispute");
  expectStatus(await postForm(buyer, room(roomId), old), 303);
  expectStatus(await buyer.post(`${at}/dispute`, { reason: "The level is wrong too" }), 200);
  const changed = "The open dispute might not be the one you saw. Read it, then decide again.";
  for (const fields of [old, { form: "withdraw-dispute" }]) {
    const [, said] = await readToastAfter(buyer, await postForm(buyer, room(roomId), fields));
    expect(said).toBe(changed);
    const inPlace = await buyer.send("POST", room(roomId), new URLSearchParams(fields).toString(), {
      "Content-Type": "application/x-www-form-urlencoded",
      "Midman-In-Place": room(roomId),
    });
    expect(visibleText(expectStatus(inPlace, 200).text)).toContain(changed);
  }
  expect(expectStatus(await buyer.get(at), 200).body.status).toBe("disputed");
  const { openedAt } = await shownForm(buyer, roomId, "withdraw-dispute");
  expect(openedAt).toBe(await readDisputeTime({ buyer, id }));
  expectStatus(await pressForm(buyer, roomId, "withdraw-dispute"), 303);
  expect(expectStatus(await buyer.get(at), 200).body.status).toBe("payment_confirmed");
});

test("what a seller shares while they ask to cancel is refused, and stays in the form", async () => {
  const { seller, roomId, id } = await openPaidTrade(server);
  expectStatus(await pressForm(seller, roomId, "cancel"), 303);
  const typed = { form: "info", info: "the second half of the code is 4711" };
  const refused = expectStatus(await postForm(seller, room(roomId), typed), 409);
  expect(refused.text).toContain(typed.info);
  expect(errorOf(refused, "info")).toBe("Withdraw your cancellation request first");
  expectStatus(await seller.post(`/api/transactions/${id}/withdraw-cancel`), 200);
  expectStatus(await postForm(seller, room(roomId), typed), 303);
});

test("a message of nothing that can be seen is refused as an empty one, and stays in the composer", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  const hidden = "\u200b\u3164\ufe0f";
  const refused = expectStatus(
    await postForm(seller, room(roomId), { form: "message", content: hidden, clientId: crypto.randomUUID() }),
    422,
  );
  expect(visibleText(refused.text)).toContain("Please write a message");
  expect(/<textarea[^>]*id="composer"[^>]*>([^<]*)</.exec(refused.text)?.[1]?.trim()).toBe(hidden);
  const called = await seller.post(`/api/chat/rooms/${roomId}/messages`, { content: hidden });
  expect(expectStatus(called, 422).body.fields).toEqual({ content: ["Please write a message"] });
});

test("a note that comes after the handover was recorded is refused, and stays in its form", async () => {
  const { seller, roomId, id } = await openPaidTrade(server);
  expectStatus(await seller.post(`/api/transactions/${id}/hand-over`, { note: "In the game" }), 200);
  const late = { form: "hand-over", note: "The code is under the third stone" };
  const refused = expectStatus(await postForm(seller, room(roomId), late), 409);
  expect(refused.text).toContain(late.note);
  expect(errorOf(refused, "hand-over")).toContain("The transaction has changed");
});

describe("the last steps", () => {
  test("explain the consequences, and both see who has confirmed", async () => {
    const { seller, buyer, roomId, id } = await openPaidTrade(server);
    expectStatus(await seller.post(`/api/transactions/${id}/bank-info`, bankInfo), 200);
    expectStatus(await seller.post(`/api/transactions/${id}/hand-over`, {}), 200);
    const before = expectStatus(await buyer.get(room(roomId)), 200);
    expect(visibleText(before.text).replaceAll("\u00a0", " ")).toMatch(/Yes, release 100,000 ₮ to /);
    const [, first] = await readToastAfter(buyer, await postForm(buyer, room(roomId), { form: "confirm" }));
    expect(first).toContain("waiting for other party to confirm");
    for (const who of [seller, buyer]) {
      const { text } = expectStatus(await who.get(room(roomId)), 200);
      expect(text).toContain('data-confirmed="buyer"');
      expect(text).not.toContain('data-confirmed="seller"');
    }
    const [, second] = await readToastAfter(
      seller,
      await postForm(seller, room(roomId), { form: "confirm" }),
    );
    expect(second).toBe("Both parties have confirmed completion");
  });

  test("swapping the roles asks first, and says what changes for either", async () => {
    const { seller, roomId } = await makeRoomPair(server);
    const { text } = expectStatus(await seller.get(`${room(roomId)}/trade`), 200);
    const asked = /<details(?:(?!<details).)*value="swap-roles".*?<\/details>/s.exec(text)?.[0] ?? "";
    expect(visibleText(asked)).toContain("Swap buyer and seller");
    expect(visibleText(asked)).toContain(
      "You'll be the buyer and pay. Buyer Two will be the seller and hand over the item.",
    );
    const swap = { form: "swap-roles", user: String(seller.id), role: "buyer" };
    expect((await readToastAfter(seller, await postForm(seller, room(roomId), swap)))[1]).toBe(
      "The roles are swapped",
    );
  });

  test("a room with money in it explains why it cannot be left before anyone tries", async () => {
    const { seller, buyer, roomId } = await openPaidTrade(server);
    const dialog = expectStatus(await buyer.get(`${room(roomId)}?dialog=leave`), 200).text;
    expect(visibleText(dialog)).toContain("Midman is holding 110,000 ₮ for this room's transaction.");
    expect(dialog).not.toContain('name="form" value="leave"');
    const [to, said] = await readToastAfter(buyer, await postForm(buyer, room(roomId), { form: "leave" }));
    expect([to, said]).toEqual([room(roomId), "You can't do this while Midman holds money"]);
    const swap = { form: "swap-roles", user: String(seller.id), role: "buyer" };
    expect((await readToastAfter(seller, await postForm(seller, room(roomId), swap)))[1]).toBe(
      "Roles can't be changed while a transaction is in progress",
    );
    expect(visibleText(expectStatus(await seller.get(room(roomId)), 200).text)).toContain("Roles are locked");
  });
});

/** A Mongolian IBAN with its check digits (ISO 13616). */
function ibanOf(bank: string, account: string): string {
  const rest = [...`${bank}${account}222300`].reduce(
    (remainder, digit) => (remainder * 10 + Number(digit)) % 97,
    0,
  );
  return `MN${String(98 - rest).padStart(2, "0")}${bank}${account}`;
}
