import { formatMoment } from "#format";
import type { Transfer } from "#views/escrow";
import { csvLine } from "../../../server/texts/csv-file.ts";

const transferColumns = [
  ["Sent at", ({ sentAt }) => formatMoment(sentAt)],
  ["Transaction", ({ transactionCode }) => transactionCode],
  ["Kind", ({ kind }) => kind],
  ["Amount", ({ amount }) => amount],
  ["Fee", ({ fee }) => fee],
  ["Bank", ({ bankName }) => bankName],
  ["Account name", ({ accountName }) => accountName],
  ["Account number", ({ accountNumber }) => ({ exact: accountNumber })],
  ["IBAN", ({ iban }) => ({ exact: iban })],
  ["Bank reference", ({ bankReference }) => ({ exact: bankReference })],
  ["State", ({ state }) => state],
  ["Sent by", ({ sentBy }) => sentBy],
  ["Record", ({ id }) => id],
] satisfies Array<[string, (transfer: Transfer) => string | number | { exact: string }]>;

/** The transfers as lines of a CSV file below a header; times are Mongolian, amounts whole ₮. */
export async function* transferLines(transfers: readonly Transfer[]): AsyncGenerator<string> {
  yield csvLine(transferColumns.map(([name]) => name));
  for (const one of transfers) yield csvLine(transferColumns.map(([, of]) => of(one)));
}
