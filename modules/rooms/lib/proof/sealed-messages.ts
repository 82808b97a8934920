import { type SQL, sql } from "drizzle-orm";
import { db, type Executor, runInTransaction, type Tx } from "#db/client";
import {
  areEarlierSealed,
  erasedMessages,
  maxNamedRecords,
  messageDigests,
  nextLoggedRoom,
  type RecordsChecked,
  recordEarlierSealed,
  registerSealedRecords,
} from "#modules/audit";
import { lastUnsharedSeq } from "../messages/shared-text.ts";

/** Rooms per statement; Postgres holds the data in between and spills large results to disk. */
const ROOMS = 500;

registerSealedRecords({
  name: "messages",
  check: checkMessages,
  sealEarlier: sealEarlierMessages,
  kept: {
    actions: ["message_sent", "image_sent", "message_digested", "messages_digested"],
    // Messages are erased by whole rooms; until then these entries are their proof.
    stands: sql`EXISTS (SELECT FROM rooms.messages m WHERE m.room_id = e.room_id)`,
  },
});

type ComparedRooms = { proved: string; waiting: string; wrong: string; found: string[] | null };

/** Compares every message with its digest in the log, 500 room ids at a time; names those that were altered, added or removed. */
async function checkMessages(tx: Tx): Promise<RecordsChecked> {
  const total: RecordsChecked = { proved: 0, waiting: 0, wrong: 0, found: [] };
  const complete = await areEarlierSealed(tx, "messages_digested");
  for (let first = await nextRoom(tx, -1); first !== undefined; ) {
    const last = first + ROOMS - 1;
    const part = await checkRooms(tx, first, last, complete);
    total.proved += Number(part.proved);
    total.waiting += Number(part.waiting);
    total.wrong += Number(part.wrong);
    total.found.push(...(part.found ?? []).slice(0, maxNamedRecords - total.found.length));
    first = await nextRoom(tx, last);
  }
  return total;
}

/**
 * The messages of rooms beside their digests, as a subquery: `room_id`, `seq`, `later` (the digest was logged after the message was
 * written) and `state`: proved, altered, added, removed, erased, or waiting for the catch-up.
 */
function comparedMessages(first: number, last: number, complete: boolean): SQL {
  const rooms = sql`e.room_id BETWEEN ${first}::bigint AND ${last}::bigint`;
  return sql`(
    SELECT coalesce(s.room_id, l.room_id) AS room_id, coalesce(s.seq, l.seq) AS seq, l.later, CASE
      WHEN s.seq IS NULL THEN CASE WHEN l.seq <= gone.seq THEN 'erased' ELSE 'removed' END
      WHEN l.seq IS NULL THEN CASE WHEN s.unsalted AND NOT ${complete}::boolean THEN 'waiting' ELSE 'added' END
      WHEN s.digest <> l.digest OR (l.picture IS NOT NULL AND s.picture IS DISTINCT FROM l.picture) THEN 'altered'
      ELSE 'proved' END AS state
    FROM (
      SELECT m.room_id, m.seq, m.salt IS NULL AS unsalted, rooms.message_digest(m) AS digest,
        CASE WHEN i.id IS NOT NULL THEN base.digest_of(rooms.picture_fields(m.salt, i)) END AS picture
      FROM rooms.messages m LEFT JOIN rooms.images i ON i.message_id = m.id AND m.type = 'image'
      WHERE m.room_id BETWEEN ${first}::bigint AND ${last}::bigint
    ) s FULL JOIN ${messageDigests(rooms)} l ON s.room_id = l.room_id AND s.seq = l.seq
    LEFT JOIN ${erasedMessages(rooms)} gone ON gone.room_id = l.room_id)`;
}

async function checkRooms(tx: Tx, first: number, last: number, complete: boolean): Promise<ComparedRooms> {
  const [row] = await tx.execute<ComparedRooms>(sql`
    WITH compared AS (
      SELECT * FROM ${comparedMessages(first, last, complete)} c
    ), wrong AS (
      SELECT DISTINCT room_id, seq, state FROM compared WHERE state IN ('removed', 'added', 'altered')
    )
    SELECT (SELECT count(*) FROM compared WHERE state = 'proved')::text AS proved,
      (SELECT count(*) FROM compared WHERE state = 'waiting')::text AS waiting,
      (SELECT count(*) FROM wrong)::text AS wrong,
      (SELECT array_agg(what) FROM (
        SELECT format('message %s of room %s was %s', seq, room_id, state) AS what FROM wrong ORDER BY room_id, seq LIMIT ${maxNamedRecords}
      ) first_few) AS found`);
  if (row === undefined) throw new Error("rooms: nothing was compared");
  return row;
}

/** A message beside its digest. `fields` and `picture` are the inputs of the digests, including the salt; null if the message is gone. */
export type MessageProof = {
  seq: number;
  state: "proved" | "altered" | "added" | "removed" | "waiting";
  later: boolean;
  fields: Array<string | null> | null;
  picture: Array<string | null> | null;
};

/** Every message that both members of a room can see beside its digest in the log, by `seq`; includes messages that only the log knows. */
export async function messageProofs(exec: Executor, roomId: number): Promise<MessageProof[]> {
  const complete = await areEarlierSealed(exec, "messages_digested");
  const rows = await exec.execute<{
    seq: string;
    state: MessageProof["state"];
    later: boolean | null;
    fields: MessageProof["fields"];
    picture: MessageProof["picture"];
  }>(sql`
    SELECT c.seq::text, c.state, c.later, to_json(rooms.message_fields(m)) AS fields,
      CASE WHEN i.id IS NOT NULL THEN to_json(rooms.picture_fields(m.salt, i)) END AS picture
    FROM ${comparedMessages(roomId, roomId, complete)} c
    LEFT JOIN rooms.messages m ON m.room_id = c.room_id AND m.seq = c.seq
    LEFT JOIN rooms.images i ON i.message_id = m.id
    WHERE c.state <> 'erased' AND c.seq > ${lastUnsharedSeq(roomId)} ORDER BY c.seq, c.state`);
  return [...rows].map((row) => ({ ...row, seq: Number(row.seq), later: row.later === true }));
}

/** The next room that has messages or log entries. */
async function nextRoom(exec: Executor, after: number): Promise<number | undefined> {
  const [row] = await exec.execute<{ id: string | null }>(
    sql`SELECT min(room_id)::text AS id FROM rooms.messages WHERE room_id > ${after}::bigint`,
  );
  const ids = [row?.id == null ? undefined : Number(row.id), await nextLoggedRoom(exec, after)];
  const known = ids.filter((id) => id !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Logs the digests of messages from before digests were stored, some rooms per transaction, and then records that no others exist. */
async function sealEarlierMessages(at: Date): Promise<void> {
  if (await areEarlierSealed(db(), "messages_digested")) return;
  let count = 0;
  for (let first = await nextRoom(db(), -1); first !== undefined; ) {
    const [from, to] = [first, first + ROOMS - 1];
    count += await runInTransaction(async (tx) => {
      const [row] = await tx.execute<{ count: string }>(
        sql`SELECT rooms.digest_earlier(${from}::bigint, ${to}::bigint, ${at.toISOString()}::timestamptz)::text AS count`,
      );
      return Number(row?.count ?? 0);
    });
    first = await nextRoom(db(), to);
  }
  await runInTransaction((tx) => recordEarlierSealed(tx, "messages_digested", at, count));
}
