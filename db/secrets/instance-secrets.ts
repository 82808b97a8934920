import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { config } from "#config";
import { dataPath, readOrCreateFile } from "../files/data-directory.ts";

/** The secrets read so far. A key is the path of a secret's file. */
const knownSecrets = new Map<string, string>();

/** The secret that signs cookies and keys hashes (addresses in the audit log): SESSION_SECRET, otherwise generated once in DATA_DIR. */
export function sessionSecret(): string {
  return config().SESSION_SECRET ?? readOrGenerateSecret("session-secret");
}

/** The 32 bytes that encrypt stored secrets: ENCRYPTION_KEY, otherwise generated once in DATA_DIR. */
export function encryptionKey(): Buffer {
  return Buffer.from(config().ENCRYPTION_KEY ?? readOrGenerateSecret("encryption-key"), "hex");
}

/** The earlier values of ENCRYPTION_KEY (ENCRYPTION_KEYS_BEFORE). They still open what they sealed, but seal nothing new. */
export function encryptionKeysBefore(): Buffer[] {
  const keys = config().ENCRYPTION_KEYS_BEFORE?.split(",") ?? [];
  return keys.map((key) => Buffer.from(key, "hex"));
}

/** 32 random bytes as hex. A damaged file stops the start: a new key would make everything that it sealed unreadable. */
function readOrGenerateSecret(name: string): string {
  const key = join(config().DATA_DIR, name);
  const secret =
    knownSecrets.get(key) ?? readOrCreateFile(dataPath(name), () => randomBytes(32).toString("hex"));
  if (!/^[0-9a-f]{64}$/.test(secret))
    throw new Error(`${dataPath(name)} is damaged: restore it from a backup`);
  knownSecrets.set(key, secret);
  return secret;
}
