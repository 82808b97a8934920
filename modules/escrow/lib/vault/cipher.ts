import { randomBytes } from "node:crypto";
import { canUnseal, isSealedByOlderKey, sealRowSecret, unsealRowSecret } from "#db/secrets/sealed-secrets";
import type { VaultInput } from "../../forms.ts";

/** The values of a record: the fields that were filled in. */
export type VaultValues = Omit<VaultInput, "clientId">;

/** A record as it is stored: its encrypted text, and the key of that text, encrypted under Midman's key. */
export type SealedRecord = { key: Buffer; body: Buffer };

const paddingBytes = 512;

/**
 * Encrypts a record under its own random key (AES-256-GCM), and that key under Midman's key. Both are bound to the record and its trade, so
 * that neither can be decrypted for another one.
 */
export function sealRecord(values: VaultValues, record: { id: string; tradeId: number }): SealedRecord {
  const dataKey = randomBytes(32);
  return {
    key: sealRowSecret(dataKey, describeSealedPart("key", record)),
    body: sealRowSecret(padValues(values), describeSealedPart("body", record), dataKey),
  };
}

/** The values that were sealed in this very record. Throws if any part of it was changed. */
export function unsealRecord(sealed: SealedRecord, record: { id: string; tradeId: number }): VaultValues {
  const dataKey = unsealRowSecret(sealed.key, describeSealedPart("key", record));
  return JSON.parse(unsealRowSecret(sealed.body, describeSealedPart("body", record), dataKey).toString());
}

/** Which of Midman's keys encrypts a record's key: `today` the current one, `older` an earlier one, `shut` none that is available. */
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

/** Pads with spaces to a multiple of 512 bytes, because the length would reveal that of a password. */
function padValues(values: VaultValues): Buffer {
  const text = Buffer.from(JSON.stringify(values));
  return Buffer.concat([text], Math.ceil(text.length / paddingBytes) * paddingBytes).fill(" ", text.length);
}
