import type { RegisteredCall } from "../support/api/registered-calls.ts";
import type { Reply } from "../support/server/http-client.ts";

export const isDesk = ({ path }: RegisteredCall) =>
  path.startsWith("/api/admin/") && path !== "/api/admin/login";

/** The sandbox's own provider and mailbox, which real money closes (13.2.3, 15.2.3). */
export const isSandbox = ({ path }: RegisteredCall) => path.startsWith("/sandbox/");

/** Calls that anybody may make, each with what it is for. */
export const open: Record<string, string> = {
  "GET /api/auth/session": "who asks",
  "GET /api/auth/is-admin": "whether who asks is an administrator",
  "POST /api/auth/login": "a way in",
  "POST /api/admin/login": "a way in",
  "POST /api/auth/register": "a way in",
  "POST /api/auth/second-factor": "a way in, by a ticket",
  "POST /api/auth/passkey/options": "the beginning of a way in",
  "POST /api/auth/passkey": "a way in, by a ticket",
  "POST /api/auth/logout": "the way out",
  "POST /api/auth/forgot-password": "asks for a link",
  "POST /api/auth/reset-password": "by a mailed link",
  "POST /api/auth/verify-email": "by a mailed link",
  "GET /api/push/key": "a public key",
  "GET /api/evidence-key": "a public key",
  "POST /api/reports": "anybody may report what they were told to pay",
  "GET /api/audit/head": "the newest signed head of the log, which proves it only if strangers keep it",
  "POST /api/support": "asks for help",
  "GET /api/qpay/callback/:invoiceId/:secret": "the provider, by a secret of the invoice",
  "POST /api/qpay/callback/:invoiceId/:secret": "the provider, by a secret of the invoice",
  "GET /ws": "closes by itself (7.4.1)",
};

/** A path with each of its parameters filled in; null where this kind of thing has none of them. */
export function filled(path: string, values: Record<string, string | number>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path}: nothing is known for ":${name}"; say whose id it is`);
    return String(value);
  });
}

export const nothing = {
  id: 999_999,
  userId: 999_999,
  invoiceId: "5b8d7f0e-0000-4000-8000-000000000000",
  image: "5b8d7f0e-0000-4000-8000-000000000000",
  secret: "x".repeat(43),
  file: "5b8d7f0e-0000-4000-8000-000000000000.png",
};

/** All that a reply tells but its own number and moment. */
export const told = ({ status, headers, text }: Reply) => ({
  status,
  type: headers.get("content-type"),
  text,
});

/** The desk's calls that change something and ask for no fresh login, each with the reason. */
export const withoutProof: Record<string, string> = {
  "POST /api/admin/transactions/:id/notify": "tells both parties how things stand",
  "DELETE /api/admin/transactions/:id": "takes out of lists; refused while money is held",
  "POST /api/admin/transactions/:id/confirm-payment/lay-aside": "takes a proposal back; books nothing",
  "POST /api/admin/settlements/:id/lay-aside": "takes an entry back; books nothing",
  "POST /api/admin/payouts/:id/unknown": "holds everything until a person knows more; moves none",
  "POST /api/admin/payouts/:id/withdraw-approval": "stops money; moves none",
  "POST /api/admin/payouts/:id/done": "says that the statement shows what was sent",
  "POST /api/admin/transactions/:id/dispute/take": "says who looks at a case",
  "POST /api/admin/transactions/:id/dispute/give-back": "says that nobody does",
  "POST /api/admin/transactions/:id/dispute/message": "speaks to both",
  "POST /api/admin/transactions/:id/rule/preview": "computes",
  "POST /api/admin/transactions/:id/rule/withdraw": "takes a proposal back; moves none",
  "POST /api/admin/transactions/:id/evidence": "reads, and is recorded",
  "POST /api/admin/transactions/:id/hold": "stops money; moves none",
  "POST /api/admin/reports/:id/resolve": "says that somebody looked; lifts no hold",
  "POST /api/admin/reconciliation": "compares",
  "POST /api/admin/differences/:id/resolve": "a word on a task; books nothing",
  "POST /api/admin/differences/:id/ask": "asks the provider, as a buyer may",
  "POST /api/admin/test-email": "sends a trial mail to one address",
  "POST /api/admin/email-templates/preview": "draws",
  "POST /api/admin/email-templates/test": "sends a trial mail to one address",
};
