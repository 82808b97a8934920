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
  /** Refuses before doing anything: `true` is 500. */
  fail: z.union([z.literal(true), z.number().int().min(400).max(599)]).optional(),
  /** The code that goes with `fail`: SYSTEM_BUSY unless given. */
  error: z
    .string()
    .regex(/^[A-Z_]{1,60}$/)
    .optional(),
  /** Does the work, and answers so much later. */
  delayMs: z.number().int().min(0).max(60_000).optional(),
  /** Does the work, and a gateway answers 504 in its place. */
  loseReply: z.literal(true).optional(),
  /** Does the work, and answers 200 with: a page of HTML, half of the reply, another shape, its first field alone, nothing, or pages with rows missing. */
  garbage: z.enum(["html", "cut", "shape", "bare", "empty", "partial"]).optional(),
  /** Lists each payment so many times. */
  repeat: z.number().int().min(1).max(10).optional(),
  /** Lists nothing: the list lags behind what was paid. */
  hide: z.literal(true).optional(),
  /** Every listed payment names this invoice. */
  namesInvoice: z
    .string()
    .regex(/^[\w.:-]{1,64}$/)
    .optional(),
  /** Says that the listed payments come to this. */
  paidAmount: z.number().int().min(0).max(1e15).optional(),
});

const mannersSchema = z.object({
  /** `b` says the same in its other known ways: numbers for amounts, payment_fee, transaction_type, CANCELLED. */
  dialect: z.enum(["a", "b"]),
  /** Holds so few rows in a page, whatever was asked for. */
  pageLimit: z.number().int().min(1).max(100),
  /** Whether a cancelled invoice can still be paid (nobody knows of the real one). */
  payAfterCancel: z.boolean(),
  /** How long tokens issued from now on live. */
  tokenSeconds: z.number().int().min(1).max(10_000_000),
});

/** How it is until told otherwise. */
const defaultManners = { dialect: "a", pageLimit: 100, payAfterCancel: true, tokenSeconds: 86_400 } as const;

/** What `POST /sandbox/qpay/behave` takes. Everything may be combined; `reset` goes first. */
export const behaviorInput = z.strictObject({
  ...actSchema.shape,
  ...mannersSchema.partial().shape,
  operation: z.enum([...operationNames, "*"]).default("*"),
  /** How many calls the act is for; `"all"` until reset. */
  nextCalls: z.union([z.number().int().min(1).max(100_000), z.literal("all")]).default(1),
  /** Every token ends now: the next call gets 401. */
  revokeTokens: z.boolean().optional(),
  /** Forgets all acts, manners and counts. */
  reset: z.boolean().optional(),
});

export type Act = z.infer<typeof actSchema>;
export type Manners = z.infer<typeof mannersSchema>;

/** Tells the sandbox how to behave. Answers how it stands. */
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

/** What it was told and not yet done, and how often each operation was called since the last reset. */
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

export async function readManners(): Promise<Manners> {
  const [row] = await db().select().from(sandboxMannersTable);
  return { ...defaultManners, ...row?.told };
}

/** Takes what it was told for this call, oldest first, one act a call; an empty act when nothing was. */
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

/** What may be the id of anything here; whatever else a path holds names nothing. */
export function isPossibleId(text: string): boolean {
  return /^[\w.:-]{1,64}$/.test(text);
}

export async function countCall(operation: Operation): Promise<void> {
  await db()
    .insert(callCountsTable)
    .values({ operation, count: 1 })
    .onConflictDoUpdate({
      target: callCountsTable.operation,
      set: { count: sql`${callCountsTable.count} + 1` },
    });
}
