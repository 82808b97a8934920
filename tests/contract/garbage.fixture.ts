import { deep, deepObject } from "../faults/fuzz/values.ts";

/** Bodies that are no JSON object at all. */
export const shapeless: Record<string, string> = {
  "cut short": '{"amount":',
  "a lone brace": "}",
  "two objects": "{}{}",
  "a number": "1",
  "a text": '"text"',
  null: "null",
  "a list": "[]",
  "a list of objects": "[{}]",
  "deep lists": deep(20_000),
  "deep objects": deepObject(20_000),
  "a null byte": "\u0000",
  "half a character": '{"a":"\\ud800"',
  "not a number": "NaN",
  XML: "<a/>",
};

/** Values no field takes. */
export const values: Record<string, unknown> = {
  true: true,
  "a list": ["x"],
  "an object": { toString: "x" },
  "a null byte": "a\u0000b",
  "an escape": "a\u001bb",
  "half a character": "a\ud800b",
  "a direction": "a\u202eb",
  "very long": "x".repeat(100_000),
  "a huge number": 1e308,
  "a negative": -1,
  "a fraction": 1.5,
  deep: JSON.parse(deepObject(500)),
};

export type Route = { method: string; path: string; fields: string[]; by: "seller" | "buyer" | "admin" };
const route = (method: string, path: string, by: Route["by"], ...fields: string[]): Route => ({
  method,
  path,
  fields,
  by,
});

const mails = "/api/admin/email-templates";

/** Every call that takes a body, with its fields; `:id` is a transaction that would otherwise allow it. */
export const routes: Route[] = [
  route(
    "POST",
    "/api/transactions",
    "seller",
    "chatRoomId",
    "amount",
    "serviceFee",
    "feePayer",
    "description",
    "sellerId",
  ),
  route("PATCH", "/api/transactions/:unpaid", "seller", "amount", "feePayer", "description"),
  route("POST", "/api/transactions/:unpaid/amend", "seller", "amount", "feePayer", "description"),
  route("POST", "/api/transactions/:paid/messages", "buyer", "content", "type", "clientId"),
  route("POST", "/api/transactions/:paid/info-exchange", "seller", "info"),
  route(
    "POST",
    "/api/transactions/:paid/bank-info",
    "seller",
    ...["infoType", "accountName", "bankName", "accountNumber", "ibanNumber", "phoneNumber", "email"],
  ),
  route("POST", "/api/transactions/:paid/hand-over", "seller", "note"),
  route("POST", "/api/transactions/:paid/vault", "seller", "login", "password", "email", "notes", "clientId"),
  route("POST", "/api/transactions/:paid/vault/check", "buyer", "password", "secondFactor", "recovery"),
  route("POST", "/api/transactions/:paid/dispute", "buyer", "reason"),
  route("POST", "/api/transactions/:paid/dispute/statement", "buyer", "reason"),
  route(
    "POST",
    "/api/transactions/:paid/refund-destination",
    "buyer",
    "accountName",
    "bankName",
    "accountNumber",
    "ibanNumber",
  ),
  route("POST", "/api/qpay/invoices", "buyer", "transactionId", "fresh"),
  route("POST", "/api/qpay/create-payment", "buyer", "transactionId", "fresh"),
  route("POST", "/api/admin/transactions/:paid/settle", "admin", "bankReference"),
  route("POST", "/api/admin/transactions/:paid/pay-seller", "admin", "sum"),
  route("POST", "/api/admin/transactions/:paid/rule", "admin", "ruling", "refundAmount", "reason", "sum"),
  route("POST", "/api/admin/transactions/:paid/rule/preview", "admin", "ruling", "refundAmount"),
  route("POST", "/api/admin/transactions/:paid/rule/confirm", "admin", "proposal", "sum"),
  route("POST", "/api/admin/transactions/:paid/rule/withdraw", "admin", "proposal"),
  route("POST", "/api/admin/transactions/:paid/dispute/message", "admin", "words"),
  route("POST", "/api/admin/transactions/:unpaid/confirm-payment", "admin", "amount", "reference"),
  route("POST", "/api/admin/transactions/:unpaid/confirm-payment/lay-aside", "admin", "proposal", "reason"),
  route("POST", "/api/admin/payouts/:payout/send", "admin", "bankReference"),
  route("POST", "/api/admin/payouts/:payout/already-sent", "admin", "bankReference"),
  route("POST", "/api/admin/payouts/:payout/withdraw-approval", "admin", "reason"),
  route("POST", "/api/admin/payouts/:payout/unknown", "admin", "reason"),
  route("POST", "/api/admin/payouts/:payout/resolve", "admin", "outcome", "bankReference", "reason"),
  route("POST", "/api/admin/holds/1/resolve", "admin", "outcome", "note"),
  route("POST", "/api/admin/transactions/:unpaid/hold", "admin", "reason"),
  route("POST", "/api/admin/settlements", "admin", "bankReference", "received", "cost"),
  route("POST", "/api/admin/settlements/1/lay-aside", "admin", "reason"),
  route("POST", "/api/admin/reconciliation", "admin", "day"),
  route("POST", "/api/admin/differences/1/resolve", "admin", "note"),
  route("POST", "/api/admin/money/halt", "admin", "on", "reason"),
  route("POST", "/api/admin/test-email", "admin", "testEmail"),
  route("POST", `${mails}/preview`, "admin", "templateType", "language", "customizations"),
  route("POST", `${mails}/test`, "admin", "templateType", "testEmail", "language"),
  route("POST", `${mails}/customize`, "admin", "templateType", "customizations", "version"),
  route("POST", "/api/chat/rooms", "seller", "name", "description", "role"),
  route("POST", "/api/chat/join", "buyer", "code"),
  route("POST", "/api/chat/rooms/:room/messages", "buyer", "content", "type", "clientId"),
  route("POST", "/api/chat/rooms/:room/images", "buyer", "imageData", "caption", "clientId"),
  route("POST", "/api/chat/rooms/:room/read", "buyer", "seq"),
  route("POST", "/api/chat/rooms/:room/participants/:buyer/role", "seller", "role"),
  route("POST", "/api/auth/login", "buyer", "username", "password"),
  route(
    "POST",
    "/api/auth/register",
    "buyer",
    "username",
    "password",
    "displayName",
    "email",
    "avatarInitials",
  ),
  route("POST", "/api/auth/forgot-password", "buyer", "email"),
  route("POST", "/api/auth/reset-password", "buyer", "token", "newPassword"),
  route("POST", "/api/auth/verify-email", "buyer", "token"),
  route("POST", "/api/auth/change-password", "buyer", "currentPassword", "newPassword"),
  route("POST", "/api/auth/confirm-password", "buyer", "password"),
  route("POST", "/api/admin/login", "admin", "username", "password"),
  route("POST", "/api/auth/second-factor", "buyer", "code"),
  route("POST", "/api/users/me/second-factor/confirm", "buyer", "code"),
  route("PATCH", "/api/users/me/notifications", "buyer", "reminders", "roomActivity", "requests"),
  route("PUT", "/api/users/me/telling", "buyer", "pushMessages", "mailMessages", "quietFrom", "quietTo"),
  route("POST", "/api/push/subscriptions", "buyer", "endpoint", "keys"),
  route("DELETE", "/api/users/me", "buyer", "password", "confirmation"),
  route("PATCH", "/api/users/profile", "buyer", "phoneNumber", "bankAccount", "language"),
  route("POST", "/api/support", "buyer", "topic", "code", "name", "email", "message", "clientId", "website"),
];

