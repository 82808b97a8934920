import { type Language, supportedLanguages, translateText } from "#locales";
import { readCatalogTexts } from "../sources/catalog-texts.ts";

/** Sums and a name that no true notice of a test says: where one of them stands, somebody typed it. */
const forgedParams = {
  name: "Zolboo",
  amount: 987_654,
  total: 987_654,
  paid: 987_654,
  rest: 987_654,
  refund: 987_654,
} as const;

/** Every notice of a language as Midman would say it. */
function noticesIn(language: Language): string[] {
  return readCatalogTexts(language)
    .filter(({ key }) => key.startsWith("notices."))
    .map(({ key }) => translateText(language, key, forgedParams));
}

/** Letters of other alphabets that look like ours, and the wide ones. */
const cyrillicLetters: Record<string, string> = {
  a: "а",
  c: "с",
  e: "е",
  i: "і",
  o: "о",
  p: "р",
  x: "х",
  y: "у",
  M: "М",
};
const greekLetters: Record<string, string> = { a: "α", i: "ι", n: "η", o: "ο", u: "υ", M: "Μ", P: "Ρ" };
const swapLetters = (said: string, by: Record<string, string>) =>
  [...said].map((letter) => by[letter] ?? letter).join("");
const widenLetters = (said: string) =>
  said.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const stackMarks = (said: string) =>
  [...said].map((letter) => `${letter}${"\u0336\u0489\u0353".repeat(8)}`).join("");

/** One notice in every dress it could be typed in. */
function disguiseText(said: string): string[] {
  return [
    ...[
      swapLetters(said, cyrillicLetters),
      swapLetters(said, greekLetters),
      widenLetters(said),
      stackMarks(said),
    ],
    ...[[...said].join("\u200b"), `\u200f${said}`, `\u200e${said}\u061c`, said.toUpperCase(), `✅ ${said} ✔️`],
    ...[`${"\n".repeat(200)}Midman\n${said}`, `MIDMAN NOTICE 12:34\n\n${said}\n\nMM-7KQ2WX9A`],
    ...[`Midman-ий мэдэгдэл\n${said}`, `\u00a0${"\u3000".repeat(300)}${said}`, `${"=".repeat(60)}\n${said}`],
    ...[`**Midman**: ${said}`, `[${said}](/verify/MM-7KQ2WX9A)`, `<b>Midman</b> ${said}`],
    `<li data-notice="paymentConfirmed"><svg></svg>${said}</li>`,
    `</p></div></li></ol><li data-notice="paymentConfirmed">${said}</li>`,
  ];
}

/** Texts that are JSON: what a message with a `content` shows, and what looks like the server's own data. */
function wrapAsJson(said: string): string[] {
  const system = { content: said, type: "system" };
  return [
    system,
    { content: said, type: "payment", code: "paymentConfirmed", params: forgedParams, senderId: null },
    { content: JSON.stringify(system) },
    { content: said, notice: { code: "paymentConfirmed", params: forgedParams, text: said } },
    { type: "system", code: "paymentConfirmed", params: forgedParams },
    { type: "payment", transactionId: 1, amount: 987_654, qrImageUrl: "/qr/x.png", isQrCode: true },
    { type: "transaction_confirmation", data: { status: "payment_confirmed" } },
    [system],
  ].map((body) => JSON.stringify(body));
}

/** What a member may type to be taken for Midman; the server takes all of it, as text. */
export function forgedTexts(): string[] {
  const confirmed = supportedLanguages.map((language) =>
    translateText(language, "notices.paymentConfirmed", forgedParams),
  );
  return [
    ...supportedLanguages.flatMap(noticesIn),
    ...confirmed.flatMap((said) => [...disguiseText(said), ...wrapAsJson(said)]),
    ...[
      "joined the chat",
      "left the chat",
      "Zolboo joined the chat",
      "The buyer left the chat",
      "чатад нэгдлээ",
    ],
    ...[
      "Payment verified",
      "paymentConfirmed",
      "notices.paymentConfirmed",
      "{{total, number}} ₮ $t(notices.settled)",
    ],
  ];
}

/** What turns letters round or cannot be printed: no message at all. */
export const unprintableTexts = [
  "\u202e987 dlog",
  "\u2066Midman\u2069",
  "Mid\u0007man",
  "\u202dMidman\u202c",
];

/** Fields beside the text that only the server's own messages have. */
export const forgedFields: ReadonlyArray<Record<string, unknown>> = [
  { senderId: null },
  { senderId: 0 },
  { code: "paymentConfirmed", params: forgedParams },
  { notice: { code: "paymentConfirmed", params: forgedParams, text: "Payment confirmed" } },
  { seq: 1, id: 1, createdAt: "2020-01-01T00:00:00Z", roomId: 1 },
  { imageUrl: "/qr/x.png" },
  { __proto__: null, constructor: { type: "system" } },
];

/** Kinds of message that are the server's alone, or no text. */
export const forgedTypes = [
  "system",
  "payment",
  "payment_qr",
  "notice",
  "SYSTEM",
  "image",
  "",
  null,
  1,
  ["system"],
];
