import { expect, test } from "bun:test";
import { newMessagesBelow, roomPlaceIn } from "./room-place.ts";

const placed = (query: string) => roomPlaceIn(new URLSearchParams(query));

test("an address names a message only by its number", () => {
  expect(placed("before=30")).toEqual({ before: 30, since: undefined });
  expect(placed("new=7")).toEqual({ before: undefined, since: 7 });
  for (const wrong of ["", "0", "-1", "1.5", "1e3", "0x10", " 7", "９", "abc", "9".repeat(20)]) {
    expect([wrong, placed(`before=${wrong}&new=${wrong}`)]).toEqual([wrong, placed("")]);
  }
});

test("a page continues where it ends, and has no next page at the room's end", () => {
  const page = (...seqs: number[]) => ({ roomId: 5, messages: seqs.map((seq) => ({ seq })) }) as never;
  expect(newMessagesBelow(page(3, 4, 5), 9)).toBe("/chat/5?new=5#new");
  expect(newMessagesBelow(page(7, 8, 9), 9)).toBeNull();
  expect(newMessagesBelow(page(), 9)).toBeNull();
});
