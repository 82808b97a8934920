import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { expectStatus, makeRoomPair, type Person } from "../support/people/registered-people.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";

/** Where the new messages begin, in a room where many were missed, as a browser without scripts has it. */

setDefaultTimeout(60_000);
let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
}, 240_000);

const say = async (by: Person, roomId: number, content: string) =>
  expectStatus(await by.post(`/api/chat/rooms/${roomId}/messages`, { content, type: "text" }), 201);

/** The conversation as it is read, from `id="new"` on where there is one. */
async function read(by: Person, path: string) {
  const { text } = expectStatus(await by.get(path), 200);
  const [before = "", from] = text.split('<li id="new"');
  const list = (from ?? before.slice(before.indexOf('role="log"'))).split('id="composer"')[0] ?? "";
  const lines = [...list.matchAll(/line (\d+)\./g)].map(([, line]) => Number(line));
  const href = /href="([^"]*\?new=[^"]*)"/.exec(text)?.[1];
  const count = /See (\d+) new messages?/.exec(text)?.[1];
  return { divided: from !== undefined, lines, href, count };
}

async function unread(by: Person, roomId: number): Promise<number | undefined> {
  const room = expectStatus(await by.get("/api/chat/rooms"), 200).list.find(({ id }) => id === roomId);
  return room?.unread as number | undefined;
}

test("someone who missed many messages sees how many, and a link to where they start and onwards", async () => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const room = `/chat/${roomId}`;
  await say(seller, roomId, "Hello");
  await buyer.get(room);
  for (let n = 1; n <= 220; n++) await say(seller, roomId, `line ${n}.`);
  await say(buyer, roomId, "my own");
  // A page fetched in case somebody opens it reads nothing, nor does one of older messages.
  await buyer.send("GET", room, undefined, { "Sec-Purpose": "prefetch" });
  await buyer.get(`${room}?new=2`);
  expect(await unread(buyer, roomId)).toBe(100);
  const opened = await read(buyer, room);
  expect(opened).toMatchObject({ divided: false, count: "220", href: `${room}?new=2#new` });
  expect([opened.lines[0], opened.lines.at(-1)]).toEqual([197, 220]);
  const first = await read(buyer, `${room}?new=2`);
  expect([first.divided, first.lines[0], first.lines.at(-1), first.count]).toEqual([true, 1, 99, undefined]);
  const second = await read(buyer, first.href?.split("#")[0] ?? "");
  expect([second.divided, second.lines[0], second.lines.at(-1)]).toEqual([true, 100, 198]);
  const third = await read(buyer, second.href?.split("#")[0] ?? "");
  expect([third.lines[0], third.lines.at(-1), third.href]).toEqual([199, 220, undefined]);
  // Once it was opened, nothing of it is new any more.
  expect(await read(buyer, room)).toMatchObject({ divided: false, count: undefined, href: undefined });
});

test("a page that shows all new messages has no link, and a first-time reader sees the latest", async () => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  for (let n = 1; n <= 110; n++) await say(seller, roomId, `line ${n}.`);
  expect((await read(buyer, `/chat/${roomId}`)).href).toBeUndefined();
  for (let n = 111; n <= 160; n++) await say(seller, roomId, `line ${n}.`);
  const opened = await read(buyer, `/chat/${roomId}`);
  expect([opened.divided, opened.lines[0], opened.href]).toEqual([true, 111, undefined]);
});

test("an address without a valid message shows the end", async () => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  for (let n = 1; n <= 30; n++) await say(seller, roomId, `line ${n}.`);
  for (const wrong of ["abc", "-1", "1.5", "0", "1e3", "999999999", "99999999999999999999", ""]) {
    const shown = await read(buyer, `/chat/${roomId}?new=${wrong}`);
    expect([wrong, shown.lines.at(-1), shown.href]).toEqual([wrong, 30, undefined]);
  }
  expect((await buyer.get("/chat/999999?new=3")).status).toBe(404);
});
