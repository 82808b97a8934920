import { afterAll, expect, test } from "bun:test";
import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { overrideConfig, readConfig } from "#config";
import { db } from "#db/client";
import { encryptionKey } from "#db/secrets/instance-secrets";
import { sealRowSecret, unsealRowSecret } from "#db/secrets/sealed-secrets";
import { evidencePublicKey, resealEvidenceKey } from "#modules/escrow";
import { type Actor, pushKey, registerUser, resealFactors, signInWithPassword } from "#modules/identity";
import { resealPushKey } from "#modules/mailer";
import { noPartition } from "../support/database/partition-filter.ts";
import { useDatabase } from "../support/database/test-database.ts";
import { withoutHashCache } from "../support/hash-passwords-once.ts";
import { deviationsHeading, readSecuritySection } from "../support/sources/security-docs.ts";

/** V11: what is encrypted, hashed, signed and drawn by lot, and with what. */

useDatabase();
afterAll(() => overrideConfig({ ENCRYPTION_KEY: undefined, ENCRYPTION_KEYS_BEFORE: undefined }));

const root = join(import.meta.dir, "../..");
const source = (path: string) => readFileSync(join(root, path), "utf8");

/** The sources of the running program; what only tests and trials run is left out. */
const files = [...new Bun.Glob("{app,modules,db,scripts}/**/*.{ts,tsx}").scanSync({ cwd: root })].filter(
  (path) => !/\.(test|fixture)\.|\/test-|scripts\/seed/.test(path),
);
const lines = files.flatMap((path) =>
  source(path)
    .split("\n")
    .map((text) => ({ path, text })),
);

