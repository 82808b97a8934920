import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { type Member, people } from "#modules/identity";
import { closeDeadline } from "./deadlines.ts";
import type { Disputable, DisputeOutcome, Party } from "./machine/types.ts";
import { disputeStatements, disputes } from "./schema.ts";

type Row = typeof disputes.$inferSelect;

/** What somebody said in a dispute; an administrator's words are the mediator's. */
export type Statement = { by: Party | "admin"; body: string; at: string };

/** A dispute as both sides and the administrators see it: nothing that one side says is kept from the other. */
export type CaseView = {
  openedBy: Party;
  openedFrom: Disputable;
  openedAt: string;
  outcome: DisputeOutcome | null;
  /** The buyer's part of a split. */
  refundAmount: number | null;
  endedAt: string | null;
  /** Whoever of the administrators took it; null once they are none any more. */
  mediator: { id: number; displayName: string; since: string } | null;
  statements: Statement[];
};

/** The disputes of a trade, the oldest first. */
export async function casesOf(exec: Executor, tradeId: number): Promise<CaseView[]> {
  const rows = await exec
    .select()
    .from(disputes)
    .where(eq(disputes.tradeId, tradeId))
    .orderBy(asc(disputes.id));
  const mediators = await mediatorsOf(exec, rows);
  const cases: CaseView[] = [];
  for (const [at, row] of rows.entries()) {
    cases.push({
      openedBy: row.openedBy,
      openedFrom: row.openedFrom,
      openedAt: row.openedAt.toISOString(),
      outcome: row.outcome,
      refundAmount: row.refundAmount,
      endedAt: row.endedAt?.toISOString() ?? null,
      mediator: mediators[at] ?? null,
      statements: await statementsOf(exec, row.id),
    });
  }
  return cases;
}

type Taken = Pick<Row, "takenBy" | "takenAt">;

/** Who holds a case. Somebody who is no administrator any more holds nothing: the case is free. */
export async function mediatorOf(exec: Executor, taken: Taken): Promise<CaseView["mediator"]> {
  return (await mediatorsOf(exec, [taken]))[0] ?? null;
}

/** The same of several cases, in their order. */
export async function mediatorsOf(
  exec: Executor,
  cases: readonly Taken[],
): Promise<Array<CaseView["mediator"]>> {
  const known = await people(
    exec,
    cases.flatMap(({ takenBy }) => takenBy ?? []),
  );
  return cases.map(({ takenBy, takenAt }) => {
    const person = takenBy === null ? undefined : known.get(takenBy);
    if (takenAt === null || person === undefined || !person.isAdmin || person.deleted) return null;
    return { id: person.id, displayName: person.displayName, since: takenAt.toISOString() };
  });
}

/** The dispute under way. The trade's lock is the caller's. */
export async function openCase(tx: Tx, tradeId: number): Promise<Row | undefined> {
  const [row] = await tx
    .select()
    .from(disputes)
    .where(and(eq(disputes.tradeId, tradeId), isNull(disputes.outcome)));
  return row;
}

/** The dispute by which a trade's money goes: the latest that nobody took back, open or decided. */
export async function lastingCase(exec: Executor, tradeId: number): Promise<Row | undefined> {
  const [row] = await exec
    .select()
    .from(disputes)
    .where(and(eq(disputes.tradeId, tradeId), sql`${disputes.outcome} IS DISTINCT FROM 'withdrawn'`))
    .orderBy(desc(disputes.id))
    .limit(1);
  return row;
}

type Said = { role: Party | "admin"; member: Member; body: string; at: Date };

/** What came of saying something: nothing new, the first word of that side, or another one. */
export type Heard = "same" | "first" | "more";

/** Writes down what somebody says in the latest dispute. Once both sides have spoken the time to do so is over. */
export async function state(tx: Tx, tradeId: number, { role, member, body, at }: Said): Promise<Heard> {
  const [dispute] = await tx
    .select({ id: disputes.id })
    .from(disputes)
    .where(eq(disputes.tradeId, tradeId))
    .orderBy(desc(disputes.id))
    .limit(1);
  if (dispute === undefined) throw new Error(`escrow: trade ${tradeId} has no dispute`);
  const before = await tx
    .select({ role: disputeStatements.byRole, user: disputeStatements.byUser, body: disputeStatements.body })
    .from(disputeStatements)
    .where(eq(disputeStatements.disputeId, dispute.id))
    .orderBy(asc(disputeStatements.id));
  if (before.findLast(({ user }) => user === member.userId)?.body === body) return "same";
  await tx
    .insert(disputeStatements)
    .values({ disputeId: dispute.id, byRole: role, byUser: member.userId, body, at });
  const roles = new Set([...before.map((one) => one.role), role]);
  if (roles.has("buyer") && roles.has("seller")) await closeDeadline(tx, tradeId, "dispute_statements", at);
  return before.some((one) => one.role === role) ? "more" : "first";
}

/** Which sides have said something in the dispute under way. */
export async function spokenIn(tx: Tx, tradeId: number): Promise<Array<Party | "admin">> {
  const rows = await tx
    .selectDistinct({ role: disputeStatements.byRole })
    .from(disputeStatements)
    .innerJoin(disputes, eq(disputes.id, disputeStatements.disputeId))
    .where(and(eq(disputes.tradeId, tradeId), isNull(disputes.outcome)));
  return rows.map(({ role }) => role);
}

async function statementsOf(exec: Executor, disputeId: number): Promise<Statement[]> {
  const said = await exec
    .select()
    .from(disputeStatements)
    .where(eq(disputeStatements.disputeId, disputeId))
    .orderBy(asc(disputeStatements.id));
  return said.map(({ byRole, body, at }) => ({ by: byRole, body, at: at.toISOString() }));
}
