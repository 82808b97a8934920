import { expect, test } from "bun:test";
import { registerInput } from "../../forms.ts";
import { chooseNameInput } from "./forms.ts";
import { chosenNameRefusal, displayNameRefusal, nameRefusals } from "./name-refusals.ts";

const refused = (names: readonly string[]) => names.map((name) => [name, chosenNameRefusal(name)]);
const withReason = (names: readonly string[], reason: string) => names.map((name) => [name, reason]);

test.each([
  [
    "the words of money and its state",
    [
      ...[
        "Money received 55,000₮. The seller can hand over now",
        "Мөнгө хүлээн авлаа",
        "Гүйлгээ баталгаажлаа",
        "moneyreceived",
        "MONEYHELD",
        "гүйлгээбаталгаажлаа",
        "Худалдагч бараагаа өгч болно",
        "Pay now",
        "Item delivered",
      ],
      ...["Transaction confirmed", "Money held", "Paid 55000", "Refunded", "MoneyReceived", "m0ney held"],
      ...["R e c e i v e d", "r.e.c.e.i.v.e.d", "Мөнгийг хадгалагдлаа", "Баталгаажсан", "Гүйлгээний код"],
      ...[
        "Төлсөн",
        "Шилжүүллээ",
        "Хүлээн авсан",
        "tulbur orloo",
        "Guilgee batalgaajlaa",
        "RECEIVED",
        "Rеceived 1",
      ],
      ...[
        "Арбитрын шийдвэр",
        "Хүлээлгэн өгөөрэй",
        "Hand it over now",
        "Seller can go on",
        "You must deliver",
      ],
    ],
  ],
  [
    "amounts",
    [
      "Bat ₮",
      "Bat $5",
      "Bat €",
      "¥ Bat",
      "55000 MNT",
      "MNT 55000",
      "55 мянган төг",
      "Бат 5000төг",
      "55,000 Bat",
    ],
  ],
  [
    "sentences",
    ["All done. Go on", "Ok! Give it now", "Бат: Одоо өг", "Яв? Тэг", "Бэлэн. Одоо", "OK. Go on", "Done。Go"],
  ],
  [
    "roles and offices",
    [
      ...["Arbiter", "Арбитр", "Notification", "Buyer", "Seller", "You", "Та", "Ta", "buyer!", "The seller"],
      ...["Худалдагч", "Худалдан авагч", "худалдан  авагч", "Service desk", "Finance dept", "Finance"],
      ...[
        "Санхүүгийн алба",
        "Your buyer",
        "Buyer 1",
        "B u y e r",
        "B.u.y.e.r",
        "“Seller”",
        "Hudaldagch",
        "Сануулга",
        "Warning",
      ],
    ],
  ],
])("nobody can choose a name that reads like a notice or a role: %s", (_, names) => {
  const open = names.filter((name) => chosenNameRefusal(name) === undefined);
  expect(open).toEqual([]);
  const own = names.filter((name) => displayNameRefusal(name) === undefined);
  expect(refused(own)).toEqual(withReason(own, "validation.nameNotice"));
});

test("letters that nobody here writes are refused, and those of people's names are not", () => {
  const rare = ["Ƅat", "ȡorj", "Baᵼ", "Bꞓt", "Miꬺi", "ʙat", "Ɓat", "Ꙁаяа", "Бԁа", "Ⱥnar", "ǀbat"];
  expect(refused(rare)).toEqual(withReason(rare, "validation.characters"));
  const real = [
    ...["Łukasz", "Søren", "Åsa", "Đorđe", "Œuvre", "Iñigo", "Groß", "Þór", "Đặng Ngọc", "Ștefan", "Çağrı"],
    ...["Əli", "Nguyễn Ơn", "Ёлкин", "Ґалина", "Қайрат", "Әсел", "Ғани", "Үнэн", "Һүлэгү", "Їжак", "Ņina"],
    ...[
      "ᠮᠣᠩᠭᠣᠯ",
      "田中 さくら",
      "김민수",
      "D’Angelo",
      "O'Neil",
      "Bat-Erdene",
      "under_score",
      "𝓑at",
      "Bat 👍",
    ],
  ];
  expect(refused(real).filter(([, reason]) => reason !== undefined)).toEqual([]);
});

