import { AsyncLocalStorage } from "node:async_hooks";
import { createCounter } from "../metrics.ts";

/**
 * The turns of transactions: at most as many run at once as there are connections for them. The others wait here and not in the driver,
 * because here one can be refused before its BEGIN is sent, and urgent work goes first.
 */

/** Priority of work that may be refused instead of kept waiting. Money goes before everything else that a person asks for. */
export type Rank = "money" | "others";

/** Work that has begun, and work that no person waits for (jobs, the console), is never refused and goes first. */
type Queue = Rank | "begun";
const queueOrder = ["begun", "money", "others"] as const;

/** Limit of waiting transactions per turn: about a second's work. */
const waitingForEachTurn = 25;
/** A transaction that has waited this long is refused. */
const longestWaitMs = 1_500;
/** If no turn was released for this long, the pool is stuck: new transactions are refused immediately, except those of rank `money`. */
const standstillMs = 1_000;
/** Range of `retryAfterSeconds`, random so that requests refused together do not return together. */
const retryAfterRange = { least: 2, most: 5 };

const shedCounter = createCounter({
  name: "database_transactions_shed_total",
  help: "Transactions refused before they began because the pool was exhausted, by the caller's rank and the reason",
  labels: ["rank", "reason"],
});

type Admission = { rank: Rank; begun: boolean };
type Waiter = { begin(): void };

const admissionContext = new AsyncLocalStorage<Admission | undefined>();
const waitingQueues: Record<Queue, Set<Waiter>> = { begun: new Set(), money: new Set(), others: new Set() };
let turnCount = 1;
let takenTurns = 0;
/** When a turn was last taken or released. */
let lastMovedAt = 0;

/** A resource (here the pool) is exhausted. Nothing was begun, and the request may be repeated after `retryAfterSeconds`. */
export class OverloadError extends Error {
  readonly code = "OVERLOADED";
  readonly retryAfterSeconds: number;

  constructor(message = "no connection to the database became free in time") {
    super(message);
    const { least, most } = retryAfterRange;
    this.retryAfterSeconds = least + Math.floor(Math.random() * (most - least + 1));
  }
}

/** The `OverloadError` that an error is or was caused by; undefined if there is none. */
export function findOverload(error: unknown): OverloadError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof OverloadError) return at;
  }
  return undefined;
}

/**
 * Runs work that may be refused: its first transaction throws `OverloadError` if none can begin soon. Later transactions of the same work
 * are never refused, so that it is not left half done.
 */
export function runSheddable<T>(rank: Rank, work: () => T): T {
  return admissionContext.run({ rank, begun: false }, work);
}

/** Runs work that is never refused, even if its caller's work may be. */
export function runUnshed<T>(work: () => T): T {
  return admissionContext.run(undefined, work);
}

/** Sets how many transactions may be open at once. */
export function setTurns(count: number): void {
  turnCount = count;
}

/** Waits for a turn. Returns a function that releases it, to be called once. Rejects with `OverloadError` if no turn came in time. */
export async function takeTurn(): Promise<() => void> {
  const admission = admissionContext.getStore();
  const queue = admission === undefined || admission.begun ? "begun" : admission.rank;
  if (takenTurns < turnCount) {
    takenTurns += 1;
    lastMovedAt = performance.now();
  } else await waitIn(queue);
  if (admission !== undefined) admission.begun = true;
  return giveBack;
}

/** Passes the turn on to the first in the queues. */
function giveBack(): void {
  lastMovedAt = performance.now();
  const [waiter] = waitingQueues[queueOrder.find((queue) => waitingQueues[queue].size > 0) ?? "begun"];
  if (waiter === undefined || takenTurns > turnCount) takenTurns -= 1;
  else waiter.begin();
}

function waitIn(queue: Queue): Promise<void> {
  const waiting = waitingQueues[queue];
  return new Promise((resolve, reject) => {
    const refuse = (reason: string) => {
      leave();
      shedCounter.inc({ rank: queue, reason });
      reject(new OverloadError());
    };
    const waiter: Waiter = {
      begin: () => {
        leave();
        resolve();
      },
    };
    const timer = queue === "begun" ? undefined : setTimeout(refuse, longestWaitMs, "late");
    const leave = () => {
      clearTimeout(timer);
      waiting.delete(waiter);
    };
    const reason = queue === "begun" ? undefined : reasonToRefuse(queue);
    if (reason === undefined) waiting.add(waiter);
    else refuse(reason);
  });
}

function reasonToRefuse(rank: Rank): string | undefined {
  if (waitingQueues[rank].size >= turnCount * waitingForEachTurn) return "full";
  if (rank === "others" && performance.now() - lastMovedAt > standstillMs) return "standstill";
  return undefined;
}
