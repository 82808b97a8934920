import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { overrideConfig } from "#config";
import { db } from "#db/client";
import { listEntries } from "#modules/audit";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPair, someone, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { messagesTable } from "../core/schema.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { readHistory } from "./history.ts";
import { sendMessage } from "./send-message.ts";

useDatabase();
unthrottled();
withoutTrades();

describe("a message", () => {
  test("gets the next seq, which its sender receives", async () => {
    const { seller, buyer, roomId } = await aPair();
    const clientId = crypto.randomUUID();
    const sent = await sendMessage(buyer.actor, roomId, { content: "Сайн уу", clientId });
    expect(sent).toMatchObject({
      ok: true,
      message: { roomId, seq: 2, senderId: buyer.id, clientId, type: "text", content: "Сайн уу" },
    });
    const read = await readHistory(seller.actor, roomId);
    expect(read.ok && read.messages.map(({ content }) => content)).toEqual([
      "The buyer joined the chat",
      "Сайн уу",
    ]);
  });

  test("of nothing that can be seen is refused as an empty one, also inside JSON", async () => {
    const { seller, roomId } = await aPair();
    const blank = ["validation.messageBlank"];
    for (const content of [
      "\u200b\u200d\ufe0f",
      " \u3164\n\u2800",
      JSON.stringify({ content: "\u{e0041}" }),
    ]) {
      expect(await sendMessage(seller.actor, roomId, { content })).toMatchObject({
        ...{ ok: false, code: "VALIDATION", fields: { content: blank } },
      });
    }
    expect(await countIn(roomId)).toBe(1);
    for (const content of ["👩‍👩‍👧", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u200fשלום"]) {
      expect(await sendMessage(seller.actor, roomId, { content })).toMatchObject({
        ok: true,
        message: { content },
      });
    }
  });

  test("is logged with its kind, not its text", async () => {
    const { seller, roomId } = await aPair();
    const sent = await sendMessage(seller.actor, roomId, { content: "a secret" });
    const page = await listEntries({ action: "message_sent", userId: seller.id });
    const [entry] = page.entries;
    expect(entry).toMatchObject({ roomId, data: { messageType: "text", seq: 2 } });
    expect(JSON.stringify(entry)).not.toContain("a secret");
    expect(sent.ok && entry?.data.messageId).toBe(sent.ok && sent.message.id);
  });

  test("sent again with its client id is the first one", async () => {
    const { seller, roomId } = await aPair();
    const said = { content: "once", clientId: crypto.randomUUID().toUpperCase() };
    const first = await sendMessage(seller.actor, roomId, said);
    const again = await sendMessage(seller.actor, roomId, said);
    expect(again).toEqual(first);
    expect(await countIn(roomId)).toBe(2);
  });

  test("with a used client id is refused with another text or from another person", async () => {
    const { seller, buyer, roomId } = await aPair();
    const clientId = crypto.randomUUID();
    await sendMessage(seller.actor, roomId, { content: "mine", clientId });
    const refused = { ok: false, code: "CLIENT_ID_REUSED" } as const;
    expect(await sendMessage(seller.actor, roomId, { content: "other", clientId })).toEqual(refused);
    expect(await sendMessage(buyer.actor, roomId, { content: "mine", clientId })).toEqual(refused);
  });

  test("that is JSON with a content text shows that text, and follows the rules for texts", async () => {
    const { seller, roomId } = await aPair();
    const sent = await sendMessage(seller.actor, roomId, { content: '{"content":"inside"}' });
    expect(sent.ok && sent.message.content).toBe("inside");
    const other = '{"type":"payment","amount":5}';
    const plain = await sendMessage(seller.actor, roomId, { content: other });
    expect(plain.ok && plain.message).toMatchObject({ type: "text", content: other });
    expect(await sendMessage(seller.actor, roomId, { content: '{"content":"  "}' })).toMatchObject({
      code: "VALIDATION",
    });
  });

  test.each([
    ["blank", { content: " \n\t" }],
    ["missing", {}],
    ["too long", { content: "x".repeat(4001) }],
    ["holding a NUL", { content: "a\u0000b" }],
    ["holding half a surrogate pair", { content: "a\ud800b" }],
    ["holding one inside JSON", { content: '{"content":"a\\ud800b"}' }],
    ["turning the text around it", { content: "a\u202eb" }],
    ["no text", { content: 5 }],
    ["of the server's kind", { content: "paid", type: "payment" }],
    ["of the system's kind", { content: "paid", type: "system" }],
    ["with a bad id", { content: "x", clientId: "7" }],
    ["nothing at all", null],
    ["a list", [[[]]]],
  ])("that is %s is refused and nothing is written", async (_what, input) => {
    const { seller, roomId } = await aPair();
    expect(await sendMessage(seller.actor, roomId, input)).toMatchObject({ ok: false, code: "VALIDATION" });
    expect(await countIn(roomId)).toBe(1);
  });

  test("of 4,000 characters is accepted, over several lines", async () => {
    const { seller, roomId } = await aPair();
    const content = `${"😀".repeat(1998)}\r\n\t.`;
    const sent = await sendMessage(seller.actor, roomId, { content });
    expect(sent.ok && sent.message.content).toBe(content);
  });

  test("by an outsider, to a missing room, or after leaving is refused", async () => {
    const { buyer, roomId } = await aPair();
    const stranger = await someone();
    const nowhere = { ok: false, code: "CHAT_ROOM_NOT_FOUND" } as const;
    expect(await sendMessage(stranger.actor, roomId, { content: "hi" })).toEqual(nowhere);
    expect(await sendMessage(stranger.actor, 999_999, { content: "hi" })).toEqual(nowhere);
    const said = { content: "hi", clientId: crypto.randomUUID() };
    await sendMessage(buyer.actor, roomId, said);
    await leaveRoom(buyer.actor, roomId);
    expect(await sendMessage(buyer.actor, roomId, said)).toEqual(nowhere);
  });

  test("among 200 at once, each sent twice, is stored once in an unbroken order", async () => {
    const { seller, buyer, roomId } = await aPair();
    const said = Array.from({ length: 200 }, (_, i) => ({ content: `m${i}`, clientId: crypto.randomUUID() }));
    const sent = await Promise.all(
      said.flatMap((message, i) => {
        const { actor } = i % 2 ? seller : buyer;
        return [sendMessage(actor, roomId, message), sendMessage(actor, roomId, message)];
      }),
    );
    expect(sent.every(({ ok }) => ok)).toBe(true);
    const rows = await db()
      .select()
      .from(messagesTable)
      .where(eq(messagesTable.roomId, roomId))
      .orderBy(messagesTable.seq);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 201 }, (_, i) => i + 1));
    expect(new Set(rows.slice(1).map(({ clientId }) => clientId))).toEqual(
      new Set(said.map(({ clientId }) => clientId)),
    );
  });
});

test("someone who floods is told how long to wait", async () => {
  const { seller, roomId } = await aPair();
  overrideConfig({ THROTTLE_FACTOR: 0.05 });
  const sent = await Promise.all(
    [1, 2, 3, 4].map((n) => sendMessage(seller.actor, roomId, { content: `${n}` })),
  );
  overrideConfig({ THROTTLE_FACTOR: 10_000 });
  expect(sent.filter(({ ok }) => ok)).toHaveLength(3);
  expect(sent[3]).toEqual({ ok: false, code: "THROTTLED", retryAfterSeconds: 4 });
});

async function countIn(roomId: number): Promise<number> {
  return (await db().select().from(messagesTable).where(eq(messagesTable.roomId, roomId))).length;
}
