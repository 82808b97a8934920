import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { sealEarlierRecords, verifyChain } from "#modules/audit";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPair, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { aPicture, bringing } from "../images/pictures.fixture.ts";
import { sendImage } from "../images/send-image.ts";
import { postNotice } from "../messages/post-notice.ts";
import { sendMessage } from "../messages/send-message.ts";
import { clearRoom, eraseRoom } from "../privacy/erase-messages.ts";
import { eraseQuietRooms } from "../privacy/erase-quiet-rooms.ts";
import "./sealed-messages.ts";

useDatabase();
unthrottled();
withoutTrades();

/** Statements that only the database's owner can execute. */
async function asOwner(...statements: string[]): Promise<void> {
  await ownerDatabase().transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    for (const statement of statements) await tx.execute(sql.raw(statement));
  });
}

/** A room with a text, a notice and a picture; returns their seqs. */
async function talked() {
  const pair = await aPair();
  const said = await sendMessage(pair.buyer.actor, pair.roomId, {
    content: 'нууц үг: "q" \\ \n\t🙂',
    clientId: crypto.randomUUID(),
  });
  const shown = await sendImage(pair.seller.actor, pair.roomId, ...bringing({ picture: await aPicture() }));
  if (!said.ok || !shown.ok) throw new Error("not sent");
  const notice = await runInTransaction((tx) =>
    postNotice(tx, {
      roomId: pair.roomId,
      code: "infoShared",
      params: { sum: 1.5, name: "Бат" },
      at: new Date(),
    }),
  );
  return { ...pair, text: said.message.seq, image: shown.message.seq, notice: notice.seq };
}

/** Every test starts and ends with an intact log. */
beforeEach(async () => {
  await asOwner(
    "TRUNCATE rooms.rooms CASCADE",
    "TRUNCATE audit.entries, audit.traces, audit.blocks, audit.erased, audit.heads",
  );
  await sealEarlierRecords(new Date());
});

/** Records of other modules, which other test files of the same process may have registered. */
let otherRecords = 0;
const wholeWith = (messages: number) => ({ ok: true, records: otherRecords + messages }) as const;
beforeAll(async () => {
  const empty = await verifyChain();
  otherRecords = empty.ok ? empty.records : Number.NaN;
});

const reason = async () => {
  const verdict = await verifyChain();
  return verdict.ok ? "whole" : verdict.reason;
};

