import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { db, runInTransaction } from "#db/client";
import { listEntries } from "#modules/audit";
import { changePassword, signOut } from "#modules/identity";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { broadcastFrame } from "../core/broadcast.ts";
import { aPair, aRoom, someone, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { membersTable } from "../core/schema.ts";
import { deleteRoom } from "../membership/delete-room.ts";
import { joinByCode } from "../membership/join-room.ts";
import { leaveRoom } from "../membership/leave-room.ts";
import { setRole } from "../membership/set-role.ts";
import { readHistory } from "../messages/history.ts";
import { sendMessage } from "../messages/send-message.ts";
import { socketTimings } from "./limits.ts";
import { eventually, listen, openSocket } from "./socket.fixture.ts";
import { closeSockets, startRooms, stopRooms } from "./socket-lifecycle.ts";

// Registered before the database's own hook, so it runs first.
afterAll(async () => {
  closeSockets();
  await stopRooms();
  here.stop();
  there.stop();
});

useDatabase();
unthrottled();
withoutTrades();
let here: ReturnType<typeof listen>;
let there: ReturnType<typeof listen>;

beforeAll(async () => {
  socketTimings.heartbeat = 200;
  socketTimings.lease = 1000;
  await startRooms();
  here = listen();
  there = listen();
});

describe("the upgrade", () => {
  test("is refused to pages of other sites, and open to Midman's own and to programs", async () => {
    const { seller, roomId } = await aPair();
    const url = `http://127.0.0.1:${here.port}/ws?roomId=${roomId}&userId=${seller.id}`;
    const upgrade = { connection: "Upgrade", upgrade: "websocket", cookie: seller.cookie };
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) {
      expect((await fetch(url, { headers: { ...upgrade, ...headers } })).status).toBe(403);
    }
    const own = await openSocket(here.port, seller, roomId, {
      headers: { origin: `http://127.0.0.1:${here.port}` },
    });
    expect(own.heard[0]).toMatchObject({ type: "heartbeat", seq: 1 });
    expect((await fetch(url, { headers: { cookie: seller.cookie } })).status).toBe(400);
    own.close();
  });

  test("without a session, as another person, or without membership is closed and receives nothing", async () => {
    const { seller, buyer, roomId } = await aPair();
    const stranger = await someone();
    const sockets = await Promise.all([
      openSocket(here.port, null, roomId),
      openSocket(here.port, seller, roomId, { userId: buyer.id }),
      openSocket(here.port, stranger, roomId),
      openSocket(here.port, stranger, 999_999),
      openSocket(here.port, stranger, "1e400"),
      openSocket(here.port, stranger, "%00"),
    ]);
    expect(await Promise.all(sockets.map((socket) => socket.closed()))).toEqual([
      4401, 4403, 4404, 4404, 4404, 4404,
    ]);
    expect(sockets.flatMap(({ heard }) => heard)).toEqual([]);
  });

  test("and the end of a socket are logged", async () => {
    const { seller, roomId } = await aPair();
    const socket = await openSocket(here.port, seller, roomId);
    socket.close();
    const actions = async () =>
      (await listEntries({ roomId, userId: seller.id })).entries.map(({ action }) => action);
    await eventually(async () => (await actions()).includes("websocket_disconnect"));
    expect(await actions()).toContain("websocket_connect");
  });
});

