import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { type By, record } from "#modules/audit";
import { invoices, providerProblems } from "./schema.provider.ts";
import type { AskProblem, Reference } from "./types.ts";

/** A row of the provider that waits for a person. */
export type ProviderProblem = AskProblem & { id: number; reference: Reference; seenAt: Date };

/** What waits, oldest first; of one reference or of all. */
export async function providerProblemsOf(exec: Executor, reference?: Reference): Promise<ProviderProblem[]> {
  const found = await exec
    .select({ problem: providerProblems, reference: invoices.reference })
    .from(providerProblems)
    .innerJoin(invoices, eq(invoices.id, providerProblems.invoiceId))
    .where(
      and(
        isNull(providerProblems.resolvedAt),
        reference === undefined ? undefined : eq(invoices.reference, reference),
      ),
    )
    .orderBy(asc(providerProblems.seenAt), asc(providerProblems.id))
    .limit(500);
  return found.map(({ problem: { id, code, invoiceId, providerPaymentId, row, seenAt }, reference }) => {
    return { id, code, invoiceId, providerPaymentId, row, seenAt, reference };
  });
}

/** True when any of these waits for a person. */
export async function someOpen(exec: Executor, problems: readonly AskProblem[]): Promise<boolean> {
  const found = await exec
    .select({ code: providerProblems.code, payment: providerProblems.providerPaymentId })
    .from(providerProblems)
    .where(
      and(
        isNull(providerProblems.resolvedAt),
        inArray(
          providerProblems.providerPaymentId,
          problems.map(({ providerPaymentId }) => providerPaymentId),
        ),
      ),
    );
  return problems.some(({ code, providerPaymentId }) =>
    found.some((one) => one.code === code && one.payment === providerPaymentId),
  );
}

/** One, whether it still waits or not; null when there is none. */
export async function providerProblem(
  exec: Executor,
  id: number,
): Promise<{ id: number; reference: Reference } | null> {
  const [found] = await exec
    .select({ id: providerProblems.id, reference: invoices.reference })
    .from(providerProblems)
    .innerJoin(invoices, eq(invoices.id, providerProblems.invoiceId))
    .where(eq(providerProblems.id, id));
  return found ?? null;
}

/** Closes a problem with what a person did about it. Repeating it changes nothing; the first word stands. */
export async function resolveProviderProblem(
  tx: Tx,
  { id, by, note, at }: { id: number; by: By & { userId: number }; note: string; at: Date },
): Promise<{ ok: true } | { ok: false; code: "NOT_FOUND" }> {
  const [problem] = await tx.select().from(providerProblems).where(eq(providerProblems.id, id)).for("update");
  if (problem === undefined) return { ok: false, code: "NOT_FOUND" };
  if (problem.resolvedAt !== null) return { ok: true };
  await tx
    .update(providerProblems)
    .set({ resolvedAt: at, resolvedBy: by.userId, note })
    .where(eq(providerProblems.id, id));
  const subject = { kind: "invoice", id: problem.invoiceId };
  await record(tx, { by, action: "payment.problem_resolved", at, subject, data: { problem: id } });
  return { ok: true };
}
