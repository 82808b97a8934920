import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { db } from "#db/client";
import { ownerDatabase, useDatabase } from "../../../../tests/support/database/test-database.ts";
import { makePdf } from "../../../../tests/support/hostile/pdfs.ts";
import { onRoomSignal, type RoomSignal } from "../core/room-signals.ts";
import {
  aPair,
  inviteCodeOf,
  someone,
  type TestPerson,
  unthrottled,
  withoutTrades,
} from "../core/rooms.fixture.ts";
import { aPicture, bringing } from "../images/pictures.fixture.ts";
import { type SentImage, sendImage } from "../images/send-image.ts";
import { joinByCode } from "../membership/join-room.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { readHistory } from "../messages/history.ts";
import { sendMessage } from "../messages/send-message.ts";
import { readTranscriptPage } from "../messages/transcript.ts";
import { messageProofs } from "../proof/sealed-messages.ts";

useDatabase();
unthrottled();
withoutTrades();

async function say(by: TestPerson, roomId: number, content: string, replyTo?: number) {
  const done = await sendMessage(by.actor, roomId, { content, ...(replyTo !== undefined && { replyTo }) });
  if (!done.ok) throw new Error(done.code);
  return done.message;
}

const read = async (by: TestPerson, roomId: number) => {
  const page = await readHistory(by.actor, roomId);
  return page.ok ? page.messages : [];
};

/** What the room was sent while `work` ran. */
async function framesDuring(roomId: number, work: () => Promise<unknown>): Promise<string> {
  const heard: RoomSignal[] = [];
  const stop = onRoomSignal(roomId, (signal) => heard.push(signal));
  await work();
  stop();
  return JSON.stringify(heard);
}

const sendFile = ({ actor }: TestPerson, roomId: number, sent: SentImage) =>
  sendImage(actor, roomId, ...bringing(sent));

type SentReply = { clientId?: string; replyTo?: unknown };

/** The ways in which a reply is sent; each call of one of them sends the same words or the same file. */
const waysToReply = {
  "a text": async () => (by: TestPerson, roomId: number, sent: SentReply) =>
    sendMessage(by.actor, roomId, { content: "yes", ...sent }),
  "a picture": async () => {
    const picture = await aPicture();
    return (by: TestPerson, roomId: number, sent: SentReply) => sendFile(by, roomId, { picture, ...sent });
  },
};

const refused = {
  ok: false as const,
  code: "VALIDATION" as const,
  fields: { replyTo: ["validation.replyTo"] },
};

describe("a reply", () => {
  test("quotes the message for its sender, its reader, the frame and the transcript", async () => {
    const { seller, buyer, roomId } = await aPair();
    const first = await say(seller, roomId, "80. Имэйлийг нь хамт өгнө.");
    const quote = { seq: first.seq, senderId: seller.id, type: "text" as const, content: first.content };
    const frames = await framesDuring(roomId, async () => {
      expect((await say(buyer, roomId, "За, тэгвэл авъя.", first.seq)).replyTo).toEqual(quote);
    });
    expect(frames).toContain(JSON.stringify(JSON.stringify(quote)).slice(1, -1));
    expect((await read(seller, roomId)).at(-1)?.replyTo).toEqual(quote);
    const page = await readTranscriptPage(db(), roomId, { limit: 5, language: "en" });
    expect(page.at(-1)?.replyTo).toEqual(quote);
    expect(first.replyTo).toBeUndefined();
  });

  test("quotes at most 160 characters, and never half of one", async () => {
    const { seller, buyer, roomId } = await aPair();
    const long = await say(seller, roomId, "🙂".repeat(500));
    expect((await say(buyer, roomId, "long", long.seq)).replyTo?.content).toBe("🙂".repeat(160));
  });

  test("of an outsider is refused like any message of theirs", async () => {
    const { seller, roomId } = await aPair();
    const { seq } = await say(seller, roomId, "hello");
    const stranger = await someone("Stranger");
    expect(await sendMessage(stranger.actor, roomId, { content: "hi", replyTo: seq })).toEqual({
      ok: false,
      code: "CHAT_ROOM_NOT_FOUND",
    });
  });
});

