import { expect, test } from "bun:test";
import { mergeErasures, parseErasures } from "./parse-erasures.ts";

const erasure = {
  erased: 41,
  registeredAt: "2026-11-01T08:00:00.123Z",
  at: "2026-11-20T08:00:00.000Z",
};
const logged = JSON.stringify({
  level: 30,
  time: "2026-11-20T08:00:00.001Z",
  ...erasure,
  msg: "an account was erased",
});
const json = JSON.stringify;

const forms: Record<string, string> = {
  "the journal's": json(erasure),
  "the program's log": logged,
  "journalctl's": `Nov 20 08:00:00 midman-1 bun[812]: ${logged}`,
  "docker compose logs'": `app-1  | ${logged}`,
  "Docker's json-file": json({ log: `${logged}\n`, stream: "stderr", time: "2026-11-20T08:00:00.002Z" }),
  "journalctl -o json's": json({ MESSAGE: logged, _PID: "812", __CURSOR: "s=a;i=b" }),
  "Loki's, a line each": json({ labels: { app: "midman" }, line: logged, timestamp: "2026-11-20T08:00:00Z" }),
  "Loki's answer": json({ data: { result: [{ stream: { app: "{x}" }, values: [["1763", logged]] }] } }),
  "an envelope in an envelope": json({ message: json({ log: logged }) }),
  "a collector's, that merged it": json({ kubernetes: { labels: { app: "midman" } }, ...erasure }),
  "behind a prefix with brackets": `{"app":"midman"} {a} [{"b":1}] {${logged}`,
  "behind a stray quotation mark": `5" {${logged}`,
  "before something else": `${logged} {"b":1} }`,
  "in colours": `\x1b[36mapp-1  |\x1b[0m \x1b[32m${logged}\x1b[0m`,
  "in colours within": logged.replace('"erased"', '\x1b[34m"erased"\x1b[0m'),
  "in colours in an envelope": json({ log: `\x1b[32m${logged}\x1b[0m` }),
  "a line of an envelope that is spread over lines": `    "line": ${json(logged)},`,
  "ended by Windows": `${logged}\r`,
};
for (const [form, line] of Object.entries(forms))
  test(`an erasure is recognised in a line of the form ${form}`, () => {
    expect(parseErasures(line)).toEqual([erasure]);
  });

test("all erasures in a line are found; other or truncated text is not", () => {
  const other = { ...erasure, erased: 42 };
  expect(parseErasures(json({ values: [logged, json(other)] }))).toEqual([erasure, other]);
  for (const line of [
    ...["", "{", "an account was erased", '{"erased":41}', logged.slice(0, 90), logged.slice(20)],
    ...[
      json({ ...erasure, erased: "many" }),
      json({ ...erasure, at: 5 }),
      json({ log: logged.slice(0, 90) }),
    ],
  ])
    expect([line, parseErasures(line)]).toEqual([line, []]);
});

test("an erasure that was repeated counts once, as the last", () => {
  const again = { ...erasure, at: "2026-11-25T08:00:00.000Z" };
  for (const lists of [
    [[erasure], [again]],
    [[again], [erasure, again]],
  ])
    expect(mergeErasures(...lists)).toEqual([again]);
});

const broken: Record<string, (times: number) => string> = {
  "of open braces": (times) => "{".repeat(times),
  "of braces in braces": (times) => `${"{".repeat(times)}${"}".repeat(times)}`,
  "of open objects": (times) => '{"a":'.repeat(times / 5),
  "of objects in objects around something broken": (times) =>
    `${'{"a":'.repeat(times / 6)}no${"}".repeat(times / 6)}`,
  "of open strings": (times) => '{"'.repeat(times / 2),
  "of quotation marks behind a brace": (times) => `{${'"x'.repeat(times / 2)}`,
  "of many broken envelopes": (times) => `{"values":[${'"{\\"a\\":1}",'.repeat(times / 12)}no]}`,
  "of arrays in arrays": (times) => `{"a":${"[".repeat(times / 2)}${"]".repeat(times / 2)}}`,
};
for (const [what, line] of Object.entries(broken))
  test(`parsing a line ${what} is linear in its length, and hides no erasure behind it`, () => {
    const text = (times: number) => `${line(times)} "erased" ${json({ log: logged })}`;
    const timed = (times: number) => {
      const [content, from] = [text(times), performance.now()];
      expect(parseErasures(content)).toEqual([erasure]);
      return performance.now() - from;
    };
    timed(1_000);
    expect(timed(600_000)).toBeLessThan(2_000);
  });
