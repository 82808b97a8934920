import type { FaultProxy } from "../../support/services/fault-proxy.ts";
import type { Hook, Work } from "./work.ts";

export type Scene = {
  work: Work;
  line: FaultProxy;
  next: () => number;
  /** Connections of the pool. */
  width: number;
  /** Has the server itself end every connection of the pool. */
  terminate(): Promise<void>;
};

/** Up to `most`, from 0. */
const upTo = (next: () => number, most: number) => Math.floor(next() * (most + 1));
const some = (count: number, what: (n: number) => unknown) => {
  for (let n = 0; n < count; n++) what(n);
};

/** Work that other people have under way meanwhile. */
export function crowd({ work, next, width }: Scene): void {
  const kinds = [
    () => work.insert(),
    () => work.ask(),
    () => work.commit(),
    () => work.rollBack(),
    () => work.askSimply(),
    () => some(1 + upTo(next, 8), () => work.askBriefly()),
    () => work.reserve(undefined, true),
  ];
  some(upTo(next, 2 * width), () => kinds[upTo(next, kinds.length - 1)]?.());
}

/** Resolves for all who came once `count` have come or it is opened. */
function gate(count: number): { come: Hook; full: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const full = Promise.withResolvers<void>();
  let come = 0;
  return {
    come: () => {
      if (++come === count) full.resolve();
      return promise;
    },
    // Where the line fails some of them before, the rest need not wait for these.
    full: Promise.race([full.promise, Bun.sleep(200)]),
    open: resolve,
  };
}

/** Ends what stands, in one of the ways in which connections end. */
async function cut({ line, next, terminate }: Scene): Promise<void> {
  await Bun.sleep(upTo(next, 4));
  if (next() < 0.25) await terminate();
  line.cut();
}

/** Lets requests stall, pass without a reply, or break off after some bytes. */
function spoil({ line, next }: Scene, up: number, down: number): void {
  const manner = upTo(next, 3);
  if (manner === 0) line.behave({ stalled: true });
  else if (manner === 1) line.behave({ loseReplies: true });
  else if (manner === 2) line.behave({ cutAfter: { up: 1 + upTo(next, up) } });
  else line.behave({ cutAfter: { down: 1 + upTo(next, down) } });
}

/** What a connection is in the middle of when it ends; each leaves the line cut, and works that may still be unanswered. */
export const phases: Record<string, (scene: Scene) => Promise<void>> = {
  "while it is made": async (scene) => {
    const { work, line, next, width } = scene;
    line.cut();
    spoil(scene, 300, 3_000);
    some(1 + upTo(next, 2 * width), (n) => (n % 2 === 0 ? work.insert() : work.commit()));
    if (next() < 0.5) work.reserve();
    await Bun.sleep(upTo(next, 30));
    await cut(scene);
  },
  "before BEGIN is answered": async (scene) => {
    const { work, next, width } = scene;
    spoil(scene, 20, 20);
    some(1 + upTo(next, 2 * width), (n) => (n % 3 === 2 ? work.rollBack() : work.commit()));
    crowd(scene);
    await cut(scene);
  },
  "in a query": async (scene) => {
    const { work, line, next, width } = scene;
    if (next() < 0.7) line.behave({ cutAfter: { down: 1 + upTo(next, 40_000) } });
    some(1 + upTo(next, 2 * width), (n) => (n % 2 === 0 ? work.ask(upTo(next, 60_000)) : work.insert()));
    await cut(scene);
  },
  "in a COMMIT": async (scene) => {
    const { work, next, width } = scene;
    const count = 1 + upTo(next, width - 1);
    const ready = gate(count);
    some(count, () => work.commit(undefined, ready.come));
    await ready.full;
    spoil(scene, 40, 40);
    ready.open();
    crowd(scene);
    await cut(scene);
  },
  "while idle in a transaction": async (scene) => {
    const { work, next, width } = scene;
    const count = 1 + upTo(next, width - 1);
    const ready = gate(count);
    some(count, (n) => (n % 3 === 2 ? work.rollBack(ready.come) : work.commit(ready.come)));
    await ready.full;
    await cut(scene);
    // The pool may have another connection in its place by the time the transaction goes on.
    crowd(scene);
    if (next() < 0.7) await Bun.sleep(upTo(next, 40));
    ready.open();
  },
  "while queries are pipelined": async (scene) => {
    const { work, next, width } = scene;
    if (next() < 0.7) spoil(scene, 6_000, 6_000);
    const begins = new Set([upTo(next, 50), upTo(next, 250), 100]);
    some(upTo(next, 100 * width), (n) => {
      if (begins.has(n)) work.commit();
      else if (n % 10 === 0) work.insert();
      else if (n % 2 === 0) work.askSimply();
      else work.askBriefly();
    });
    await cut(scene);
  },
  "while it is held": async (scene) => {
    const { work, next, width } = scene;
    const count = 1 + upTo(next, width - 1);
    const ready = gate(count);
    some(count, (n) => work.reserve(ready.come as () => Promise<void>, n % 2 === 0));
    await ready.full;
    await cut(scene);
    crowd(scene);
    if (next() < 0.7) await Bun.sleep(upTo(next, 40));
    ready.open();
  },
  "while nothing is asked": async (scene) => {
    await cut(scene);
    if (scene.next() < 0.5) await Bun.sleep(upTo(scene.next, 3));
    crowd(scene);
  },
};
