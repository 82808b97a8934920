import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, sign, verify as verifySignature } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { config, overrideConfig } from "#config";
import { db } from "#db/client";
import { encryptionKey } from "#db/secrets/instance-secrets";
import { listEntries, sealBlocks, verifyChain } from "#modules/audit";
import { sendImage, sendMessage } from "#modules/rooms";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import {
  confirmByBoth,
  createPaidTrade,
  expectAccepted,
  type PlantedTrade,
  readAuditActions,
  saveSellerAccount,
  useSandboxProvider,
} from "../../../../tests/support/trades/sandbox-trades.ts";
import { withdrawDispute } from "../../../../tests/support/trades/shown-disputes.ts";
import { adminCancel } from "../backoffice/transactions/administrator-commands.ts";
import { takeDispute } from "../disputes/mediate.ts";
import { openDispute } from "../disputes/open-dispute.ts";
import { bundleEvidence } from "./bundle.ts";
import { evidencePicture, picturesOf } from "./pictures.ts";
import { canOpenEvidenceKey, evidencePublicKey, resealEvidenceKey, signingKey } from "./signing-key.ts";

useDatabase();
useSandboxProvider();

const folder = await mkdtemp(join(tmpdir(), "evidence-"));
const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#7a3" } })
  .jpeg()
  .toBuffer();

async function disputed(): Promise<PlantedTrade> {
  const deal = await createPaidTrade();
  await saveSellerAccount(deal);
  await sendMessage(deal.seller, deal.roomId, {
    content: "Нууц үгээ солиорой",
    clientId: crypto.randomUUID(),
  });
  const shown = await sendImage(deal.buyer, deal.roomId, picture.length, async () => ({ ok: true, picture }));
  if (!shown.ok) throw new Error(shown.code);
  await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "the password is wrong" }));
  await expectAccepted(takeDispute(deal.admin, deal.id));
  return deal;
}

type Files = Record<string, string>;

async function filesOf(bytes: Uint8Array<ArrayBuffer>): Promise<Files> {
  const files: Files = {};
  for (const [name, file] of await new Bun.Archive(bytes).files()) files[name] = await file.text();
  return files;
}

