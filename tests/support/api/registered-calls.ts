import { consentVersions } from "#forms/identity";
import { escrowRoutes } from "#http/escrow";
import { identityRoutes } from "#http/identity";
import { mailerRoutes } from "#http/mailer";
import { paymentsRoutes } from "#http/payments";
import { roomsRoutes } from "#http/rooms";
import { bankInfo, refundAccount } from "../trades/server-trades.ts";

/** One registered call: what the listener knows it by, such as `POST /api/transactions/:id/payment`. */
export type RegisteredCall = { name: string; method: string; path: string };

/** Every call that any module registers, so that no list of ours can lack a new one. */
export const registeredCalls: readonly RegisteredCall[] = [
  escrowRoutes,
  identityRoutes,
  mailerRoutes,
  paymentsRoutes,
  roomsRoutes,
]
  .flatMap(({ routes }) => routes)
  .map(({ method, path }) => ({ name: `${method} ${path}`, method, path }));

/** True for a call that changes something. */
export const isWritingCall = ({ method }: RegisteredCall) => method !== "GET";

const pixelImage =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const reasonBody = { reason: "A reason" };
const tradePath = "/api/transactions/:id";
const adminTradePath = "/api/admin/transactions/:id";
const payoutPath = "/api/admin/payouts/:id";
const roomPath = "/api/chat/rooms/:id";

const emptyCredential = { id: "AAAA", rawId: "AAAA", type: "public-key" };

/** A body that each call takes, so that what refuses it is not its shape; a call that is not here takes none. */
export const validBody: Readonly<Record<string, unknown>> = {
  [`PATCH ${tradePath}`]: { amount: 50_000 },
  [`POST ${tradePath}/amend`]: { amount: 50_000 },
  [`POST ${tradePath}/info-exchange`]: { info: "x" },
  [`POST ${tradePath}/info-exchange/confirm`]: {},
  [`POST ${tradePath}/bank-info`]: bankInfo,
  [`POST ${tradePath}/messages`]: { content: "Hello" },
  [`POST ${tradePath}/hand-over`]: { note: "x" },
  [`POST ${tradePath}/cancel`]: { agreesTo: null, vaultShown: "none" },
  [`POST ${tradePath}/decline-cancel`]: { requestedAt: "2026-01-05T06:00:00.000Z" },
  [`POST ${tradePath}/vault`]: { login: "x" },
  [`POST ${tradePath}/vault/check`]: { password: true },
  [`POST ${tradePath}/dispute`]: reasonBody,
  [`POST ${tradePath}/dispute/statement`]: reasonBody,
  [`POST ${tradePath}/refund-destination`]: refundAccount,
  [`POST ${roomPath}/messages`]: { content: "Hello", type: "text" },
  [`POST ${roomPath}/read`]: { seq: 1 },
  [`POST ${roomPath}/images`]: { imageData: pixelImage },
  [`POST ${roomPath}/participants/:userId/role`]: { role: "buyer" },
  "POST /api/transactions": { chatRoomId: 999_999, amount: 50_000 },
  "POST /api/qpay/invoices": { transactionId: 999_999 },
  "POST /api/qpay/create-payment": { transactionId: 999_999 },
  "POST /api/chat/rooms": { name: "A room" },
  "POST /api/chat/join": { code: "ABCDEFGH23" },
  "POST /api/auth/change-password": { currentPassword: "a password", newPassword: "another word" },
  "POST /api/auth/confirm-password": { password: "a password" },
  "POST /api/auth/choose-name": { displayName: "Zaya" },
  "POST /api/auth/agree": consentVersions,
  "POST /api/auth/confirm-passkey": {
    credential: {
      ...emptyCredential,
      response: { clientDataJSON: "AAAA", authenticatorData: "AAAA", signature: "AAAA" },
    },
  },
  "POST /api/users/me/passkeys": {
    credential: { ...emptyCredential, response: { clientDataJSON: "AAAA", attestationObject: "AAAA" } },
  },
  "PATCH /api/users/me/passkeys/:id": { name: "x" },
  "POST /api/admin/users/:id/restriction": {
    ...{ kind: "limit", cause: "fraud", note: "x" },
    until: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  },
  "POST /api/admin/users/:id/restriction/confirm": { restriction: 1 },
  "POST /api/admin/users/:id/restriction/lift": { note: "x" },
  "PATCH /api/users/profile": { phoneNumber: "99112233" },
  "PATCH /api/user/profile": { phoneNumber: "99112233" },
  "PATCH /api/users/me/notifications": { requests: false },
  "PUT /api/users/me/telling": { pushMessages: true, mailMessages: true, quietFrom: null, quietTo: null },
  "POST /api/users/me/second-factor/confirm": { code: "123456" },
  "DELETE /api/users/me": { password: "a password", confirmation: "somebody" },
  "POST /api/push/subscriptions": {
    endpoint: "https://fcm.googleapis.com/fcm/send/x",
    keys: { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) },
  },
  "POST /api/admin/money/halt": { on: true, ...reasonBody },
  "POST /api/admin/settlements": { bankReference: "QPAY1", received: 990, cost: 10 },
  "POST /api/admin/settlements/:id/lay-aside": reasonBody,
  "POST /api/admin/reconciliation": { day: "2026-01-05" },
  "POST /api/admin/differences/:id/resolve": { note: "A note" },
  "POST /api/admin/holds/:id/resolve": { outcome: "dismissed", note: "A note" },
  [`POST ${adminTradePath}/hold`]: reasonBody,
  [`POST ${payoutPath}/destination`]: { ...refundAccount, ...reasonBody },
  [`POST ${payoutPath}/approve`]: {},
  [`POST ${payoutPath}/claim`]: {},
  [`POST ${payoutPath}/send`]: { bankReference: "TRF1" },
  [`POST ${payoutPath}/already-sent`]: { bankReference: "TRF3" },
  [`POST ${payoutPath}/unknown`]: reasonBody,
  [`POST ${payoutPath}/withdraw-approval`]: reasonBody,
  [`POST ${payoutPath}/resolve`]: { outcome: "not_sent", ...reasonBody },
  [`POST ${adminTradePath}/pay-seller`]: { sum: 100_000 },
  [`POST ${adminTradePath}/settle`]: { bankReference: "TRF2" },
  [`POST ${adminTradePath}/rule`]: { ruling: "refund", sum: 110_000, ...reasonBody },
  [`POST ${adminTradePath}/rule/preview`]: { ruling: "refund" },
  [`POST ${adminTradePath}/rule/confirm`]: { proposal: 1, sum: 110_000 },
  [`POST ${adminTradePath}/rule/withdraw`]: { proposal: 1 },
  [`POST ${adminTradePath}/confirm-payment`]: { amount: 110_000, reference: "SLIP1" },
  [`POST ${adminTradePath}/confirm-payment/lay-aside`]: { proposal: 1, ...reasonBody },
  [`POST ${adminTradePath}/dispute/message`]: { words: "Words" },
  "POST /api/admin/test-email": { testEmail: "one@example.mn" },
  "POST /api/admin/email-templates/preview": { templateType: "welcome" },
  "POST /api/admin/email-templates/test": { templateType: "welcome", testEmail: "one@example.mn" },
  "POST /api/admin/email-templates/customize": {
    templateType: "welcome",
    customizations: { brandName: "Midman" },
  },
};
