import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { config } from "#config";
import { dataPath } from "../data.ts";
import { encryptionKey, encryptionKeysBefore } from "../secrets.ts";

/** What a key is known by without telling anything of it. */
const fingerprint = (key: Uint8Array) => createHmac("sha256", key).update("midman backup").digest("hex");

/** Fingerprints of the keys at hand, today's first. */
export function keysAtHand(): string[] {
  return [encryptionKey(), ...encryptionKeysBefore()].map(fingerprint);
}

/** Where the key is or belongs, in words for the operator, and whether there is one; asking makes none. */
export function keyPlace(): { there: boolean; place: string } {
  const path = dataPath("encryption-key");
  if (config().ENCRYPTION_KEY !== undefined) return { there: true, place: "ENCRYPTION_KEY" };
  return { there: existsSync(path), place: `the file ${path}` };
}