describe("a message", () => {
  test("sent on one instance is acknowledged there and received on the other, each in the reader's language", async () => {
    const { seller, buyer, roomId } = await aPair();
    const sender = await openSocket(here.port, seller, roomId);
    const reader = await openSocket(there.port, buyer, roomId, { language: "mn" });
    const clientId = crypto.randomUUID();
    sender.say({ type: "chat", clientId, payload: { content: "Сайн уу", type: "text" } });
    expect(await sender.hear("ack")).toEqual({
      type: "ack",
      clientId,
      seq: 2,
      id: expect.any(Number),
    } as never);
    const heard = await reader.hear("chat");
    expect(heard).toMatchObject({ seq: 2, payload: { content: "Сайн уу", senderId: seller.id, clientId } });
    expect((await sender.hear("chat")).payload).toEqual(heard.payload);
    await setRole(seller.actor, roomId, seller.id, "buyer");
    const notice = await reader.hear("chat", ({ seq }) => seq === 3);
    expect(notice.payload.content).toBe("Өрөө нээсэн хүн үүргээ сольж, худалдан авагч боллоо");
    expect((await sender.hear("chat", ({ seq }) => seq === 3)).payload.content).toContain(
      "switched the roles",
    );
    expect(await reader.hear("user_role_update")).toMatchObject({ payload: { sellerId: buyer.id } });
    sender.close();
    reader.close();
  });

  test("sent again after a lost acknowledgement is the same one", async () => {
    const { seller, roomId } = await aPair();
    const socket = await openSocket(here.port, seller, roomId);
    const frame = { type: "chat", clientId: crypto.randomUUID(), payload: { content: "once" } };
    socket.say(frame);
    socket.say(frame);
    await eventually(() => socket.heard.filter(({ type }) => type === "ack").length === 2);
    expect(socket.heard.filter(({ type }) => type === "ack").map(({ seq }) => seq)).toEqual([2, 2]);
    expect(socket.heard.filter(({ type }) => type === "chat")).toHaveLength(1);
    socket.close();
  });

  test("that breaks a rule is refused with its client id and a reason, and the socket stays open", async () => {
    const { seller, roomId } = await aPair();
    const socket = await openSocket(here.port, seller, roomId);
    socket.say({ type: "chat", clientId: "not-a-uuid", payload: { content: "x" } });
    expect(await socket.hear("refused")).toMatchObject({ code: "VALIDATION", clientId: "not-a-uuid" });
    const clientId = crypto.randomUUID();
    socket.say({ type: "chat", clientId, payload: { content: "  " } });
    const refused = await socket.hear("refused", (frame) => frame.clientId === clientId);
    expect(refused.message).toBe("Please write a message");
    const hidden = crypto.randomUUID();
    socket.say({ type: "chat", clientId: hidden, payload: { content: "\u200b\u3164" } });
    const unseen = await socket.hear("refused", (frame) => frame.clientId === hidden);
    expect(unseen.message).toBe("Please write a message");
    socket.say({ type: "chat", clientId, payload: { content: "paid", type: "payment" } });
    await eventually(() => socket.heard.filter(({ type }) => type === "refused").length === 4);
    socket.say({ type: "chat", payload: { content: "fine" } });
    await socket.hear("ack");
    socket.close();
  });

  test("by a member keeps its order, however fast they come", async () => {
    const { seller, roomId } = await aPair();
    const socket = await openSocket(here.port, seller, roomId);
    for (let n = 0; n < 50; n++) socket.say({ type: "chat", payload: { content: `${n}` } });
    await eventually(() => socket.heard.filter(({ type }) => type === "ack").length === 50);
    const read = await readHistory(seller.actor, roomId, { after: 1 });
    expect(read.ok && read.messages.map(({ content }) => content)).toEqual(
      Array.from({ length: 50 }, (_, n) => `${n}`),
    );
    socket.close();
  });
});

describe("a reading mark", () => {
  test("set on one instance is sent on the other, once, and in order with earlier messages", async () => {
    const { seller, buyer, roomId } = await aPair();
    const writer = await openSocket(here.port, seller, roomId);
    const reader = await openSocket(there.port, buyer, roomId);
    writer.say({ type: "chat", payload: { content: "read me" } });
    const { seq } = await reader.hear("chat");
    reader.say({ type: "read", seq });
    reader.say({ type: "read", seq });
    reader.say({ type: "read", seq: 1 });
    expect(await writer.hear("read")).toEqual({ type: "read", userId: buyer.id, seq } as never);
    reader.say({ type: "ping" });
    await reader.hear("heartbeat", (frame) => reader.heard.indexOf(frame) > 0 && frame.seq === seq);
    expect(writer.heard.filter(({ type }) => type === "read")).toHaveLength(1);
    reader.say({ type: "read", seq: -1 });
    expect(await reader.hear("refused")).toMatchObject({ code: "VALIDATION" });
    writer.close();
    reader.close();
  });
});

