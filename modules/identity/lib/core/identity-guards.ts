import type { Executor, Tx } from "#db/client";

/** What a higher module has to say about a user's going, and what it does when one goes. */
export type IdentityGuard = {
  /**
   * Asked in the transaction of the deletion, before the user's row is held; it may lock what is its own. Its code becomes
   * the refusal's.
   */
  mayDeleteUser?(tx: Tx, userId: number): Promise<{ ok: true } | { ok: false; code: string }>;
  /** Erases, in the same transaction once nothing stands against it, what the module keeps by which the person is reached or named. */
  forgetUser?(tx: Tx, userId: number, at: Date): Promise<void>;
  /**
   * Waits for what a person begins with another at this moment, and lets nothing begin until the transaction ends: `notifySuspension` then
   * sees all of it. Called before administrators and the user's row are held.
   */
  holdNewTrades?(tx: Tx, userId: number): Promise<void>;
  /** Notifies the other parties, in the same transaction, that a person was suspended, or that the suspension ended. */
  notifySuspension?(tx: Tx, userId: number, suspended: boolean, at: Date): Promise<void>;
  /** The bank accounts that a person gave beside the one of their profile, as they were typed. */
  bankAccountsOf?(exec: Executor, userId: number): Promise<string[]>;
};

const identityGuards: IdentityGuard[] = [];

/** Registers a guard, at start. Returns what takes it away again (tests). */
export function registerIdentityGuard(guard: IdentityGuard): () => void {
  identityGuards.push(guard);
  return () => {
    const at = identityGuards.indexOf(guard);
    if (at >= 0) identityGuards.splice(at, 1);
  };
}

/** Asks every guard in the order of registration; the first refusal counts. */
export async function mayDeleteUser(
  tx: Tx,
  userId: number,
): Promise<{ ok: true } | { ok: false; code: string }> {
  for (const guard of identityGuards) {
    const answer = await guard.mayDeleteUser?.(tx, userId);
    if (answer !== undefined && !answer.ok) return answer;
  }
  return { ok: true };
}

/** Has every higher module erase what it keeps of a person who goes; the caller has asked `mayDeleteUser` before. */
export async function forgetUserInModules(tx: Tx, userId: number, at: Date): Promise<void> {
  for (const guard of identityGuards) await guard.forgetUser?.(tx, userId, at);
}

/** Calls `holdNewTrades` of every registered guard. */
export async function holdNewTradesInModules(tx: Tx, userId: number): Promise<void> {
  for (const guard of identityGuards) await guard.holdNewTrades?.(tx, userId);
}

/** Calls `notifySuspension` of every registered guard. */
export async function notifySuspensionInModules(
  tx: Tx,
  userId: number,
  suspended: boolean,
  at: Date,
): Promise<void> {
  for (const guard of identityGuards) await guard.notifySuspension?.(tx, userId, suspended, at);
}

/** The bank accounts that higher modules know of a person. */
export async function bankAccountsInModules(exec: Executor, userId: number): Promise<string[]> {
  const all: string[] = [];
  for (const guard of identityGuards) all.push(...((await guard.bankAccountsOf?.(exec, userId)) ?? []));
  return all;
}
