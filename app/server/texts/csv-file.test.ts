import { expect, test } from "bun:test";
import { csvFile, csvLine } from "./csv-file.ts";

const lines: Array<[string, Parameters<typeof csvLine>[0], string]> = [
  ["plain cells", [1, "Бат", null, ""], "1,Бат,,"],
  ["a separator, a quote and an end of line", ['a,"b"', "c\nd"], '"a,""b""","c\nd"'],
  ["a formula", ["=1+1", "+1", "-1", "@SUM(A1)"], "'=1+1,'+1,'-1,'@SUM(A1)"],
  ["a formula after spaces or in wide letters", [" =1", "＝1"], "' =1,'＝1"],
  ["a formula after a tab", ["\t=1"], `"'\t=1"`],
  ["a formula that needs quotes", ['=HYPERLINK("x","y")'], `"'=HYPERLINK(""x"",""y"")"`],
  [
    "numbers that are names: zeros, length and look stay",
    [{ exact: "0050123456" }, { exact: "12345678901234567890" }, { exact: "12E5" }, { exact: "1-2" }],
    '"=""0050123456""","=""12345678901234567890""","=""12E5""","=""1-2"""',
  ],
  ["no such number", [{ exact: "" }, { exact: "Данс 5" }], ",Данс 5"],
  [
    "what only pretends to be such a number",
    [
      { exact: '5"&HYPERLINK("x")&"' },
      { exact: "=1" },
      { exact: "5\n6" },
      { exact: "@A1" },
      { exact: "5&A1" },
    ],
    `"5""&HYPERLINK(""x"")&""",'=1,"5\n6",'@A1,5&A1`,
  ],
  ["what holds such a sign inside", ["a=b", "2025-01-01"], "a=b,2025-01-01"],
];
for (const [what, cells, line] of lines) {
  test(`a row with ${what}`, () => expect(csvLine(cells)).toBe(`${line}\r\n`));
}

test("a file starts with the UTF-8 mark and contains its rows", async () => {
  const file = csvFile("a.csv", numbered(2));
  expect(new Uint8Array(await file.clone().arrayBuffer()).slice(0, 3)).toEqual(
    new Uint8Array([0xef, 0xbb, 0xbf]),
  );
  expect(await file.text()).toBe("0\r\n1\r\n");
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="a.csv"');
});

test("rows are generated as they are read, and no more once the file is abandoned", async () => {
  let made = 0;
  const file = csvFile(
    "a.csv",
    numbered(1000, () => made++),
  );
  const reader = file.body?.getReader();
  for (let chunk = 0; chunk < 3; chunk++) await reader?.read();
  await reader?.cancel();
  expect(made).toBeLessThan(5);
});

async function* numbered(count: number, each = () => {}): AsyncGenerator<string> {
  for (let n = 0; n < count; n++) {
    each();
    yield csvLine([n]);
  }
}
