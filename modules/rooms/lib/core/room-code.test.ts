import { expect, test } from "bun:test";
import { newInviteCode, parseInviteCode } from "./room-code.ts";

test("a code is ten base32 characters, and no two of many are equal", () => {
  const codes = Array.from({ length: 2000 }, () => newInviteCode());
  expect(codes.every((code) => /^[A-Z2-7]{10}$/.test(code))).toBe(true);
  expect(new Set(codes).size).toBe(2000);
});

test("every character is equally likely", () => {
  const bytes = Array.from({ length: 256 }, (_, i) => i);
  const counts = new Map<string, number>();
  for (const byte of bytes) {
    const [character = ""] = newInviteCode(() => new Uint8Array([byte]));
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect([...counts.values()]).toEqual(Array.from({ length: 32 }, () => 8));
});

test("a code is read in any case and spacing, and from a pasted link", () => {
  expect(parseInviteCode(" abcde-23456 ")).toBe("ABCDE23456");
  expect(parseInviteCode("https://midman.mn/chat?invite=ABCDE23456")).toBe("ABCDE23456");
  expect(parseInviteCode("https://midman.mn/i/ABCDE23456")).toBe("ABCDE23456");
  expect(parseInviteCode("https://midman.mn/i/abcde23456?lang=mn#x")).toBe("ABCDE23456");
  expect(parseInviteCode("http://x/chat?a=1&invite=abcde23456#end")).toBe("ABCDE23456");
  expect(parseInviteCode("ABCDE1890!")).toBeUndefined();
  expect(parseInviteCode("abc\u0000defghij")).toBeUndefined();
});