/** Calls whose every field may be left out: an object of unknown names is right for them. */
export function needsNothing({ path }: Route): boolean {
  return path.endsWith("/hand-over") || changesWhatIsGiven({ path });
}

/** Calls that leave alone what they are not given. */
export function changesWhatIsGiven({ path }: Pick<Route, "path">): boolean {
  return path.endsWith("/profile") || path.endsWith("/notifications");
}

/** A body whose other fields are right, so that the wrong one alone is what is refused. */
export const right: Record<string, unknown> = {
  feePayer: "buyer",
  description: "x",
  content: "x",
  imageData: "data:image/gif;base64,R0lGODdhAQABAIAAAP///////ywAAAAAAQABAAACAkQBADs=",
  caption: "x",
  type: "text",
  info: "x",
  infoType: "seller",
  accountName: "Bat",
  bankName: "Khan Bank",
  accountNumber: "5012345678",
  phoneNumber: "99112233",
  email: "a@example.mn",
  note: "x",
  reason: "x",
  ruling: "release",
  sum: 1,
  words: "x",
  bankReference: "X1",
  reference: "X1",
  amount: 5_000,
  name: "A room",
  role: "seller",
  code: "AAAAAAAAAA",
  username: "nobody at all",
  password: "nobody's password",
  displayName: "Nobody",
  token: "x".repeat(43),
  newPassword: "a new long password",
  outcome: "sent",
  language: "en",
  currentPassword: "not the password",
  confirmation: "nobody",
  day: "2026-01-05",
  on: true,
  testEmail: "a@example.mn",
  templateType: "welcome",
  customizations: { fontSize: 13 },
  version: 0,
};

/** Fields that take any text or truth, so that some values below are right for them. */
export function harmless(field: string, value: unknown): boolean {
  if (["on", "fresh", "reminders", "roomActivity", "requests"].includes(field)) return value === true;
  return ["amount", "serviceFee", "refundAmount", "transactionId", "chatRoomId", "sellerId"].includes(field)
    ? false
    : value === undefined;
}
