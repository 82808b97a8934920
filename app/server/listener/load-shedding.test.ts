import { expect, test } from "bun:test";
import { rankOf } from "./load-shedding.ts";

const ranks: Array<[path: string, rank: ReturnType<typeof rankOf>]> = [
  ["/healthz", undefined],
  ["/readyz", undefined],
  ["/metrics", undefined],
  ["/api/qpay/callback/17/secret?payment_id=1", undefined],
  ["/api/qpay/invoices", "money"],
  ["/api/transactions", "money"],
  ["/api/transactions/17/verify", "money"],
  ["/api/admin/transactions/17/settle", "money"],
  ["/admin", "money"],
  ["/admin/payouts/17", "money"],
  ["/transactions/17", "money"],
  ["/chat/17", "money"],
  ["/chat", "others"],
  ["/chat/17/panel", "others"],
  ["/api/chat/rooms/17/messages", "others"],
  ["/api/auth/login", "others"],
  ["/administrator", "others"],
  ["/healthz/more", "others"],
  ["/api/qpaycallback/17", "others"],
];

test.each(ranks)("a request for %s waits as %p", (path, rank) => {
  expect(rankOf(new Request(`http://localhost${path}`))).toBe(rank);
});
