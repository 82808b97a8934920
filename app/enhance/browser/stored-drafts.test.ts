import { afterEach, beforeEach, expect, test } from "bun:test";
import { draftLifetimeMs, dropForeignDrafts, storedDraft } from "./stored-drafts.ts";

const now = Date.parse("2026-11-28T10:00:00Z");
let kept: Record<string, string>;

beforeEach(() => {
  kept = {};
  const storage = new Proxy(kept, {
    get: (_, name) =>
      ({
        getItem: (key: string) => kept[key] ?? null,
        setItem: (key: string, value: string) => {
          kept[key] = value;
        },
        removeItem: (key: string) => {
          delete kept[key];
        },
      })[String(name)],
  });
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: storage });
});

afterEach(() => {
  Reflect.deleteProperty(globalThis, "localStorage");
});

test("a draft is kept for its person and room, and is gone once it is empty", () => {
  storedDraft(1, 7).write("half a sentence", now);
  expect(storedDraft(1, 7).read(now)).toBe("half a sentence");
  expect([storedDraft(2, 7).read(now), storedDraft(1, 8).read(now)]).toEqual(["", ""]);
  storedDraft(1, 7).write("", now);
  expect([storedDraft(1, 7).read(now), kept]).toEqual(["", {}]);
});

test("a draft ends after its lifetime, and one whose form is unknown is none", () => {
  storedDraft(1, 7).write("old", now);
  expect(storedDraft(1, 7).read(now + draftLifetimeMs - 1)).toBe("old");
  expect(storedDraft(1, 7).read(now + draftLifetimeMs)).toBe("");
  expect(storedDraft(1, 7).read(now - 60_000)).toBe("old");
  for (const broken of ["", "text without a time", " a space first", "NaN text"]) {
    kept["midman-draft:1:7"] = broken;
    expect([broken, storedDraft(1, 7).read(now)]).toEqual([broken, ""]);
  }
});

test("somebody else's drafts and old ones are deleted, and nothing that is not a draft", () => {
  kept["midman-busy"] = "1";
  storedDraft(1, 7).write("mine", now);
  storedDraft(1, 8).write("mine, long ago", now - draftLifetimeMs);
  storedDraft(11, 7).write("another's", now);
  dropForeignDrafts(1, now);
  expect(Object.keys(kept).sort()).toEqual(["midman-busy", "midman-draft:1:7"]);
});

test("a browser that refuses its storage keeps the draft for the page alone", () => {
  const get = () => {
    throw new Error("denied");
  };
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get });
  storedDraft(1, 7).write("kept for now", now);
  expect(storedDraft(1, 7).read(now)).toBe("kept for now");
  dropForeignDrafts(2, now);
  expect(storedDraft(1, 7).read(now)).toBe("");
});
