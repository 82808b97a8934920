import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { translateText } from "#locales";
import { type Person, registerPerson, signInAdministrator } from "../../support/people/registered-people.ts";
import type { Client, Reply } from "../../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../../support/server/shared-server.ts";
import {
  bankInfo,
  buyerContact,
  openPaidTrade,
  type ServerTrade,
} from "../../support/trades/server-trades.ts";

/** Each field's rules: a wrong value, and the error message that was agreed for it, in English and in Mongolian. */

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

const account = {
  ...{ username: "somebody", password: "a long password", displayName: "Bat Erdene" },
  ...{ email: "somebody@example.mn", avatarInitials: "BE" },
};
const payment = { chatRoomId: 1, amount: 50_000 };
const username = "Username must be at least 3 characters";
const password = "Password must be at least 6 characters";
const email = "Please enter a valid email address";
const amount = "Please enter a valid payment amount: whole tugrik, for example 150,000";
const phone = "This phone number isn't valid. A Mongolian number has 8 digits.";
const bank = "/api/transactions/:id/bank-info";

type Rule = [path: string, right: object, field: string, wrong: unknown, says: string];

const rules: Rule[] = [
  ["/api/auth/login", { username: "somebody", password: "a password" }, "username", "ab", username],
  ["/api/auth/login", { username: "somebody", password: "a password" }, "password", "12345", password],
  ["/api/auth/register", account, "username", "ab", username],
  ["/api/auth/register", account, "password", "12345", password],
  ["/api/auth/register", account, "displayName", "B", "Display name must be at least 2 characters"],
  ["/api/auth/register", account, "email", "not an address", email],
  ["/api/auth/register", account, "avatarInitials", "ABC", "Avatar initials must be 1-2 characters"],
  ["/api/auth/forgot-password", { email: "a@example.mn" }, "email", "not an address", email],
  ["/api/auth/reset-password", { token: "x", newPassword: "a password" }, "newPassword", "12345", password],
  ["/api/chat/rooms", { name: "A room" }, "name", "ab", "Name must be at least 3 characters"],
  ["/api/chat/rooms", { name: "A room" }, "name", "", "Please provide a room name"],
  [
    "/api/chat/join",
    { code: "AAAAAAAAAA" },
    "code",
    "abcde",
    "Invite code is too short: a code has 10 characters",
  ],
  [bank, bankInfo, "accountName", "B", "Account name must be at least 2 characters."],
  [bank, bankInfo, "bankName", "K", "Bank name is required."],
  [bank, bankInfo, "accountNumber", "123", "Account number must be at least 4 digits."],
  [
    bank,
    bankInfo,
    "accountNumber",
    "12ab",
    "An account number has digits only. Please remove the letters and other characters.",
  ],
  [
    bank,
    bankInfo,
    "accountNumber",
    "1".repeat(21),
    "An account number has at most 20 digits. Please check it.",
  ],
  [bank, bankInfo, "phoneNumber", "9911", phone],
  [bank, bankInfo, "email", "not an address", `${email}.`],
  [bank, buyerContact, "accountName", "B", "Account name must be at least 2 characters."],
  [bank, buyerContact, "phoneNumber", "9911", phone],
  [bank, buyerContact, "email", "not an address", `${email}.`],
  ["/api/transactions", payment, "amount", 0, amount],
  ["/api/transactions", payment, "amount", -1, amount],
  ["/api/transactions", payment, "amount", 1.5, amount],
  ["/api/transactions", payment, "amount", "50000", amount],
  ["/api/transactions", payment, "amount", undefined, amount],
  ["/api/transactions/:id/info-exchange", { info: "x" }, "info", "  ", "Please provide information to share"],
  ["/api/admin/login", { username: "admin", password: "x" }, "username", "", "Username is required"],
  ["/api/admin/login", { username: "admin", password: "x" }, "password", "", "Password is required"],
  ["/api/admin/test-email", { testEmail: "a@example.mn" }, "testEmail", "", "Please enter an email address"],
];

function asked([path, right, field, wrong]: Rule, language: string): Promise<Reply> {
  const who = path === bank && "infoType" in right && right.infoType === "buyer" ? deal.buyer : deal.seller;
  const asker = path.startsWith("/api/admin/test") ? admin : path.includes(":id") ? who : me;
  const body = { ...right, [field]: wrong };
  return asker.send("POST", path.replace(":id", String(deal.id)), body, { "Accept-Language": language });
}

const named = rules.map(
  (rule) => [`${rule[0]}: ${rule[2]} is ${JSON.stringify(rule[3]) ?? "missing"}`, rule] as const,
);

test.each(named)("%s", async (_, rule) => {
  const [, , field, , says] = rule;
  const english = await asked(rule, "en");
  expect([english.status, english.body.code]).toEqual([422, "VALIDATION"]);
  expect(english.body.fields).toEqual({ [field]: [says] });
  expect(english.body.message).toBe(says);
  const { fields, message } = (await asked(rule, "mn")).body;
  const mongolian = fields[field]?.[0] ?? "";
  expect(message).toBe(mongolian);
  expect(mongolian).toMatch(/[А-Яа-яӨөҮүЁё]{3}/);
  expect(mongolian).not.toBe(says);
});

type Wrong = [path: string, body: object, names: string[], says: string, mongolian: string];

/** Several fields are wrong, and sent in another order than the form's. */
const severalWrong: Wrong[] = [
  [
    "/api/auth/register",
    { email: "x", displayName: "B", password: "12345", username: "ab" },
    ["username", "password", "displayName", "email"],
    username,
    translateText("mn", "validation.username"),
  ],
  [
    "/api/auth/reset-password",
    { newPassword: "12345", token: "x", surplus: true, confirm: 1 },
    ["newPassword"],
    password,
    translateText("mn", "validation.password"),
  ],
  [
    bank,
    { ...bankInfo, email: "x", accountNumber: "1", accountName: "B" },
    ["accountName", "accountNumber", "email"],
    "Account name must be at least 2 characters.",
    translateText("mn", "validation.accountName"),
  ],
];

test.each(severalWrong)("%s with several wrong fields says the first one's sentence", async (...wrong) => {
  const [path, body, names, says, mongolian] = wrong;
  const send = (language: string) =>
    (path === bank ? deal.seller : me).send("POST", path.replace(":id", String(deal.id)), body, {
      "Accept-Language": language,
    });
  const reply = await send("en");
  expect([reply.status, reply.body.code]).toEqual([422, "VALIDATION"]);
  expect(Object.keys(reply.body.fields).slice(0, names.length)).toEqual(names);
  expect(reply.body.message).toBe(says);
  expect((await send("mn")).body.message).toBe(mongolian);
});

test("a body that is no object, and a wrong query, say so too", async () => {
  const list = await me.post("/api/auth/register", ["x"]);
  expect([list.status, list.body.message]).toEqual([422, String(Object.values(list.body.fields).flat()[0])]);
  const query = await admin.get("/api/admin/activity-logs?fromDate=never");
  expect([query.status, query.body.message]).toEqual([422, String(query.body.fields.fromDate?.[0])]);
});

test("a blank message is refused, and a profile accepts any text or none", async () => {
  const blank = await deal.seller.post(`/api/transactions/${deal.id}/messages`, { content: "  \n " });
  expect([blank.status, blank.body.code]).toEqual([422, "VALIDATION"]);
  expect((await me.patch("/api/users/profile", {})).status).toBe(200);
  expect((await me.patch("/api/users/profile", { phoneNumber: "99112233", bankAccount: "any" })).status).toBe(
    200,
  );
});