/** Where the code touches cryptography or chance, as a search of every file has it. */
const touching =
  /createHash|createHmac|create(?:De)?[Cc]ipheriv|randomBytes|getRandomValues|CryptoHasher|Bun\.password|generateKeyPairSync|\bsign\(null|timingSafeEqual|from "otpauth"|from "web-push"|crypto\.subtle/;

const inventory = () => readSecuritySection("cryptography", "Cryptography");

const visitor: Actor = { kind: "visitor", ip: "192.0.2.1", device: "a test", language: "en", requestId: "x" };
const someone = () => {
  const username = `crypt${crypto.randomUUID().slice(0, 8)}`;
  return {
    username,
    password: "a long enough word",
    displayName: "Bat Erdene",
    email: `${username}@example.mn`,
  };
};

test("11.1.1 every key and secret is documented: where it is, who has it, how it is replaced and expires", async () => {
  const settings = [...source("config.ts").matchAll(/^ {2}(\w*(?:SECRET|KEY|PASSWORD)\w*):/gm)].map(
    ([, name = ""]) => name,
  );
  expect(settings.length).toBeGreaterThan(6);
  for (const name of settings) expect([name, inventory().includes(`\`${name}\``)]).toEqual([name, true]);
  const columns = await db().execute<{ name: string }>(sql`
    SELECT table_schema || '.' || table_name AS name FROM information_schema.columns
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema', 'pgboss') AND ${noPartition}
      AND (data_type = 'bytea' OR column_name ~ '(token|code|secret|password)_hash|token')`);
  const tables = new Set([...columns].map(({ name }) => name));
  expect(tables.size).toBeGreaterThan(8);
  for (const table of tables) expect([table, inventory().includes(`\`${table}\``)]).toEqual([table, true]);
  for (const part of ["SP 800-57", "ENCRYPTION_KEYS_BEFORE", "bun run keys:renew"])
    expect(inventory()).toContain(part);
});

test("11.1.2 every file that encrypts, hashes, signs or uses randomness is in the inventory", () => {
  const found = new Set(lines.filter(({ text }) => touching.test(text)).map(({ path }) => path));
  expect(found.size).toBeGreaterThan(20);
  for (const path of found) expect([path, inventory().includes(`\`${path}\``)]).toEqual([path, true]);
  for (const algorithm of [
    "AES-256-GCM",
    "argon2id",
    "SHA-256",
    "HMAC-SHA-256",
    "HMAC-SHA-1",
    "Ed25519",
    "P-256",
  ]) {
    expect([algorithm, inventory().includes(algorithm)]).toEqual([algorithm, true]);
  }
});

test("11.2.1 the runtime's own cryptography is used, and maintained packages for TOTP, Web Push and archives; nothing is home-made", () => {
  const packages = Object.keys(JSON.parse(source("package.json")).dependencies);
  const known = packages.filter((name) =>
    /crypt|hash|jose|jwt|sodium|noble|otp|web-push|forge|bcrypt|argon|uuid|nano/i.test(name),
  );
  expect(known.sort()).toEqual(["age-encryption", "otpauth", "web-push"]);
  const homemade = /0x67452301|0x6a09e667|\bsbox\b|Math\.imul|>>> (?:7|17|18)\b/i;
  expect(lines.filter(({ text }) => homemade.test(text))).toEqual([]);
});

test("11.2.2 a hash of an older cost is renewed at sign-in, and what an older key sealed opens and is resealed", async () => {
  const given = someone();
  const made = await registerUser(visitor, given);
  if (!made.ok) throw new Error(made.code);
  const cheap = await Bun.password.hash(given.password, {
    algorithm: "argon2id",
    memoryCost: 4_096,
    timeCost: 1,
  });
  await db().execute(sql`UPDATE identity.users SET password_hash = ${cheap} WHERE id = ${made.user.id}`);
  expect((await signInWithPassword(visitor, given)).ok).toBe(true);
  expect(await hashOf(made.user.id)).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");

  await renewKeys(async () => {
    const renewed = async () => [await resealPushKey(), await resealEvidenceKey(), await resealFactors()];
    expect((await renewed()).map(({ done }) => done)).toEqual([1, 1, 0]);
    expect((await renewed()).map(({ done }) => done)).toEqual([0, 0, 0]);
  });
});

/** Runs something after the key of stored secrets was replaced; afterwards the new key alone is known. */
async function renewKeys(run: () => Promise<void>): Promise<void> {
  const [push, evidence] = [await pushKey(), await evidencePublicKey()];
  const older = encryptionKey().toString("hex");
  overrideConfig({ ENCRYPTION_KEY: "ab".repeat(32), ENCRYPTION_KEYS_BEFORE: older });
  await run();
  overrideConfig({ ENCRYPTION_KEYS_BEFORE: undefined });
  expect([await pushKey(), await evidencePublicKey()]).toEqual([push, evidence]);
  const [row] = await db().execute<{ key: Buffer }>(sql`SELECT private_key AS key FROM escrow.evidence_key`);
  expect(unsealRowSecret(row?.key ?? Buffer.alloc(0), "escrow.evidence_key").toString()).toContain(
    "PRIVATE KEY",
  );
}

async function hashOf(id: number): Promise<string> {
  const [row] = await db().execute<{ hash: string }>(
    sql`SELECT password_hash AS hash FROM identity.users WHERE id = ${id}`,
  );
  return row?.hash ?? "";
}

test("11.2.3 every key and digest gives at least 128 bits of security", async () => {
  expect(encryptionKey()).toHaveLength(32);
  for (const short of [
    { ENCRYPTION_KEY: "a".repeat(62) },
    { SESSION_SECRET: "a".repeat(31) },
    { ADMIN_PASSWORD: "eleven char" },
  ]) {
    expect(readConfig({ ALLOW_SANDBOX: "true", ...short }).ok).toBe(false);
  }
  const bytes = lines.flatMap(({ text }) =>
    [...text.matchAll(/randomBytes\((\d+)\)/g)].map(([, count]) => Number(count)),
  );
  // The embedded database's password and a trial's are of 24 bytes; nothing secret is below 16.
  expect(bytes.length).toBeGreaterThan(3);
  expect(Math.min(...bytes)).toBeGreaterThanOrEqual(16);
  expect(source("modules/identity/lib/second-factor/totp.ts")).toContain("new Secret({ size: 20 })");
  expect(source("modules/identity/lib/second-factor/recovery-codes.ts")).toContain(
    "new Secret({ size: 15 })",
  );
});

test("11.3.1 no weak mode or padding is anywhere in the code", () => {
  const weak =
    /aes-\d+-(?:ecb|cbc|ctr|cfb|ofb)|\b(?:des|3des|rc4|blowfish)\b-?|RSA_PKCS1_PADDING|createCipher\(|PKCS1/i;
  expect(lines.filter(({ text }) => weak.test(text))).toEqual([]);
});

test("11.3.2 the one cipher is AES-256-GCM", () => {
  const ciphers = lines.flatMap(({ text }) =>
    [...text.matchAll(/create(?:De)?[Cc]ipheriv\(\s*"([^"]+)"/g)].map(([, name]) => name),
  );
  expect(ciphers).toEqual(["aes-256-gcm", "aes-256-gcm"]);
});

test("11.3.3 sealed values open only unaltered, for their own row and with their own key", () => {
  const secret = Buffer.from("an unmistakable secret");
  const sealed = sealRowSecret(secret, "row 1");
  expect(unsealRowSecret(sealed, "row 1").equals(secret)).toBe(true);
  expect(sealRowSecret(secret, "row 1").equals(sealed)).toBe(false);
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(() => unsealRowSecret(altered, "row 1")).toThrow();
  }
  expect(() => unsealRowSecret(sealed, "row 2")).toThrow();
  expect(() => unsealRowSecret(sealed.subarray(0, -1), "row 1")).toThrow();
  expect(() => unsealRowSecret(sealed, "row 1", Buffer.alloc(32))).toThrow();
});

test("11.4.1 the only hashes are SHA-256; SHA-1 is only inside the codes of authenticator apps", () => {
  const named = lines.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:createHash|createHmac|CryptoHasher)\(\s*"([^"]+)"/g)].map(([, name = ""]) => ({
      path,
      name,
    })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => name !== "sha256")).toEqual([]);
  const old = lines.filter(({ text }) => /\b(?:md5|sha-?1)\b/i.test(text) && !/^\s*(?:\*|\/\/)/.test(text));
  expect(old.map(({ path }) => path)).toEqual(["modules/identity/lib/second-factor/totp.ts"]);
});

