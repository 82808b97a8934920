import { expect, test } from "bun:test";
import type { Actor } from "../core/actor.ts";
import { useStillClock } from "../core/still-clock.fixture.ts";
import { hashingPlaceOf, hashingPlaceOfUser, rememberSignInPlace } from "./hashing-sources.ts";

const clock = useStillClock();

const from = (ip: string): Actor => ({
  kind: "visitor",
  ip,
  device: "",
  language: "en",
  requestId: crypto.randomUUID(),
});

test("an unknown caller is grouped by network, behind known ones", () => {
  expect(hashingPlaceOf(from("198.51.100.1"))).toEqual({ rank: "unknown", name: "198.51.100.1" });
  const [one, other] = ["2001:db8:1:2::3", "2001:db8:1:2:ffff::4"].map((ip) => hashingPlaceOf(from(ip)));
  expect(one).toEqual(other as NonNullable<typeof other>);
});

test("the next twenty attempts from a place of a successful sign-in go first, for a day", () => {
  const here = from("198.51.100.2");
  rememberSignInPlace(here);
  const ranks = Array.from({ length: 21 }, () => hashingPlaceOf(here).rank);
  expect(ranks).toEqual([...Array(20).fill("known"), "unknown"]);
  rememberSignInPlace(here);
  expect(hashingPlaceOf(from("198.51.100.3")).rank).toBe("unknown");
  clock.at = new Date(clock.at.getTime() + 24 * 3_600_000 + 1);
  expect(hashingPlaceOf(here).rank).toBe("unknown");
});

test("a signed-in person counts as themselves, wherever they are", () => {
  expect(hashingPlaceOfUser(7)).toEqual({ rank: "known", name: "user 7" });
});

test("at most ten thousand networks are remembered; the oldest is dropped", () => {
  const ip = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  for (let n = 0; n <= 10_000; n++) rememberSignInPlace(from(ip(n)));
  expect(hashingPlaceOf(from(ip(0))).rank).toBe("unknown");
  expect(hashingPlaceOf(from(ip(1))).rank).toBe("known");
});
