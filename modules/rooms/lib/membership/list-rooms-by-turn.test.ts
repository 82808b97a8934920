import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { overrideConfig } from "#config";
import { runInTransaction } from "#db/client";
import { setClock } from "#db/clock";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { endRoom } from "../core/room-locks.ts";
import { aPair, someone, type TestPerson, unthrottled, withoutTrades } from "../core/rooms.fixture.ts";
import { sendMessage } from "../messages/send-message.ts";
import { createRoom } from "./create-room.ts";
import { joinByCode } from "./join-room.ts";
import { type GroupedRoomCard, listRoomsByTurn, type RoomTurn, searchRooms } from "./list-rooms-by-turn.ts";

useDatabase();
unthrottled();
withoutTrades();

const names = (list: { rooms: { name: string }[] }) => list.rooms.map(({ name }) => name);

/** What a search finds; throws if it was refused. */
async function searched(person: TestPerson, q: string, including: number[] = []) {
  const list = await searchRooms(person.actor, { q }, [], including);
  if (!list.ok) throw new Error(list.code);
  return list;
}

async function room(creator: TestPerson, name: string) {
  const made = await createRoom(creator.actor, { name });
  if (!made.ok) throw new Error(made.code);
  return made.room;
}

const start = Date.parse("2026-01-01T00:00:00Z");
let undo: () => void = () => {};
afterEach(() => undo());

/** Creates rooms of one person, a minute apart: "Room 1" is the oldest. */
async function roomsOf(person: TestPerson, count: number) {
  const made = [];
  for (let n = 1; n <= count; n++) {
    undo = setClock(() => new Date(start + n * 60_000));
    made.push(await room(person, `Room ${n}`));
    undo();
  }
  return made;
}

/** All pages of the list one after another, and how many there were. */
async function readPages(person: TestPerson, turns: readonly RoomTurn[], limit: number, q?: string) {
  const rooms: GroupedRoomCard[] = [];
  let before: string | null = null;
  for (let pages = 1; ; pages++) {
    const page: { limit: number; before?: string } = { limit, ...(before !== null && { before }) };
    const list: Awaited<ReturnType<typeof searchRooms>> =
      q === undefined
        ? await listRoomsByTurn(person.actor, page, turns)
        : await searchRooms(person.actor, { ...page, q }, turns);
    if (!list.ok) throw new Error(list.code);
    rooms.push(...list.rooms);
    before = list.next;
    if (before === null) return { rooms, pages };
  }
}

const due = (minutes: number) => new Date(start + minutes * 60_000).toISOString();

