import { describe, expect, test } from "bun:test";
import { db } from "#db/client";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { aPair, someone, unthrottled } from "./rooms.fixture.ts";
import { membersTable, messagesTable } from "./schema.ts";

useDatabase();
unthrottled();

const at = new Date();
const clientId = crypto.randomUUID();

/** The database's own constraints, whoever writes. */
describe("the database refuses", () => {
  test.each([
    ["a member's system message", { senderId: 1, clientId, type: "system", code: "joined", params: {} }],
    ["a member's payment", { senderId: 1, clientId, type: "payment", content: "{}" }],
    [
      "a text with a notice code",
      { senderId: 1, clientId, type: "text", content: "x", code: "paid", params: {} },
    ],
    ["a text without a sender", { type: "text", content: "x" }],
    ["a blank text", { senderId: 1, clientId, type: "text", content: "  " }],
    ["a text of 4,001 characters", { senderId: 1, clientId, type: "text", content: "x".repeat(4001) }],
    ["a text without a client id", { senderId: 1, type: "text", content: "x" }],
    ["a notice with free words", { type: "system", code: "joined", params: {}, content: "paid!" }],
    ["a notice without a code", { type: "system", params: {} }],
    ["an image without an address", { senderId: 1, clientId, type: "image", imageWidth: 1, imageHeight: 1 }],
    ["an image without its size", { senderId: 1, clientId, type: "image", imageUrl: "/x", imageWidth: 1 }],
    ["a text with a size", { senderId: 1, clientId, type: "text", content: "x", imageHeight: 1 }],
    ["a seq below one", { senderId: 1, clientId, type: "text", content: "x", seq: 0 }],
    ["a seq used before", { senderId: 1, clientId, type: "text", content: "x", seq: 1 }],
  ] as const)("%s", async (_what, row) => {
    const { roomId } = await aPair();
    const insert = db()
      .insert(messagesTable)
      .values({ roomId, seq: 99, createdAt: at, ...row });
    expect(
      await insert.then(
        () => "stored",
        (error) => (error.cause as { code?: string }).code,
      ),
    ).toMatch(/^23/);
  });

  test("a third member, and two places for one person", async () => {
    const { seller, roomId } = await aPair();
    const third = await someone();
    for (const [userId, role] of [
      [third.id, "seller"],
      [seller.id, "buyer"],
    ] as const) {
      const insert = db().insert(membersTable).values({ roomId, userId, role, joinedAt: at });
      expect(
        await insert.then(
          () => "stored",
          (error) => (error.cause as { code?: string }).code,
        ),
      ).toBe("23505");
    }
  });
});
