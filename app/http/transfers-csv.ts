import { moment } from "#format";
import type { Transfer } from "#modules/escrow";

const columns = [
  ["Sent at", ({ sentAt }) => moment(sentAt)],
  ["Transaction", ({ transactionCode }) => transactionCode],
  ["Kind", ({ kind }) => kind],
  ["Amount", ({ amount }) => amount],
  ["Fee", ({ fee }) => fee],
  ["Bank", ({ bankName }) => bankName],
  ["Account name", ({ accountName }) => accountName],
  ["Account number", ({ accountNumber }) => accountNumber],
  ["IBAN", ({ iban }) => iban],
  ["Bank reference", ({ bankReference }) => bankReference],
  ["State", ({ state }) => state],
  ["Sent by", ({ sentBy }) => sentBy],
  ["Record", ({ id }) => id],
] satisfies Array<[string, (transfer: Transfer) => string | number]>;

/** The transfers as CSV (RFC 4180) that spreadsheets read as UTF-8 and as text; times are Mongolian, sums whole tugrik. */
export function transfersCsv(transfers: readonly Transfer[]): string {
  const lines = [
    columns.map(([name]) => cell(name)),
    ...transfers.map((one) => columns.map(([, of]) => cell(of(one)))),
  ];
  return `\ufeff${lines.map((line) => `${line.join(",")}\r\n`).join("")}`;
}

/** A text that a spreadsheet would take for a formula is disarmed: people type names and accounts themselves. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const plain = /^[\s]*[=+\-@\t\r|%]/.test(value) ? `'${value}` : value;
  return `"${plain.replaceAll('"', '""')}"`;
}
