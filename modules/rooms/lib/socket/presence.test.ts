import { expect, test } from "bun:test";
import { mostPresent, Presence } from "./presence.ts";

test("a person has the best presence of their devices, and is offline without any", () => {
  expect(mostPresent(["away", "offline", "busy"])).toBe("busy");
  expect(mostPresent(["away", "online"])).toBe("online");
  expect(mostPresent([])).toBe("offline");
});

test("only changes are announced, across all instances", () => {
  const presence = new Presence();
  expect(presence.note(1, "a", "online", 100)).toEqual({ userId: 1, status: "online" });
  expect(presence.note(1, "b", "away", 100)).toBeUndefined();
  expect(presence.note(1, "a", "offline", 100)).toEqual({ userId: 1, status: "away" });
  expect(presence.all()).toEqual([{ userId: 1, status: "away" }]);
  expect(presence.note(1, "b", "offline", 100)).toEqual({ userId: 1, status: "offline" });
  expect(presence.all()).toEqual([]);
  expect(presence.note(2, "a", "offline", 100)).toBeUndefined();
});

test("a lease that is not renewed expires", () => {
  const presence = new Presence();
  presence.note(1, "a", "online", 100);
  presence.note(1, "b", "away", 200);
  presence.note(2, "a", "busy", 150);
  presence.note(2, "a", "busy", 300);
  expect(presence.expire(99)).toEqual([]);
  expect(presence.expire(150)).toEqual([{ userId: 1, status: "away" }]);
  expect(presence.expire(250)).toEqual([{ userId: 1, status: "offline" }]);
  expect(presence.all()).toEqual([{ userId: 2, status: "busy" }]);
});
