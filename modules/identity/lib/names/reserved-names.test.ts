import { expect, test } from "bun:test";
import { hidesLetters, isReserved, posesAsMidman, soundsLikeNotice } from "./reserved-names.ts";

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
  ...["Midman-Payments.x", "admin_2", "support.team", "Escrow Mongolia", "Эскроу үйлчилгээ", "e.s.c.r.o.w"],
  ...[
    "QPay",
    "Q-Pay",
    "КуПэй",
    "qрay",
    "Khan",
    "Хаан",
    "Khan Bank",
    "Хаан банк",
    "XaaH 6aHк банк",
    "khanbank",
  ],
  ...["Golomt", "Голомт банк", "TDB", "ХХБ", "Худалдаа хөгжлийн банк", "Xac", "XacBank", "Хас банк"],
  ...[
    "State Bank",
    "Төрийн банк",
    "Төрийн",
    "Bogd Bank",
    "Богд",
    "Capitron",
    "Капитрон банк",
    "M bank",
    "М Банк",
  ],
  ...["Official", "System", "Moderatør", "Aďmin", "Ḿidmân", "Mıdman"],
  ...["Payment confirmed", "Төлбөр баталгаажлаа", "Notice", "Мэдэгдэл", "Бат ✅", "🛡 Bat", "Bat ✔️"],
  ...["Admin!", "Support!", "@Admin", "Төлбөр!", "A d m i n", "A.d.m.i.n", "а д м и н", "Bat A d m i n"],
  ...["admin1", "support1", "mediator1", "1admin1", "Official!", "System!", "Golomt!", "TDB1", "Админ1"],
  ...["МИДМЭН", "Мидмэн дэмжлэг", "Middleman", "КюПэй", "staff", "Operator 2", "administration"],
  ...["Bat √", "Бат ㊣", "Bat ®", "🔰 Bat", "🆗 Бат"],
  ...[
    "Админаас",
    "Админд",
    "Админууд",
    "Админуудаас",
    "Админы",
    "Админтай",
    "Админ руу",
    "Админруу",
    "Тусламжийн",
  ],
  ...["Төлбөрийн", "Банкны", "Банкнаас", "Зуучлагчийн", "Мэдэгдлийн", "Ажилтан", "Операторын"],
  ...[
    "Харилцагчийн үйлчилгээ",
    "Хэрэглэгчийн үйлчилгээ",
    "Дэмжлэгийн баг",
    "Маргаан шийдвэрлэх баг",
    "Аюулгүй байдлын алба",
    "Дундын хүн",
    "Dispute team",
    "Харилцагчийн  Үйлчилгээний төв",
    "Customer service",
    "Verified seller",
    "Баталгаат худалдагч",
  ],
  // Letters in squares and circles, and regional indicators (flags).
  ...["🅼idman", "🅰dmin", "🅜🅘🅓🅜🅐🅝", "🇲🇮🇩🇲🇦🇳", "Bat 🅰dmin", "🅱🅰dmin", "🇲🇳Admin", "🄰dmin"],
  ...["Moderators", "Operators", "Mediators", "Supports", "Helpdesks"],
  ...["Админтайгаа", "Админыхаа", "Админуудтайгаа", "Ажилтны", "Ажилтнууд", "Ажилтнаас", "Зуучлагчид"],
  ...["Операторынхон", "Модератороос", "Миддман", "Middman", "Midmaan", "Кьюпэй", "КьюПэй"],
  ...["AdminBat", "SuperAdmin", "PaymentReceived", "ТөлбөрБаталгаажлаа", "XBANKSupport"],
  ...["$upport!", "Adm1n!", "Ad min", "sup.port1", "Admin|Bat", "Mid!man", "Q!Pay", "Хаан1", "khan1"],
])("the name %s is Midman's own, or resembles it", (name) => {
  expect(isReserved(name)).toBe(true);
});

test.each([
  ...["Midmaƞ", "Miȡman", "Miᵭman", "ᶆidman", "ᵯidman", "Mᵻdman", "Midmᶏn", "Midmaꞑ", "ꬺidman", "ʍidman"],
  ...[
    "Nlidman",
    "NIidman",
    "Midnnan",
    "Nnidman",
    "nnidnnan",
    "Miclman",
    "IVIidman",
    "|V|idman",
    "ӎидман",
    "Miᶁʍᶏꞑ",
  ],
  ...["Middlennan", "Мидннан", "Mᵢdman", "Мiđɱаn", "NlidnlanPay"],
])("%s looks like Midman, as a person's name, as a room's and in a description", (name) => {
  const said = `${name}: 55,000₮ held. Hand over now`;
  expect([isReserved(name), soundsLikeNotice(said), posesAsMidman(said)]).toEqual([true, true, true]);
});

test("a room's name may say a price", () => {
  for (const name of [
    "Account 55,000₮",
    "Данс 55,000₮, яаралтай",
    "Money glitch",
    "Hannibal, Annika",
    "Mid Nian skin",
    "HAMID NIANG",
  ]) {
    expect([name, soundsLikeNotice(name)]).toEqual([name, false]);
  }
});

