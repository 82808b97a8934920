import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { approveOnPage } from "../../support/backoffice/payout-page.ts";
import { postAsShown } from "../../support/backoffice/post-as-shown.ts";
import { errorOf, postForm, readToastAfter } from "../../support/pages/post-form.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../../support/people/registered-people.ts";
import type { Client } from "../../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../../support/server/shared-server.ts";
import {
  bankInfo,
  openPaidTrade,
  refundAccount,
  requestPayment,
  type ServerTrade,
} from "../../support/trades/server-trades.ts";

/** A refused value's message says what is wrong with it and what would be right, in both languages. */

setDefaultTimeout(120_000);

let server: SharedServer;
let me: Person;
let admin: Client;
let deal: ServerTrade;

beforeAll(async () => {
  server = await sharedServer();
  [me, admin, deal] = await Promise.all([
    registerPerson(server),
    signInAdministrator(server),
    openPaidTrade(server),
  ]);
}, 240_000);

type Call = [method: string, path: string, body: object | undefined, field: string];

/** The messages beside a field, in English and in Mongolian. */
async function said(who: Client, [method, path, body, field]: Call): Promise<string[]> {
  const asked = async (language: string) => {
    const reply = await who.send(method, path, body, { "Accept-Language": language });
    expect([path, reply.status, reply.body.code]).toEqual([path, 422, "VALIDATION"]);
    return (reply.body.fields[field] ?? []).join(" ");
  };
  return [await asked("en"), await asked("mn")];
}

const between = (min: string, max: string): string[] => [
  `Choose a number from ${min} to ${max}`,
  `Зөвшөөрөгдөх тоо: ${min} – ${max}`,
];

test("a number outside its range is answered with the range", async () => {
  const ranges: Array<[who: Client, path: string, max: string]> = [
    [me, "/api/chat/rooms", "100"],
    [deal.seller, `/api/chat/rooms/${deal.roomId}/messages`, "200"],
    [me, "/api/transactions", "500"],
    [admin, "/api/admin/users", "500"],
    [admin, "/api/admin/transactions", "500"],
    [admin, "/api/admin/activity-logs", "100"],
    [admin, "/api/admin/reports", "100"],
  ];
  for (const [who, path, max] of ranges) {
    for (const limit of [`${Number(max) + 1}`, "0", "many"]) {
      const call: Call = ["GET", `${path}?limit=${limit}`, undefined, "limit"];
      expect([path, limit, await said(who, call)]).toEqual([path, limit, between("1", max)]);
    }
  }
  const version: Call = [
    "POST",
    `/api/transactions/${deal.id}/info-exchange/confirm`,
    { version: 1_001 },
    "version",
  ];
  expect(await said(deal.buyer, version)).toEqual(between("0", "1,000"));
  const preview = { templateType: "welcome", customizations: { fontSize: 40 } };
  const size: Call = ["POST", "/api/admin/email-templates/preview", preview, "fontSize"];
  expect(await said(admin, size)).toEqual(between("12", "20"));
});

test("a cursor that is no number of a row is called that, not a wrong value", async () => {
  for (const name of ["before", "after"]) {
    const path = `/api/chat/rooms/${deal.roomId}/messages?${name}=x`;
    expect((await said(deal.seller, ["GET", path, undefined, name]))[0]).toBe("Enter a valid number");
  }
});

test("a phone number is missing, no text, or wrong", async () => {
  const bank = `/api/transactions/${deal.id}/bank-info`;
  const notText = [
    "This must be text: put it in quotes",
    "Энэ утга текст байх ёстой: хашилтад хийж илгээнэ үү",
  ];
  const wrong = [
    "This phone number isn't valid. A Mongolian number has 8 digits.",
    "Утасны дугаар буруу байна. Монгол дугаар 8 оронтой.",
  ];
  const missing = ["Phone number is required.", "Утасны дугаараа оруулна уу."];
  for (const [phoneNumber, expected] of [
    [99112233, notText],
    ["9911", wrong],
    ["991122334455", wrong],
    ["", missing],
    [undefined, missing],
  ] as const) {
    const call: Call = ["POST", bank, { ...bankInfo, phoneNumber }, "phoneNumber"];
    expect([phoneNumber, await said(deal.seller, call)]).toEqual([phoneNumber, expected]);
  }
  for (const [phoneNumber, expected] of [
    [99112233, notText],
    ["9911", wrong],
  ] as const) {
    const call: Call = ["PATCH", "/api/users/profile", { phoneNumber }, "phoneNumber"];
    expect([phoneNumber, await said(me, call)]).toEqual([phoneNumber, expected]);
  }
  const account: Call = ["PATCH", "/api/users/profile", { bankAccount: 5012345678 }, "bankAccount"];
  expect(await said(me, account)).toEqual(notText);
});

test("an invite code that is too short is answered with the length of a code", async () => {
  expect(await said(me, ["POST", "/api/chat/join", { code: "ABCDE" }, "code"])).toEqual([
    "Invite code is too short: a code has 10 characters",
    "Урилгын код хэт богино байна: код 10 тэмдэгттэй",
  ]);
});

test("an amount over the limit is answered with the limit as money", async () => {
  const most = ["At most 999,999,999 ₮", "Хамгийн ихдээ 999,999,999 ₮"];
  const create: Call = ["POST", "/api/transactions", { chatRoomId: 1, amount: 1_000_000_000 }, "amount"];
  expect(await said(me, create)).toEqual(most);
  const reply = await me.send("POST", "/api/transactions", create[2], { "Accept-Language": "en" });
  expect(reply.body.message).toBe("At most 999,999,999 ₮");
});