describe("garbage", () => {
  test.each([
    ["no JSON", "{"],
    ["a number", "5"],
    ["null", "null"],
    ["a list", "[[[]]]"],
    ["an unknown type", '{"type":"payment","payload":{"amount":1}}'],
    ["a system message", '{"type":"system","payload":{"content":"paid"}}'],
    ["a chat without a payload", '{"type":"chat"}'],
    ["a bad status", '{"type":"user_status","status":"rich"}'],
  ])("(%s) is refused; after five times the socket is closed", async (_what, frame) => {
    const { seller, roomId } = await aPair();
    const socket = await openSocket(here.port, seller, roomId);
    socket.say(frame);
    expect(await socket.hear("refused")).toMatchObject({ code: "FRAME_INVALID" });
    for (let n = 0; n < 4; n++) socket.say(frame);
    expect(await socket.closed()).toBe(4400);
    const read = await readHistory(seller.actor, roomId);
    expect(read.ok && read.messages).toHaveLength(1);
  });

  test("over 16 KB closes the socket", async () => {
    const { seller, roomId } = await aPair();
    const socket = await openSocket(here.port, seller, roomId);
    socket.say({ type: "chat", payload: { content: "x".repeat(17 * 1024) } });
    expect([1006, 1009]).toContain(await socket.closed());
  });

  test("without end is throttled, then closed", async () => {
    const { seller, roomId } = await aPair();
    const socket = await openSocket(here.port, seller, roomId);
    overrideConfig({ THROTTLE_FACTOR: 1 });
    for (let n = 0; n < 200; n++) socket.say({ type: "typing_start" });
    const code = await socket.closed();
    overrideConfig({ THROTTLE_FACTOR: 10_000 });
    expect(code).toBe(4429);
    expect(socket.heard.find(({ type }) => type === "refused")).toMatchObject({ code: "THROTTLED" });
  });
});

describe("a socket is closed", () => {
  test("on every instance when its session ends, and only that session's", async () => {
    const { seller, buyer, roomId } = await aPair();
    const cut = [await openSocket(here.port, seller, roomId), await openSocket(there.port, seller, roomId)];
    const other = await openSocket(there.port, buyer, roomId);
    await signOut(seller.actor);
    expect(await Promise.all(cut.map((socket) => socket.closed()))).toEqual([4401, 4401]);
    expect(other.isOpen()).toBe(true);
    other.close();
  });

  test("when its session is gone without an announcement: its frames are refused", async () => {
    const { seller, roomId } = await aPair();
    socketTimings.heartbeat = 60_000;
    await Bun.sleep(250);
    const socket = await openSocket(here.port, seller, roomId);
    await forgetSession(seller.actor.sessionId);
    const clientId = crypto.randomUUID();
    socket.say({ type: "chat", clientId, payload: { content: "too late" } });
    expect(await socket.hear("refused")).toMatchObject({ code: "AUTH_REQUIRED", clientId });
    expect(await socket.closed()).toBe(4401);
    socketTimings.heartbeat = 200;
    const [last] = (await listEntries({ roomId, action: "message_sent" })).entries;
    expect(last).toBeUndefined();
    await stopRooms();
    await startRooms();
  });

  test("at the next heartbeat when it only listens", async () => {
    const { seller, buyer, roomId } = await aPair();
    const [one, two] = [
      await openSocket(here.port, seller, roomId),
      await openSocket(here.port, buyer, roomId),
    ];
    await forgetSession(seller.actor.sessionId);
    expect(await one.closed()).toBe(4401);
    await db().delete(membersTable);
    expect(await two.closed()).toBe(4404);
  });

  test("when its member leaves, and when the room is deleted", async () => {
    const { seller, buyer, roomId } = await aPair();
    const [one, two] = [
      await openSocket(here.port, seller, roomId),
      await openSocket(there.port, buyer, roomId),
    ];
    await leaveRoom(buyer.actor, roomId);
    expect(await two.closed()).toBe(4404);
    const left = await one.hear("user_leave");
    expect(left.payload).toMatchObject({ user: { id: buyer.id }, participants: [{ id: seller.id }] });
    await deleteRoom(seller.actor, roomId);
    expect(await one.closed()).toBe(4404);
  });

  test("when the password changes elsewhere", async () => {
    const { buyer, roomId } = await aPair();
    const socket = await openSocket(here.port, buyer, roomId);
    const change = {
      currentPassword: "correct horse",
      newPassword: "a longer horse",
      confirmPassword: "a longer horse",
    };
    expect(await changePassword(buyer.actor, change)).toMatchObject({ ok: true });
    expect(await socket.closed()).toBe(4401);
  });
});

