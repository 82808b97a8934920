import { expect } from "@playwright/test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import {
  expectStatus,
  makeRoomPair,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, testAdministrator } from "../support/server/midman-server.ts";
import {
  bankInfo,
  deleteBuyerAccount,
  lateRefund,
  openPaidTrade,
  refundAccount,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";
import { codeOf } from "./world.ts";

type Values = Record<string, string>;
/** Keys of the catalogues by the field each stands beside; `""` is the form as a whole. */
type Says = Record<string, string>;

/** What one form needs to be tried: somebody at its page, and what they type. */
export type Begun = { at: string; who?: Client; right: Values };

/** One form of a page and what comes of it. */
export type FormCase = {
  name: string;
  /** Its hidden field `form`; a page's only form has none. */
  form?: string;
  begin(server: Server): Promise<Begun>;
  /** What an empty form is told; a form whose fields may all be empty has nothing to be told. */
  empty?: Says;
  wrong?: Array<{ values: Values; says: Says; status?: number }>;
  /** What was typed is shown once more before it counts; its first button lets it. */
  lookedOver?: true;
  /** Where it leads. */
  leads: RegExp;
  /** Where the same form leads when it is sent a second time, or what is then said. */
  again: RegExp | { status: number; says: Says } | { status: number; tells: string };
};

const long = "a long enough secret";
const other = "another long secret";

async function someone(server: Server, at: string, right: Values): Promise<Begun> {
  return { at, who: await registerPerson(server), right };
}

async function inRoom(server: Server, who: "seller" | "buyer", right: Values): Promise<Begun> {
  const { roomId, ...pair } = await makeRoomPair(server);
  return { at: `/chat/${roomId}`, who: pair[who], right };
}

async function inPaidRoom(server: Server, who: "seller" | "buyer", right: Values): Promise<Begun> {
  const { roomId, ...deal } = await openPaidTrade(server);
  return { at: `/chat/${roomId}`, who: deal[who], right };
}

async function resetLink(server: Server): Promise<string> {
  const { email } = await registerPerson(server);
  expectStatus(await server.client().post("/api/auth/forgot-password", { email }), 200);
  let link: string | undefined;
  await expect(async () => {
    const mails = expectStatus(
      await server.client().get(`/sandbox/mail.json?to=${encodeURIComponent(email)}`),
      200,
    ).list;
    link = mails
      .flatMap(({ links }) => links as string[])
      .find((one) => one.includes("/reset-password?token="));
    expect(link).toBeDefined();
  }).toPass();
  const { pathname, search } = new URL(link ?? "");
  return pathname + search;
}

const newPassword = { newPassword: other, confirmPassword: other };
const shortPasswords = { newPassword: "validation.password", confirmPassword: "validation.password" };
const mismatch = {
  values: { newPassword: other, confirmPassword: "not that word" },
  says: { confirmPassword: "validation.passwordsDontMatch" },
};

const entering: FormCase[] = [
  {
    name: "sign in",
    form: "login",
    begin: async (server) => {
      const { username, password } = await registerPerson(server);
      return { at: "/", right: { username, password } };
    },
    empty: { username: "validation.username", password: "validation.password" },
    wrong: [
      {
        values: { username: "bo", password: "12345" },
        says: { username: "validation.username", password: "validation.password" },
      },
      {
        values: { username: "nobody.here", password: long },
        says: { "": "errors.INVALID_CREDENTIALS" },
        status: 401,
      },
    ],
    leads: /\/chat$/,
    again: /\/chat$/,
  },
  {
    name: "sign up",
    form: "register",
    begin: async () => {
      const username = `new${crypto.randomUUID().slice(0, 8)}`;
      const right = { username, displayName: "Болд", email: `${username}@example.mn`, password: long };
      return { at: "/?tab=register", right };
    },
    empty: {
      username: "validation.username",
      displayName: "validation.displayName",
      email: "validation.email",
      password: "validation.password",
    },
    wrong: [
      {
        values: { username: "болд bat", displayName: "Б", email: "bold@", password: "12345" },
        says: {
          username: "validation.usernameCharacters",
          displayName: "validation.displayName",
          email: "validation.email",
          password: "validation.password",
        },
      },
    ],
    leads: /\/chat$/,
    // Who has signed up by then is signed in, and is taken where they were going.
    again: /\/chat(#auth)?$/,
  },
  {
    name: "a forgotten password",
    form: "forgot",
    begin: async (server) => ({
      at: "/?dialog=forgot-password",
      right: { email: (await registerPerson(server)).email },
    }),
    empty: { email: "validation.email" },
    wrong: [{ values: { email: "bold at example" }, says: { email: "validation.email" } }],
    leads: /dialog=forgot-password&sent/,
    again: /dialog=forgot-password&sent/,
  },
  {
    name: "a new password by a mail's link",
    begin: async (server) => ({ at: await resetLink(server), right: newPassword }),
    empty: shortPasswords,
    wrong: [mismatch],
    leads: /\/reset-password\?done/,
    again: { status: 400, tells: "errors.RESET_LINK_INVALID" },
  },
  {
    name: "another password",
    begin: async (server) => {
      const who = await registerPerson(server);
      return { at: "/change-password", who, right: { currentPassword: who.password, ...newPassword } };
    },
    empty: { currentPassword: "validation.passwordRequired", ...shortPasswords },
    wrong: [
      {
        values: { currentPassword: "not it", ...newPassword },
        says: { currentPassword: "errors.PASSWORD_WRONG" },
      },
    ],
    leads: /\/chat$/,
    again: { status: 422, says: { currentPassword: "errors.PASSWORD_WRONG" } },
  },
  {
    name: "another name in place of one that is not allowed",
    begin: async (server) => {
      const who = await registerPerson(server);
      connectDatabase(server.databaseUrl);
      await db().execute(sql`UPDATE identity.users SET display_name = 'QPay' WHERE id = ${who.id}`);
      await disconnectDatabase();
      return { at: "/choose-name", who, right: { displayName: "Болд" } };
    },
    empty: { displayName: "validation.nameReserved" },
    wrong: [{ values: { displayName: "evil.mn" }, says: { displayName: "validation.nameLink" } }],
    leads: /\/chat$/,
    again: /\/chat$/,
  },
  {
    name: "the administrators' sign-in",
    begin: async () => ({ at: "/admin/login", right: { ...testAdministrator } }),
    empty: { username: "validation.usernameRequired", password: "validation.passwordRequired" },
    wrong: [
      {
        values: { username: "admin", password: "not the password" },
        says: { "": "errors.ADMIN_CREDENTIALS" },
        status: 401,
      },
    ],
    leads: /\/admin$/,
    again: /\/admin$/,
  },
];

const rooms: FormCase[] = [
  {
    name: "a new room",
    form: "create",
    begin: (server) => someone(server, "/chat?dialog=create", { name: "Дота 2 бүртгэл" }),
    empty: { name: "validation.roomNameMissing" },
    wrong: [{ values: { name: "ab" }, says: { name: "validation.roomNameShort" } }],
    leads: /\/chat\/\d+$/,
    again: /\/chat\/\d+$/,
  },
  {
    name: "joining a room",
    form: "join",
    begin: async (server) => {
      const seller = await registerPerson(server);
      const room = expectStatus(
        await seller.post("/api/chat/rooms", { name: "A game account" }),
        200,
        201,
      ).body;
      const { inviteCode } = expectStatus(await seller.post(`/api/chat/rooms/${room.id}/invite`), 200).body;
      return someone(server, "/chat?dialog=join", { code: inviteCode });
    },
    empty: { code: "validation.inviteCodeShort" },
    wrong: [
      { values: { code: "12345" }, says: { code: "validation.inviteCodeShort" } },
      { values: { code: "ABCDEFGH22" }, says: { "": "errors.INVITE_INVALID" }, status: 404 },
    ],
    leads: /\/chat\/\d+$/,
    again: /\/chat\/\d+$/,
  },
  {
    name: "a payment request",
    form: "create-trade",
    lookedOver: true,
    begin: (server) =>
      inRoom(server, "seller", { amount: "100000", goods: "account", description: "Түвшин 80" }),
    empty: { amount: "validation.amount", goods: "validation.goods" },
    wrong: [
      { values: { amount: "0", goods: "key" }, says: { amount: "validation.amount" } },
      { values: { amount: "a lot", goods: "key" }, says: { amount: "validation.amount" } },
    ],
    leads: /\/chat\/\d+$/,
    // The same request is the same trade.
    again: /\/chat\/\d+$/,
  },
  {
    name: "a corrected payment request",
    form: "amend",
    lookedOver: true,
    begin: async (server) => {
      const { roomId, seller } = await requestPayment(server);
      return { at: `/chat/${roomId}`, who: seller, right: { amount: "120000" } };
    },
    wrong: [{ values: { amount: "-5" }, says: { amount: "validation.amount" } }],
    leads: /\/chat\/\d+$/,
    again: /\/chat\/\d+$/,
  },
  {
    name: "a message",
    form: "message",
    begin: (server) => inRoom(server, "buyer", { content: "Сайн байна уу?" }),
    empty: { content: "validation.messageBlank" },
    wrong: [{ values: { content: "   " }, says: { content: "validation.messageBlank" } }],
    leads: /\/chat\/\d+$/,
    again: /\/chat\/\d+$/,
  },
  {
    name: "a message from the transaction's page",
    form: "message",
    begin: async (server) => {
      const { id, buyer } = await requestPayment(server);
      return { at: `/transactions/${id}`, who: buyer, right: { content: "Сайн байна уу?" } };
    },
    empty: { content: "validation.messageBlank" },
    wrong: [{ values: { content: "   " }, says: { content: "validation.messageBlank" } }],
    leads: /\/transactions\/\d+$/,
    again: /\/transactions\/\d+$/,
  },
  {
    name: "the seller's bank account",
    form: "bank-info",
    lookedOver: true,
    begin: (server) => {
      const { infoType: _, ibanNumber: __, ...right } = bankInfo;
      return inPaidRoom(server, "seller", right);
    },
    empty: {
      accountName: "validation.accountName",
      bankName: "validation.bankName",
      accountNumber: "validation.accountNumber",
      phoneNumber: "validation.phoneRequired",
      email: "validation.contactEmail",
    },
    wrong: [
      {
        values: { ...bankInfo, accountNumber: "12", phoneNumber: "123456789012", email: "bat@" } as Values,
        says: {
          accountNumber: "validation.accountNumber",
          phoneNumber: "validation.phone",
          email: "validation.contactEmail",
        },
      },
    ],
    leads: /\/chat\/\d+$/,
    again: /\/chat\/\d+$/,
  },
  {
    name: "information for the other side",
    form: "info",
    begin: (server) => inPaidRoom(server, "seller", { info: "Нэвтрэх нэр: bat" }),
    empty: { info: "validation.info" },
    leads: /\/chat\/\d+$/,
    again: /\/chat\/\d+$/,
  },
  {
    name: "a hand-over",
    form: "hand-over",
    begin: (server) => inPaidRoom(server, "seller", { note: "Чатаар өгсөн" }),
    leads: /\/chat\/\d+$/,
    again: /\/chat\/\d+$/,
  },
  {
    name: "what is handed over, sealed",
    form: "seal",
    begin: async (server) => {
      const { roomId, seller } = await openPaidTrade(server);
      const right = { login: "altan_burged", password: "Khangai-2025!", sure: "on" };
      return { at: `/chat/${roomId}/vault`, who: seller, right };
    },
    // Without its tick the browser sends no such form at all.
    wrong: [
      { values: { sure: "on" }, says: { "": "validation.vaultEmpty" } },
      {
        values: { login: "altan_burged", password: "Khangai-2025!", email: "altan", sure: "on" },
        says: { email: "validation.contactEmail" },
      },
    ],
    leads: /\/chat\/\d+\/vault$/,
    again: /\/chat\/\d+\/vault$/,
  },
  {
    name: "the steps after a hand-over was opened",
    form: "check",
    begin: async (server) => {
      const { roomId, seller, buyer, id } = await openPaidTrade(server);
      expectStatus(await seller.post(`/api/transactions/${id}/vault`, { login: "altan_burged" }), 200);
      expectStatus(await buyer.post(`/api/transactions/${id}/vault/open`), 200);
      return { at: `/chat/${roomId}/vault`, who: buyer, right: { password: "on" } };
    },
    empty: { "": "validation.vaultCheck" },
    leads: /\/chat\/\d+\/vault$/,
    again: /\/chat\/\d+\/vault$/,
  },
  {
    name: "a dispute",
    form: "dispute",
    begin: (server) => inPaidRoom(server, "buyer", { reason: "Нэвтэрч чадахгүй байна" }),
    empty: { reason: "validation.reason" },
    leads: /\/chat\/\d+$/,
    again: /\/chat\/\d+$/,
  },
  {
    name: "where a refund goes",
    form: "refund-destination",
    lookedOver: true,
    begin: async (server) => {
      const { roomId, buyer, seller, id } = await openPaidTrade(server);
      expectStatus(await buyer.post(`/api/transactions/${id}/cancel`), 200);
      expectStatus(await seller.post(`/api/transactions/${id}/cancel`), 200);
      return { at: `/chat/${roomId}`, who: buyer, right: refundAccount };
    },
    empty: {
      accountName: "validation.accountName",
      bankName: "validation.bankName",
      accountNumber: "validation.accountNumber",
    },
    wrong: [
      {
        values: { accountName: "Dorj", bankName: "G", accountNumber: "12", ibanNumber: "MN12" },
        says: {
          bankName: "validation.bankName",
          accountNumber: "validation.accountNumber",
          ibanNumber: "validation.iban",
        },
      },
    ],
    leads: /\/chat\/\d+$/,
    again: /\/chat\/\d+$/,
  },
  {
    name: "where a refund goes, its room deleted",
    form: "refund-destination",
    lookedOver: true,
    begin: async (server) => {
      const deleted = ({ seller, roomId }: ServerTrade) => seller.delete(`/api/chat/rooms/${roomId}`);
      const { deal } = await lateRefund(server, await signInAdministrator(server), deleted);
      return { at: `/transactions/${deal.id}`, who: deal.buyer, right: refundAccount };
    },
    empty: {
      accountName: "validation.accountName",
      bankName: "validation.bankName",
      accountNumber: "validation.accountNumber",
    },
    leads: /\/transactions\/\d+$/,
    again: /\/transactions\/\d+$/,
  },
];

const asked = {
  topic: "payment",
  name: "Болд",
  email: "bold@example.mn",
  message: "Төлбөр төлсөн боловч баталгаажаагүй байна.",
};

const own: FormCase[] = [
  {
    name: "support, as a visitor",
    form: "",
    begin: async () => ({ at: "/support", right: asked }),
    empty: {
      topic: "validation.supportTopic",
      name: "validation.supportName",
      email: "validation.contactEmail",
      message: "validation.supportMessage",
    },
    wrong: [
      {
        values: { ...asked, code: "MM-1", email: "bold@", message: "help" },
        says: {
          code: "validation.transactionCode",
          email: "validation.contactEmail",
          message: "validation.supportMessage",
        },
      },
    ],
    leads: /\/support\?sent=/,
    again: /\/support\?sent=/,
  },
  {
    name: "support, signed in",
    form: "",
    begin: (server) => someone(server, "/support", { topic: "room", message: asked.message }),
    empty: { topic: "validation.supportTopic", message: "validation.supportMessage" },
    leads: /\/support\?sent=/,
    again: /\/support\?sent=/,
  },
  {
    name: "the profile",
    form: "profile",
    begin: (server) => someone(server, "/profile", { phoneNumber: "99112233", bankAccount: "5012345678" }),
    wrong: [{ values: { phoneNumber: "12" }, says: { phoneNumber: "validation.phone" } }],
    leads: /\/profile$/,
    again: /\/profile$/,
  },
  {
    name: "another password in the settings",
    form: "password",
    begin: async (server) => {
      const who = await registerPerson(server);
      return { at: "/settings", who, right: { currentPassword: who.password, ...newPassword } };
    },
    empty: { currentPassword: "validation.passwordRequired", ...shortPasswords },
    leads: /\/settings#password$/,
    again: { status: 422, says: { currentPassword: "errors.PASSWORD_WRONG" } },
  },
  {
    name: "notifications",
    form: "notifications",
    begin: (server) => someone(server, "/settings", {}),
    leads: /\/settings#notifications$/,
    again: /\/settings#notifications$/,
  },
  {
    name: "quiet hours",
    form: "quiet",
    begin: (server) => someone(server, "/settings", { quietFrom: "22:30", quietTo: "07:00" }),
    wrong: [
      {
        values: { quietFrom: "22:30", quietTo: "" },
        says: { quietTo: "validation.quietBoth" },
      },
    ],
    leads: /\/settings#quiet$/,
    again: /\/settings#quiet$/,
  },
  {
    name: "a proof of who is there",
    form: "confirm",
    begin: async (server) => {
      const who = await registerPerson(server);
      return { at: "/settings/confirm", who, right: { password: who.password } };
    },
    empty: { password: "validation.passwordRequired" },
    wrong: [{ values: { password: "not it" }, says: { password: "errors.PASSWORD_WRONG" } }],
    leads: /\/settings$/,
    again: /\/settings$/,
  },
  {
    name: "a second factor",
    form: "confirm",
    begin: async (server) => {
      const who = await registerPerson(server);
      const { secret } = expectStatus(await who.post("/api/users/me/second-factor"), 200).body;
      return { at: "/settings/second-factor", who, right: { code: codeOf(String(secret), new Date()) } };
    },
    empty: { code: "validation.secondFactorDigits" },
    wrong: [{ values: { code: "12" }, says: { code: "validation.secondFactorDigits" } }],
    leads: /\/settings\/second-factor$/,
    again: /\/settings#factor$/,
  },
  {
    name: "the end of an account",
    form: "delete",
    begin: async (server) => {
      const who = await registerPerson(server);
      const right = { confirmation: who.username, password: who.password };
      return { at: "/settings/delete", who, right };
    },
    empty: { confirmation: "validation.usernameRequired", password: "validation.passwordRequired" },
    leads: /\/$/,
    again: /\/\?next=/,
  },
];

const office: FormCase[] = [
  {
    name: "a ruling",
    form: "rule",
    begin: async (server) => {
      const { buyer, id } = await openPaidTrade(server);
      expectStatus(
        await buyer.post(`/api/transactions/${id}/dispute`, { reason: "It does not work" }),
        200,
        201,
      );
      const who = await signInAdministrator(server);
      return {
        at: `/admin/disputes/${id}?ruling=release`,
        who,
        right: { reason: "It was handed over", sum: "100,000", warningsConfirmed: "on" },
      };
    },
    empty: { reason: "validation.reason", sum: "validation.rulingSum" },
    wrong: [
      { values: { reason: "", sum: "100,000" }, says: { reason: "validation.reason" } },
      { values: { reason: "Хагас нь ирсэн", sum: "half" }, says: { sum: "validation.rulingSum" } },
      {
        values: { reason: "Хагас нь ирсэн", sum: "100,000" },
        says: { "": "errors.RULING_WARNED" },
        status: 409,
      },
    ],
    leads: /\/admin\/disputes\/\d+$/,
    again: /\/admin\/disputes\/\d+$/,
  },
  {
    name: "the seller's money",
    form: "pay-seller",
    begin: async (server) => {
      const { seller, id } = await openPaidTrade(server);
      expectStatus(await seller.post(`/api/transactions/${id}/bank-info`, bankInfo), 200, 201);
      const who = await signInAdministrator(server);
      return { at: `/admin/transactions/${id}`, who, right: { sum: "100,000" } };
    },
    empty: { sum: "validation.rulingSum" },
    wrong: [{ values: { sum: "all of it" }, says: { sum: "validation.rulingSum" } }],
    leads: /\/admin\/transactions\/\d+$/,
    again: /\/admin\/transactions\/\d+$/,
  },
  {
    name: "the end of a paid transaction",
    form: "cancel",
    begin: async (server) => {
      const { id } = await openPaidTrade(server);
      const who = await signInAdministrator(server);
      return { at: `/admin/transactions/${id}`, who, right: { sum: "110,000" } };
    },
    empty: { sum: "validation.rulingSum" },
    wrong: [{ values: { sum: "all of it" }, says: { sum: "validation.rulingSum" } }],
    leads: /\/admin\/transactions\/\d+$/,
    again: /\/admin\/transactions\/\d+$/,
  },
  {
    name: "a mediator's words",
    form: "mediate",
    begin: async (server) => {
      const { buyer, id } = await openPaidTrade(server);
      expectStatus(
        await buyer.post(`/api/transactions/${id}/dispute`, { reason: "It does not work" }),
        200,
        201,
      );
      const who = await signInAdministrator(server);
      expectStatus(await who.post(`/api/admin/transactions/${id}/dispute/take`), 200);
      return { at: `/admin/disputes/${id}`, who, right: { words: "Нэвтрэх хуудсаа харуулна уу" } };
    },
    empty: { words: "validation.mediation" },
    leads: /\/admin\/disputes\/\d+$/,
    again: /\/admin\/disputes\/\d+$/,
  },
  {
    name: "a payment by hand",
    begin: async (server) => {
      const { id } = await requestPayment(server);
      const right = { amount: "110,000", reference: `SLIP-${id}` };
      return { at: `/admin/transactions/${id}/by-hand`, who: await signInAdministrator(server), right };
    },
    empty: { amount: "validation.amount", reference: "validation.bankReference" },
    wrong: [{ values: { amount: "0", reference: "X-1" }, says: { amount: "validation.amount" } }],
    leads: /\/admin\/transactions\/\d+$/,
    again: /\/admin\/transactions\/\d+$/,
  },
  {
    name: "a payment by hand laid aside",
    form: "lay-aside",
    begin: async (server) => {
      const { id } = await requestPayment(server);
      const who = await signInAdministrator(server);
      const slip = { amount: 110_000, reference: `ASIDE-${id}` };
      expectStatus(await who.post(`/api/admin/transactions/${id}/confirm-payment`, slip), 200);
      const right = { reason: "Өөр гүйлгээний баримт байсан" };
      return { at: `/admin/transactions/${id}/by-hand`, who, right };
    },
    empty: { reason: "validation.reason" },
    leads: /\/by-hand$/,
    again: /\/by-hand$/,
  },
  {
    name: "money in doubt",
    form: "unknown",
    begin: async (server) => {
      const { buyer, id } = await openPaidTrade(server);
      const who = await signInAdministrator(server);
      expectStatus(await who.post(`/api/admin/transactions/${id}/cancel`), 200);
      expectStatus(await buyer.post(`/api/transactions/${id}/refund-destination`, refundAccount), 200, 201);
      const { payouts } = expectStatus(await who.get(`/api/admin/transactions/${id}`), 200)
        .body as unknown as {
        payouts: Array<{ id: number }>;
      };
      const payout = payouts[0]?.id;
      expectStatus(await postAsShown(who, `/api/admin/payouts/${payout}/approve`), 200);
      return { at: `/admin/payouts/${payout}`, who, right: { reason: "The bank's page broke off" } };
    },
    empty: { reason: "validation.reason" },
    leads: /\/admin\/payouts\/\d+$/,
    again: /\/admin\/payouts\/\d+$/,
  },
  {
    name: "a refund's account in its buyer's place",
    form: "destination",
    lookedOver: true,
    begin: async (server) => {
      const who = await signInAdministrator(server);
      const { refund } = await lateRefund(server, who, deleteBuyerAccount);
      const right = { ...refundAccount, reason: "Төлбөр илгээсэн банк баталсан" };
      return { at: `/admin/payouts/${refund}`, who, right };
    },
    empty: {
      accountName: "validation.accountName",
      bankName: "validation.bankName",
      accountNumber: "validation.accountNumber",
      reason: "validation.reason",
    },
    leads: /\/admin\/payouts\/\d+$/,
    again: /\/admin\/payouts\/\d+$/,
  },
  {
    name: "a settlement",
    form: "settlement",
    begin: async (server) => ({
      at: "/admin/money/settlements",
      who: await signInAdministrator(server),
      right: { bankReference: "QPAY-1", received: "1,980,000", cost: "20,000" },
    }),
    empty: {
      bankReference: "validation.bankReference",
      received: "validation.settled",
      cost: "validation.settled",
    },
    wrong: [
      {
        values: { bankReference: "QPAY-1", received: "0", cost: "0" },
        says: { received: "validation.settled" },
      },
    ],
    leads: /\/admin\/money\/settlements$/,
    again: /\/admin\/money\/settlements$/,
  },
  {
    name: "a settlement laid aside",
    form: "lay-aside",
    begin: async (server) => {
      const who = await signInAdministrator(server);
      const seen = { bankReference: "QPAY-ASIDE", received: 990, cost: 10 };
      expectStatus(await who.post("/api/admin/settlements", seen), 200);
      return {
        at: "/admin/money/settlements",
        who,
        right: { reason: "Өөр данс руу орсон шилжүүлэг байсан" },
      };
    },
    empty: { reason: "validation.reason" },
    leads: /\/admin\/money\/settlements$/,
    again: /\/admin\/money\/settlements$/,
  },
  {
    name: "the halt switch",
    form: "halt",
    begin: async (server) => ({
      at: "/admin/money",
      who: await signInAdministrator(server),
      right: { reason: "The bank was broken into", word: "HALT" },
    }),
    empty: { reason: "validation.reason", word: "validation.haltWord" },
    wrong: [{ values: { reason: "Why not", word: "STOP" }, says: { word: "validation.haltWord" } }],
    leads: /\/admin\/money$/,
    again: /\/admin\/money$/,
  },
];

/** Somebody's page, as the administrator sees it. */
async function atUser(server: Server, right: (who: { username: string }) => Values): Promise<Begun> {
  const { id, username } = await registerPerson(server);
  return { at: `/admin/users/${id}`, who: await signInAdministrator(server), right: right({ username }) };
}

const people: FormCase[] = [
  {
    name: "somebody's profile",
    form: "edit",
    begin: (server) => {
      const right = { displayName: "Dorj Bat", phoneNumber: "99112233", bankAccount: "5001002003" };
      return atUser(server, () => right);
    },
    empty: { displayName: "validation.displayName" },
    wrong: [
      {
        values: { displayName: "Dorj Bat", phoneNumber: "12" },
        says: { phoneNumber: "validation.phone" },
      },
    ],
    leads: /\/admin\/users\/\d+$/,
    again: /\/admin\/users\/\d+$/,
  },
  {
    name: "the end of somebody's account",
    form: "delete-user",
    begin: (server) => atUser(server, ({ username }) => ({ confirmation: username })),
    empty: { confirmation: "validation.usernameRequired" },
    wrong: [{ values: { confirmation: "somebody" }, says: { confirmation: "validation.otherUsername" } }],
    leads: /\/admin\/users$/,
    again: /\/admin\/users\/\d+$/,
  },
];

const mail: FormCase[] = [
  {
    name: "a trial mail",
    form: "test",
    begin: async (server) => ({
      at: "/admin/email",
      who: await signInAdministrator(server),
      right: { testEmail: "trial@example.mn" },
    }),
    empty: { testEmail: "validation.testEmail" },
    wrong: [{ values: { testEmail: "trial" }, says: { testEmail: "validation.email" } }],
    leads: /\/admin\/email$/,
    again: /\/admin\/email$/,
  },
];

const filters: FormCase[] = ["/admin/transactions", "/admin/users", "/admin/activity-logs"].map((list) => ({
  name: `a filter of ${list} to keep`,
  form: "save-filter",
  begin: async (server) => {
    // What is asked for differs, so that other tests of the same list keep other filters.
    const words = crypto.randomUUID().slice(0, 8);
    const name = list === "/admin/activity-logs" ? "user" : "q";
    const right = { name: `Шүүлт ${words}` };
    return { at: `${list}?${name}=${words}`, who: await signInAdministrator(server), right };
  },
  empty: { name: "validation.required" },
  leads: /\?(?:q|user)=\w+$/,
  again: /\?(?:q|user)=\w+$/,
}));

/** Every form that a person fills in. A new form is one entry here. */
export const forms: FormCase[] = [...entering, ...rooms, ...own, ...office, ...people, ...mail, ...filters];
