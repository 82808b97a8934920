import { eq } from "drizzle-orm";
import { runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import { type Actor, auditAuthorOf, findPeople, type NotAdmin, requireAdmin } from "#modules/identity";
import { readTranscriptPage } from "#modules/rooms";
import { isId, sideOf } from "../core/party-access.ts";
import { tradesTable } from "../core/schema.ts";
import type { Party } from "../machine/trade-types.ts";

/** One message as an administrator reads it; `from` is null for a notice of Midman's own. Times are ISO 8601. */
type TranscriptMessage = {
  seq: number;
  at: string;
  from: { displayName: string; role: Party | null } | null;
  /** For a picture or PDF, `text` is its caption. */
  kind: "text" | "image" | "notice";
  text: string;
  /** The message that this one replies to: its number, who wrote it, and the beginning of its text, "" for a file without one. */
  quote?: { seq: number; by: string; text: string };
  /** The member that a notice is about. */
  about?: string;
};

export type Transcript = {
  transactionCode: string;
  messages: TranscriptMessage[];
  /** The `before` of the page of older messages; null if there are none. */
  older: number | null;
};

const PAGE = 50;

/**
 * Reads a page of a trade's conversation, 50 messages, for administrators, and records each reading in the audit log as `transcript_read`.
 */
export async function readTranscript(
  actor: Actor,
  tradeId: number,
  before?: number,
): Promise<{ ok: true; transcript: Transcript } | NotAdmin | { ok: false; code: "TRANSACTION_NOT_FOUND" }> {
  const admin = requireAdmin(actor);
  if (!admin.ok) return admin;
  return runInTransaction(async (tx) => {
    const [trade] = isId(tradeId)
      ? await tx.select().from(tradesTable).where(eq(tradesTable.id, tradeId))
      : [];
    if (trade === undefined) return { ok: false, code: "TRANSACTION_NOT_FOUND" } as const;
    const { roomId, code } = trade;
    const all = await readTranscriptPage(tx, roomId, { before, limit: PAGE + 1, language: actor.language });
    const shown = all.slice(-PAGE);
    const first = shown.at(0)?.seq ?? null;
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "transcript_read",
      at: currentTime(),
      roomId,
      subject: { kind: "transaction", id: tradeId },
      data: { from: first, to: shown.at(-1)?.seq ?? null },
    });
    const known = await findPeople(
      tx,
      shown.flatMap(({ senderId, replyTo }) => [senderId ?? [], replyTo?.senderId ?? []].flat()),
    );
    const messages = shown.map(
      ({ seq, createdAt, senderId, type, content, image, file, notice, replyTo }): TranscriptMessage => {
        const { displayName = "" } = (senderId !== null && known.get(senderId)) || {};
        return {
          seq,
          at: createdAt,
          from: senderId === null ? null : { displayName, role: sideOf(trade, senderId) ?? null },
          kind: notice !== undefined ? "notice" : type === "image" ? "image" : "text",
          text: notice?.text ?? image?.caption ?? file?.caption ?? content,
          ...(replyTo && {
            quote: {
              seq: replyTo.seq,
              by: known.get(replyTo.senderId)?.displayName ?? "",
              text: replyTo.content,
            },
          }),
          ...(notice?.person && { about: notice.person.displayName }),
        };
      },
    );
    const older = all.length > PAGE ? first : null;
    return { ok: true, transcript: { transactionCode: code, messages, older } } as const;
  });
}