describe("presence", () => {
  test("is sent to members who are there and who arrive, across instances", async () => {
    const { seller, buyer, roomId } = await aPair();
    const one = await openSocket(here.port, seller, roomId);
    one.say({ type: "user_status", status: "busy" });
    await one.hear("user_status", ({ userId, status }) => userId === seller.id && status === "busy");
    const two = await openSocket(there.port, buyer, roomId);
    await two.hear("user_status", ({ userId, status }) => userId === seller.id && status === "busy");
    await one.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "online");
    two.close();
    await one.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "offline");
    one.close();
  });

  test("of two devices is the better one, and ends with the last", async () => {
    const { seller, buyer, roomId } = await aPair();
    const watcher = await openSocket(here.port, seller, roomId);
    const devices = [await openSocket(here.port, buyer, roomId), await openSocket(there.port, buyer, roomId)];
    devices[0]?.say({ type: "user_status", status: "away" });
    devices[1]?.close();
    await watcher.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "away");
    devices[0]?.close();
    await watcher.hear("user_status", ({ userId, status }) => userId === buyer.id && status === "offline");
    const statuses = watcher.heard.filter(
      ({ type, userId }) => type === "user_status" && userId === buyer.id,
    );
    expect(statuses.map(({ status }) => status)).toEqual(["online", "away", "offline"]);
    watcher.close();
  });

  test("lasts as long as the socket", async () => {
    const { seller, buyer, roomId } = await aPair();
    const one = await openSocket(here.port, seller, roomId);
    const two = await openSocket(there.port, buyer, roomId);
    await Bun.sleep(socketTimings.lease * 2);
    expect(one.heard.filter(({ status }) => status === "offline")).toEqual([]);
    one.close();
    two.close();
  });
});

describe("a room", () => {
  test("receives who is typing, who joins, and what happens to its trade", async () => {
    const creator = await someone("Creator");
    const room = await aRoom(creator);
    const one = await openSocket(here.port, creator, room.id);
    const joiner = await someone("Joiner");
    await joinByCode(joiner.actor, { code: room.inviteCode });
    const joined = await one.hear("user_join");
    expect(joined.payload).toMatchObject({
      user: { id: joiner.id },
      participants: [{}, { id: joiner.id, role: "buyer" }],
    });
    expect(JSON.stringify(joined)).not.toMatch(/email|phone|bank|@/);
    const two = await openSocket(there.port, joiner, room.id);
    one.say({ type: "typing_start" });
    expect(await two.hear("typing_start")).toMatchObject({ userId: creator.id });
    one.say({ type: "typing_end" });
    await two.hear("typing_end");
    await runInTransaction(async (tx) =>
      broadcastFrame(tx, room.id, { type: "transaction_update", data: { id: 7 } }),
    );
    expect(await two.hear("transaction_update")).toEqual({
      type: "transaction_update",
      data: { id: 7 },
    } as never);
    one.close();
    two.close();
  });

  test("receives its last seq with every heartbeat and with the reply to a ping", async () => {
    const { seller, roomId } = await aPair();
    const socket = await openSocket(here.port, seller, roomId);
    await sendMessage(seller.actor, roomId, { content: "x" });
    await socket.hear("heartbeat", ({ seq }) => seq === 2);
    const before = socket.heard.length;
    socket.say({ type: "ping" });
    await eventually(() => socket.heard.slice(before).some(({ type }) => type === "heartbeat"));
    socket.close();
  });

  test("of other people receives none of it", async () => {
    const [one, two] = [await aPair(), await aPair()];
    const other = await openSocket(here.port, two.seller, two.roomId);
    const own = await openSocket(here.port, one.seller, one.roomId);
    own.say({ type: "chat", payload: { content: "ours" } });
    await own.hear("chat");
    await Bun.sleep(50);
    expect(other.heard.filter(({ type }) => type === "chat")).toEqual([]);
    own.close();
    other.close();
  });
});

async function forgetSession(id: number): Promise<void> {
  await db().execute(`DELETE FROM identity.sessions WHERE id = ${id}`);
}