describe("messages in the chain", () => {
  test("a text, a picture and a notice have their digests in the log", async () => {
    const { roomId } = await talked();
    const rows = await db().execute<{ n: number }>(sql`
      SELECT count(*)::int AS n FROM audit.entries WHERE room_id = ${roomId} AND data->>'digest' ~ '^[0-9a-f]{64}$'`);
    const [there] = await db().execute<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM rooms.messages WHERE room_id = ${roomId}`,
    );
    expect(rows[0]?.n).toBe(there?.n ?? 0);
    const verdict = await verifyChain();
    expect(verdict).toMatchObject(wholeWith(there?.n ?? 0));
  });

  const changes: Record<string, string> = {
    content: "content = 'I never sent the password'",
    sender_id: "sender_id = sender_id + 1",
    created_at: "created_at = created_at + interval '1 microsecond'",
    client_id: "client_id = gen_random_uuid()",
    salt: "salt = decode(repeat('00', 16), 'hex')",
    "its salt taken away": "salt = NULL",
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`an altered ${what} of a text is reported`, async () => {
      const { roomId, text } = await talked();
      await asOwner(`UPDATE rooms.messages SET ${change} WHERE room_id = ${roomId} AND seq = ${text}`);
      expect(await reason()).toBe(`message ${text} of room ${roomId} was altered`);
    });
  }

  test("an altered notice is reported, and a picture with another file", async () => {
    const { roomId, notice, image } = await talked();
    await asOwner(
      `UPDATE rooms.messages SET params = '{"sum": 2}' WHERE room_id = ${roomId} AND seq = ${notice}`,
      `UPDATE rooms.images SET sent_sha256 = repeat('a', 64) WHERE message_id = (SELECT id FROM rooms.messages WHERE room_id = ${roomId} AND seq = ${image})`,
    );
    expect(await reason()).toBe(
      [image, notice]
        .sort()
        .map((seq) => `message ${seq} of room ${roomId} was altered`)
        .join(", "),
    );
  });

  test("an inserted and a removed message are reported", async () => {
    const { roomId, buyer, text } = await talked();
    await asOwner(
      `INSERT INTO rooms.messages (room_id, seq, sender_id, client_id, type, content, created_at)
       VALUES (${roomId}, 900, ${buyer.id}, gen_random_uuid(), 'text', 'yes, I agree', now())`,
      `DELETE FROM rooms.messages WHERE room_id = ${roomId} AND seq = ${text}`,
    );
    expect(await reason()).toBe(
      `message ${text} of room ${roomId} was removed, message 900 of room ${roomId} was added`,
    );
  });

  test("a whole removed room is reported by its messages, the first few of them", async () => {
    const { roomId, buyer } = await talked();
    for (let i = 0; i < 5; i++) await sendMessage(buyer.actor, roomId, { content: String(i) });
    const [all] = await db().execute<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM rooms.messages WHERE room_id = ${roomId}`,
    );
    await asOwner(
      `DELETE FROM rooms.messages WHERE room_id = ${roomId}`,
      `DELETE FROM rooms.rooms WHERE id = ${roomId}`,
    );
    expect(await reason()).toContain(`message 1 of room ${roomId} was removed`);
    expect(await reason()).toEndWith(` and ${(all?.n ?? 0) - 5} more messages`);
  });

  test("erasing removes the salts, and the chain still verifies: a room deleted, cleared, or quiet for two years", async () => {
    const [deleted, cleared, quiet] = [await talked(), await talked(), await talked()];
    const by = { userId: null };
    await runInTransaction((tx) => eraseRoom(tx, deleted.roomId, by, new Date()));
    await runInTransaction((tx) => clearRoom(tx, cleared.roomId, by, new Date()));
    expect(await eraseQuietRooms(new Date(Date.now() + 800 * 86_400_000))).toBe(2);
    const [left] = await db().execute(sql`SELECT count(*)::int AS salts FROM rooms.messages`);
    expect(left).toEqual({ salts: 0 });
    expect(await verifyChain()).toMatchObject(wholeWith(0));
    expect(quiet.roomId).toBeGreaterThan(0);
  });

  test("a message added after an erasure is not covered by it", async () => {
    const { roomId } = await talked();
    await runInTransaction((tx) => clearRoom(tx, roomId, { userId: null }, new Date()));
    const { seq } = await runInTransaction((tx) =>
      postNotice(tx, { roomId, code: "infoShared", params: {}, at: new Date() }),
    );
    expect(await reason()).toBe("whole");
    await asOwner(`DELETE FROM rooms.messages WHERE room_id = ${roomId}`);
    expect(await reason()).toBe(`message ${seq} of room ${roomId} was removed`);
  });

  test("what the application's role writes directly is reported too", async () => {
    const { roomId } = await talked();
    await db().execute(sql`INSERT INTO rooms.messages (room_id, seq, type, code, params, created_at)
      VALUES (${roomId}, 500, 'system', 'joined', '{}', now())`);
    expect(await reason()).toBe("whole");
    await asOwner(`UPDATE rooms.messages SET code = 'left' WHERE seq = 500`);
    expect(await reason()).toBe(`message 500 of room ${roomId} was altered`);
  });
});

describe("messages from before sealing", () => {
  /** The state after the upgrade: no salts, and no digests in the log. */
  async function upgraded() {
    const one = await talked();
    await asOwner(
      "UPDATE rooms.messages SET salt = NULL",
      "UPDATE audit.entries SET data = data - 'digest' - 'picture'",
      "DELETE FROM audit.entries WHERE action IN ('message_digested', 'messages_digested')",
    );
    return one;
  }

  test("wait for the catch-up, are covered from then on, and later none without a digest passes", async () => {
    const { roomId, text, image } = await upgraded();
    expect(await verifyChain()).toMatchObject(wholeWith(0));
    await sealEarlierRecords(new Date());
    await sealEarlierRecords(new Date());
    const [all] = await db().execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM rooms.messages`);
    expect(await verifyChain()).toMatchObject(wholeWith(all?.n ?? 0));
    const rows = await db().execute(
      sql`SELECT count(*)::int AS n FROM audit.entries WHERE action = 'messages_digested'`,
    );
    expect(rows[0]).toEqual({ n: 2 });
    await asOwner(
      `UPDATE rooms.messages SET content = 'no' WHERE room_id = ${roomId} AND seq = ${text}`,
      `UPDATE rooms.images SET sha256 = repeat('b', 64)`,
      `INSERT INTO rooms.messages (room_id, seq, type, code, params, created_at) VALUES (${roomId}, 900, 'system', 'joined', '{}', now())`,
    );
    expect(await reason()).toBe(
      `message ${text} of room ${roomId} was altered, message ${image} of room ${roomId} was altered, message 900 of room ${roomId} was added`,
    );
  });
});
