import type { Executor, Tx } from "#db/client";

/** Why a user may not be deleted yet: money that is held or still to be sent, or an open trade. */
export type DeletionObstacle = { ok: false; code: "MONEY_HELD" | "TRADE_UNDER_WAY" };

/** Functions of a higher module that identity calls when a user is deleted, suspended or looked up. */
export type IdentityGuard = {
  /**
   * Called in the transaction of the deletion, before the user's row is locked; may lock the module's own rows. Its code becomes the code
   * of the refusal.
   */
  mayDeleteUser?(tx: Tx, userId: number): Promise<{ ok: true } | DeletionObstacle>;
  /** Erases, in the same transaction once nothing refuses, everything by which the module could reach or name the person. */
  forgetUser?(tx: Tx, userId: number, at: Date): Promise<void>;
  /**
   * Waits until trades that the person is starting are committed, and blocks new ones until the transaction ends, so that
   * `notifySuspension` sees every trade. Called before the administrators and the user's row are locked.
   */
  holdNewTrades?(tx: Tx, userId: number): Promise<void>;
  /**
   * Notifies the other parties, in the same transaction, that a person was suspended, or that the suspension ended. With `begunBefore`,
   * only the parties of what began before that moment.
   */
  notifySuspension?(tx: Tx, userId: number, suspended: boolean, at: Date, begunBefore?: Date): Promise<void>;
  /** The bank accounts a person gave besides the one in their profile, as typed. */
  bankAccountsOf?(exec: Executor, userId: number): Promise<string[]>;
};

const identityGuards: IdentityGuard[] = [];

/** Registers a guard, at start. Returns a function that removes it (tests). */
export function registerIdentityGuard(guard: IdentityGuard): () => void {
  identityGuards.push(guard);
  return () => {
    const at = identityGuards.indexOf(guard);
    if (at >= 0) identityGuards.splice(at, 1);
  };
}

/** Calls every guard in order of registration and returns the first refusal. */
export async function mayDeleteUser(tx: Tx, userId: number): Promise<{ ok: true } | DeletionObstacle> {
  for (const guard of identityGuards) {
    const answer = await guard.mayDeleteUser?.(tx, userId);
    if (answer !== undefined && !answer.ok) return answer;
  }
  return { ok: true };
}

/** Has every higher module erase its data about a person who is being deleted; the caller has called `mayDeleteUser` before. */
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
  begunBefore?: Date,
): Promise<void> {
  for (const guard of identityGuards) await guard.notifySuspension?.(tx, userId, suspended, at, begunBefore);
}

/** The bank accounts that higher modules store for a person. */
export async function bankAccountsInModules(exec: Executor, userId: number): Promise<string[]> {
  const all: string[] = [];
  for (const guard of identityGuards) all.push(...((await guard.bankAccountsOf?.(exec, userId)) ?? []));
  return all;
}
