/**
 * Checks after the tests that at least one of them has seen every response that the API's document declares. `bun
 * scripts/check/calls-seen.ts <folder>` reads the notes of the tests (`tests/support/api/api-document.ts`), lists the responses that no
 * test has seen, and fails if there are any.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codesIn } from "../../app/routes/developers/call-pages.ts";
import type { OpenApiDocument } from "../../app/server/openapi/document.ts";

const raceReason = "only between two at once (modules/escrow/lib)";
const rulingReason = "checked when the ruling was proposed (modules/escrow/lib/disputes/rule.ts)";
const correctionReason =
  "the second approval has already waited (modules/payments/lib/payouts/approve-payout.ts)";

/** Responses that only a race produces, or that are no reply: no API test can produce them reliably. */
const unreachableAnswers: Record<string, string> = {
  "patch-api-transactions-id 409 INVOICING_BUSY": raceReason,
  "post-api-transactions-id-amend 409 INVOICING_BUSY": raceReason,
  "post-api-transactions-id-withdraw 409 INVOICING_BUSY": raceReason,
  "post-api-transactions-id-payment 409 INVOICING_BUSY": raceReason,
  "post-api-admin-transactions-id-cancel 409 INVOICING_BUSY": raceReason,
  "post-api-admin-transactions-id-complete 409 INVOICING_BUSY": raceReason,
  "post-api-transactions-id-payment 409 INVOICE_CLOSED": raceReason,
  "post-api-qpay-invoices 409 INVOICING_BUSY": raceReason,
  "post-api-qpay-invoices 409 INVOICE_CLOSED": raceReason,
  "post-api-qpay-create-payment 409 INVOICING_BUSY": raceReason,
  "post-api-qpay-create-payment 409 INVOICE_CLOSED": raceReason,
  "post-api-admin-transactions-id-complete 409 APPROVAL_LAPSED": raceReason,
  "post-api-admin-transactions-id-complete 409 PAYOUT_UNKNOWN_OPEN":
    "a payout in doubt holds its transaction, which refuses first",
  "post-api-admin-transactions-id-settle 409 APPROVAL_LAPSED": raceReason,
  "post-api-admin-transactions-id-rule-confirm 409 NOT_PAID_YET": rulingReason,
  "post-api-admin-transactions-id-rule-confirm 422 SPLIT_OUT_OF_RANGE": rulingReason,
  "post-api-admin-differences-id-ask 404 TRANSACTION_NOT_FOUND":
    "for a payment that names no transaction (modules/escrow/lib/backoffice/reconciliation/reconciliation.test.ts)",
  "post-api-admin-payouts-id-claim 409 ACCOUNT_JUST_CORRECTED": correctionReason,
  "post-api-admin-payouts-id-send 409 ACCOUNT_JUST_CORRECTED": correctionReason,
  "post-api-chat-rooms-id-images 503 IMAGES_BUSY":
    "while many pictures are being read (modules/rooms/lib/images)",
  "delete-api-users-me 404 USER_NOT_FOUND":
    "of two at once, the later (tests/contract/identity-account.test.ts)",
  "get-ws 101": "sockets are tested by frames, not by replies (modules/rooms/lib/socket)",
};

/** All responses that a document declares, in the form of the tests' notes: operation, status, and the code of a refusal. */
export function declaredIn({ paths }: OpenApiDocument): string[] {
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, response]) => {
        if (status === "default") return [];
        if (Number(status) < 400) return [`${operationId} ${status}`];
        return codesIn(response).map((code) => `${operationId} ${status} ${code}`);
      }),
    );
}

/** The responses that the document in a folder declares and that no note beside it contains. */
export function unseenIn(folder: string): { declared: number; unseen: string[] } {
  const document = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8")) as OpenApiDocument;
  const notes = readdirSync(folder).filter((file) => file.endsWith(".txt"));
  const seen = new Set(notes.flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n")));
  const declared = declaredIn(document).filter((one) => unreachableAnswers[one] === undefined);
  return { declared: declared.length, unseen: declared.filter((one) => !seen.has(one)) };
}

if (import.meta.main) {
  const [folder = ""] = process.argv.slice(2);
  const { declared, unseen } = unseenIn(folder);
  for (const one of unseen) console.error(`not seen by any test: ${one}`);
  console.info(`${declared - unseen.length} of ${declared} responses of the API were seen by tests`);
  process.exit(unseen.length === 0 ? 0 : 1);
}
