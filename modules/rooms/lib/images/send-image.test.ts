import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { config, overrideConfig } from "#config";
import { db } from "#db/client";
import { openFileStore } from "#db/files";
import { listEntries } from "#modules/audit";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectMatch } from "../../../../tests/support/expect-match.ts";
import { imageLimits } from "../../constants.ts";
import { aPair, someone, type TestPerson, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { imagesTable, messagesTable } from "../core/schema.ts";
import { deleteRoom } from "../membership/delete-room.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { readHistory } from "../messages/history.ts";
import { sendMessage } from "../messages/send-message.ts";
import { aPicture, bringing, noise } from "./pictures.fixture.ts";
import { type SentImage, sendImage } from "./send-image.ts";

useDatabase();
unthrottled();
withoutTrades();

const send = ({ actor }: TestPerson, roomId: number, sent: SentImage) =>
  sendImage(actor, roomId, ...bringing(sent));

describe("a picture", () => {
  test("is a message of its room with its size, its addresses and its caption", async () => {
    const { seller, buyer, roomId } = await aPair();
    const clientId = crypto.randomUUID();
    const picture = await noise(2000, 1000).jpeg().toBuffer();
    const sent = await send(buyer, roomId, { picture, caption: "  Миний дансны зураг ", clientId });
    const full = expect.stringMatching(new RegExp(`^/chat/${roomId}/images/[0-9a-f-]{36}$`));
    expect(sent).toEqual({
      ok: true,
      message: {
        id: expect.any(Number),
        roomId,
        seq: 2,
        senderId: buyer.id,
        clientId,
        type: "image",
        content: "Миний дансны зураг",
        imageUrl: full,
        image: {
          width: 1600,
          height: 800,
          full,
          small: expect.stringMatching(/[0-9a-f]\/small$/),
          caption: "Миний дансны зураг",
        },
        createdAt: expect.any(String),
      },
    });
    const read = await readHistory(seller.actor, roomId);
    expect(read.ok && read.messages[1]).toEqual(sent.ok && sent.message);
  });

  test("has no caption if nothing of it can be seen", async () => {
    const { seller, roomId } = await aPair();
    const sent = await send(seller, roomId, { picture: await aPicture(), caption: "\u200b\u3164" });
    expect(sent.ok && sent.message).toMatchObject({ content: "Image shared", image: { caption: "" } });
  });

  test("without a caption has a text in each reader's language", async () => {
    const { seller, roomId } = await aPair();
    const sent = await send(seller, roomId, { picture: await aPicture() });
    expect(sent.ok && sent.message).toMatchObject({ content: "Image shared", image: { caption: "" } });
    const read = await readHistory({ ...seller.actor, language: "mn" }, roomId, { after: 1 });
    expect(read.ok && read.messages[0]?.content).toBe("Зураг илгээсэн");
  });

  test("is logged with its message and its address", async () => {
    const { seller, roomId } = await aPair();
    const sent = await send(seller, roomId, { picture: await aPicture(), caption: "a secret" });
    const [entry] = (await listEntries({ action: "image_sent", userId: seller.id })).entries;
    expect(sent.ok && sent.message).toMatchObject({
      id: entry?.data.messageId,
      imageUrl: entry?.data.imageUrl,
    });
    expect(entry).toMatchObject({ roomId, data: { messageType: "image", seq: 2 } });
    expect(JSON.stringify(entry)).not.toContain("a secret");
  });

  test("sent again with its client id is the first one, with the same files", async () => {
    const { seller, roomId } = await aPair();
    const said = { picture: await aPicture(), caption: "once", clientId: crypto.randomUUID().toUpperCase() };
    const first = await send(seller, roomId, said);
    expect(first.ok).toBe(true);
    const stored = await namesStored();
    expect(await send(seller, roomId, said)).toEqual(first);
    expect(await namesStored()).toEqual(stored);
    expect(await countIn(roomId)).toBe(2);
  });

  test("sent four times at once is one message, and everyone gets the same reply", async () => {
    const { seller, roomId } = await aPair();
    const said = { picture: await aPicture(), clientId: crypto.randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => send(seller, roomId, said)));
    expect(answers.map((answer) => answer.ok)).toEqual([true, true, true]);
    expect(new Set(answers.map((answer) => answer.ok && answer.message.id)).size).toBe(1);
    expect(await countIn(roomId)).toBe(2);
  });

  test("with a used client id is refused if anything differs", async () => {
    const { seller, buyer, roomId } = await aPair();
    const said = { picture: await aPicture(), caption: "mine", clientId: crypto.randomUUID() };
    await send(seller, roomId, said);
    const refused = { ok: false, code: "CLIENT_ID_REUSED" } as const;
    expect(await send(seller, roomId, { ...said, caption: "other" })).toEqual(refused);
    expect(await send(seller, roomId, { ...said, picture: await aPicture() })).toEqual(refused);
    expect(await send(buyer, roomId, said)).toEqual(refused);
    expect(await sendMessage(seller.actor, roomId, { content: "mine", clientId: said.clientId })).toEqual(
      refused,
    );
    const clientId = crypto.randomUUID();
    await sendMessage(seller.actor, roomId, { content: "mine", clientId });
    expect(await send(seller, roomId, { ...said, clientId })).toEqual(refused);
  });

  test.each([
    ["too long a caption", { caption: "x".repeat(501) }, "VALIDATION"],
    ["a caption that turns the text around it", { caption: "a\u202eb" }, "VALIDATION"],
    ["a caption that is no text", { caption: 5 }, "VALIDATION"],
    ["a bad client id", { clientId: "7" }, "VALIDATION"],
    ["no picture", { picture: undefined }, "IMAGE_MISSING"],
    ["an empty picture", { picture: new Uint8Array() }, "IMAGE_MISSING"],
    ["one byte more than 10 MB", { picture: new Uint8Array(10 * 1024 * 1024 + 1) }, "IMAGE_TOO_LARGE"],
  ])("with %s is refused, and nothing is stored", async (_what, wrong, code) => {
    const { seller, roomId } = await aPair();
    const stored = await namesStored();
    const { picture, ...others } = { picture: await aPicture(), ...wrong };
    expect(await send(seller, roomId, { ...(picture && { picture }), ...others })).toMatchObject({
      ok: false,
      code,
    });
    expect(await countIn(roomId)).toBe(1);
    expect(await namesStored()).toEqual(stored);
  });

  test("by an outsider, to a missing or deleted room, or after leaving is refused unread", async () => {
    const { seller, buyer, roomId } = await aPair();
    const stranger = await someone();
    const nowhere = { ok: false, code: "CHAT_ROOM_NOT_FOUND" } as const;
    const unread = () => Promise.reject(new Error("was read"));
    expect(await sendImage(stranger.actor, roomId, 10, unread)).toEqual(nowhere);
    expect(await sendImage(stranger.actor, 999_999, 10, unread)).toEqual(nowhere);
    const said = { picture: await aPicture(), clientId: crypto.randomUUID() };
    expect((await send(buyer, roomId, said)).ok).toBe(true);
    await leaveRoom(buyer.actor, roomId);
    expect(await send(buyer, roomId, said)).toEqual(nowhere);
    await deleteRoom(seller.actor, roomId);
    expect(await sendImage(seller.actor, roomId, 10, unread)).toEqual(nowhere);
  });

  test("by a member who leaves while it is being processed is not stored", async () => {
    const { buyer, roomId } = await aPair();
    const picture = await aPicture();
    const sent = sendImage(buyer.actor, roomId, picture.length, async () => {
      await leaveRoom(buyer.actor, roomId);
      return { ok: true, picture };
    });
    expect(await sent).toEqual({ ok: false, code: "CHAT_ROOM_NOT_FOUND" });
  });
});

