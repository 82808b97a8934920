import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPair, memberBy, someone, unthrottled } from "../core/rooms.fixture.ts";
import { messagesTable } from "../core/schema.ts";
import { readHistory } from "./history.ts";
import { postNotice } from "./post-notice.ts";
import { sendMessage } from "./send-message.ts";

useDatabase();
unthrottled();

const seqs = (read: Awaited<ReturnType<typeof readHistory>>) =>
  read.ok && read.messages.map(({ seq }) => seq);

describe("history", () => {
  test("pages by seq in either direction, always in order", async () => {
    const { seller, roomId } = await aPair();
    for (let n = 0; n < 9; n++) await sendMessage(seller.actor, roomId, { content: `${n}` });
    expect(seqs(await readHistory(seller.actor, roomId, { limit: 3 }))).toEqual([8, 9, 10]);
    expect(seqs(await readHistory(seller.actor, roomId, { before: 8, limit: 3 }))).toEqual([5, 6, 7]);
    expect(seqs(await readHistory(seller.actor, roomId, { after: 2, limit: 3 }))).toEqual([3, 4, 5]);
    expect(seqs(await readHistory(seller.actor, roomId, { after: "8", before: "10" }))).toEqual([9]);
    expect(seqs(await readHistory(seller.actor, roomId, { after: 10 }))).toEqual([]);
  });

  test.each([{ after: -1 }, { before: 0 }, { limit: 0 }, { limit: 201 }, { after: "x" }, { after: 1.5 }])(
    "refuses %p",
    async (page) => {
      const { seller, roomId } = await aPair();
      expect(await readHistory(seller.actor, roomId, page)).toMatchObject({ ok: false, code: "VALIDATION" });
    },
  );

  test("is hidden from an outsider", async () => {
    const { roomId } = await aPair();
    const stranger = await someone();
    expect(await readHistory(stranger.actor, roomId)).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
  });

  test("gives notices in the reader's language, and payments as JSON", async () => {
    const { seller, roomId } = await aPair();
    await runInTransaction((tx) =>
      postNotice(tx, {
        roomId,
        code: "joined",
        params: { userId: seller.id, amount: 5 },
        type: "payment_qr",
        at: currentTime(),
      }),
    );
    const reader = await memberBy(seller.cookie, "mn");
    const read = await readHistory(reader, roomId);
    const [first, second] = read.ok ? read.messages : [];
    expect(first?.content).toBe("Худалдан авагч өрөөнд нэгдлээ");
    expect(second).toMatchObject({
      type: "payment_qr",
      senderId: null,
      notice: { text: "Нэг хүн өрөөнд нэгдлээ", person: { id: seller.id, displayName: "Seller" } },
    });
    expect(JSON.parse(second?.content ?? "")).toEqual({
      type: "payment",
      userId: seller.id,
      amount: 5,
      isQrCode: true,
    });
  });

  test("names people by their current name, and nobody who has been anonymised", async () => {
    const { seller, buyer, roomId } = await aPair();
    await db().execute(`UPDATE identity.users SET display_name = 'Somebody' WHERE id = ${buyer.id}`);
    const read = await readHistory(seller.actor, roomId);
    expect(read.ok && read.messages[0]?.notice).toMatchObject({
      text: "The buyer joined the chat",
      person: { id: buyer.id, displayName: "Somebody" },
    });
    const [row] = await db()
      .select({ params: messagesTable.params })
      .from(messagesTable)
      .where(eq(messagesTable.roomId, roomId));
    expect(row?.params).toEqual({ userId: buyer.id, role: "buyer" });
  });

  test("entries from before a side was stored have no name either", async () => {
    const { seller, buyer, roomId } = await aPair();
    for (const code of ["joined", "left", "rolesSwitchedBuyer", "rolesSwitchedSeller"]) {
      await runInTransaction((tx) =>
        postNotice(tx, { roomId, code, params: { userId: buyer.id }, at: currentTime() }),
      );
    }
    await db().execute(`UPDATE identity.users SET display_name = 'Zolboo' WHERE id = ${buyer.id}`);
    for (const language of ["en", "mn"] as const) {
      const read = await readHistory(await memberBy(seller.cookie, language), roomId);
      const notices = read.ok
        ? read.messages.slice(1).map(({ content, notice }) => ({ content, notice }))
        : [];
      expect(notices).toHaveLength(4);
      for (const { content, notice } of notices) {
        expect(content + notice?.text + JSON.stringify(notice?.params)).not.toContain("Zolboo");
        expect(content.length).toBeGreaterThan(10);
        expect(notice?.person).toMatchObject({ id: buyer.id, displayName: "Zolboo" });
      }
    }
  });
});