test("an administrator's new password is asked for with its own length, anyone else's with theirs", async () => {
  const asked = (who: Client) =>
    said(who, [
      "POST",
      "/api/auth/change-password",
      { currentPassword: "x", newPassword: "12345" },
      "newPassword",
    ]);
  expect((await asked(me))[0]).toBe("Password must be at least 6 characters");
  const forAdmin = await Promise.all(
    ["en", "mn"].map((language) =>
      admin.send(
        "POST",
        "/api/auth/change-password",
        { currentPassword: "x", newPassword: "12345" },
        { "Accept-Language": language },
      ),
    ),
  );
  expect(forAdmin.map(({ status, body }) => [status, body.code, body.fields.newPassword])).toEqual([
    [422, "PASSWORD_SHORT_FOR_ADMIN", ["An administrator's password must be at least 12 characters"]],
    [422, "PASSWORD_SHORT_FOR_ADMIN", ["Админы нууц үг дор хаяж 12 тэмдэгт байх ёстой"]],
  ]);
});

test("pages tell an administrator the right length before and after a password is typed", async () => {
  const short = "An administrator's password must be at least 12 characters";
  const hint = "At least 12 characters, because you&#x27;re an administrator.";
  for (const [path, form] of [
    ["/change-password", "change"],
    ["/settings", "password"],
  ] as const) {
    const page = await admin.get(path);
    expect([path, page.text.includes(hint), page.text.includes("At least 6")]).toEqual([path, true, false]);
    const typed = { form, currentPassword: "x", newPassword: "12345", confirmPassword: "12345" };
    const refused = await postForm(admin, path, typed);
    expect([refused.status, errorOf(refused, `${form}-newPassword`)]).toEqual([422, short]);
  }
  const mine = await me.get("/change-password");
  expect([mine.text.includes(hint), mine.text.includes("At least 6")]).toEqual([false, true]);
});

test("roles of an ended trade are kept because it has ended, not because it is in progress", async () => {
  const ended = await requestPayment(server);
  expectStatus(await ended.seller.post(`/api/transactions/${ended.id}/withdraw`), 200);
  const swap = (language: string) =>
    ended.seller.send(
      "POST",
      `/api/chat/rooms/${ended.roomId}/participants/${ended.buyer.id}/role`,
      { role: "seller" },
      { "Accept-Language": language },
    );
  const replies = [await swap("en"), await swap("mn")];
  expect(replies.map(({ status, body }) => [status, body.code, body.message])).toEqual([
    [409, "ROLES_LOCKED", "The transaction has ended, so the roles stay as they are"],
    [409, "ROLES_LOCKED", "Гүйлгээ дууссан тул үүргийг солих боломжгүй"],
  ]);
  const page = await postForm(ended.seller, `/chat/${ended.roomId}`, {
    form: "swap-roles",
    user: String(ended.buyer.id),
    role: "seller",
  });
  expect((await readToastAfter(ended.seller, page))[1]).toContain("The transaction has ended");
});

test("a refund is approved and recorded as a refund, by call and by page", async () => {
  const refund = async () => {
    const cancelled = await openPaidTrade(server);
    expectStatus(await admin.post(`/api/admin/transactions/${cancelled.id}/cancel`), 200);
    const account = `/api/transactions/${cancelled.id}/refund-destination`;
    expectStatus(await cancelled.buyer.post(account, refundAccount), 200);
    const { payouts } = expectStatus(await admin.get(`/api/admin/transactions/${cancelled.id}`), 200)
      .body as unknown as { payouts: Array<{ id: number }> };
    return { trade: cancelled.id, id: payouts[0]?.id ?? 0 };
  };
  const called = await refund();
  const at = `/api/admin/payouts/${called.id}`;
  expect((await postAsShown(admin, `${at}/approve`)).body.message).toBe("The refund was approved");
  const sent = await postAsShown(admin, `${at}/send`, { bankReference: `BACK-${called.id}` });
  expect(sent.body.message).toBe("The refund was recorded as sent");
  const settled = await refund();
  const settle = await postAsShown(admin, `/api/admin/transactions/${settled.trade}/settle`, {
    bankReference: `BACK-${settled.id}`,
  });
  expect([settle.status, settle.body.message]).toEqual([200, "The refund was recorded as sent"]);
  const pressed = await refund();
  const approved = await approveOnPage(admin, pressed.id);
  expect((await readToastAfter(admin, approved))[1]).toBe("Refund approved");
});

test("a missing reason is asked for as a reason", async () => {
  const ruling = { ruling: "refund", sum: 110_000 };
  const path = `/api/admin/transactions/${deal.id}`;
  expect(await said(admin, ["POST", `${path}/rule`, ruling, "reason"])).toEqual([
    "Please give the reason for the ruling",
    "Шийдвэрийн үндэслэлээ бичнэ үү",
  ]);
  expect(await said(admin, ["POST", "/api/admin/money/halt", { on: true, reason: " " }, "reason"])).toEqual([
    "Please give a reason",
    "Шалтгаанаа бичнэ үү",
  ]);
  // What a party says in a dispute is no reason: there the question stays what happened.
  const dispute = { reason: " " };
  expect(await said(deal.buyer, ["POST", `/api/transactions/${deal.id}/dispute`, dispute, "reason"])).toEqual(
    ["Please tell us what happened", "Юу болсныг бичнэ үү"],
  );
});
