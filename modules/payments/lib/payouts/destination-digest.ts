import { createHash } from "node:crypto";
import type { Destination } from "../../forms.ts";

/**
 * The mark of where a payout or refund goes, for whoever was shown it to name it by; "" while that is not known. Any other
 * bank, name, account, IBAN or telephone has another mark.
 */
export function destinationDigest(destination: Destination | null): string {
  if (destination === null) return "";
  const { bankName, accountName, accountNumber, iban = "", phone = "" } = destination;
  const fields = [bankName, accountName, accountNumber, iban, phone];
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url");
}
