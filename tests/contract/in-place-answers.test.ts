import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { expectStatus, makeRoomPair, type Person } from "../support/people/registered-people.ts";
import type { Reply } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";

// Forms as a script posts them: the answer is what the page now shows, in one round trip.

setDefaultTimeout(60_000);

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

function postInPlace(
  who: Person,
  path: string,
  fields: Record<string, string>,
  at = path,
  user?: string,
): Promise<Reply> {
  const headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Midman-In-Place": at,
    ...(user !== undefined && { "X-Midman-User": user }),
  };
  return who.send("POST", path, new URLSearchParams(fields).toString(), headers);
}

const partsOf = (html: string) => [...html.matchAll(/data-part="([^"]+)"/g)].map(([, name]) => name);

const messageOf = (turn: number) => ({
  type: "text",
  content: `word-${turn} ${"and so on ".repeat(turn)}`,
});

/** Bytes of a packed answer: the most that a connection's first flight carries, whatever the room has to show beside it. */
const largestAnswer = 14_000;

/** What a page has that no answer in place shows. */
const outsideParts = ["word-19 ", "data-island", "<script", "<header", "data-unsent"];

const request = { form: "create-trade", amount: "120000", feePayer: "split", goods: "account" };

test("a redirect to the page shown is followed, with its toast, which is not shown again", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  const path = `/chat/${roomId}`;
  expect(expectStatus(await postInPlace(seller, path, request), 200).text).toContain("data-review");
  const done = expectStatus(await postInPlace(seller, path, { ...request, confirmed: "1" }), 200);
  expect(done.headers.get("content-location")).toBe(path);
  expect(done.text).toMatch(/data-toast="success"/);
  expect(done.text).toContain("data-status=");
  expect((await seller.get(path)).text).not.toMatch(/data-toast="success"/);
});

test("an answer has every part of the page, and neither the conversation nor what is around it", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  const path = `/chat/${roomId}`;
  for (let turn = 0; turn < 20; turn++)
    expectStatus(await seller.post(`/api/chat/rooms/${roomId}/messages`, messageOf(turn)), 200, 201);
  const whole = expectStatus(await seller.get(path), 200).text;
  expect(outsideParts.filter((mark) => whole.includes(mark))).toEqual(outsideParts);
  const wrong = expectStatus(await postInPlace(seller, path, { ...request, amount: "" }), 422).text;
  const done = expectStatus(await postInPlace(seller, path, { ...request, confirmed: "1" }), 200).text;
  for (const answer of [wrong, done]) {
    expect(partsOf(answer)).toEqual(partsOf(whole));
    expect(outsideParts.filter((mark) => answer.includes(mark))).toEqual([]);
    expect(Bun.gzipSync(answer).byteLength).toBeLessThan(largestAnswer);
  }
});

test("nothing is posted in the name of another person who has signed in since, and the answer shows only that", async () => {
  const { seller, buyer, roomId } = await makeRoomPair(server);
  const path = `/chat/${roomId}`;
  const user = /data-in-place="[^"]*" data-user="(\d+)"/.exec((await seller.get(path)).text)?.[1] ?? "";
  expect(user).toBe(String(seller.id));
  const confirmed = { ...request, confirmed: "1" };
  for (const other of [String(buyer.id), "nobody"]) {
    const refused = expectStatus(await postInPlace(seller, path, confirmed, path, other), 409);
    expect(refused.text).toContain("Another person has signed in here");
    expect(partsOf(refused.text)).toEqual([]);
    expect(refused.headers.get("midman-next-page")).toBeNull();
  }
  expect(expectStatus(await seller.get(`/api/chat/rooms/${roomId}/transactions`), 200).list).toEqual([]);
  expect(expectStatus(await postInPlace(seller, path, confirmed, path, user), 200).text).toMatch(
    /data-toast="success"/,
  );
});

test("wrong input is answered as without a script", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  const wrong = await postInPlace(seller, `/chat/${roomId}`, { ...request, amount: "" });
  expect(expectStatus(wrong, 422).text).toContain("aria-invalid");
});

test("another page is named, and its toast waits there", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  const left = await postInPlace(seller, `/chat/${roomId}`, { form: "leave" });
  expect([expectStatus(left, 204).headers.get("midman-next-page"), left.text]).toEqual(["/chat", ""]);
  expect((await seller.get("/chat")).text).toMatch(/data-toast="success"/);
});

test("a page that is shown at several addresses names them all", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  const path = `/chat/${roomId}`;
  const swapped = { form: "swap-roles", user: String(seller.id), role: "buyer" };
  const at = `/elsewhere ${path}`;
  expect(expectStatus(await postInPlace(seller, path, swapped, at), 200).text).toContain("data-part");
  const away = await postInPlace(seller, path, { ...swapped, role: "seller" }, "/elsewhere");
  expect(expectStatus(away, 204).headers.get("midman-next-page")).toBe(path);
});

test("who is signed out is led to the sign-in", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  expectStatus(await seller.send("POST", "/logout", ""), 303);
  const answer = await postInPlace(seller, `/chat/${roomId}`, request);
  expect(expectStatus(answer, 204).headers.get("midman-next-page")).toStartWith("/?next=");
});
