import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type BodyPart, bodyPartsOf } from "./body-parts.ts";

const links = (text: string) =>
  bodyPartsOf(text).flatMap((part) => (part.kind === "link" ? [[part.text, part.address]] : []));
const copied = (text: string) =>
  bodyPartsOf(text).flatMap((part) => (part.kind === "copy" ? [[part.text, part.value]] : []));
const joined = (parts: BodyPart[]) => parts.map(({ text }) => text).join("");

describe("links", () => {
  test("are http and https addresses, and hosts with a well-known ending", () => {
    expect(links("see https://steamcommunity.com/id/x?a=b#c and http://192.168.0.1:8080/")).toEqual([
      ["https://steamcommunity.com/id/x?a=b#c", "https://steamcommunity.com/id/x?a=b#c"],
      ["http://192.168.0.1:8080/", "http://192.168.0.1:8080/"],
    ]);
    expect(links("www.unegui.mn, facebook.com/x; HTTPS://A.MN")).toEqual([
      ["www.unegui.mn", "https://www.unegui.mn"],
      ["facebook.com/x", "https://facebook.com/x"],
      ["HTTPS://A.MN", "HTTPS://A.MN"],
    ]);
  });

  test("end before the punctuation and brackets of the sentence around them", () => {
    const ends = [
      "https://a.mn/b.",
      "(https://a.mn/b)",
      "«https://a.mn/b»,",
      '"https://a.mn/b"?!',
      "https://a.mn/b…",
    ];
    for (const text of ends) expect(links(text)).toEqual([["https://a.mn/b", "https://a.mn/b"]]);
    expect(links("https://mn.wikipedia.org/wiki/Хас_(тоглоом)")[0]?.[0]).toEndWith("(тоглоом)");
  });

  test("nothing else becomes a link", () => {
    const none = [
      "javascript:alert(1)",
      "data:text/html,<script>",
      "mailto:x@a.mn",
      "ftp://a.mn",
      "xhttps://",
      "https://",
      "https://%",
      "https://\ud800",
      "Тийм.Би ирлээ",
      "v1.2.3",
      "3.5",
      `https://a.mn/${"x".repeat(2_000)}`,
    ];
    expect(none.flatMap(links)).toEqual([]);
  });

  test("show the host as a browser reads it, however it is written", () => {
    const disguised = (text: string) =>
      bodyPartsOf(text).flatMap((part) => (part.kind === "link" && part.disguised ? [part.host] : []));
    expect(disguised("https://midmаn.mn/")).toEqual(["xn--midmn-7ve.mn"]);
    expect(disguised("https://хаан.мон")).toEqual(["xn--80aa3b3a.xn--l1acc"]);
    expect(disguised("https://midman.mn@evil.example/")).toEqual(["evil.example"]);
    expect(disguised("https://mid\u200bman.mn/")).toEqual(["midman.mn"]);
    expect(disguised("https://evil.example\\@midman.mn/")).toEqual([]);
    expect(disguised("http://2130706433/")).toEqual(["127.0.0.1"]);
    expect(disguised("https://Midman.MN:8443/ www.a.mn")).toEqual([]);
  });

  test("are Midman's own only if their origin is, never with a user name before the host", () => {
    const origins = (text: string) =>
      bodyPartsOf(text).flatMap((part) => (part.kind === "link" ? [part.origin] : []));
    expect(origins("https://midman.mn/chat midman.mn:443/x")).toEqual([
      "https://midman.mn",
      "https://midman.mn",
    ]);
    expect(origins("https://midman.mn.evil.example https://midman.mn:8443")).toEqual([
      "https://midman.mn.evil.example",
      "https://midman.mn:8443",
    ]);
    expect(origins("https://midman.mn@evil.example https://x:y@midman.mn")).toEqual(["", ""]);
  });
});

describe("what can be copied", () => {
  test("codes, numbers of accounts and telephones, and e-mail addresses", () => {
    expect(copied("MM-7KQ2WX9A, mm-7kq2wx9a")).toEqual([
      ["MM-7KQ2WX9A", "MM-7KQ2WX9A"],
      ["mm-7kq2wx9a", "MM-7KQ2WX9A"],
    ]);
    expect(copied("MN12 0005 1234 5678 9012 эсвэл MN120005123456789012.")).toEqual([
      ["MN12 0005 1234 5678 9012", "MN120005123456789012"],
      ["MN120005123456789012", "MN120005123456789012"],
    ]);
    expect(copied("данс 5012 345 678, утас +976 9911-2233 (99112233)")).toEqual([
      ["5012 345 678", "5012345678"],
      ["+976 9911-2233", "+97699112233"],
      ["99112233", "99112233"],
    ]);
    expect(copied("намайг <bold.b+1@mail.example.mn> гэж бич.")).toEqual([
      ["bold.b+1@mail.example.mn", "bold.b+1@mail.example.mn"],
    ]);
  });

  test("not dates, short numbers, single digits or numbers inside words", () => {
    for (const text of [
      "2026-11-21",
      "12345",
      "1 2 3 4 5 6",
      "player123456",
      "123456abc",
      "id_123456",
      "@",
      "a@b",
    ])
      expect([text, copied(text)]).toEqual([text, []]);
  });
});

const piece = fc.constantFrom(
  ..."https:// www. .mn midman.mn хаан.мон @ ( ) . , MM-7KQ2WX9A MN12 +976 9911 - 5012345678 / ? # % \ud800 \u200b \u200f \n".split(
    " ",
  ),
  " ",
);

/** Includes lone surrogates. */
const anything = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

test("the parts joined together are the original text, whatever it is", () => {
  const written = fc.oneof(
    fc.string({ unit: anything, maxLength: 300 }),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(written, (text) => {
      const parts = bodyPartsOf(text);
      const honest = (part: BodyPart) => part.kind !== "link" || /^https?:\/\//i.test(part.address);
      return joined(parts) === text && parts.every((part) => part.text !== "" && honest(part));
    }),
    { numRuns: 500 },
  );
});

test("the slowest 4,000 characters are parsed in less than 5 ms", () => {
  const seeds =
    "a|1|1 |11 |11-|+1 |www.|www.a. |a.mn |@|a@|a@a. |a@a.mn |http://|http://a |хаан.мн.mn |(|)|x)|MM-|MN12 |https://хаан.мон |a. ";
  for (const seed of seeds.split("|")) {
    const text = seed.repeat(4_000).slice(0, 4_000);
    const spent = Array.from({ length: 7 }, () => {
      const begun = performance.now();
      bodyPartsOf(text);
      return performance.now() - begun;
    });
    expect([seed, Math.min(...spent) < 5]).toEqual([seed, true]);
  }
});
