import type { Executor } from "#db/client";
import { people } from "#modules/identity";
import type { Stepped } from "#modules/payments";
import type { Trade } from "./machine/types.ts";
import { type Refused, refused } from "./outcomes.ts";

/** What payments refused, with how the trade stands, and the name of whoever is making the transfer where that is why. */
export async function refusedStep(
  exec: Executor,
  { code, says, current }: Stepped & { ok: false },
  trade: Trade,
): Promise<Refused> {
  const answer = { ...refused(code, trade), ...(says !== undefined && { says }) };
  if (code !== "PAYOUT_CLAIMED" || !current?.claimedBy) return answer;
  const who = await people(exec, [current.claimedBy]);
  return { ...answer, params: { name: who.get(current.claimedBy)?.displayName ?? "" } };
}