test("a member who sends pictures too fast is told how long to wait, and texts still work", async () => {
  const { seller, roomId } = await aPair();
  const picture = await aPicture();
  overrideConfig({ THROTTLE_FACTOR: 0.1 });
  const sent = [];
  for (let n = 0; n < 3; n++) sent.push(await send(seller, roomId, { picture }));
  const text = await sendMessage(seller.actor, roomId, { content: "still here" });
  overrideConfig({ THROTTLE_FACTOR: 10_000 });
  expect(sent.map(({ ok }) => ok)).toEqual([true, true, false]);
  expectMatch(sent[2], { code: "THROTTLED", retryAfterSeconds: expect.any(Number) });
  expect(text.ok).toBe(true);
});

test("a member's fourth upload at once is refused, another member's is not", async () => {
  const { seller, buyer, roomId } = await aPair();
  const picture = await aPicture();
  const { slow, go } = uploadsThatWait(picture);
  const under = [1, 2, 3].map(() => sendImage(seller.actor, roomId, 10, slow));
  await Bun.sleep(100);
  expect(await send(seller, roomId, { picture })).toMatchObject({ code: "THROTTLED", retryAfterSeconds: 3 });
  expect((await send(buyer, roomId, { picture })).ok).toBe(true);
  go();
  expect((await Promise.all(under)).map(({ ok }) => ok)).toEqual([true, true, true]);
  expect((await send(seller, roomId, { picture })).ok).toBe(true);
});

