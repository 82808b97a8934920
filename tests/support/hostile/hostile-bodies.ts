/** Bodies that are small to send and were, or might be, dear to read. Each is as large as its door takes: 128 KB, in parts a megabyte. */

export type HostileBody = { type: string; body: string };

const jsonBody = (body: string): HostileBody => ({ type: "application/json", body });
const formBody = (body: string): HostileBody => ({ type: "application/x-www-form-urlencoded", body });

const repeatJoined = (count: number, one: (n: number) => string, between: string) =>
  Array.from({ length: count }, (_, n) => one(n)).join(between);

const multipartPart = (disposition: string, value = "1") =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;

export const multipartBody = (all: readonly string[]): HostileBody => ({
  type: "multipart/form-data; boundary=b",
  body: `${all.join("")}--b--\r\n`,
});

const nestedLists = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** JSON that no call takes: refused before anything is made of it. */
export const hostileJson: Record<string, HostileBody> = {
  "objects 20,000 deep": jsonBody(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`),
  "lists 50,000 deep": jsonBody(nestedLists(50_000)),
  "lists 65,000 deep": jsonBody(nestedLists(65_000)),
  "130,000 lists begun": jsonBody("[".repeat(130_000)),
  "lists 33 deep": jsonBody(nestedLists(33)),
  "10,000 names": jsonBody(`{${repeatJoined(10_000, (n) => `"k${n}":1`, ",")}}`),
  "8,000 numbers as names": jsonBody(`{${repeatJoined(8_000, (n) => `"${4e9 - n * 7}":1`, ",")}}`),
  "one name 20,000 times": jsonBody(`{${repeatJoined(20_000, () => '"a":1', ",")}}`),
  "__proto__ 8,000 times": jsonBody(`{${repeatJoined(8_000, () => '"__proto__":{}', ",")}}`),
  "a list of 60,000": jsonBody(`{"username":[${repeatJoined(60_000, () => "1", ",")}]}`),
  "40,000 empty objects": jsonBody(`{"username":[${repeatJoined(40_000, () => "{}", ",")}]}`),
};

/** JSON that is read, and refused by what it says. */
export const oddJson: Record<string, HostileBody> = {
  "a number of 130,000 digits": jsonBody(`{"username":${"9".repeat(130_000)}}`),
  "1e999999": jsonBody('{"username":1e999999}'),
  "an exponent of 130,000 digits": jsonBody(`{"username":1e${"9".repeat(130_000)}}`),
  "a text of 120,000 signs": jsonBody(`{"username":"${"[,{".repeat(40_000)}","password":"x"}`),
  "20,000 escapes": jsonBody(`{"username":"${"\\u0041".repeat(20_000)}","password":"x"}`),
  "a name of 130,000 signs": jsonBody(`{"${"x".repeat(130_000)}":1}`),
  "a prototype": jsonBody('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'),
  "130,000 spaces": jsonBody(" ".repeat(130_000)),
  "marks on marks": jsonBody(`{"username":"${"e\\u0301".repeat(15_000)}","password":"x"}`),
};

/** Forms with more fields than any of ours, or longer names. */
export const hostileForms: Record<string, HostileBody> = {
  "14,000 fields": formBody(repeatJoined(14_000, (n) => `k${n}=1`, "&")),
  "one field 32,000 times": formBody(repeatJoined(32_000, () => "a=1", "&")),
  "130,000 ampersands": formBody("&".repeat(130_000)),
  "a name of 130,000 signs": formBody(`${"x".repeat(130_000)}=1`),
  "a name of broken escapes": formBody(`${"%E0%A4%A".repeat(16_000)}=1`),
};

/** What is too large whatever is in it: it is not read at all. */
export const oversizedBodies: Record<string, HostileBody> = {
  "lists 500,000 deep": jsonBody(nestedLists(500_000)),
  "a text of a megabyte": jsonBody(`{"username":"${"x".repeat(1_000_000)}","password":"x"}`),
  "240,000 fields": formBody("a=1&".repeat(240_000)),
};

/** The same in parts. */
export const hostileParts: Record<string, HostileBody> = {
  "18,000 parts": multipartBody(Array.from({ length: 18_000 }, (_, n) => multipartPart(`name="k${n}"`))),
  "18,000 parts of one name": multipartBody(Array.from({ length: 18_000 }, () => multipartPart('name="a"'))),
  "12,000 files": multipartBody(
    Array.from({ length: 12_000 }, (_, n) => multipartPart(`name="k${n}"; filename="x"`)),
  ),
  "a name of 200,000 dots": multipartBody([multipartPart(`name="${"a.".repeat(100_000)}a"`)]),
  "a part with 150,000 headers": multipartBody([
    `--b\r\nContent-Disposition: form-data; name="a"\r\n${"X: y\r\n".repeat(150_000)}\r\n1\r\n`,
  ]),
  "a boundary of two sayings": {
    type: 'multipart/form-data; boundary=b; boundary="c"',
    body: multipartBody([multipartPart('name="a"')]).body,
  },
};

/** Parts that a form of a page takes, and that a call must not read: their names and values become lists and objects there. */
export const partsForCalls: Record<string, HostileBody> = {
  "a list of thirty million": multipartBody([multipartPart('name="a[30000000]"')]),
  "a list of four thousand million": multipartBody([multipartPart('name="a[4294967294]"')]),
  "lists 50,000 deep in a field": multipartBody([multipartPart('name="a"', nestedLists(50_000))]),
};
