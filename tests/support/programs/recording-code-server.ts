/** Midman, which writes every text that is made code of, from its start on, into `code.jsonl` of its folder of data: one a line. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";

const codeFile = join(process.env.DATA_DIR ?? "", "code.jsonl");
const recordTexts = (texts: unknown[]) => appendFileSync(codeFile, `${JSON.stringify(texts.map(String))}\n`);

const recordingFunction = new Proxy(globalThis.Function, {
  apply(target, self, texts) {
    recordTexts(texts);
    return Reflect.apply(target, self, texts);
  },
  construct(target, texts) {
    recordTexts(texts);
    return Reflect.construct(target, texts);
  },
});
// Every function leads to it too, by its constructor.
Object.defineProperty(Function.prototype, "constructor", { value: recordingFunction, writable: true });
globalThis.Function = recordingFunction;
// biome-ignore lint/security/noGlobalEval: only to see who uses it
globalThis.eval = new Proxy(globalThis.eval, {
  apply(target, self, texts) {
    recordTexts(texts);
    return Reflect.apply(target, self, texts);
  },
});

await import("../../../app/server.ts");