const people = [
  ...[
    "Бат",
    "Мөнгөн",
    "Мөнгөнцэцэг",
    "Мөнгөншагай",
    "Мөнгөнзул",
    "Мөнгөө",
    "Мөнх-Эрдэнэ",
    "Мөнхбат",
    "Баталгаа",
  ],
  ...["Батаа", "Баталгын Бат", "Төмөр", "Төмөрбаатар", "Золбоо", "Золзаяа", "Төлөг", "Төлөгдорж", "Төлөгмаа"],
  ...["Таван", "Тавинжав", "Таана", "Тамир", "Танан", "Хадгаа", "Хадбаатар", "Гүндэгмаа", "Гүрдорж"],
  ...["Арвай", "Арбат", "Ариунаа", "Баярмаа", "Батцэцэг", "Болормаа", "Ганбаатар", "Ганзориг", "Даваадорж"],
  ...[
    "Дэлгэрмаа",
    "Дамдинсүрэн",
    "Дамиданжав",
    "Энхтуяа",
    "Эрдэнэчимэг",
    "Жаргалсайхан",
    "Лхагвасүрэн",
    "Лувсан",
  ],
  ...[
    "Нямдорж",
    "Нинжин",
    "Нинжбадгар",
    "Нарангэрэл",
    "Одонтуяа",
    "Оюунбилэг",
    "Пүрэвдорж",
    "Равдан",
    "Сарантуяа",
  ],
  ...[
    "Сумъяа",
    "Сүхбаатар",
    "Төгөлдөр",
    "Түвшинбаяр",
    "Уранчимэг",
    "Үүрийнтуяа",
    "Хүлэгбаатар",
    "Хулан",
    "Цэрэндорж",
  ],
  ...[
    "Чимгээ",
    "Шижир",
    "Шилэг",
    "Ялалт",
    "Итгэл",
    "Авирмэд",
    "Авхиа",
    "Ирээдүй",
    "Орлой",
    "Санжаа",
    "Санхүүбат",
  ],
  ...[
    "Бат-Эрдэнийн Мөнгөнцэцэг",
    "Б. Нарантуяа",
    "Т. Д. Батаа",
    "Ж.Б.Энхтуяа",
    "Б.Мөнгөн",
    "Сү. Бат",
    "Dr. Bat",
  ],
  ...[
    "Mungunuu",
    "Mungun",
    "Munguntsetseg",
    "Bat Jr.",
    "Mr. Bat",
    "J. R. Bat",
    "Anna",
    "Hannes Nielsen",
    "Paige",
  ],
  ...[
    "Johnny Cash",
    "50 Cent",
    "Bold Buyer",
    "Seller One",
    "Buyer Two",
    "Best Seller",
    "Young",
    "Yousef",
    "Tamir",
  ],
  ...[
    "Best seller!",
    "Бат 2024",
    "Player 123456",
    "3.5 Bat",
    "Bat:Bold",
    "Bat :)",
    "Level 99",
    "Finn",
    "Servicio",
  ],
  ...[
    "Bat (Jr.)",
    "Сараа...",
    "!!! Бат",
    "Moneyman",
    "Confucius",
    "Heldin",
    "Нинноо Мидаа",
    "Sgt. Bat",
    "Цэрэн. Б",
    "Орлоо",
  ],
];

test("people's names are allowed", () => {
  expect(people.length).toBeGreaterThanOrEqual(100);
  expect(
    people.flatMap((name) => (chosenNameRefusal(name) ? [[name, chosenNameRefusal(name)]] : [])),
  ).toEqual([]);
});

test("the rule is for names that people choose; an account that has one keeps it", () => {
  const kept = { username: "bat", displayName: "Buyer", isAdmin: false };
  expect(nameRefusals(kept)).toBeUndefined();
  const account = { username: "bat", email: "bat@example.mn", password: "a long one" };
  const problems = (input: { safeParse: typeof registerInput.safeParse }, value: object) =>
    input.safeParse(value).error?.issues.map(({ path, message }) => [path[0], message]);
  const why = [["displayName", "validation.nameNotice"]];
  expect(problems(registerInput, { ...account, displayName: "Buyer" })).toEqual(why);
  expect(chooseNameInput.safeParse({ displayName: "Buyer" }).error?.issues[0]?.message).toBe(
    "validation.nameNotice",
  );
});
