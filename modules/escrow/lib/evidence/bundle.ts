import { createHash, sign } from "node:crypto";
import { runInTransaction, type Tx } from "#db/client";
import { currentTime } from "#db/clock";
import { sealBlocks } from "#modules/audit";
import { type Actor, auditAuthorOf, type Member, type NotAdmin, requireAdmin } from "#modules/identity";
import { recordChange } from "../core/carry-out-effects.ts";
import { lockTrade } from "../core/load-trade.ts";
import { refuseAction, type TradeRefusal } from "../core/outcomes.ts";
import { isId, sideOf } from "../core/party-access.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { signingKey } from "./signing-key.ts";

export type Bundle = { ok: true; name: string; bytes: Uint8Array<ArrayBuffer> };

const readMe = `Evidence of one transaction of Midman.

manifest.json names every file of this archive with its SHA-256. manifest.sig is the Ed25519 signature of manifest.json, in
base64. The key it is made by is Midman's; get its public half from Midman itself (/api/evidence-key), not from here.

  bun scripts/evidence-verify.ts <this archive> <the public key, a PEM file>

checks the signature, every file, that each entry of the log (audit.json) lies in its block as it was sealed, and that each message
(messages.json) is the one whose digest lies in the log. digests.json has what those digests are made of, with the salt of each. The
heads of the blocks it prints can be compared with heads that were shown, sent or exported at the time.

A message with "unproved" instead of words was altered, added or removed in the database: it is not as the log has it, and Midman
does not sign it. One whose digest is "sealed" "later" was sent before digests were kept: it is as it was when its digest was made.

If somebody else had a seat in the room before both sides had come, what was said until they left is left out, with its pictures
and the room's entries of the log: it was not said to both. messages.json then does not begin with the room's first message.
`;

/**
 * Builds one signed archive (tar) of all that Midman keeps of a trade, and records the export in the audit log before it is sent. Refuses
 * ADMIN_REQUIRED, TRANSACTION_NOT_FOUND, OWN_TRADE.
 */
export async function bundleEvidence(actor: Actor, id: number): Promise<Bundle | NotAdmin | EvidenceRefusal> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const at = currentTime();
  const { privateKey } = await signingKey();
  // Seals the log's entries so far into blocks; those that a running transaction may still precede stay unsealed.
  await sealBlocks(at);
  return runInTransaction(async (tx) => {
    const found = await collectEvidence(tx, admin.member, id, at);
    if (!found.ok) return found;
    const { code, files } = found;
    const texts: Record<string, string> = { "README.txt": readMe };
    for (const [name, value] of Object.entries(files)) texts[name] = `${JSON.stringify(value, null, 1)}\n`;
    const manifest = manifestOf({ transaction: code, madeAt: at.toISOString() }, texts);
    const signature = sign(null, Buffer.from(manifest), privateKey).toString("base64");
    const archive = new Bun.Archive({
      "manifest.json": manifest,
      "manifest.sig": `${signature}\n`,
      ...texts,
    });
    return { ok: true, name: `evidence-${code}.tar`, bytes: new Uint8Array(await archive.bytes()) } as const;
  });
}

type EvidenceRefusal = TradeRefusal<"TRANSACTION_NOT_FOUND" | "OWN_TRADE">;
type CollectedEvidence = { ok: true; code: string; files: Record<string, unknown> };

async function collectEvidence(
  tx: Tx,
  member: Member,
  id: number,
  at: Date,
): Promise<CollectedEvidence | EvidenceRefusal> {
  const trade = isId(id) ? await lockTrade(tx, id) : undefined;
  if (trade === undefined) return refuseAction("TRANSACTION_NOT_FOUND");
  if (sideOf(trade, member.userId) !== undefined) return refuseAction("OWN_TRADE", trade);
  const files = await gatherEvidence(tx, trade);
  await recordChange(tx, trade, { at, by: auditAuthorOf(member) }, "take_evidence", {
    files: Object.keys(files),
  });
  return { ok: true, code: trade.code, files };
}

function manifestOf(of: { transaction: string; madeAt: string }, texts: Record<string, string>): string {
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    bytes: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex"),
  }));
  return `${JSON.stringify({ format: "midman-evidence-1", ...of, files }, null, 1)}\n`;
}
