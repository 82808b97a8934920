import { and, asc, count, desc, eq, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import type { Executor, Tx } from "#db/client";
import { findPeople, type Member } from "#modules/identity";
import { deadlinesTable, disputeStatementsTable, disputesTable } from "../core/schema.ts";
import { closeDeadline } from "../deadlines/deadlines.ts";
import { otherParty } from "../machine/decision-helpers.ts";
import type { Disputable, DisputeOutcome, Party } from "../machine/trade-types.ts";

type Row = typeof disputesTable.$inferSelect;

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

/** So often each side may explain itself in one dispute; more is said in the room. */
const MAX_STATEMENTS = 20;

/** What pages show, the latest: so many of a trade's disputes, and so much of what was said in each. */
const VIEW_LIMITS = { disputes: 20, statements: 200 } as const;

/** The latest disputes of a trade, the oldest of them first. */
export async function casesOf(exec: Executor, tradeId: number): Promise<CaseView[]> {
  return viewCases(
    exec,
    (await latestOf(exec, tradeId, VIEW_LIMITS.disputes)).reverse(),
    VIEW_LIMITS.statements,
  );
}

/** The latest dispute of a trade; null where there never was one. */
export async function latestCase(exec: Executor, tradeId: number): Promise<CaseView | null> {
  return (await viewCases(exec, await latestOf(exec, tradeId, 1), VIEW_LIMITS.statements))[0] ?? null;
}

/** Every dispute of a trade with all that was said, the oldest first: for evidence, which has to be whole. */
export async function everyCase(exec: Executor, tradeId: number): Promise<CaseView[]> {
  const rows = exec.select().from(disputesTable).where(eq(disputesTable.tradeId, tradeId));
  return viewCases(exec, await rows.orderBy(asc(disputesTable.id)));
}

function latestOf(exec: Executor, tradeId: number, most: number): Promise<Row[]> {
  const rows = exec.select().from(disputesTable).where(eq(disputesTable.tradeId, tradeId));
  return rows.orderBy(desc(disputesTable.id)).limit(most);
}

async function viewCases(exec: Executor, rows: readonly Row[], most?: number): Promise<CaseView[]> {
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
      statements: await statementsOf(exec, row.id, most),
    });
  }
  return cases;
}

type CaseHolder = Pick<Row, "takenBy" | "takenAt">;

/** Who holds a case. Somebody who is no administrator any more holds nothing: the case is free. */
export async function mediatorOf(exec: Executor, taken: CaseHolder): Promise<CaseView["mediator"]> {
  return (await mediatorsOf(exec, [taken]))[0] ?? null;
}

