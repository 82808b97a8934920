import { expect, test } from "bun:test";
import { registerInput } from "../../forms.ts";
import { mixesAlphabets } from "./alphabets.ts";
import { looksLikeLink } from "./link-lookalikes.ts";
import { displayNameRefusal, initialsRefusal, nameRefusals } from "./name-refusals.ts";
import { shownNames } from "./shown-names.ts";

test.each([
  ...[
    "evil.mn",
    "Evil.Mn",
    "www.evil",
    "t.me/x",
    "T.ME",
    "http://evil",
    "HTTPS://x",
    "x.com",
    "my.bold.shop",
    "evil\uff0emn",
  ],
  ...[
    "evil。mn",
    "хаан.мон",
    "сайт.рф",
    "bat@evil",
    "mailto:x",
    "tel:123",
    "tg://resolve",
    "xn--80a.xn--l1acc",
    "10.0.0.1",
  ],
  ...[
    "99112233",
    "+976 9911 2233",
    "9911-22-33",
    "call (976) 99112233",
    "Bat evil.io!",
    "a.link",
    "Win.Prize",
  ],
  ...["evil.мн", "хаан.мн", "evil[.]com", "evil (.) mn", "evil[dot]com", "evil{цэг}mn"],
])("the name %s would be shown as a link", (name) => {
  expect([looksLikeLink(name), displayNameRefusal(name)]).toEqual([true, "validation.nameLink"]);
});

test.each([
  ...[
    "Б.Батболд",
    "B.Bold",
    "Д. Сүхбат",
    "J.R. Bat",
    "Bat Jr.",
    "Bold & Co",
    "Бат 2024",
    "Player 123456",
    "Г.Од",
  ],
  ...["Б.Мнэ", "Bat (Jr.)", "Bat [mn]", "Bat (dot)"],
  ...["Bat-Erdene", "Bat:Bold", "Mr. Bat", "3.5 Bat", "O'Neil", "Bat/Bold", "Level 99"],
])("the name %s is not a link", (name) => {
  expect([looksLikeLink(name), displayNameRefusal(name)]).toEqual([false, undefined]);
});

test("a word uses one alphabet, which people here can read", () => {
  for (const name of ["Bаt", "Бaт", "Βatt", "Ᏼат", "ΑΒΓΔ", "Ֆաբ", "Batбат"]) {
    expect([name, mixesAlphabets(name)]).toEqual([name, true]);
  }
  for (const name of [
    "Bat Эрдэнэ",
    "Болд (Bold)",
    "Müller",
    "Ёндон",
    "ᠪᠠᠲᠤ",
    "田中 さくら",
    "김민수",
    "Bat-2",
    "𝓑at",
  ]) {
    expect([name, mixesAlphabets(name)]).toEqual([name, false]);
  }
});

test("a name has letters", () => {
  for (const name of ["{}", "..", "😀😀", "<>"]) {
    expect([name, displayNameRefusal(name)]).toEqual([name, "validation.nameLetters"]);
  }
});

test("formerly allowed names are found, except Midman's own and those of deleted people", () => {
  const bad = { username: "Midman-Payments.x", displayName: "t.me/x", isAdmin: false };
  const why = { username: "validation.nameReserved", displayName: "validation.nameLink" } as const;
  expect(nameRefusals(bad)).toEqual(why);
  expect(nameRefusals({ ...bad, username: "bat" })).toEqual({ displayName: why.displayName });
  expect(nameRefusals({ ...bad, displayName: "Bat" })).toEqual({ username: why.username });
  expect(nameRefusals({ ...bad, isAdmin: true })).toBeUndefined();
  expect(nameRefusals({ ...bad, deletedAt: new Date() })).toBeUndefined();
  expect(nameRefusals({ username: "bat.mn", displayName: "Bat", isAdmin: false })).toBeUndefined();
});

test("initials cannot imitate a seal either, and forbidden earlier ones are not shown", () => {
  for (const seal of ["✅", "✓", "🛡", "✔\ufe0f", "B✓", "🔒"]) {
    expect([seal, initialsRefusal(seal)]).toEqual([seal, "validation.nameSeal"]);
  }
  expect(initialsRefusal("B\u200b")).toBe("validation.characters");
  for (const initials of ["БД", "BB", "Б", "ХБ", "❤️", "B1", "ᠮ", "!?", ""]) {
    expect([initials, initialsRefusal(initials)]).toEqual([initials, undefined]);
  }
  const person = { id: 7, username: "bat", displayName: "Bat Bold", isAdmin: false, deletedAt: null };
  const shown = (avatarInitials: string) => shownNames({ ...person, avatarInitials, language: "en" });
  expect([shown("✅").avatarInitials, shown("ЗЗ").avatarInitials]).toEqual(["BB", "ЗЗ"]);
});

test("neither name of a registration may be reserved, and the display name no link", () => {
  const input = { username: "bat", displayName: "Bat", email: "bat@example.mn", password: "a long one" };
  const problems = (changed: object) => {
    const read = registerInput.safeParse({ ...input, ...changed });
    return read.success ? [] : read.error.issues.map(({ path, message }) => [path[0], message]);
  };
  expect(problems({})).toEqual([]);
  expect(problems({ username: "Midman-Payments.x" })).toEqual([["username", "validation.nameReserved"]]);
  expect(problems({ avatarInitials: "✅" })).toEqual([["avatarInitials", "validation.nameSeal"]]);
  expect(problems({ avatarInitials: "БД" })).toEqual([]);
  expect(problems({ displayName: "QPay" })).toEqual([["displayName", "validation.nameReserved"]]);
  expect(problems({ displayName: "evil.mn" })).toEqual([["displayName", "validation.nameLink"]]);
  expect(problems({ displayName: "Bаt" })).toEqual([["displayName", "validation.nameMixed"]]);
  expect(problems({ displayName: "Ba\u200bt" })).toEqual([["displayName", "validation.characters"]]);
});
