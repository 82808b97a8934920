import { eq } from "drizzle-orm";
import type { Executor } from "#db/client";
import { type Actor, findPeople } from "#modules/identity";
import { findReportableMessage, isRoomOpen, memberRole, type ReportedMessage } from "#modules/rooms";
import { type ReportSubject, readTransactionCode } from "../../forms.ts";
import { type TradeRow, tradesTable } from "../core/schema.ts";

/** The subject of a report, once it is known to exist for the reporter. */
export type FoundSubject = {
  personId: number | null;
  /** The person's display name; null for a code. */
  name: string | null;
  roomId: number | null;
  trade: TradeRow | undefined;
  message: ReportedMessage | undefined;
};

/**
 * Finds the subject of a report: the other person of a room, or a message of theirs, only for the room's members; a code for anyone.
 * Undefined if this actor can see no such subject, whether or not it exists.
 */
export async function findSubject(
  exec: Executor,
  actor: Actor,
  given: ReportSubject,
): Promise<FoundSubject | undefined> {
  if (given.about === "code") {
    const code = readTransactionCode(given.code ?? "");
    const [trade] =
      code === undefined ? [] : await exec.select().from(tradesTable).where(eq(tradesTable.code, code));
    return trade && { personId: null, name: null, roomId: null, trade, message: undefined };
  }
  const { roomId } = given;
  if (actor.kind !== "user" || roomId === undefined) return undefined;
  const { userId } = actor;
  if ((await memberRole(exec, roomId, userId)) === null || !(await isRoomOpen(exec, roomId)))
    return undefined;
  const message =
    given.about === "message" && given.messageId !== undefined
      ? await findReportableMessage(exec, userId, { roomId, messageId: given.messageId })
      : undefined;
  const personId = given.about === "message" ? message?.senderId : given.personId;
  if (personId === undefined || personId === userId) return undefined;
  if (given.about === "person" && (await memberRole(exec, roomId, personId)) === null) return undefined;
  const person = (await findPeople(exec, [personId])).get(personId);
  if (person === undefined) return undefined;
  const [trade] = await exec.select().from(tradesTable).where(eq(tradesTable.roomId, roomId));
  return { personId, name: person.displayName, roomId, trade, message };
}
