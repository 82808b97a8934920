import { expect, test } from "bun:test";
import { type HashingPlace, HashingQueue, type HashingRefusal } from "./hashing-queue.ts";

const other = (name: string): HashingPlace => ({ rank: "unknown", name });
const known = (name: string): HashingPlace => ({ rank: "known", name });

/** A queue whose work ends on demand; `order` lists whose work began, in sequence. */
function lineOf(limits: Partial<ConstructorParameters<typeof HashingQueue>[0]> = {}) {
  const line = new HashingQueue(
    { atOnce: 1, waiting: 10, longestWaitMs: 5_000, ...limits },
    (_rank, reason) => new Error(reason),
  );
  const order: string[] = [];
  const ends: Array<() => void> = [];
  const refused: Array<[string, HashingRefusal | string]> = [];
  const ask = (place: HashingPlace, as = place.name) => {
    const work = () => {
      order.push(as);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    return line.run(place, work).catch((error: Error) => refused.push([as, error.message]));
  };
  /** Ends the work that began first, so that the next can begin. */
  const end = async () => {
    ends.shift()?.();
    await Bun.sleep(0);
  };
  const endAll = async () => {
    while (ends.length > 0) await end();
  };
  return { line, order, refused, ask, end, endAll };
}

test("a limited number run at once, and the next starts when one has ended", async () => {
  const { ask, end, order, line } = lineOf({ atOnce: 2 });
  for (const name of ["a", "b", "c"]) void ask(other(name));
  expect(order).toEqual(["a", "b"]);
  expect(line.waiting("unknown")).toBe(1);
  await end();
  expect(order).toEqual(["a", "b", "c"]);
});

test("sources take turns: someone with a hundred requests delays only themselves", async () => {
  const { ask, endAll, order } = lineOf({ waiting: 200 });
  for (let n = 0; n < 100; n++) void ask(other("many"));
  void ask(other("one"));
  void ask(other("two"));
  await endAll();
  expect(order.slice(0, 5)).toEqual(["many", "many", "one", "two", "many"]);
  expect(order).toHaveLength(102);
});

test("known sources go first, and every fourth turn is for unknown ones", async () => {
  const { ask, endAll, order } = lineOf();
  void ask(other("first"));
  for (let n = 0; n < 4; n++) void ask(other("stranger"));
  for (let n = 0; n < 6; n++) void ask(known("friend"));
  await endAll();
  expect(order).toEqual([
    "first",
    ...["friend", "friend", "friend", "stranger"],
    ...["friend", "friend", "friend", "stranger"],
    ...["stranger", "stranger"],
  ]);
});

test("a full queue refuses immediately, but a source with fewer entries replaces the last of the largest one", async () => {
  const { ask, endAll, order, refused, line } = lineOf({ waiting: 3 });
  void ask(other("working"));
  for (const as of ["many 1", "many 2", "many 3", "many 4"]) void ask(other("many"), as);
  await Bun.sleep(0);
  expect(refused).toEqual([["many 4", "full"]]);
  expect(() => line.check(other("many"))).toThrow("full");
  expect(() => line.check(other("newcomer"))).not.toThrow();
  void ask(other("newcomer"));
  await Bun.sleep(0);
  expect(refused.slice(1)).toEqual([["many 3", "displaced"]]);
  await endAll();
  expect(order).toEqual(["working", "many 1", "newcomer", "many 2"]);
});

test("unknown sources that fill their queue leave the known one open", async () => {
  const { ask, end, order, refused } = lineOf({ waiting: 2 });
  for (const name of ["working", "a", "b", "c"]) void ask(other(name));
  void ask(known("friend"));
  await end();
  expect(refused).toEqual([["c", "full"]]);
  expect(order).toEqual(["working", "friend"]);
});

test("a caller that waited too long is refused, and no longer gets a turn", async () => {
  const { ask, end, order, refused, line } = lineOf({ longestWaitMs: 20 });
  void ask(other("slow"));
  void ask(other("waiting"));
  await Bun.sleep(60);
  expect(refused).toEqual([["waiting", "late"]]);
  expect(line.waiting("unknown")).toBe(0);
  await end();
  void ask(other("next"));
  expect(order).toEqual(["slow", "next"]);
});

test("failing work releases its turn", async () => {
  const { line } = lineOf();
  const failing = line.run(other("a"), () => Promise.reject(new Error("broken")));
  await expect(failing).rejects.toThrow("broken");
  expect(await line.run(other("a"), async () => "done")).toBe("done");
});
