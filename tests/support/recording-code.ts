/** Midman, which writes every text that is made code of, from its start on, into `code.jsonl` of its folder of data: one a line. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";

const file = join(process.env.DATA_DIR ?? "", "code.jsonl");
const note = (texts: unknown[]) => appendFileSync(file, `${JSON.stringify(texts.map(String))}\n`);

const recording = new Proxy(globalThis.Function, {
  apply(target, self, texts) {
    note(texts);
    return Reflect.apply(target, self, texts);
  },
  construct(target, texts) {
    note(texts);
    return Reflect.construct(target, texts);
  },
});
// Every function leads to it too, by its constructor.
Object.defineProperty(Function.prototype, "constructor", { value: recording, writable: true });
globalThis.Function = recording;
// biome-ignore lint/security/noGlobalEval: only to see who uses it
globalThis.eval = new Proxy(globalThis.eval, {
  apply(target, self, texts) {
    note(texts);
    return Reflect.apply(target, self, texts);
  },
});

await import("../../app/server.ts");
