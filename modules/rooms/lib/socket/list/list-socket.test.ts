import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { overrideConfig } from "#config";
import { listEntries } from "#modules/audit";
import { signOut } from "#modules/identity";
import { useDatabase } from "../../../../../tests/support/database/test-database.ts";
import {
  aPair,
  aRoom,
  someone,
  type TestPerson,
  unthrottled,
  withoutTrades,
} from "../../core/rooms.fixture.ts";
import { deleteRoom } from "../../membership/delete-room.ts";
import { joinByCode } from "../../membership/join-room.ts";
import { leaveRoom } from "../../membership/leave-room.ts";
import { markRead } from "../../messages/mark-read.ts";
import { sendMessage } from "../../messages/send-message.ts";
import { maxSocketsPerPerson, socketTimings } from "../limits.ts";
import { eventually, listen, openSocket } from "../socket.fixture.ts";
import { closeSockets, startRooms, stopRooms } from "../socket-lifecycle.ts";
import { presentMembers } from "./present-members.ts";

// Registered before the database's own hook, so it runs first.
afterAll(async () => {
  closeSockets();
  await stopRooms();
  here.stop();
});

useDatabase();
unthrottled();
withoutTrades();
let here: ReturnType<typeof listen>;

beforeAll(async () => {
  socketTimings.heartbeat = 200;
  socketTimings.lease = 1000;
  await startRooms();
  here = listen();
});

const openList = (person: TestPerson | null, options: Parameters<typeof openSocket>[3] = {}) =>
  openSocket(here.port, person, 0, { query: "list=rooms", ...options });

type List = Awaited<ReturnType<typeof openList>>;

/** Does something and waits until the list has been told of it. */
async function expectTold(list: List, work: () => unknown): Promise<void> {
  const before = list.heard.length;
  await work();
  await eventually(() => list.heard.length > before);
}

const say = async (person: TestPerson, roomId: number) =>
  expect(await sendMessage(person.actor, roomId, { content: "Hello" })).toMatchObject({ ok: true });

describe("the socket of a list of rooms", () => {
  test("says that a room has changed, and nothing else", async () => {
    const { seller, buyer, roomId } = await aPair();
    const list = await openList(buyer);
    await expectTold(list, () => say(seller, roomId));
    await expectTold(list, () => markRead(buyer.actor, roomId, 2));
    await expectTold(list, () => leaveRoom(seller.actor, roomId));
    expect(new Set(list.heard.map((frame) => JSON.stringify(frame)))).toEqual(
      new Set(['{"type":"rooms_changed"}']),
    );
    list.close();
  });

  test("is told once a second at most, however much is written", async () => {
    const { seller, buyer, roomId } = await aPair();
    const list = await openList(buyer);
    const began = Date.now();
    for (let n = 0; n < 20; n++) await say(seller, roomId);
    await eventually(() => list.heard.length > 1);
    expect(list.heard.length).toBeLessThanOrEqual(2 + Math.floor((Date.now() - began) / 1_000));
    list.close();
  });

  test("hears nothing of others' rooms, of typing, or of what somebody else has read", async () => {
    const { seller, buyer, roomId } = await aPair();
    const [stranger, ends] = [await someone(), await aPair()];
    const [quiet, list] = [await openList(stranger), await openList(buyer)];
    const room = await openSocket(here.port, seller, roomId);
    await eventually(() => list.heard.length > 1);
    const told = list.heard.length;
    room.say({ type: "typing_start" });
    room.say({ type: "read", seq: 1 });
    room.say({ type: "typing_end" });
    await say(ends.seller, ends.roomId);
    // A frame that comes after those: the same socket is asked for the time.
    room.say({ type: "ping" });
    await room.hear("typing_end");
    await room.hear("read");
    expect([quiet.heard.length, list.heard.length]).toEqual([1, told]);
    for (const socket of [quiet, list, room]) socket.close();
  });

  test("hears of a room that its person opens or joins elsewhere, and no more of one that they left", async () => {
    const [person, other] = [await someone(), await someone()];
    const list = await openList(person);
    let room = await aRoom(other);
    await expectTold(list, () => joinByCode(person.actor, { code: room.inviteCode }));
    await expectTold(list, () => say(other, room.id));
    await expectTold(list, () => leaveRoom(person.actor, room.id));
    await expectTold(list, async () => {
      room = await aRoom(person);
    });
    await expectTold(list, () => deleteRoom(person.actor, room.id));
    list.close();
  });

  test("is told who comes and goes, and the server knows who is present in the rooms that it shows", async () => {
    const { seller, buyer, roomId } = await aPair();
    const list = await openList(buyer);
    let room = await openSocket(here.port, seller, roomId);
    const present = () => presentMembers([roomId]).get(roomId);
    await eventually(() => present()?.some(({ userId }) => userId === seller.id) === true);
    await expectTold(list, () => room.close());
    await eventually(() => present()?.length === 0);
    await expectTold(list, async () => {
      room = await openSocket(here.port, seller, roomId);
    });
    for (const socket of [room, list]) socket.close();
  });
});

describe("the socket of a list is closed", () => {
  test("without a session, with another's id, and within a second of the end of its session", async () => {
    const [one, two] = [await someone(), await someone()];
    expect(await (await openList(null)).closed()).toBe(4401);
    expect(await (await openList(one, { userId: two.id })).closed()).toBe(4403);
    const list = await openList(one);
    const from = Date.now();
    await signOut(one.actor);
    expect(await list.closed()).toBe(4401);
    expect(Date.now() - from).toBeLessThan(1_000);
    expect(await (await openList(one)).closed()).toBe(4401);
  });

  test("if it sends anything, and leaves no entry in the log", async () => {
    const person = await someone();
    const list = await openList(person);
    for (let n = 0; n < 5; n++) list.say({ type: "ping" });
    expect(await list.closed()).toBe(4400);
    const { entries } = await listEntries({ userId: person.id, action: "websocket_connect", limit: 10 });
    expect(entries).toEqual([]);
  });

  test("if its person has too many, counted with those of rooms", async () => {
    const { seller, roomId } = await aPair();
    overrideConfig({ THROTTLE_FACTOR: 1 });
    const open = await Promise.all(
      Array.from({ length: maxSocketsPerPerson }, (_, n) =>
        n % 2 ? openList(seller) : openSocket(here.port, seller, roomId),
      ),
    );
    expect(await (await openList(seller)).closed()).toBe(4429);
    overrideConfig({ THROTTLE_FACTOR: 10_000 });
    for (const socket of open) socket.close();
  });

  test("when the server stops, with the code after which another is opened", async () => {
    const [person, instance] = [await someone(), listen()];
    const list = await openSocket(instance.port, person, 0, { query: "list=rooms" });
    closeSockets();
    expect(await list.closed()).toBe(1012);
    const late = await fetch(`http://127.0.0.1:${instance.port}/ws?list=rooms`, {
      headers: { connection: "Upgrade", upgrade: "websocket", cookie: person.cookie },
    });
    expect(late.status).toBe(400);
    instance.stop();
  });
});
