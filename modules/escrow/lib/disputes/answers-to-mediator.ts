import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { Executor } from "#db/client";
import { findLastAnswer } from "#modules/rooms";
import { sideOf } from "../core/party-access.ts";
import { disputeStatementsTable } from "../core/schema.ts";
import type { Party } from "../machine/trade-types.ts";

/** The party that last answered the mediator, and when (ISO 8601). */
export type AnswerToMediator = { by: Party; at: string };

type Parties = { roomId: number; buyerId: number; sellerId: number };

/**
 * The party that last wrote in the room, or made a statement, after the mediator's latest message in a dispute; null if neither did. The
 * text itself is not returned: it is read in the conversation, where every reading is logged.
 */
export async function answerIn(
  exec: Executor,
  trade: Parties,
  dispute: { id: number; openedAt: Date },
): Promise<AnswerToMediator | null> {
  const [asked] = await exec
    .select({ id: disputeStatementsTable.id })
    .from(disputeStatementsTable)
    .where(and(eq(disputeStatementsTable.disputeId, dispute.id), eq(disputeStatementsTable.byRole, "admin")))
    .orderBy(desc(disputeStatementsTable.id))
    .limit(1);
  if (asked === undefined) return null;
  const since = { code: "mediatorSays", since: dispute.openedAt };
  const [written, [said]] = await Promise.all([
    findLastAnswer(exec, trade.roomId, since),
    exec
      .select({ by: disputeStatementsTable.byRole, at: disputeStatementsTable.at })
      .from(disputeStatementsTable)
      .where(
        and(
          eq(disputeStatementsTable.disputeId, dispute.id),
          gt(disputeStatementsTable.id, asked.id),
          ne(disputeStatementsTable.byRole, "admin"),
        ),
      )
      .orderBy(desc(disputeStatementsTable.id))
      .limit(1),
  ]);
  const side = written === null ? undefined : sideOf(trade, written.senderId);
  const answers = [
    ...(written !== null && side !== undefined ? [{ by: side, at: written.at }] : []),
    ...(said === undefined || said.by === "admin" ? [] : [{ by: said.by, at: said.at }]),
  ].sort((a, b) => b.at.getTime() - a.at.getTime());
  const [last] = answers;
  return last === undefined ? null : { by: last.by, at: last.at.toISOString() };
}