test("two large pictures of a member arrive at a time, and a small one beside them", async () => {
  const { seller, roomId } = await aPair();
  const picture = await aPicture();
  const { slow, go } = uploadsThatWait(picture);
  const largest = imageLimits.upload;
  const under = [1, 2].map(() => sendImage(seller.actor, roomId, largest, slow));
  await Bun.sleep(100);
  const refused = await sendImage(seller.actor, roomId, largest, async () => ({ ok: true, picture }));
  expect(refused).toMatchObject({ code: "THROTTLED", retryAfterSeconds: 3 });
  expect((await send(seller, roomId, { picture })).ok).toBe(true);
  go();
  expect((await Promise.all(under)).map(({ ok }) => ok)).toEqual([true, true]);
  expect((await sendImage(seller.actor, roomId, largest, slow)).ok).toBe(true);
});

test("if more pictures arrive than fit into memory, the last is refused with a retry time, and then accepted", async () => {
  const { seller, buyer, roomId } = await aPair();
  const late = await aPair();
  const picture = await aPicture();
  const { slow, go } = uploadsThatWait(picture);
  const largest = imageLimits.upload;
  const third = await aPair();
  const under = [
    ...[seller, buyer].flatMap(({ actor }) => [1, 2].map(() => sendImage(actor, roomId, largest, slow))),
    ...[1, 2].map(() => sendImage(third.buyer.actor, third.roomId, largest, slow)),
  ];
  await Bun.sleep(100);
  const busy = await sendImage(late.buyer.actor, late.roomId, largest, slow);
  expect(busy).toEqual({ ok: false, code: "IMAGES_BUSY", retryAfterSeconds: 10 });
  expect((await send(late.buyer, late.roomId, { picture })).ok).toBe(true);
  go();
  expect((await Promise.all(under)).every(({ ok }) => ok)).toBe(true);
  expect((await sendImage(late.buyer.actor, late.roomId, largest, slow)).ok).toBe(true);
});

describe("a failure between the files and the row", () => {
  test("leaves files without a message, never a message without files", async () => {
    const { seller, roomId } = await aPair();
    const before = await namesStored();
    await ownerDatabase().execute(
      "ALTER TABLE rooms.images ADD CONSTRAINT broken CHECK (bytes < 0) NOT VALID",
    );
    const said = { picture: await aPicture(), clientId: crypto.randomUUID() };
    const failed = await send(seller, roomId, said).then(
      () => "sent",
      () => "failed",
    );
    await ownerDatabase().execute("ALTER TABLE rooms.images DROP CONSTRAINT broken");
    expect(failed).toBe("failed");
    expect(await countIn(roomId)).toBe(1);
    expect((await namesStored()).length).toBe(before.length + 2);
    // The same attempt succeeds the second time, with new files.
    const again = await send(seller, roomId, said);
    expect(again.ok && again.message.seq).toBe(2);
    expect((await namesStored()).length).toBe(before.length + 4);
  });

  test("in the file storage is reported, and nothing is stored", async () => {
    const { seller, roomId } = await aPair();
    const { DATA_DIR } = config();
    overrideConfig({ DATA_DIR: "/dev/null" });
    const sent = await send(seller, roomId, { picture: await aPicture() });
    overrideConfig({ DATA_DIR });
    expect(sent).toEqual({ ok: false, code: "UNAVAILABLE" });
    expect(await countIn(roomId)).toBe(1);
  });
});

test("what is stored matches its row: one large file, one small", async () => {
  const { seller, roomId } = await aPair();
  const picture = await noise(900, 600).png().toBuffer();
  const sent = await send(seller, roomId, { picture });
  const [row] = await db()
    .select()
    .from(imagesTable)
    .where(eq(imagesTable.messageId, sent.ok ? sent.message.id : 0));
  const full = await openFileStore().get(`${row?.id}-full.webp`);
  const digest = (bytes: Uint8Array = new Uint8Array()) =>
    new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  expect(row).toMatchObject({
    mime: "image/webp",
    bytes: full?.length,
    sha256: digest(full),
    sentSha256: digest(picture),
  });
  expect((await openFileStore().get(`${row?.id}-small.webp`))?.length).toBeLessThan(full?.length ?? 0);
});

/** Uploads of `picture`, each as slow as the test wants: `slow` arrives when `go` is called. */
function uploadsThatWait(picture: Uint8Array) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = async () => {
    await promise;
    return { ok: true as const, picture };
  };
  return { slow, go: () => resolve() };
}

async function namesStored(): Promise<string[]> {
  const names = readdirSync(join(config().DATA_DIR, "files"), { recursive: true }).map(String);
  return names.filter((name) => name.includes(".")).sort();
}

async function countIn(roomId: number): Promise<number> {
  return (await db().select().from(messagesTable).where(eq(messagesTable.roomId, roomId))).length;
}
