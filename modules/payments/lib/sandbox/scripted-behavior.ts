import { sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client";
import { callCountsTable, sandboxMannersTable, sandboxTokensTable, scriptedActsTable } from "./schema.ts";

const operationNames = [
  "token",
  "refresh",
  "invoice",
  "getInvoice",
  "cancelInvoice",
  "check",
  "payment",
  "list",
  "cancelPayment",
  "refundPayment",
] as const;
export type Operation = (typeof operationNames)[number];

const actSchema = z.object({
  /** Refuses before doing anything; `true` means status 500. */
  fail: z.union([z.literal(true), z.number().int().min(400).max(599)]).optional(),
  /** The error code for `fail`; SYSTEM_BUSY by default. */
  error: z
    .string()
    .regex(/^[A-Z_]{1,60}$/)
    .optional(),
  /** Does the work, and answers after this delay. */
  delayMs: z.number().int().min(0).max(60_000).optional(),
  /** Does the work, but answers 504 like a gateway. */
  loseReply: z.literal(true).optional(),
  /**
   * Does the work, and answers with: a page of HTML, half of the reply, another shape, its first field alone, nothing, or a page with a row
   * missing.
   */
  garbage: z.enum(["html", "cut", "shape", "bare", "empty", "partial"]).optional(),
  /** Lists each payment this many times. */
  repeat: z.number().int().min(1).max(10).optional(),
  /** Lists nothing, as if the list had not caught up with the payments. */
  hide: z.literal(true).optional(),
  /** Every listed payment names this invoice. */
  namesInvoice: z
    .string()
    .regex(/^[\w.:-]{1,64}$/)
    .optional(),
  /** Reports this as the total of the listed payments. */
  paidAmount: z.number().int().min(0).max(1e15).optional(),
});

const mannersSchema = z.object({
  /** `b` uses the provider's other known forms: numbers for amounts, payment_fee, transaction_type, CANCELLED. */
  dialect: z.enum(["a", "b"]),
  /** The most rows of a page, whatever the request asks for. */
  pageLimit: z.number().int().min(1).max(100),
  /** Whether a cancelled invoice can still be paid (it is not known whether QPay allows it). */
  payAfterCancel: z.boolean(),
  /** Lifetime, in seconds, of the tokens issued from now on. */
  tokenSeconds: z.number().int().min(1).max(10_000_000),
});

/** The behaviour without a script. */
const defaultManners = { dialect: "a", pageLimit: 100, payAfterCancel: true, tokenSeconds: 86_400 } as const;

/** Input of `POST /sandbox/qpay/behave`. All fields may be combined; `reset` is applied first. */
export const behaviorInput = z.strictObject({
  ...actSchema.shape,
  ...mannersSchema.partial().shape,
  operation: z.enum([...operationNames, "*"]).default("*"),
  /** How many calls the act applies to; `"all"` applies until reset. */
  nextCalls: z.union([z.number().int().min(1).max(100_000), z.literal("all")]).default(1),
  /** Revokes every token: the next call gets 401. */
  revokeTokens: z.boolean().optional(),
  /** Clears all acts, manners and counts. */
  reset: z.boolean().optional(),
});

export type Act = z.infer<typeof actSchema>;
export type Manners = z.infer<typeof mannersSchema>;

/** Scripts the sandbox's behaviour. Returns its state. */
export async function scriptBehavior(told: z.infer<typeof behaviorInput>): Promise<SandboxState> {
  if (told.reset)
    await Promise.all([
      db().delete(scriptedActsTable),
      db().delete(sandboxMannersTable),
      db().delete(callCountsTable),
    ]);
  if (told.revokeTokens) await db().delete(sandboxTokensTable);
  const given = actSchema.parse(told);
  if (Object.values(given).some((value) => value !== undefined)) {
    const remaining = told.nextCalls === "all" ? null : told.nextCalls;
    await db().insert(scriptedActsTable).values({ operation: told.operation, remaining, told: given });
  }
  const lasting = mannersSchema.partial().parse(told);
  if (Object.keys(lasting).length > 0) {
    await db()
      .insert(sandboxMannersTable)
      .values({ told: lasting })
      .onConflictDoUpdate({
        target: sandboxMannersTable.one,
        set: { told: sql`${sandboxMannersTable.told} || excluded.told` },
      });
  }
  return readSandboxState();
}

type SandboxState = {
  manners: Manners;
  next: Array<{ operation: string; remaining: number | null; told: Act }>;
  calls: Record<string, number>;
};

/** The sandbox's manners, the acts still to be played, and the number of calls of each operation since the last reset. */
export async function readSandboxState(): Promise<SandboxState> {
  const next = await db().select().from(scriptedActsTable).orderBy(scriptedActsTable.id);
  const counted = await db().select().from(callCountsTable);
  return {
    manners: await readManners(),
    next: next
      .filter(({ remaining }) => remaining !== 0)
      .map(({ operation, remaining, told }) => ({ operation, remaining, told })),
    calls: Object.fromEntries(counted.map(({ operation, count }) => [operation, count])),
  };
}

/** The sandbox's current manners: the defaults with what was scripted. */
export async function readManners(): Promise<Manners> {
  const [row] = await db().select().from(sandboxMannersTable);
  return { ...defaultManners, ...row?.told };
}

/** Takes the oldest act scripted for this operation, one act a call; an empty act if there is none. */
export async function takeAct(operation: Operation): Promise<Act> {
  const [taken] = await db()
    .update(scriptedActsTable)
    .set({ remaining: sql`remaining - 1` })
    .where(
      sql`id = (SELECT id FROM sandbox.behaviours
                WHERE operation IN (${operation}, '*') AND remaining IS DISTINCT FROM 0
                ORDER BY id LIMIT 1 FOR UPDATE)`,
    )
    .returning({ told: scriptedActsTable.told });
  return taken?.told ?? {};
}

/** True for a text that could be an id in the sandbox; a path with any other text names nothing. */
export function isPossibleId(text: string): boolean {
  return /^[\w.:-]{1,64}$/.test(text);
}

/** Adds one to the number of calls of an operation. */
export async function countCall(operation: Operation): Promise<void> {
  await db()
    .insert(callCountsTable)
    .values({ operation, count: 1 })
    .onConflictDoUpdate({
      target: callCountsTable.operation,
      set: { count: sql`${callCountsTable.count} + 1` },
    });
}
