import type { Tx } from "#db/client";
import type { AuditAction } from "#locales";
import { recordAuditEntry } from "#modules/audit";
import { auditAuthorOf } from "#modules/identity";
import { broadcastFrame, postNotice } from "#modules/rooms";
import type { PartyAccess } from "../core/party-access.ts";
import { digestOfTrade } from "../proof/sealed-trades.ts";

/** An event in the exchange of information; its texts are `notices.<code>`. */
export type InformationNotice = {
  notice: string;
  action: AuditAction;
  /** Data for the socket frame and the audit log. Never personal: every member of the room receives the frame. */
  data?: Record<string, unknown>;
  at: Date;
};

/** Writes the audit entry and the notice, and sends the frame that makes clients refetch. The room's counter is the last lock. */
export async function announceInformation(
  tx: Tx,
  { trade, side, member }: PartyAccess,
  telling: InformationNotice,
): Promise<void> {
  const { notice, action, data = {}, at } = telling;
  const subject = { kind: "transaction", id: trade.id };
  const entry = {
    by: auditAuthorOf(member),
    action,
    at,
    roomId: trade.roomId,
    subject,
    data: { side, ...data },
  };
  await recordAuditEntry(tx, entry, digestOfTrade(trade.id));
  // The notice that both have confirmed does not say who did so last.
  const params = { transactionId: trade.id, code: trade.code, by: side };
  await postNotice(tx, { roomId: trade.roomId, code: notice, params, at });
  broadcastFrame(tx, trade.roomId, {
    type: "info_exchange",
    data: { transactionId: trade.id, side, ...data },
  });
}
