import { randomBytes } from "node:crypto";
import { config } from "#config";
import { dataPath, readOrCreateFile } from "../files/data-directory.ts";

let cachedSessionSecret: string | undefined;
let cachedEncryptionKey: Buffer | undefined;

/** The secret that signs cookies and keys hashes (addresses in the audit log): SESSION_SECRET, otherwise generated once in DATA_DIR. */
export function sessionSecret(): string {
  cachedSessionSecret ??= config().SESSION_SECRET ?? readOrGenerateSecret("session-secret");
  return cachedSessionSecret;
}

/** The 32 bytes that encrypt stored secrets: ENCRYPTION_KEY, otherwise generated once in DATA_DIR. */
export function encryptionKey(): Buffer {
  const given = config().ENCRYPTION_KEY;
  if (given !== undefined) return Buffer.from(given, "hex");
  cachedEncryptionKey ??= Buffer.from(readOrGenerateSecret("encryption-key"), "hex");
  return cachedEncryptionKey;
}

/** The earlier values of ENCRYPTION_KEY (ENCRYPTION_KEYS_BEFORE). They still open what they sealed, but seal nothing new. */
export function encryptionKeysBefore(): Buffer[] {
  const keys = config().ENCRYPTION_KEYS_BEFORE?.split(",") ?? [];
  return keys.map((key) => Buffer.from(key, "hex"));
}

/** 32 random bytes as hex. A damaged file stops the start: a new key would make everything that it sealed unreadable. */
function readOrGenerateSecret(name: string): string {
  const path = dataPath(name);
  const secret = readOrCreateFile(path, () => randomBytes(32).toString("hex"));
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new Error(`${path} is damaged: restore it from a backup`);
  return secret;
}
