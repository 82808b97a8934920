import { and, asc, count, desc, eq, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Executor, Tx } from "#db/client";
import { findPeople, type Member } from "#modules/identity";
import type { caseViewSchema, statementSchema } from "../core/responses.ts";
import { deadlinesTable, disputeStatementsTable, disputesTable } from "../core/schema.ts";
import { closeDeadline } from "../deadlines/deadlines.ts";
import { otherParty } from "../machine/decision-helpers.ts";
import type { Party } from "../machine/trade-types.ts";

type Row = typeof disputesTable.$inferSelect;

export type Statement = z.output<typeof statementSchema>;

export type CaseView = z.output<typeof caseViewSchema>;

/** How many statements a party may make in one dispute; after that it can still write in the room. */
const MAX_STATEMENTS = 20;

/** Pages show this many of a trade's disputes and of the statements in each, the latest ones. */
const VIEW_LIMITS = { disputes: 20, statements: 200 } as const;

/** The latest disputes of a trade, oldest first. */
export async function casesOf(exec: Executor, tradeId: number): Promise<CaseView[]> {
  return viewCases(
    exec,
    (await latestOf(exec, tradeId, VIEW_LIMITS.disputes)).reverse(),
    VIEW_LIMITS.statements,
  );
}

/** The latest dispute of a trade; null if there never was one. */
export async function latestCase(exec: Executor, tradeId: number): Promise<CaseView | null> {
  return (await viewCases(exec, await latestOf(exec, tradeId, 1), VIEW_LIMITS.statements))[0] ?? null;
}

/** Every dispute of a trade with every statement, oldest first: evidence must be complete. */
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

/** The administrator who has a case. Null once they are no longer an administrator: the case is free to take. */
export async function mediatorOf(exec: Executor, taken: CaseHolder): Promise<CaseView["mediator"]> {
  return (await mediatorsOf(exec, [taken]))[0] ?? null;
}

/** `mediatorOf` for several cases, in their order. */
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

/** The open dispute of a trade. The caller holds the trade's lock. */
export async function findOpenCase(tx: Tx, tradeId: number): Promise<Row | undefined> {
  const [row] = await tx
    .select()
    .from(disputesTable)
    .where(and(eq(disputesTable.tradeId, tradeId), isNull(disputesTable.outcome)));
  return row;
}

/** Whether `openedAt` (ISO 8601) is the time of the trade's open dispute. The caller holds the trade's lock. */
export async function isOpenCase(tx: Tx, tradeId: number, openedAt: string | undefined): Promise<boolean> {
  const open = await findOpenCase(tx, tradeId);
  return openedAt !== undefined && open?.openedAt.getTime() === Date.parse(openedAt);
}

/** The dispute that decides where a trade's money goes: the latest that was not withdrawn, open or decided. */
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

/** Result of a statement: the same text again, the first one of that party, a further one, or refused as one too many. */
export type StatementResult = "same" | "first" | "more" | "full";

/**
 * Records a statement in the latest dispute, and closes the deadline for statements once both parties have made one. For a party that has
 * made 20 it writes nothing ("full"); administrators have no limit.
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

/** How many statements the buyer, the seller and administrators have made in a dispute. */
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

/** Who has made a statement in the open dispute: buyer, seller or an administrator. */
export async function listSpeakers(tx: Tx, tradeId: number): Promise<Array<Party | "admin">> {
  const rows = await tx
    .selectDistinct({ role: disputeStatementsTable.byRole })
    .from(disputeStatementsTable)
    .innerJoin(disputesTable, eq(disputesTable.id, disputeStatementsTable.disputeId))
    .where(and(eq(disputesTable.tradeId, tradeId), isNull(disputesTable.outcome)));
  return rows.map(({ role }) => role);
}

/**
 * The parties that have made no statement yet in the open dispute of each of these trades, while the deadline for statements runs. The
 * accused party comes first, since a dispute opens with its opener's statement. Trades where no statement is awaited are left out.
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

/** The statements in a dispute, oldest first: all of them, or the latest `most`. */
async function statementsOf(exec: Executor, disputeId: number, most?: number): Promise<Statement[]> {
  const said = exec
    .select()
    .from(disputeStatementsTable)
    .where(eq(disputeStatementsTable.disputeId, disputeId))
    .orderBy(desc(disputeStatementsTable.id));
  const rows = await (most === undefined ? said : said.limit(most));
  return rows.reverse().map(({ byRole, body, at }) => ({ by: byRole, body, at: at.toISOString() }));
}
