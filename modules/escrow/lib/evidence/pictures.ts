import { eq } from "drizzle-orm";
import { type Executor, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, requireAdmin } from "#modules/identity";
import { findStoredImage, listStoredImages } from "#modules/rooms";
import { refuseAction } from "../core/outcomes.ts";
import { isId, sideOf } from "../core/party-access.ts";
import { type TradeRow, tradesTable } from "../core/schema.ts";
import type { Party } from "../machine/trade-types.ts";

/** A picture or PDF that a party sent in the room. */
export type EvidencePicture = { id: string; by: Party | null; at: string; sha256: string };

/** The pictures that both parties of a trade could see, oldest first. */
export async function picturesOf(
  exec: Executor,
  trade: Pick<TradeRow, "roomId" | "buyerId" | "sellerId">,
): Promise<EvidencePicture[]> {
  const images = await listStoredImages(exec, trade.roomId);
  return images.map(({ id, senderId, createdAt, sha256 }) => ({
    id,
    by: senderId === null ? null : (sideOf(trade, senderId) ?? null),
    at: createdAt.toISOString(),
    sha256,
  }));
}

/**
 * Reads one picture for an administrator and records it in the audit log as `transcript_read`. Refuses ADMIN_REQUIRED, NOT_FOUND,
 * OWN_TRADE.
 */
export async function evidencePicture(actor: Actor, tradeId: number, image: string) {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  const nothing = { ok: false, code: "NOT_FOUND" } as const;
  if (!isId(tradeId) || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(image)) return nothing;
  const found = await runInTransaction(async (tx) => {
    const [trade] = await tx.select().from(tradesTable).where(eq(tradesTable.id, tradeId));
    if (trade === undefined) return nothing;
    if (sideOf(trade, admin.member.userId) !== undefined) return refuseAction("OWN_TRADE", trade);
    const { roomId } = trade;
    const kept = await findStoredImage(tx, roomId, image, "full");
    if (!kept.ok) return kept;
    const subject = { kind: "transaction", id: tradeId };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "transcript_read",
      at: currentTime(),
      roomId,
      subject,
      data: { image },
    });
    return kept;
  });
  if (!found.ok) return found;
  const file = await found.read();
  return file.ok ? ({ ok: true, mime: found.mime, bytes: file.bytes } as const) : file;
}
