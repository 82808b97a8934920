import { expect, test } from "bun:test";
import { idleMs, presenceAt } from "./presence.ts";

const now = Date.parse("2026-11-21T10:00:00Z");
const here = { visible: true, busy: false, activeAt: now };

test("someone who looks at the page and was recently active is online", () => {
  expect(presenceAt(here, now)).toBe("online");
  expect(presenceAt({ ...here, activeAt: now - idleMs + 1 }, now)).toBe("online");
});

test("someone who looks elsewhere, or was idle for five minutes, is away", () => {
  expect(idleMs).toBe(300_000);
  expect(presenceAt({ ...here, visible: false }, now)).toBe("away");
  expect(presenceAt({ ...here, activeAt: now - idleMs }, now)).toBe("away");
});

test("someone who chose busy is busy, present or not", () => {
  for (const visible of [true, false])
    for (const activeAt of [now, now - 2 * idleMs])
      expect(presenceAt({ visible, activeAt, busy: true }, now)).toBe("busy");
});

test("a device whose clock was set back still counts as active", () => {
  expect(presenceAt({ ...here, activeAt: now + 60_000 }, now)).toBe("online");
});