/** What the verification script reports about an archive, run with no part of Midman around it. */
async function verdict(files: Files, key: string): Promise<{ code: number; said: string }> {
  const [archive, pem] = [crypto.randomUUID(), crypto.randomUUID()].map((name) => join(folder, name));
  await Bun.write(archive ?? "", await new Bun.Archive(files).bytes());
  await Bun.write(pem ?? "", key);
  const script = join(import.meta.dir, "../../../../scripts/evidence-verify.ts");
  const run = Bun.spawn(["bun", script, archive ?? "", pem ?? ""], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  return { code: await run.exited, said: said.join("") };
}

/** Sealing waits for the end of running transactions, and autovacuum may have one open. */
async function sealAll(): Promise<void> {
  for (let round = 0; round < 200; round++) {
    await sealBlocks(new Date());
    const state = await verifyChain();
    if (state.ok && state.unsealed === 0) return;
    await Bun.sleep(20);
  }
  throw new Error("some entries were never sealed");
}

async function bundle(deal: PlantedTrade, sealed = true) {
  if (sealed) await sealAll();
  const made = await expectAccepted(bundleEvidence(deal.admin, deal.id));
  return { name: made.name, files: await filesOf(made.bytes), key: await evidencePublicKey() };
}

/** A trade's evidence bundle as it is now, with every file read. */
async function read(deal: PlantedTrade) {
  const made = await expectAccepted(bundleEvidence(deal.admin, deal.id));
  const files = await filesOf(made.bytes);
  const of = (name: string) => JSON.parse(files[name] ?? "null");
  return { files, of, code: made.name.slice("evidence-".length, -".tar".length) };
}

describe("the files of an evidence bundle", () => {
  test("are named one by one in the manifest, with length and digest, and in the log", async () => {
    const deal = await createPaidTrade();
    const { files, of, code } = await read(deal);
    const { "manifest.json": manifest, "manifest.sig": signature, ...texts } = files;
    expect(manifest).toBeString();
    expect(signature).toMatch(/^[\w+/]{86}==\n$/);
    const jsons = [
      ...["transaction.json", "disputes.json", "messages.json", "digests.json", "payments.json"],
      "audit.json",
    ];
    expect(Object.keys(texts)).toEqual(expect.arrayContaining(["README.txt", ...jsons]));
    const { madeAt, files: named, ...rest } = of("manifest.json");
    expect(rest).toEqual({ format: "midman-evidence-1", transaction: code });
    expect(new Date(madeAt).toISOString()).toBe(madeAt);
    const digest = (text = "") => new Bun.CryptoHasher("sha256").update(text).digest("hex");
    expect(named).toEqual(
      ["README.txt", ...jsons].map((name) => {
        const text = texts[name] ?? "";
        return { name, bytes: Buffer.byteLength(text), sha256: digest(text) };
      }),
    );
    const { entries } = await listEntries({ subject: { kind: "transaction", id: deal.id }, limit: 1 });
    const by = { userId: deal.admin.userId, ip: deal.admin.ip, device: deal.admin.device };
    expectMatch(entries, [
      { action: "transaction.take_evidence", ...by, data: { files: expect.arrayContaining(jsons) } },
    ]);
  });

  test("contain the allowed facts about parties, invoices and payouts, and the last four digits of an account", async () => {
    const deal = await createPaidTrade();
    await confirmByBoth(deal);
    await expectAccepted(openDispute(deal.buyer, deal.id, { reason: "the password is wrong" }));
    await expectAccepted(withdrawDispute(deal.buyer, deal.id));
    const { of } = await read(deal);
    const transaction = of("transaction.json");
    const person = ({ userId: id, username, displayName }: PlantedTrade["buyer"]) => ({
      id,
      username,
      displayName,
    });
    expect(transaction.parties).toEqual({ buyer: person(deal.buyer), seller: person(deal.seller) });
    expect(transaction.deadlines).toEqual({ payout: { dueAt: expect.any(String), pausedAt: null } });
    expect(transaction.steps.length).toBeGreaterThan(3);
    const { invoices, payments, journals, payouts } = of("payments.json");
    expect(invoices).toMatchObject([{ amount: 110_000, state: "paid" }]);
    for (const hidden of ["qrImageUrl", "bankLinks"]) expect(invoices[0]).not.toHaveProperty(hidden);
    expect([payments.length, journals.length]).toEqual([1, 1]);
    const destination = { bankName: "Khan Bank", accountName: "Bat Erdene", accountNumber: "5678" };
    expect(payouts).toMatchObject([
      { kind: "payout", state: "void", amount: 100_000 },
      { kind: "payout", state: "due", amount: 100_000 },
    ]);
    for (const payout of payouts) expect(payout).not.toHaveProperty("claimNote");
    expect(payouts.map((one: { destination: unknown }) => one.destination)).toEqual([
      destination,
      destination,
    ]);
    const { blocks, waiting } = of("audit.json");
    const entries = [...blocks.flatMap((block: { entries: object[] }) => block.entries), ...waiting];
    const actions = entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(["payout.due", "payout.void", "transaction.open_dispute"]),
    );
    await expectAccepted(adminCancel(deal.admin, deal.id));
    expect((await read(deal)).of("payments.json").payouts.at(-1)).toMatchObject({
      ...{ kind: "refund", state: "due", destination: null },
    });
  });

  test("have every message, oldest first, a picture by its digests and a notice by its text", async () => {
    const deal = await createPaidTrade();
    const sent = { ok: true, picture, caption: "the screen" } as const;
    expect(await sendImage(deal.seller, deal.roomId, picture.length, async () => sent)).toMatchObject({
      ok: true,
    });
    const third = await plantUser();
    await db().execute(sql`
      INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
      SELECT ${deal.roomId}, n + 1000, ${third.userId}, gen_random_uuid(), 'text', n::text, now() FROM generate_series(1, 500) n`);
    const messages: Array<Record<string, unknown>> = (await read(deal)).of("messages.json");
    const seqs = messages.map(({ seq }) => Number(seq));
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(messages.slice(-500).map(({ content }) => content)).toEqual(
      Array.from({ length: 500 }, (_, n) => String(n + 1)),
    );
    const moment = expect.any(String);
    expect(messages.at(-1)).toEqual({
      ...{ seq: 1_500, at: moment, from: "member", senderId: third.userId, type: "text", content: "500" },
    });
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(messages.at(-501)).toEqual({
      ...{ seq: expect.any(Number), at: moment, from: "seller", senderId: deal.seller.userId },
      ...{ type: "image", content: "the screen" },
      image: { bytes: expect.any(Number), sha256: digest, sentSha256: digest },
    });
    const confirmed = messages.find(({ notice }) => notice === "paymentConfirmed");
    expect(confirmed).toEqual({
      ...{ seq: expect.any(Number), at: moment, from: "midman", senderId: null, type: "system" },
      ...{ content: expect.stringContaining("110,000"), notice: "paymentConfirmed" },
      params: expect.objectContaining({ transactionId: deal.id }),
    });
  });

  test("do not exist for an invalid id, nor do its pictures", async () => {
    const deal = await createPaidTrade();
    const id = crypto.randomUUID();
    for (const none of [1.5, 0, -1, Number.NaN, 999_999]) {
      expect(await bundleEvidence(deal.admin, none)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
      expect(await evidencePicture(deal.admin, none, id)).toEqual({ ok: false, code: "NOT_FOUND" });
    }
    const wrong = [`x${id}`, `${id}x`, "", id.replaceAll("-", "x"), id.toUpperCase().replace(/^./, "G")];
    for (const none of [...wrong, `g${id.slice(1)}`, `${id.slice(0, -1)}g`, id])
      expect(await evidencePicture(deal.admin, deal.id, none)).toEqual({ ok: false, code: "NOT_FOUND" });
  });
});

describe("the signing key of the bundles", () => {
  test("is made once, also by two at once, and resealed when the encryption key was replaced", async () => {
    await ownerDatabase().execute(sql`DELETE FROM escrow.evidence_key`);
    expect([(await resealEvidenceKey()).done, await canOpenEvidenceKey()]).toEqual([0, true]);
    const [one, other] = await Promise.all([evidencePublicKey(), evidencePublicKey()]);
    expect(one).toBe(other);
    expect(one).toStartWith("-----BEGIN PUBLIC KEY-----\n");
    expect([(await resealEvidenceKey()).done, await canOpenEvidenceKey()]).toEqual([0, true]);
    const [was, before] = [config(), encryptionKey().toString("hex")];
    try {
      overrideConfig({ ENCRYPTION_KEY: "cd".repeat(32) });
      expect(await canOpenEvidenceKey()).toBe(false);
      overrideConfig({ ENCRYPTION_KEYS_BEFORE: before });
      expect(await canOpenEvidenceKey()).toBe(true);
      expect([(await resealEvidenceKey()).done, (await resealEvidenceKey()).done]).toEqual([1, 0]);
      overrideConfig({ ENCRYPTION_KEYS_BEFORE: undefined });
      const { publicKey, privateKey } = await signingKey();
      const signed = sign(null, Buffer.from("a word"), privateKey);
      expect([publicKey, verifySignature(null, Buffer.from("a word"), publicKey, signed)]).toEqual([
        one,
        true,
      ]);
    } finally {
      overrideConfig({ ...was, ENCRYPTION_KEY: was.ENCRYPTION_KEY });
      await ownerDatabase().execute(sql`DELETE FROM escrow.evidence_key`);
    }
  });
});

describe("a bundle of evidence", () => {
  test("contains messages, picture digests, payments, states, statements and proof, and can be verified offline", async () => {
    const deal = await disputed();
    const { name, files, key } = await bundle(deal);
    expect(name).toMatch(/^evidence-MM-[0-9A-Z]+\.tar$/);
    const read = (file: string) => JSON.parse(files[file] ?? "");
    const messages = read("messages.json") as Array<Record<string, unknown>>;
    expect(messages.find(({ from, type }) => from === "seller" && type === "text")).toMatchObject({
      content: "Нууц үгээ солиорой",
    });
    const sent = new Bun.CryptoHasher("sha256").update(picture).digest("hex");
    expectMatch(
      messages.find(({ type }) => type === "image"),
      {
        from: "buyer",
        image: { sentSha256: sent, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    );
    expect(messages.some(({ notice }) => notice === "paymentConfirmed")).toBe(true);
    expect(read("payments.json").payments).toMatchObject([{ amount: 110_000, toEscrow: 110_000 }]);
    expect(read("transaction.json")).toMatchObject({ id: deal.id, status: "disputed" });
    expect(read("disputes.json")).toMatchObject([{ statements: [{ body: "the password is wrong" }] }]);
    const said = Object.values(files).join("");
    for (const secret of ["5012345678", "99112233", deal.buyer.email]) expect(said).not.toContain(secret);
    const { code, said: line } = await verdict(files, key);
    expect(line).toMatch(/The evidence of MM-\w+ is intact: 7 files, [1-9]\d* entries of the log proved/);
    expect(code).toBe(0);
  }, 60_000);

  test("reveals only digests of the log's other entries", async () => {
    const deal = await disputed();
    const another = await disputed();
    const { files } = await bundle(deal);
    const entries = JSON.parse(files["audit.json"] ?? "").blocks.flatMap(
      (block: { entries: object[] }) => block.entries,
    ) as Array<{ action: string; roomId: string | null }>;
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.some(({ roomId }) => roomId === String(another.roomId))).toBe(false);
    expect(entries.map(({ action }) => action)).toContain("transaction.open_dispute");
    expect(entries.map(({ action }) => action)).toContain("message_sent");
  }, 60_000);

  test("is detected as altered, whatever was changed", async () => {
    const { files, key } = await bundle(await disputed());
    const changed = (name: string, from: string | RegExp, to: string): Files => {
      const was = files[name] ?? "";
      const is = was.replace(from, to);
      expect(is).not.toBe(was);
      return { ...files, [name]: is };
    };
    const { "payments.json": _, ...without } = files;
    const stranger = generateKeyPairSync("ed25519", { publicKeyEncoding: { type: "spki", format: "pem" } });
    const cases: Array<[Files, RegExp]> = [
      [changed("messages.json", "Нууц үгээ", "Нууц үг"), /messages\.json was altered/],
      [changed("transaction.json", "disputed", "completed"), /transaction\.json was altered/],
      [changed("manifest.json", /"sha256": "./, '"sha256": "x'), /signature was not made with this key/],
      [changed("manifest.sig", /^./, "!"), /signature was not made with this key/],
      [without, /payments\.json is missing/],
      [{ ...files, "more.txt": "added" }, /more\.txt was added/],
    ];
    for (const [tampered, why] of cases) {
      const { code, said } = await verdict(tampered, key);
      expect(said).toMatch(why);
      expect(code).toBe(1);
    }
    expect(await verdict(files, stranger.publicKey)).toMatchObject({ code: 1 });
  }, 120_000);

  test("whose log was forged and signed again does not follow from its blocks", async () => {
    const { files } = await bundle(await disputed());
    const forger = generateKeyPairSync("ed25519");
    const forged = (files["audit.json"] ?? "").replace("transaction.open_dispute", "transaction.rule");
    const manifest = JSON.parse(files["manifest.json"] ?? "") as {
      files: Array<{ name: string; bytes: number; sha256: string }>;
    };
    for (const file of manifest.files) {
      if (file.name !== "audit.json") continue;
      file.bytes = Buffer.byteLength(forged);
      file.sha256 = new Bun.CryptoHasher("sha256").update(forged).digest("hex");
    }
    const text = JSON.stringify(manifest);
    const all = {
      ...files,
      "audit.json": forged,
      "manifest.json": text,
      "manifest.sig": sign(null, Buffer.from(text), forger.privateKey).toString("base64"),
    };
    const key = forger.publicKey.export({ type: "spki", format: "pem" }).toString();
    const { code, said } = await verdict(all, key);
    expect(said).toMatch(/block \d+: entry \d+ is not in it/);
    expect(code).toBe(1);
  }, 60_000);

  test("proves each message by its digest in the log, even against someone who has the key", async () => {
    const { files, key } = await bundle(await disputed());
    expect((await verdict(files, key)).said).toMatch(
      /\b([4-9]|\d\d) messages match the log, 0 of them logged later, 0 not yet/,
    );
    const pair = generateKeyPairSync("ed25519");
    const pem = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
    const signedAnew = (changes: Files): Promise<{ code: number; said: string }> => {
      const { "manifest.json": manifest = "", "manifest.sig": _, ...texts } = { ...files, ...changes };
      const listed = Object.entries(texts).map(([name, text]) => ({
        name,
        bytes: Buffer.byteLength(text),
        sha256: new Bun.CryptoHasher("sha256").update(text).digest("hex"),
      }));
      const made = JSON.stringify({ ...JSON.parse(manifest), files: listed });
      const signature = sign(null, Buffer.from(made), pair.privateKey).toString("base64");
      return verdict({ ...texts, "manifest.json": made, "manifest.sig": signature }, pem);
    };
    expect((await signedAnew({})).code).toBe(0);
    const words = { from: /Нууц үгээ солиорой/g, to: "Нууц үг өгөөгүй" };
    const messages = (files["messages.json"] ?? "").replace(words.from, words.to);
    const digests = (files["digests.json"] ?? "").replace(words.from, words.to);
    const cases: Array<[Files, RegExp]> = [
      [{ "messages.json": messages }, /message \d+: it does not match its digest/],
      [
        { "messages.json": messages, "digests.json": digests },
        /message \d+: the log has a different digest of it/,
      ],
      [{ "digests.json": "[]" }, /message \d+: it does not match its digest/],
      [
        { "messages.json": (files["messages.json"] ?? "").replace(/"sentSha256": "./, '"sentSha256": "x') },
        /message \d+: it does not match its digest/,
      ],
    ];
    for (const [changes, reason] of cases) {
      const { code, said } = await signedAnew(changes);
      expect(said).toMatch(reason);
      expect(code).toBe(1);
    }
  }, 60_000);

  test("is for administrators who are not a party, and each one made is logged", async () => {
    const deal = await disputed();
    expect(await bundleEvidence(deal.buyer, deal.id)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await bundleEvidence({ ...deal.buyer, isAdmin: true }, deal.id)).toMatchObject({
      code: "OWN_TRADE",
    });
    expect(await bundleEvidence(deal.admin, 999_999)).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    expect(await readAuditActions(deal)).not.toContain("transaction.take_evidence");
    await bundle(deal);
    await bundle(deal);
    const times = (await readAuditActions(deal)).filter((action) => action === "transaction.take_evidence");
    expect(times).toHaveLength(2);
  });

  test("a picture is shown only to administrators, and each view is logged", async () => {
    const deal = await disputed();
    const { files } = await bundle(deal);
    const pictures = (
      JSON.parse(files["messages.json"] ?? "") as Array<{ type: string; seq: number }>
    ).filter(({ type }) => type === "image");
    expect(pictures).toHaveLength(1);
    const sides = { roomId: deal.roomId, buyerId: deal.buyer.userId, sellerId: 0 };
    const [one, ...more] = await picturesOf(db(), sides);
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect([one, ...more]).toEqual([
      { id: expect.any(String), by: "buyer", at: expect.stringMatching(/^\d{4}-.*Z$/), sha256: digest },
    ]);
    expect(await picturesOf(db(), { ...sides, buyerId: 0 })).toMatchObject([{ by: null }]);
    const id = one?.id ?? "";
    expect(await evidencePicture(deal.seller, deal.id, id)).toMatchObject({ code: "ADMIN_REQUIRED" });
    expect(await evidencePicture(deal.admin, deal.id, crypto.randomUUID())).toMatchObject({
      code: "NOT_FOUND",
    });
    const seen = await evidencePicture(deal.admin, deal.id, id);
    expect(seen.ok && (await sharp(seen.bytes).metadata()).width).toBe(40);
    expect((await readAuditActions(deal)).filter((action) => action === "transcript_read")).toHaveLength(1);
    const { entries } = await listEntries({
      subject: { kind: "transaction", id: deal.id },
      action: "transcript_read",
    });
    const { userId, ip, device } = deal.admin;
    expect(entries).toMatchObject([{ roomId: deal.roomId, userId, ip, device, data: { image: id } }]);
  });

  // This test must be last: after it the log is no longer intact.
  test("names a message that was altered, added or removed in the database, and signs none of its text", async () => {
    const deal = await disputed();
    const [text] = await db().execute<{ seq: number }>(
      sql`SELECT seq::int FROM rooms.messages WHERE room_id = ${deal.roomId} AND type = 'text'`,
    );
    const altered = text?.seq ?? 0;
    await ownerDatabase().transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL session_replication_role = replica`);
      await tx.execute(
        sql`UPDATE rooms.messages SET content = 'take your money back' WHERE room_id = ${deal.roomId} AND seq = ${altered}`,
      );
      await tx.execute(sql`
        INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at, salt)
        VALUES (${deal.roomId}, 0 + 900, ${deal.buyer.userId}, gen_random_uuid(), 'text', 'I got it', now(), decode(repeat('00', 16), 'hex'))`);
      await tx.execute(sql`DELETE FROM rooms.messages WHERE room_id = ${deal.roomId} AND type = 'image'`);
    });
    const { files, key } = await bundle(deal, false);
    const messages = JSON.parse(files["messages.json"] ?? "") as Array<{ seq: number; unproved?: string }>;
    expect(messages.filter(({ unproved }) => unproved !== undefined)).toEqual([
      { seq: altered, unproved: "altered" },
      { seq: altered + 1, unproved: "removed" },
      { seq: 900, unproved: "added" },
    ]);
    for (const words of ["take your money back", "I got it"]) {
      expect(Object.values(files).join("")).not.toContain(words);
    }
    const { code, said } = await verdict(files, key);
    expect(said).toContain(`message ${altered} was altered in the database before this was signed`);
    expect(code).toBe(1);
  }, 60_000);
});
