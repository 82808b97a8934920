import { and, gt, isNotNull } from "drizzle-orm";
import type { Executor } from "#db/client";
import { users } from "./schema.ts";

const week = 7 * 24 * 60 * 60 * 1000;

/**
 * Whom this administrator is one pair of eyes with: themselves, and everybody tied to them by administrators being made within
 * the last seven days, by whichever of them and over however many steps. One who makes accounts of their own administrators
 * gains no second pair by it.
 */
export async function sameHands(exec: Executor, userId: number, at: Date): Promise<number[]> {
  const since = new Date(at.getTime() - week);
  const ties = await exec
    .select({ made: users.id, by: users.adminGrantedBy })
    .from(users)
    .where(and(isNotNull(users.adminGrantedAt), gt(users.adminGrantedAt, since)));
  const hands = new Set([userId]);
  for (let before = 0; before < hands.size; ) {
    before = hands.size;
    for (const { made, by } of ties) {
      if (by === null || !(hands.has(made) || hands.has(by))) continue;
      hands.add(made).add(by);
    }
  }
  return [...hands];
}
