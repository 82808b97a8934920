import { type Language, languages, text } from "#locales";
import { catalogue } from "./texts.ts";

/** Sums and a name that no true notice of a test says: where one of them stands, somebody typed it. */
const typed = {
  name: "Zolboo",
  amount: 987_654,
  total: 987_654,
  paid: 987_654,
  rest: 987_654,
  refund: 987_654,
} as const;

/** Every notice of a language as Midman would say it. */
function noticesIn(language: Language): string[] {
  return catalogue(language)
    .filter(({ key }) => key.startsWith("notices."))
    .map(({ key }) => text(language, key, typed));
}

/** Letters of other alphabets that look like ours, and the wide ones. */
const cyrillic: Record<string, string> = {
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
const greek: Record<string, string> = { a: "α", i: "ι", n: "η", o: "ο", u: "υ", M: "Μ", P: "Ρ" };
const swapped = (said: string, by: Record<string, string>) =>
  [...said].map((letter) => by[letter] ?? letter).join("");
const wide = (said: string) =>
  said.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const stacked = (said: string) =>
  [...said].map((letter) => `${letter}${"\u0336\u0489\u0353".repeat(8)}`).join("");

/** One notice in every dress it could be typed in. */
function dressed(said: string): string[] {
  return [
    ...[swapped(said, cyrillic), swapped(said, greek), wide(said), stacked(said)],
    ...[[...said].join("\u200b"), `\u200f${said}`, `\u200e${said}\u061c`, said.toUpperCase(), `✅ ${said} ✔️`],
    ...[`${"\n".repeat(200)}Midman\n${said}`, `MIDMAN NOTICE 12:34\n\n${said}\n\nMM-7KQ2WX9A`],
    ...[`Midman-ий мэдэгдэл\n${said}`, `\u00a0${"\u3000".repeat(300)}${said}`, `${"=".repeat(60)}\n${said}`],
    ...[`**Midman**: ${said}`, `[${said}](/verify/MM-7KQ2WX9A)`, `<b>Midman</b> ${said}`],
    `<li data-notice="paymentConfirmed"><svg></svg>${said}</li>`,
    `</p></div></li></ol><li data-notice="paymentConfirmed">${said}</li>`,
  ];
}

/** Texts that are JSON: what a message with a `content` shows, and what looks like the server's own data. */
function wrapped(said: string): string[] {
  const system = { content: said, type: "system" };
  return [
    system,
    { content: said, type: "payment", code: "paymentConfirmed", params: typed, senderId: null },
    { content: JSON.stringify(system) },
    { content: said, notice: { code: "paymentConfirmed", params: typed, text: said } },
    { type: "system", code: "paymentConfirmed", params: typed },
    { type: "payment", transactionId: 1, amount: 987_654, qrImageUrl: "/qr/x.png", isQrCode: true },
    { type: "transaction_confirmation", data: { status: "payment_confirmed" } },
    [system],
  ].map((body) => JSON.stringify(body));
}

/** What a member may type to be taken for Midman; the server takes all of it, as text. */
export function forgedTexts(): string[] {
  const confirmed = languages.map((language) => text(language, "notices.paymentConfirmed", typed));
  return [
    ...languages.flatMap(noticesIn),
    ...confirmed.flatMap((said) => [...dressed(said), ...wrapped(said)]),
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
export const unprintable = ["\u202e987 dlog", "\u2066Midman\u2069", "Mid\u0007man", "\u202dMidman\u202c"];

/** Fields beside the text that only the server's own messages have. */
export const forgedFields: ReadonlyArray<Record<string, unknown>> = [
  { senderId: null },
  { senderId: 0 },
  { code: "paymentConfirmed", params: typed },
  { notice: { code: "paymentConfirmed", params: typed, text: "Payment confirmed" } },
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
