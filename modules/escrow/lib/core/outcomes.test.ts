import { expect, test } from "bun:test";
import { hasText } from "#locales";
import { noticeCodes } from "../machine/effects.ts";

/** The codes of a union type in a source file of this folder. */
async function codesIn(file: string, type: string): Promise<string[]> {
  const source = await Bun.file(new URL(file, import.meta.url)).text();
  const union = new RegExp(`export type ${type} =([^;]+);`).exec(source)?.[1] ?? "";
  return [...union.matchAll(/"([A-Z_]+)"/g)].map(([, code = ""]) => code);
}

test("every refusal of a trade has its text in the catalogues", async () => {
  const codes = [
    ...(await codesIn("./outcomes.ts", "RefusalCode")),
    ...(await codesIn("../machine/commands.ts", "Rejection")),
    ...(await codesIn("../information/bank-account.ts", "SaveBankInfoResult")),
    ...(await codesIn("../information/share-information.ts", "ShareInfoResult")),
    ...(await codesIn("../information/refund-account.ts", "SaveRefundDestinationResult")),
  ];
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter((code) => !hasText(`errors.${code}`))).toEqual([]);
});

test("every notice of a trade has its text in the catalogues", async () => {
  const folder = new URL("..", import.meta.url).pathname;
  const told: string[] = [];
  for (const file of [
    "information/bank-account.ts",
    "information/share-information.ts",
    "information/refund-account.ts",
    "notifications/notify-parties.ts",
  ]) {
    const source = await Bun.file(`${folder}${file}`).text();
    told.push(
      ...[
        ...source.matchAll(
          /"((?:bankInfo|contact|infoShared|infoConfirmed|refundDestination|adminNotified)[A-Z]\w*|adminNotified)"/g,
        ),
      ].map(([, code = ""]) => code),
    );
  }
  expect(told.length).toBeGreaterThan(8);
  expect([...noticeCodes, ...told].filter((code) => !hasText(`notices.${code}`))).toEqual([]);
});
