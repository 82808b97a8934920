import { createHash } from "node:crypto";
import type { Destination } from "../../forms.ts";

/**
 * Digest of a payout's destination, by which a step states the destination that the administrator saw; "" while it is unknown. Any change
 * of bank, name, account, IBAN or telephone number changes it.
 */
export function destinationDigest(destination: Destination | null): string {
  if (destination === null) return "";
  const { bankName, accountName, accountNumber, iban = "", phone = "" } = destination;
  const fields = [bankName, accountName, accountNumber, iban, phone];
  return createHash("sha256").update(JSON.stringify(fields)).digest("base64url");
}
