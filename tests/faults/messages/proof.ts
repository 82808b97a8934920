import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import type { View } from "./listener.ts";

/** Who said what in a room, what of it was acknowledged, and what they see. */
export type Speaker = {
  seat: { roomId: number; userId: number };
  view: View;
  said: ReadonlyArray<{ clientId: string; content: string }>;
  acknowledged: ReadonlyMap<string, number>;
};

type Stored = {
  room_id: string;
  seq: string;
  id: string;
  sender_id: string | null;
  client_id: string | null;
};
type Row = Stored & { content: string | null };

export type Verdict = { stored: number; lost: number; doubled: number; disordered: number; views: number };

/**
 * Holds what was said, what was acknowledged and what every member sees against the rows of the database. Answers the exact
 * counts and tells each difference in `failures`.
 */
export async function prove(members: readonly Speaker[], failures: string[]): Promise<Verdict> {
  const verdict: Verdict = { stored: 0, lost: 0, doubled: 0, disordered: 0, views: 0 };
  for (const roomId of new Set(members.map(({ seat }) => seat.roomId))) {
    const rows = await db().execute<Row>(sql`
      SELECT room_id, seq, id, sender_id, client_id, content FROM rooms.messages
      WHERE room_id = ${roomId} ORDER BY seq`);
    const here = members.filter(({ seat }) => seat.roomId === roomId);
    if (!rows.every(({ seq }, i) => Number(seq) === i + 1)) {
      verdict.disordered += 1;
      failures.push(`room ${roomId}: its seq are not 1 to ${rows.length}`);
    }
    for (const member of here) {
      proveSpoken(member, rows, verdict, failures);
      proveSeen(member, rows, verdict, failures);
    }
  }
  return verdict;
}

/** What a member said stands once, in the order it was said, with the `seq` it was acknowledged with. */
function proveSpoken(member: Speaker, rows: readonly Row[], verdict: Verdict, failures: string[]): void {
  const { said, acknowledged, view } = member;
  const own = rows.filter(({ sender_id, client_id }) => {
    return Number(sender_id) === member.seat.userId && client_id !== null;
  });
  verdict.stored += own.length;
  for (const { clientId, content } of said) {
    const stands = own.filter((row) => row.client_id === clientId || row.content === content);
    if (stands.length === 0) verdict.lost += 1;
    verdict.doubled += Math.max(0, stands.length - 1);
    const seq = Number(stands[0]?.seq ?? 0);
    if (stands.length !== 1) failures.push(`${view.name}: "${content}" stands ${stands.length} times`);
    else if (acknowledged.get(clientId) !== seq)
      failures.push(`${view.name}: "${content}" is ${seq}, acknowledged as ${acknowledged.get(clientId)}`);
  }
  const order = own.map(({ content }) => content);
  if (order.join("\n") !== said.map(({ content }) => content).join("\n")) {
    verdict.disordered += 1;
    failures.push(`${view.name}: what it said does not stand as it was said`);
  }
}

/** What a member's screen holds is what the room's rows are. */
function proveSeen({ view }: Speaker, rows: readonly Row[], verdict: Verdict, failures: string[]): void {
  const same = (row: Row) => {
    const line = view.lines.get(Number(row.seq));
    return (
      line?.id === Number(row.id) &&
      (row.client_id === null || (line.content === row.content && line.clientId === row.client_id))
    );
  };
  const wrong = rows.filter((row) => !same(row));
  if (wrong.length > 0 || view.lines.size !== rows.length)
    failures.push(`${view.name}: sees ${view.lines.size} of ${rows.length}, ${wrong.length} wrongly`);
  else verdict.views += 1;
}