for (const [kind, make] of Object.entries(waysToReply)) {
  test(`${kind} as a reply is the first one when it is sent again, and refused with another quote or none`, async () => {
    const { seller, buyer, roomId } = await aPair();
    const send = await make();
    const [one, two] = [await say(seller, roomId, "one"), await say(seller, roomId, "two")];
    const input = { clientId: crypto.randomUUID(), replyTo: one.seq };
    const first = await send(buyer, roomId, input);
    expect(first.ok && first.message.replyTo?.content).toBe("one");
    expect(await send(buyer, roomId, input)).toEqual(first);
    for (const replyTo of [two.seq, undefined])
      expect(await send(buyer, roomId, { ...input, replyTo })).toEqual({
        ok: false,
        code: "CLIENT_ID_REUSED",
      });
  });

  test(`${kind} as a reply to a notice, a message to come, another room's or none is refused, and stores nothing`, async () => {
    const { seller, buyer, roomId } = await aPair();
    const send = await make();
    const other = await aPair();
    for (let n = 0; n < 5; n++) await say(other.seller, other.roomId, "elsewhere");
    const before = await read(seller, roomId);
    expect(before.at(-1)?.type).toBe("system");
    for (const replyTo of [before.at(-1)?.seq, 2, 5, 999, "0", -1, 1.5, "x"])
      expect([replyTo, await send(buyer, roomId, { replyTo })]).toEqual([replyTo, refused]);
    expect(await read(seller, roomId)).toEqual(before);
  });
}

test("a person who joined later never sees a quote of what was said before, nor may they reply to it", async () => {
  const { seller, buyer, roomId } = await aPair();
  const secret = await say(buyer, roomId, "my account is 5000123456");
  await leaveRoom(buyer.actor, roomId);
  const late = await someone("Late");
  expect((await joinByCode(late.actor, { code: await inviteCodeOf(seller, roomId) })).ok).toBe(true);
  const frames = await framesDuring(roomId, () => say(seller, roomId, "about that", secret.seq));
  expect(frames).toContain("about that");
  expect(frames).not.toContain("5000123456");
  const seen = await read(late, roomId);
  expect(seen.at(-1)?.content).toBe("about that");
  expect(JSON.stringify(seen)).not.toContain("5000123456");
  expect(seen.at(-1)?.replyTo).toBeUndefined();
  // The one who saw it keeps the quote.
  expect((await read(seller, roomId)).at(-1)?.replyTo?.content).toBe("my account is 5000123456");
  expect(await sendMessage(late.actor, roomId, { content: "what?", replyTo: secret.seq })).toEqual(refused);
});

describe("a picture or a PDF as a reply", () => {
  test("quotes the message for its sender, its reader, the frame and the transcript", async () => {
    const { seller, buyer, roomId } = await aPair();
    const first = await say(seller, roomId, "Show me the payment");
    const quote = { seq: first.seq, senderId: seller.id, type: "text" as const, content: first.content };
    for (const picture of [await aPicture(), makePdf()]) {
      const frames = await framesDuring(roomId, async () => {
        const sent = await sendFile(buyer, roomId, { picture, caption: "Here", replyTo: String(first.seq) });
        expect(sent.ok && sent.message).toMatchObject({ type: "image", replyTo: quote });
      });
      expect(frames).toContain(JSON.stringify(JSON.stringify(quote)).slice(1, -1));
      expect((await read(seller, roomId)).at(-1)).toMatchObject({ content: "Here", replyTo: quote });
      const page = await readTranscriptPage(db(), roomId, { limit: 5, language: "en" });
      expect(page.at(-1)?.replyTo).toEqual(quote);
    }
  });

  test("of what was said before a reader joined shows them no quote, nor may they send one", async () => {
    const { seller, buyer, roomId } = await aPair();
    const secret = await say(buyer, roomId, "my account is 5000123456");
    await leaveRoom(buyer.actor, roomId);
    const late = await someone("Late");
    expect((await joinByCode(late.actor, { code: await inviteCodeOf(seller, roomId) })).ok).toBe(true);
    const picture = await aPicture();
    const sent = { picture, caption: "about that", replyTo: secret.seq };
    const frames = await framesDuring(roomId, () => sendFile(seller, roomId, sent));
    expect(frames).toContain("about that");
    const seen = await read(late, roomId);
    expect(seen.at(-1)).toMatchObject({ type: "image", content: "about that" });
    expect(frames + JSON.stringify(seen)).not.toContain("5000123456");
    expect((await read(seller, roomId)).at(-1)?.replyTo?.content).toBe("my account is 5000123456");
    expect(await sendFile(late, roomId, { picture, replyTo: secret.seq })).toEqual(refused);
  });
});

test("what a message replies to is part of its digest", async () => {
  const { seller, buyer, roomId } = await aPair();
  const [one, two] = [await say(seller, roomId, "one"), await say(seller, roomId, "two")];
  const reply = await say(buyer, roomId, "yes", one.seq);
  const stateOf = async () => {
    const proofs = await messageProofs(db(), roomId);
    return proofs.find(({ seq }) => seq === reply.seq);
  };
  expect(await stateOf()).toMatchObject({ state: "proved" });
  expect((await stateOf())?.fields?.slice(-2)).toEqual(["reply", String(one.seq)]);
  await ownerDatabase().execute(
    sql`UPDATE rooms.messages SET reply_to = ${two.seq} WHERE room_id = ${roomId} AND seq = ${reply.seq}`,
  );
  expect(await stateOf()).toMatchObject({ state: "altered" });
});