test("11.4.2 passwords are stored as argon2id of 19 MiB and two passes, each with its own salt", async () => {
  const register = () => withoutHashCache(() => registerUser(visitor, someone()));
  const [one, two] = [await register(), await register()];
  if (!one.ok || !two.ok) throw new Error("refused");
  const hashes = [await hashOf(one.user.id), await hashOf(two.user.id)];
  for (const hash of hashes)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{43}\$[\w+/]{43}$/);
  expect(hashes[0]).not.toBe(hashes[1]);
});

test("11.4.3 integrity digests have 256 bits: the log's chain, pictures, evidence", async () => {
  const checks = await db().execute<{ body: string }>(sql`
    SELECT pg_get_constraintdef(c.oid) AS body FROM pg_constraint c WHERE pg_get_constraintdef(c.oid) ~ '0-9a-f'`);
  expect(checks.length).toBeGreaterThan(4);
  const lengths = [...checks].flatMap(({ body }) =>
    [...body.matchAll(/\[0-9a-f\]\{(\d+)\}/g)].map(([, n]) => Number(n)),
  );
  expect(lengths.filter((length) => length < 64)).toEqual([]);
  expect(source("modules/escrow/lib/evidence/bundle.ts")).toContain('createHash("sha256")');
  // Digests that are cut tell things apart and prove nothing: files, places, callers' addresses, topics of pushes, keys of rows.
  const cut = files.filter((path) =>
    /digest\((?:"\w+")?\)\s*\.(?:slice|substring|subarray|substr)\(/.test(source(path)),
  );
  expect(cut.sort()).toEqual([
    "app/server/listener/refusal-log.ts",
    "app/server/pages/built-assets.ts",
    "db/embedded/cluster-place.ts",
    "modules/audit/lib/heads/anchor-place.ts",
    "modules/escrow/lib/holds/report-fraud.ts",
    "modules/mailer/lib/push/hand-to-service.ts",
    "modules/payments/lib/provider/sort-paid-rows.ts",
  ]);
});

test("11.5.1 unguessable values come from the secure generator; shorter than 128 bits is a deviation", () => {
  const chance = lines.filter(({ text }) => text.includes("Math.random")).map(({ path }) => path);
  expect(new Set(chance)).toEqual(
    new Set([
      "app/islands/room/connection/reconnecting-socket.ts",
      "db/bus/redis-connections.ts",
      "db/client/transaction-turns.ts",
      "modules/escrow/lib/payment/invoicing-lease.ts",
      "modules/payments/lib/qpay/retry.ts",
    ]),
  );
  expect(source("modules/identity/lib/request/tokens.ts")).toContain('randomBytes(32).toString("base64url")');
  expect(source("modules/payments/lib/provider/callback-secret.ts")).toContain(
    'randomBytes(32).toString("base64url")',
  );
  for (const codes of ["modules/rooms/lib/core/room-code.ts", "modules/escrow/lib/core/transaction-code.ts"])
    expect([codes, source(codes).includes("crypto.getRandomValues(")]).toEqual([codes, true]);
  expect(readSecuritySection("asvs", deviationsHeading)).toContain("| 11.5.1 |");
});

test("11.6.1 signatures are Ed25519 and ECDSA on P-256, with keys that the runtime made", async () => {
  const key = createPublicKey(await evidencePublicKey());
  expect(key.asymmetricKeyType).toBe("ed25519");
  const point = Buffer.from(await pushKey(), "base64url");
  expect([point.length, point[0]]).toEqual([65, 4]);
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  expect(createPublicKey({ key: jwk, format: "jwk" }).asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
  const kinds = lines.flatMap(({ text }) =>
    [...text.matchAll(/generateKeyPairSync\("(\w+)"/g)].map(([, kind]) => kind),
  );
  expect(kinds).toEqual(["ed25519"]);
});
