import { randomBytes } from "node:crypto";
import { config } from "#config";
import { dataPath, readOrCreateFile } from "../files/data-directory.ts";

let cachedSessionSecret: string | undefined;
let cachedEncryptionKey: Buffer | undefined;

/** What signs and keys hashes (cookies, addresses in the audit log): SESSION_SECRET, else made once in DATA_DIR. */
export function sessionSecret(): string {
  cachedSessionSecret ??= config().SESSION_SECRET ?? readOrGenerateSecret("session-secret");
  return cachedSessionSecret;
}

/** The 32 bytes that stored secrets are encrypted with: ENCRYPTION_KEY, else made once in DATA_DIR. */
export function encryptionKey(): Buffer {
  const given = config().ENCRYPTION_KEY;
  if (given !== undefined) return Buffer.from(given, "hex");
  cachedEncryptionKey ??= Buffer.from(readOrGenerateSecret("encryption-key"), "hex");
  return cachedEncryptionKey;
}

/** The keys that ENCRYPTION_KEY had before (ENCRYPTION_KEYS_BEFORE): what they sealed still opens, and nothing new is sealed by them. */
export function encryptionKeysBefore(): Buffer[] {
  const keys = config().ENCRYPTION_KEYS_BEFORE?.split(",") ?? [];
  return keys.map((key) => Buffer.from(key, "hex"));
}

/** 32 random bytes as hex. A file that is damaged stops the start: another key would make what it locked unreadable. */
function readOrGenerateSecret(name: string): string {
  const path = dataPath(name);
  const secret = readOrCreateFile(path, () => randomBytes(32).toString("hex"));
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new Error(`${path} is damaged: restore it from a backup`);
  return secret;
}
