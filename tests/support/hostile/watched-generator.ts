import { mock, spyOn } from "bun:test";
import * as real from "node:crypto";

/** What the runtime's secure generator has given while it was watched. */
export type WatchedGenerator = {
  /** Whether these very bytes came from it in one piece. */
  gave(bytes: Uint8Array): boolean;
  /** Leaves the generator as it was. */
  stop(): void;
};

/** Watches both doors to the runtime's secure generator in this process: Web Crypto's and `node:crypto`'s. */
export function watchGenerator(): WatchedGenerator {
  const given = new Set<string>();
  const note = (bytes: Uint8Array) => given.add(Buffer.from(bytes).toString("hex"));
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  const web = spyOn(crypto, "getRandomValues").mockImplementation(((bytes: Uint8Array) => {
    const filled = getRandomValues(bytes as Uint8Array<ArrayBuffer>);
    note(filled);
    return filled;
  }) as never);
  const randomBytes = real.randomBytes;
  const watched = (count: number) => {
    const bytes = randomBytes(count);
    note(bytes);
    return bytes;
  };
  mock.module("node:crypto", () => ({ ...real, randomBytes: watched }));
  return {
    gave: (bytes) => given.has(Buffer.from(bytes).toString("hex")),
    stop() {
      web.mockRestore();
      mock.module("node:crypto", () => ({ ...real, randomBytes }));
    },
  };
}