describe("the order of rooms by who acts next", () => {
  test("holds over all pages: the reader's turn by deadline, then others', then what has ended", async () => {
    const person = await someone();
    const ids = (await roomsOf(person, 9)).map(({ id }) => id);
    const turn = (n: number, group: RoomTurn["group"], dueAt: string | null = null): RoomTurn => ({
      ...{ roomId: ids[n - 1] ?? 0, group, dueAt },
    });
    const turns = [
      turn(9, "finished"),
      turn(8, "waiting", due(1)),
      turn(7, "finished"),
      turn(6, "yours", due(90)),
      turn(4, "waiting"),
      turn(3, "yours"),
      turn(2, "yours", due(60)),
    ];
    // Rooms 5 and 1 have no trade: their creator still has to invite somebody.
    const order = [2, 6, 5, 3, 1, 8, 4, 9, 7].map((n) => `Room ${n}`);
    for (const limit of [1, 2, 4, 9, 24]) {
      const { rooms, pages } = await readPages(person, turns, limit);
      expect([limit, pages, names({ rooms })]).toEqual([limit, Math.ceil(9 / limit), order]);
      expect(rooms.map(({ group, groupSize }) => `${group} ${groupSize}`)).toEqual([
        ...Array(5).fill("yours 5"),
        ...Array(2).fill("waiting 2"),
        ...Array(2).fill("finished 2"),
      ]);
    }
    // A search shows the same order, and counts what it found.
    const found = await readPages(person, turns, 2, "room");
    expect(names(found)).toEqual(order);
    const one = await readPages(person, turns, 2, "room 6");
    expect(one.rooms.map(({ name, groupSize }) => [name, groupSize])).toEqual([["Room 6", 1]]);
  });

  test("without a trade it is the seller's turn, or whoever has to invite the other; a room that ended is finished", async () => {
    const { seller, buyer, roomId } = await aPair();
    const groupFor = async (person: TestPerson) => (await readPages(person, [], 24)).rooms[0]?.group;
    expect([await groupFor(seller), await groupFor(buyer)]).toEqual(["yours", "waiting"]);
    const alone = await someone();
    expect((await createRoom(alone.actor, { name: "Alone", role: "buyer" })).ok).toBe(true);
    expect(await groupFor(alone)).toBe("yours");
    await runInTransaction((tx) => endRoom(tx, roomId));
    expect([await groupFor(seller), await groupFor(buyer)]).toEqual(["finished", "finished"]);
  });

  test("shows each room once whatever the turns are", async () => {
    const person = await someone();
    const ids = (await roomsOf(person, 6)).map(({ id }) => id);
    const group = fc.constantFrom("yours" as const, "waiting" as const, "finished" as const);
    const dueAt = fc.option(fc.constantFrom(due(1), due(2)));
    const turn = fc.record({ roomId: fc.constantFrom(...ids), group, dueAt });
    const lists = fc.uniqueArray(turn, { selector: ({ roomId }) => roomId });
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 4 }), async (turns, limit) => {
        const whole = (await readPages(person, turns, 24)).rooms;
        const { rooms } = await readPages(person, turns, limit);
        expect(rooms).toEqual(whole);
        expect(new Set(rooms.map(({ id }) => id)).size).toBe(6);
        const groups = rooms.map((each) => ["yours", "waiting", "finished"].indexOf(each.group));
        expect(groups).toEqual(groups.toSorted());
      }),
      { numRuns: 20 },
    );
  });

  test("a message moves a room within its group only", async () => {
    const person = await someone();
    const ids = (await roomsOf(person, 3)).map(({ id }) => id);
    const turns: RoomTurn[] = [{ roomId: ids[0] ?? 0, group: "waiting", dueAt: null }];
    await sendMessage(person.actor, ids[0] ?? 0, { content: "up" });
    expect(names(await readPages(person, turns, 24))).toEqual(["Room 3", "Room 2", "Room 1"]);
    await sendMessage(person.actor, ids[1] ?? 0, { content: "up" });
    expect(names(await readPages(person, turns, 24))).toEqual(["Room 2", "Room 3", "Room 1"]);
  });

  test.each([{ limit: 0 }, { before: "x" }, { before: "1-1" }, { before: "3-1-1-1" }, { before: "0-1-1-0" }])(
    "is refused for %p",
    async (page) => {
      const person = await someone();
      const refusal = { ok: false, code: "VALIDATION" };
      expect(await listRoomsByTurn(person.actor, page, [])).toMatchObject(refusal);
      expect(await searchRooms(person.actor, { ...page, q: "x" }, [])).toMatchObject(refusal);
    },
  );

  test("beyond any possible position is empty", async () => {
    const person = await someone();
    await room(person, "Room");
    const far = "9".repeat(16);
    const at = async (before: string) => await listRoomsByTurn(person.actor, { before }, []);
    expect(await at(`2-${far}-${far}-${far}`)).toMatchObject({ rooms: [] });
    expect(await at(`0-0-${far}-${far}`)).toMatchObject({ rooms: [{ name: "Room" }] });
  });
});

describe("a room search", () => {
  test("finds rooms by name and by the other side, in any case and alphabet", async () => {
    const { seller, roomId } = await aPair();
    const other = await room(seller, "Тоглоом");
    await joinByCode((await someone("Болд")).actor, { code: other.inviteCode });
    await room(seller, "Ховор ӨНГӨ");
    await room(seller, "Өөр");
    const found = async (q: string) => names(await searched(seller, q));
    expect(await found("ховор  өнгө")).toEqual(["Ховор ӨНГӨ"]);
    expect(await found("GAME")).toEqual(["A game account"]);
    expect(await found("болд")).toEqual(["Тоглоом"]);
    expect(await found("buyer")).toEqual(["A game account"]);
    expect(await found("өн%")).toEqual([]);
    expect(await found("seller")).toEqual([]);
    expect(names(await searched(seller, "nothing", [roomId]))).toEqual(["A game account"]);
  });

  test.each(["x".repeat(101), "", undefined])("is refused for %p", async (q) => {
    const person = await someone();
    expect(await searchRooms(person.actor, { q }, [])).toMatchObject({ ok: false, code: "VALIDATION" });
  });

  test("finds nobody else's rooms, whatever it is told to include", async () => {
    const { roomId } = await aPair();
    const stranger = await someone();
    expect((await searched(stranger, "game", [roomId])).rooms).toEqual([]);
  });

  test("is throttled; the list itself is not", async () => {
    const person = await someone();
    await room(person, "Room");
    overrideConfig({ THROTTLE_FACTOR: 0.1 });
    const found = [];
    for (let n = 0; n < 4; n++) found.push(await searchRooms(person.actor, { q: "room" }, []));
    const plain = await listRoomsByTurn(person.actor, {}, []);
    overrideConfig({ THROTTLE_FACTOR: 10_000 });
    expect(found.filter(({ ok }) => ok)).toHaveLength(3);
    expect(found[3]).toEqual({ ok: false, code: "THROTTLED", retryAfterSeconds: expect.any(Number) });
    expect(plain.ok && names(plain)).toEqual(["Room"]);
  });
});