test.each([
  ...["Bat Erdene", "Сарнай Ганбат", "Болд Үүрцайх", "Оюунчимэг Өлзий", "Bold Buyer", "Seller One", "ᠮᠣᠩᠭᠣᠯ"],
  ...[
    "Genghis Khan",
    "Хаан Тэнгэр",
    "Батхаан",
    "Богд Өлзий",
    "Sam Burbank",
    "Хас-Эрдэнэ",
    "Statham",
    "Bogdan",
  ],
  ...["Админбаяр", "Damdin", "Мөнхдэмбэрэл", "Mönkh Damba", "Адъяа", "👨‍👩‍👧 Bat", "❤️ Sara", "Supportive"],
])("the name %s may be used by anyone", (name) => {
  expect([isReserved(name), hidesLetters(name)]).toEqual([false, false]);
});

// Names and usernames of people, real and invented, that are close to a reserved word or contain digits and signs.
const ordinary = [
  ...[
    "Мөнх-Эрдэнэ",
    "Бат-Эрдэнэ",
    "Батбаяр",
    "Болд",
    "Болормаа",
    "Төрмөнх",
    "Төрбат",
    "Төртогтох",
    "Төгөлдөр",
  ],
  ...[
    "Банзрагч",
    "Банди",
    "Хасбаатар",
    "Хасар",
    "Хашхүү",
    "Хаанбат",
    "Богдгэрэл",
    "Голомтбаяр",
    "Системчимэг",
  ],
  ...[
    "Адъяасүрэн",
    "Адмаа",
    "Дамдинсүрэн",
    "Мидэг",
    "Мэдэгмаа",
    "Модонхүү",
    "Зуунай",
    "Тусгал",
    "Туслах Бат",
  ],
  ...["Нарантуяа Б.", "Б. Нарантуяа", "Т. Д. Батаа", "Х. Х. Болд", "С. А. Дорж", "Ж.Б.Энхтуяа", "Өнөрбаян 7"],
  ...["Энхжин!", "!!! Бат", "Бат @ дэлгүүр", "Сараа$", "Ганаа|Болд", "Тэмүүлэн 1", "Оюу 1990", "1 Бат 1"],
  ...[
    "Adminah",
    "Badmin",
    "Administer",
    "Supporter",
    "Supportive",
    "Systema",
    "Officially",
    "Noticed",
    "Paymentus",
  ],
  ...[
    "Bankole",
    "Banksy",
    "Burbank",
    "Khanbaatar",
    "Khan Tengri",
    "Goloma",
    "Capitronix",
    "Staten",
    "Mediatrix",
  ],
  ...[
    "bat1",
    "bold_11",
    "sarnai.99",
    "t.bat",
    "b0ld",
    "5ara",
    "tamir5",
    "enkhee!",
    "gan4a",
    "m1khail",
    "a1b2c3",
  ],
  ...[
    "x_x_b0ld",
    "td_bat",
    "m.bayar1",
    "p4y",
    "paym3",
    "no.tice.me",
    "ad_mirer",
    "sys.temuulen",
    "b.a.t",
    "A B C",
  ],
];

test("ordinary names of people are allowed", () => {
  expect(ordinary.length).toBeGreaterThanOrEqual(60);
  expect(ordinary.filter(isReserved)).toEqual([]);
});

test("invisible letters are detected", () => {
  const known = ["Ba\u200bt", "Bat\u3164", "Bat\u200e", "Bat\u00ad", "\u2800Bat", "Bat\u{e0041}"];
  const odd = [
    "Bat\ufffc",
    "Bat\ufff9",
    "Ba\u{16fe4}t",
    "Bat\u{13430}",
    "Bat\u{13440}",
    "Bat\u{13441}",
    "Bat\u{1d159}",
  ];
  // Joiners with nothing to join, and a mark without a letter.
  const loose = ["\u200dBat", "Bat\u200d", "Bat\ufe0f", "Bat\u180b", "\u200d\u200d\u200d", "\u0301Bat"];
  for (const name of [...known, ...odd, ...loose]) {
    expect([name, hidesLetters(name)]).toEqual([name, true]);
  }
  for (const name of [
    "Bat 👩\u200d💻",
    "Bat ❤\ufe0f\u200d🔥",
    "1\ufe0f\u20e3 Bat",
    "ᠮᠣᠩᠭ\u180bᠣᠯ",
    "Ba\u0301t",
  ]) {
    expect([name, hidesLetters(name)]).toEqual([name, false]);
  }
});

test.each([
  ...[
    "Midman: төлбөр баталгаажсан",
    "M\u0456dman notice",
    "Мидмэн",
    "м и д м э н",
    "Escrow",
    "эскроу",
    "Q-Pay",
  ],
  ...[
    "Төлбөр баталгаажлаа",
    "ТӨЛБӨР: баталгаажсан",
    "Баталгаажсан төлбөр 100,000 ₮",
    "мөнгийг баталгаажуулсан",
  ],
  ...["Payment confirmed", "paymеnt 100,000 confirmed", "We confirm that it is paid"],
])("a description may not imitate Midman: %s", (words) => {
  expect(posesAsMidman(words)).toBe(true);
});

test.each([
  ...[
    "payment",
    "төлбөр",
    "Төлбөрөө хийсний дараа бүртгэлээ өгнө",
    "Payment in one part, email included",
    "",
  ],
  ...[
    "Confirmed email, no bans. Payment today",
    "Имэйл баталгаажсан. Төлбөр нэг удаа",
    "Level 80 ✅",
    "Khan bank skin",
  ],
])("a description may contain: %s", (words) => {
  expect(posesAsMidman(words)).toBe(false);
});
