import { and, desc, eq, gt, ne } from "drizzle-orm";
import type { Executor } from "#db/client";
import { lastAnswer } from "#modules/rooms";
import { sideOf } from "../core/party-access.ts";
import { disputeStatements } from "../core/schema.ts";
import type { Party } from "../machine/trade-types.ts";

/** Which side last answered the mediator, and when (ISO 8601). */
export type AnswerToMediator = { by: Party; at: string };

type Parties = { roomId: number; buyerId: number; sellerId: number };

/**
 * Which side last wrote in the room, or explained itself, after the mediator's last words in a dispute; null where neither did. What they
 * wrote is read in the conversation, where reading is logged.
 */
export async function answerIn(
  exec: Executor,
  trade: Parties,
  dispute: { id: number; openedAt: Date },
): Promise<AnswerToMediator | null> {
  const [asked] = await exec
    .select({ id: disputeStatements.id })
    .from(disputeStatements)
    .where(and(eq(disputeStatements.disputeId, dispute.id), eq(disputeStatements.byRole, "admin")))
    .orderBy(desc(disputeStatements.id))
    .limit(1);
  if (asked === undefined) return null;
  const since = { code: "mediatorSays", since: dispute.openedAt };
  const [written, [said]] = await Promise.all([
    lastAnswer(exec, trade.roomId, since),
    exec
      .select({ by: disputeStatements.byRole, at: disputeStatements.at })
      .from(disputeStatements)
      .where(
        and(
          eq(disputeStatements.disputeId, dispute.id),
          gt(disputeStatements.id, asked.id),
          ne(disputeStatements.byRole, "admin"),
        ),
      )
      .orderBy(desc(disputeStatements.id))
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
