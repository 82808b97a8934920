import { expect, test } from "bun:test";
import type { Message } from "../types.ts";
import { dayName } from "./day-name.ts";
import { findFirstNewSeq, messageLinesOf, seqOf, stretchesOf } from "./message-lines.ts";

function message(seq: number, at: string, over: Partial<Message> = {}): Message {
  const bare = { id: seq, clientId: null, type: "text", content: "", imageUrl: null } as const;
  return { ...bare, seq, senderId: 1, createdAt: `2026-11-${at}Z`, ...over };
}

test("days have their everyday names", () => {
  const english = { today: "Today", yesterday: "Yesterday", language: "en" as const };
  const mongolian = { today: "Өнөөдөр", yesterday: "Өчигдөр", language: "mn" as const };
  expect(dayName("2026-11-21", "2026-11-21", english)).toBe("Today");
  expect(dayName("2026-02-28", "2026-03-01", mongolian)).toBe("Өчигдөр");
  expect(dayName("2026-03-05", "2026-11-21", english)).toBe("5\u00a0March\u00a02026");
  expect(dayName("2026-03-05", "2026-11-21", mongolian)).toBe(
    "2026\u00a0оны\u00a03\u2011р\u00a0сарын\u00a05",
  );
});

test("messages of one sender within minutes form a group; a day, a notice or unread messages split it", () => {
  const parts = messageLinesOf(
    [
      message(1, "20T15:58:00", { type: "system", senderId: null }),
      message(2, "20T15:59:00"),
      message(3, "20T15:59:30"),
      message(4, "20T16:00:10"),
      message(5, "20T16:01:00"),
      message(6, "20T16:20:00"),
      message(7, "20T16:20:10", { senderId: 2 }),
    ],
    5,
  );
  const lines = parts.flat();
  expect(lines.filter(({ isFirst }) => isFirst).map(({ message }) => message.seq)).toEqual([
    1, 2, 4, 5, 6, 7,
  ]);
  expect(lines.filter(({ day }) => day).map(({ message, day }) => [message.seq, day])).toEqual([
    [1, "2026-11-20"],
    [4, "2026-11-21"],
  ]);
  expect(lines.filter(({ isFirstNew }) => isFirstNew).map(({ message }) => message.seq)).toEqual([5]);
});

test("parts keep their boundaries as the conversation grows, and unreadable messages are in none", () => {
  const all = Array.from({ length: 50 }, (_, n) => message(n + 1, "20T10:00:00"));
  const seqs = (messages: Message[]) =>
    messageLinesOf(messages, undefined).map((part) => part.map((l) => l.message.seq));
  expect(seqs(all.slice(10)).at(-1)).toEqual(seqs(all).at(-1) ?? []);
  expect(seqs(all).map((part) => part.length)).toEqual([4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 1]);
  expect(messageLinesOf([message(1, "20T10:00:00", { type: "payment" })], undefined)).toEqual([]);
});

test("new messages start after the last read one with another person's message, as of when the page was opened", () => {
  const reader = { id: 1, role: "seller" } as const;
  const said = [4, 5, 6, 7].map((seq) => message(seq, "20T10:00:00", { senderId: seq === 5 ? 1 : 2 }));
  expect(findFirstNewSeq(said, reader, { readSeq: 4, atFirst: 7 })).toBe(6);
  expect(findFirstNewSeq(said, reader, { readSeq: 7, atFirst: 7 })).toBeUndefined();
  expect(findFirstNewSeq(said, reader, { readSeq: 5, atFirst: 5 })).toBeUndefined();
  expect(findFirstNewSeq(said, reader, { readSeq: 0, atFirst: 7 })).toBeUndefined();
});

test("parts and their stretches keep their boundaries, however many older messages are added", () => {
  const from = (first: number) => {
    const messages = Array.from({ length: 251 - first }, (_, at) => message(first + at, "20T15:58:00"));
    return stretchesOf(messageLinesOf(messages, undefined)).map((stretch) =>
      stretch.map((part) => [seqOf(part[0]), seqOf(part.at(-1))]),
    );
  };
  const some = from(95);
  expect(some.map((stretch) => stretch.length)).toEqual([1, 10, 10, 10, 1]);
  expect(some.map((stretch) => stretch[0])).toEqual([
    [95, 99],
    [100, 104],
    [150, 154],
    [200, 204],
    [250, 250],
  ]);
  expect(from(7).slice(2)).toEqual(some.slice(1));
});

test("new messages start with what somebody else did, not with an act of the reader's own", () => {
  const notice = (seq: number, code: string) =>
    message(seq, "20T10:00:00", { type: "system", senderId: null, notice: { code, params: {}, text: "" } });
  const [seller, buyer] = [
    { id: 1, role: "seller" },
    { id: 2, role: "buyer" },
  ] as const;
  const said = [
    notice(4, "joined"),
    notice(5, "paymentRequested"),
    notice(6, "vaultSealed"),
    notice(7, "markedPaid"),
  ];
  expect(findFirstNewSeq(said, seller, { readSeq: 4, atFirst: 7 })).toBe(7);
  expect(findFirstNewSeq(said, buyer, { readSeq: 4, atFirst: 7 })).toBe(5);
  expect(findFirstNewSeq(said, seller, { readSeq: 4, atFirst: 6 })).toBeUndefined();
  expect(findFirstNewSeq(said, buyer, { readSeq: 6, atFirst: 7 })).toBeUndefined();
});
