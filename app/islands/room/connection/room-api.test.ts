import { afterEach, expect, spyOn, test } from "bun:test";
import { message, seat } from "../wire-data.fixture.ts";
import { fetchMessagesAfter, fetchMessagesBefore, fetchSeats, fetchSuspension } from "./room-api.ts";

const asked = spyOn(globalThis, "fetch");

afterEach(() => asked.mockReset());
spyOn(console, "warn").mockImplementation(() => {});

/** The server answers each request with the next of these. */
function serverSends(...answers: unknown[]): void {
  asked.mockImplementation((async () => Response.json(answers.shift())) as unknown as typeof fetch);
}

/** A response whose headers arrive and whose body is cut off. */
function cut(): Response {
  const body = new ReadableStream({ pull: (stream) => stream.error(new Error("the connection was cut")) });
  return new Response(body);
}

test("a response that is cut off in its body counts as failed", async () => {
  asked.mockImplementation((async () => cut()) as unknown as typeof fetch);
  expect(await fetchSuspension()).toBeUndefined();
  expect(await fetchSeats(1)).toBeUndefined();
  expect(asked).toHaveBeenCalledTimes(2);
});

test("messages and members that the page cannot read are skipped, and the others kept", async () => {
  const broken = { ...message(2), createdAt: 5 };
  serverSends([message(1), broken, null, message(3)], [seat(1), { ...seat(2), role: "admin" }]);
  expect(await fetchMessagesBefore(1, 4)).toEqual([message(1), message(3)]);
  expect(await fetchSeats(1)).toEqual([seat(1)]);
});

test("a response that is not a list counts as failed", async () => {
  serverSends({ messages: [] }, "none");
  await expect(fetchMessagesBefore(1, 4)).rejects.toThrow("not a list");
  expect(await fetchSeats(1)).toBeUndefined();
});

test("catching up continues after a page with an unreadable message", async () => {
  const page = Array.from({ length: 100 }, (_, n) => message(n + 1));
  serverSends([{ ...message(1), id: null }, ...page.slice(1)], [message(101)]);
  const taken: number[] = [];
  expect(await fetchMessagesAfter(1, 0, (messages) => taken.push(...messages.map(({ seq }) => seq)))).toBe(
    true,
  );
  expect(taken).toEqual(Array.from({ length: 100 }, (_, n) => n + 2));
});
