import { type Executor, type Tx, transaction } from "#db/client";
import { type By, record } from "#modules/audit";
import { halt } from "./schema.money.ts";

/**
 * Stops or resumes every outgoing step at once: while on, no approval and no sending goes through. It waits for the steps
 * under way, so that when it answers none is left behind it. Setting what is set changes nothing.
 */
export function haltMoney(input: {
  on: boolean;
  reason: string;
  at: Date;
  by: By;
}): Promise<{ ok: true; changed: boolean }> {
  return transaction(async (tx) => {
    const [row] = await tx.select().from(halt).for("update");
    if (row === undefined) throw new Error("payments: the halt switch has no row");
    if (row.halted === input.on) return { ok: true, changed: false };
    const { on, reason, at, by } = input;
    await tx.update(halt).set({ halted: on, reason, changedBy: by.userId, changedAt: at });
    await record(tx, {
      by,
      action: on ? "money.halted" : "money.resumed",
      at,
      subject: { kind: "money", id: "halt" },
      data: { before: row.halted, after: on },
    });
    return { ok: true, changed: true };
  });
}

/**
 * Stops every outgoing step of a database that was just restored: money may have left since, of which its books do not know. A halt that
 * stood already stays, with its reason below this one. Only an administrator's press, or the operator's, ends it.
 */
export async function haltAfterRestore(tx: Tx, { reason, at }: { reason: string; at: Date }): Promise<void> {
  const before = await haltState(tx);
  const reasons = before.halted && before.reason !== null ? `${reason}\n${before.reason}` : reason;
  const turned = { halted: true, reason: reasons, changedBy: null, changedAt: at };
  await tx.insert(halt).values(turned).onConflictDoUpdate({ target: halt.onlyRow, set: turned });
  await record(tx, {
    by: { userId: null },
    action: "money.halted",
    at,
    subject: { kind: "money", id: "halt" },
    data: { before: before.halted, after: true, restored: true },
  });
}

/** How the switch stands: since when, by whom and why; those are null while nobody has ever turned it. */
export type HaltState = {
  halted: boolean;
  reason: string | null;
  changedBy: number | null;
  changedAt: Date | null;
};

/** The same with its circumstances. No row counts as halted. */
export async function haltState(exec: Executor): Promise<HaltState> {
  const [row] = await exec.select().from(halt);
  if (row === undefined) return { halted: true, reason: null, changedBy: null, changedAt: null };
  const { halted, reason, changedBy, changedAt } = row;
  return { halted, reason, changedBy, changedAt };
}

/** True while outgoing money is stopped, for pages to show. */
export async function moneyHalted(exec: Executor): Promise<boolean> {
  const [row] = await exec.select({ halted: halt.halted }).from(halt);
  return row?.halted ?? true;
}

/** The same for a step that acts on the answer: the switch cannot be turned until the step's transaction ends. */
export async function outgoingStopped(tx: Tx): Promise<boolean> {
  const [row] = await tx.select({ halted: halt.halted }).from(halt).for("share");
  return row?.halted ?? true;
}
