import { expect, test } from "bun:test";
import { hidesLetters, isReserved } from "./reserved.ts";

test.each([
  ...[
    "Midman",
    "MIDMAN",
    "Мидман",
    "М и д м а н",
    "Midmаn",
    "Mіdman",
    "ＭＩＤＭＡＮ",
    "M1DMAN",
    "rnidrnan",
    "Μιδμαν",
  ],
  ...["Mid\u200bman", "m.i.d.m.a.n", "𝓜𝓲𝓭𝓶𝓪𝓷", "ⓜⓘⓓⓜⓐⓝ", "M̷i̷d̷m̷a̷n̷", "Midman Support", "Bat (Midman)"],
  ...["Admin", "Админ", "аdmіn", "ÀDMIN", "ADMINISTRATОR", "Admin Bat", "Мидман админ"],
  ...["Payment confirmed", "Төлбөр баталгаажлаа", "Notice", "Мэдэгдэл", "Бат ✅", "🛡 Bat", "Bat ✔️"],
])("the name %s is Midman's own, or looks like it", (name) => {
  expect(isReserved(name)).toBe(true);
});

test.each([
  ...["Bat Erdene", "Сарнай Ганбат", "Болд Үүрцайх", "Оюунчимэг Өлзий", "Bold Buyer", "Seller One", "ᠮᠣᠩᠭᠣᠯ"],
  ...["Админбаяр", "Damdin", "Мөнхдэмбэрэл", "Mönkh Damba", "Адъяа", "👨‍👩‍👧 Bat", "❤️ Sara", "Supportive"],
])("the name %s is anybody's", (name) => {
  expect([isReserved(name), hidesLetters(name)]).toEqual([false, false]);
});

test("letters that nobody sees are found", () => {
  for (const name of ["Ba\u200bt", "Bat\u3164", "Bat\u200e", "Bat\u00ad", "\u2800Bat", "Bat\u{e0041}"]) {
    expect([name, hidesLetters(name)]).toEqual([name, true]);
  }
});
