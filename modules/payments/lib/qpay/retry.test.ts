import { expect, test } from "bun:test";
import { type Reply, unknownOutcome } from "./http-exchange.ts";
import { withRetries } from "./retry.ts";

const lost = unknownOutcome("lost");
const refused: Reply = { ok: false, code: "PROVIDER_REFUSED", status: 400, providerCode: "NO" };
const done: Reply = { ok: true, body: 1 };

/** The final reply, the number of attempts, and the waits between them. */
async function ended(replies: Reply[], chances: number[] = [], signal?: AbortSignal) {
  const waits: number[] = [];
  let attempts = 0;
  const how = {
    tries: 5,
    baseMs: 100,
    capMs: 350,
    random: () => chances[waits.length] ?? 0,
    sleep: async (ms: number) => void waits.push(ms),
  };
  const reply = await withRetries(async () => replies[attempts++] ?? lost, how, signal);
  return { reply, attempts, waits };
}

test("each wait is twice the last up to the longest: half fixed, half random", async () => {
  expect(await ended([], [0, 1, 0.5, 0.25])).toEqual({
    reply: lost,
    attempts: 5,
    waits: [50, 200, 262.5, 218.75],
  });
});

test("a response is not retried, even a refusal", async () => {
  expect(await ended([done])).toEqual({ reply: done, attempts: 1, waits: [] });
  expect(await ended([refused])).toEqual({ reply: refused, attempts: 1, waits: [] });
  expect(await ended([lost, refused])).toEqual({ reply: refused, attempts: 2, waits: [50] });
});

test("a call whose time is over is not retried", async () => {
  expect(await ended([], [], AbortSignal.abort())).toEqual({ reply: lost, attempts: 1, waits: [] });
});
