import { afterEach, describe, expect, test } from "bun:test";
import { readStored, storedKeys, writeStored } from "./browser-storage.ts";

/** A browser's storage of one page. */
function memoryStorage(): Storage {
  const entries = Object.create({
    getItem(key: string) {
      return Object.hasOwn(entries, key) ? entries[key] : null;
    },
    setItem(key: string, value: string) {
      entries[key] = value;
    },
    removeItem(key: string) {
      delete entries[key];
    },
  });
  return entries;
}

function giveStorage(get: () => Storage): void {
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get });
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, "localStorage");
});

describe("the browser's storage", () => {
  test("keeps values until they are removed", () => {
    const storage = memoryStorage();
    giveStorage(() => storage);
    expect(readStored("localStorage", "a")).toBeNull();
    expect(writeStored("localStorage", "a", "1")).toBe(true);
    expect(storage.getItem("a")).toBe("1");
    expect(readStored("localStorage", "a")).toBe("1");
    expect(storedKeys("localStorage")).toEqual(["a"]);
    expect(writeStored("localStorage", "a", null)).toBe(true);
    expect(readStored("localStorage", "a")).toBeNull();
  });

  const refusals: Record<string, () => Storage> = {
    "whose name throws": () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    },
    "that is null": () => null as unknown as Storage,
    "that is full": () =>
      Object.assign(memoryStorage(), {
        setItem() {
          throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
        },
      }),
  };
  test.each(Object.entries(refusals))("%s keeps a value for the page alone", (_, get) => {
    giveStorage(get);
    expect(writeStored("localStorage", "b", "1")).toBe(false);
    expect(readStored("localStorage", "b")).toBe("1");
    expect(storedKeys("localStorage")).toContain("b");
    writeStored("localStorage", "b", null);
    expect(readStored("localStorage", "b")).toBeNull();
  });
});
