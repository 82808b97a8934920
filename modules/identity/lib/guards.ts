import type { Tx } from "#db/client";

/** What a higher module may say about a user's going. Its code becomes the refusal's. */
export type IdentityGuard = {
  /** Asked in the transaction of the deletion, before the user's row is held; it may lock what is its own. */
  mayDeleteUser?(tx: Tx, userId: number): Promise<{ ok: true } | { ok: false; code: string }>;
};

const guards: IdentityGuard[] = [];

/** Registers a guard, at start. Returns what takes it away again (tests). */
export function registerIdentityGuard(guard: IdentityGuard): () => void {
  guards.push(guard);
  return () => {
    const at = guards.indexOf(guard);
    if (at >= 0) guards.splice(at, 1);
  };
}

/** Asks every guard in the order of registration; the first refusal counts. */
export async function mayDeleteUser(
  tx: Tx,
  userId: number,
): Promise<{ ok: true } | { ok: false; code: string }> {
  for (const guard of guards) {
    const answer = await guard.mayDeleteUser?.(tx, userId);
    if (answer !== undefined && !answer.ok) return answer;
  }
  return { ok: true };
}
