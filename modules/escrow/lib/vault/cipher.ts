import { randomBytes } from "node:crypto";
import { canUnseal, isSealedByOlderKey, sealRowSecret, unsealRowSecret } from "#db/secrets/sealed-secrets";
import type { VaultInput } from "../../forms.ts";

/** What is sealed: the fields that were filled in. */
export type VaultValues = Omit<VaultInput, "clientId">;

/** A record as it lies in the tables: its text, and the key of that text under ours. */
export type SealedRecord = { key: Buffer; body: Buffer };

const paddingBytes = 512;

/**
 * Encrypts a record under a random key of its own (AES-256-GCM), and that key under ours; both are bound to the record and
 * its trade, so that neither opens anywhere else.
 */
export function sealRecord(values: VaultValues, record: { id: string; tradeId: number }): SealedRecord {
  const dataKey = randomBytes(32);
  return {
    key: sealRowSecret(dataKey, describeSealedPart("key", record)),
    body: sealRowSecret(padValues(values), describeSealedPart("body", record), dataKey),
  };
}

/** What was sealed in this very record; throws when anything of it was changed. */
export function unsealRecord(sealed: SealedRecord, record: { id: string; tradeId: number }): VaultValues {
  const dataKey = unsealRowSecret(sealed.key, describeSealedPart("key", record));
  return JSON.parse(unsealRowSecret(sealed.body, describeSealedPart("body", record), dataKey).toString());
}

/** Which of our keys a record's own lies under: that of today, one before it, or (`shut`) none that is at hand. */
export function classifyVaultKey(
  key: Buffer,
  record: { id: string; tradeId: number },
): "today" | "older" | "shut" {
  if (!isSealedByOlderKey(key, describeSealedPart("key", record))) return "today";
  return canUnseal(key, describeSealedPart("key", record)) ? "older" : "shut";
}

function describeSealedPart(part: "key" | "body", { id, tradeId }: { id: string; tradeId: number }): string {
  return `vault ${part} ${id} of trade ${tradeId}`;
}

/** Filled up with spaces, or the length would tell that of a password. */
function padValues(values: VaultValues): Buffer {
  const text = Buffer.from(JSON.stringify(values));
  return Buffer.concat([text], Math.ceil(text.length / paddingBytes) * paddingBytes).fill(" ", text.length);
}