/** The same of several cases, in their order. */
export async function mediatorsOf(
  exec: Executor,
  cases: readonly CaseHolder[],
): Promise<Array<CaseView["mediator"]>> {
  const known = await findPeople(
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
export async function findOpenCase(tx: Tx, tradeId: number): Promise<Row | undefined> {
  const [row] = await tx
    .select()
    .from(disputesTable)
    .where(and(eq(disputesTable.tradeId, tradeId), isNull(disputesTable.outcome)));
  return row;
}

/** The dispute by which a trade's money goes: the latest that nobody took back, open or decided. */
export async function findDecidingCase(exec: Executor, tradeId: number): Promise<Row | undefined> {
  const [row] = await exec
    .select()
    .from(disputesTable)
    .where(
      and(eq(disputesTable.tradeId, tradeId), sql`${disputesTable.outcome} IS DISTINCT FROM 'withdrawn'`),
    )
    .orderBy(desc(disputesTable.id))
    .limit(1);
  return row;
}

type NewStatement = { role: Party | "admin"; member: Pick<Member, "userId">; body: string; at: Date };

/** What came of saying something: nothing new, the first word of that side, another one, or too many before it. */
export type StatementResult = "same" | "first" | "more" | "full";

/**
 * Writes down what somebody says in the latest dispute; once both sides have spoken the time to do so is over. A side that has spoken
 * as often as it may writes nothing more ("full"); administrators always may.
 */
export async function recordStatement(
  tx: Tx,
  tradeId: number,
  { role, member, body, at }: NewStatement,
): Promise<StatementResult> {
  const [dispute] = await tx
    .select({ id: disputesTable.id })
    .from(disputesTable)
    .where(eq(disputesTable.tradeId, tradeId))
    .orderBy(desc(disputesTable.id))
    .limit(1);
  if (dispute === undefined) throw new Error(`escrow: trade ${tradeId} has no dispute`);
  if ((await findLastStatement(tx, dispute.id, member.userId)) === body) return "same";
  const said = await countStatements(tx, dispute.id);
  if (role !== "admin" && said[role] >= MAX_STATEMENTS) return "full";
  await tx
    .insert(disputeStatementsTable)
    .values({ disputeId: dispute.id, byRole: role, byUser: member.userId, body, at });
  const spoken = (side: Party) => side === role || said[side] > 0;
  if (spoken("buyer") && spoken("seller")) await closeDeadline(tx, tradeId, "dispute_statements", at);
  return said[role] > 0 ? "more" : "first";
}

async function findLastStatement(tx: Tx, disputeId: number, userId: number): Promise<string | undefined> {
  const [row] = await tx
    .select({ body: disputeStatementsTable.body })
    .from(disputeStatementsTable)
    .where(and(eq(disputeStatementsTable.disputeId, disputeId), eq(disputeStatementsTable.byUser, userId)))
    .orderBy(desc(disputeStatementsTable.id))
    .limit(1);
  return row?.body;
}

/** How often each has spoken in a dispute. */
async function countStatements(tx: Tx, disputeId: number): Promise<Record<Party | "admin", number>> {
  const rows = await tx
    .select({ role: disputeStatementsTable.byRole, times: count() })
    .from(disputeStatementsTable)
    .where(eq(disputeStatementsTable.disputeId, disputeId))
    .groupBy(disputeStatementsTable.byRole);
  return {
    buyer: 0,
    seller: 0,
    admin: 0,
    ...Object.fromEntries(rows.map(({ role, times }) => [role, times])),
  };
}

/** Which sides have said something in the dispute under way. */
export async function listSpeakers(tx: Tx, tradeId: number): Promise<Array<Party | "admin">> {
  const rows = await tx
    .selectDistinct({ role: disputeStatementsTable.byRole })
    .from(disputeStatementsTable)
    .innerJoin(disputesTable, eq(disputesTable.id, disputeStatementsTable.disputeId))
    .where(and(eq(disputesTable.tradeId, tradeId), isNull(disputesTable.outcome)));
  return rows.map(({ role }) => role);
}

/**
 * Who has said nothing yet in the dispute under way of each of these trades, while the time to explain it runs: the accused first, since
 * a dispute opens with its opener's words. Trades where nobody is waited for are not among them.
 */
export async function findAwaitedExplanations(
  exec: Executor,
  tradeIds: readonly number[],
  at: Date,
): Promise<Map<number, Party[]>> {
  if (tradeIds.length === 0) return new Map();
  const running = await exec
    .select({ tradeId: disputesTable.tradeId, disputeId: disputesTable.id, openedBy: disputesTable.openedBy })
    .from(disputesTable)
    .innerJoin(deadlinesTable, eq(deadlinesTable.tradeId, disputesTable.tradeId))
    .where(
      and(
        inArray(disputesTable.tradeId, [...tradeIds]),
        isNull(disputesTable.outcome),
        eq(deadlinesTable.kind, "dispute_statements"),
        ne(deadlinesTable.state, "closed"),
        gt(deadlinesTable.dueAt, at),
      ),
    );
  const spoken = await exec
    .selectDistinct({ disputeId: disputeStatementsTable.disputeId, role: disputeStatementsTable.byRole })
    .from(disputeStatementsTable)
    .where(
      inArray(
        disputeStatementsTable.disputeId,
        running.map(({ disputeId }) => disputeId),
      ),
    );
  const awaited = running.map(({ tradeId, disputeId, openedBy }): [number, Party[]] => {
    const said = spoken.filter((one) => one.disputeId === disputeId).map(({ role }) => role);
    return [tradeId, [otherParty(openedBy), openedBy].filter((side) => !said.includes(side))];
  });
  return new Map(awaited.filter(([, sides]) => sides.length > 0));
}

/** What was said in a dispute, the oldest first: all of it, or the latest `most`. */
async function statementsOf(exec: Executor, disputeId: number, most?: number): Promise<Statement[]> {
  const said = exec
    .select()
    .from(disputeStatementsTable)
    .where(eq(disputeStatementsTable.disputeId, disputeId))
    .orderBy(desc(disputeStatementsTable.id));
  const rows = await (most === undefined ? said : said.limit(most));
  return rows.reverse().map(({ byRole, body, at }) => ({ by: byRole, body, at: at.toISOString() }));
}
