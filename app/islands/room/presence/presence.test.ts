import { expect, test } from "bun:test";
import { idleMs, presenceAt } from "./presence.ts";

const now = Date.parse("2026-11-21T10:00:00Z");
const here = { visible: true, busy: false, activeAt: now };

test("whoever looks at the page and did something lately is online", () => {
  expect(presenceAt(here, now)).toBe("online");
  expect(presenceAt({ ...here, activeAt: now - idleMs + 1 }, now)).toBe("online");
});

test("whoever looks elsewhere, or has done nothing for five minutes, is away", () => {
  expect(idleMs).toBe(300_000);
  expect(presenceAt({ ...here, visible: false }, now)).toBe("away");
  expect(presenceAt({ ...here, activeAt: now - idleMs }, now)).toBe("away");
});

test("whoever chose to be busy is busy, there or not", () => {
  for (const visible of [true, false])
    for (const activeAt of [now, now - 2 * idleMs])
      expect(presenceAt({ visible, activeAt, busy: true }, now)).toBe("busy");
});

test("a device whose clock was set back still counts as active", () => {
  expect(presenceAt({ ...here, activeAt: now + 60_000 }, now)).toBe("online");
});
