import { afterEach, expect, spyOn, test } from "bun:test";
import { fetchSeats, fetchSuspension } from "./room-api.ts";

const asked = spyOn(globalThis, "fetch");

afterEach(() => asked.mockReset());

/** A response whose headers arrive and whose body is cut off. */
function cut(): Response {
  const body = new ReadableStream({ pull: (stream) => stream.error(new Error("the connection was cut")) });
  return new Response(body);
}

test("an answer that is cut in its body counts as one that failed", async () => {
  asked.mockImplementation((async () => cut()) as unknown as typeof fetch);
  expect(await fetchSuspension()).toBeUndefined();
  expect(await fetchSeats(1)).toBeUndefined();
  expect(asked).toHaveBeenCalledTimes(2);
});
