import { AsyncLocalStorage } from "node:async_hooks";
import { createCounter } from "../metrics.ts";

/**
 * The turns of transactions: at most as many at once as there are connections for them. The others wait here and not in the
 * driver, since from here one can be refused before its BEGIN is sent, and what must not wait goes first.
 */

/** Who is refused rather than kept waiting. Money goes before everything else that a person asks for. */
export type Rank = "money" | "others";

/** Work that has begun, and whatever no person waits for (jobs, the console), is never refused and goes before both. */
type Queue = Rank | "begun";
const queueOrder = ["begun", "money", "others"] as const;

/** For each turn there is, so many may wait for one: about a second's work. */
const waitingForEachTurn = 25;
/** Who has waited so long is refused. */
const longestWaitMs = 1_500;
/** Once no turn has come free for so long, nothing moves: who comes now is refused at once, but where money is concerned. */
const standstillMs = 1_000;
/** When to come again, spread out so that those who were refused together do not come back together. */
const retryAfterRange = { least: 2, most: 5 };

const shedCounter = createCounter({
  name: "database_transactions_shed_total",
  help: "Transactions that were refused before they began because the pool was exhausted, by who asked and why",
  labels: ["rank", "reason"],
});

type Admission = { rank: Rank; begun: boolean };
type Waiter = { begin(): void };

const admissionContext = new AsyncLocalStorage<Admission | undefined>();
const waitingQueues: Record<Queue, Set<Waiter>> = { begun: new Set(), money: new Set(), others: new Set() };
let turnCount = 1;
let takenTurns = 0;
/** When a turn was last taken or given back. */
let lastMovedAt = 0;

/** What is needed is exhausted (here the pool): nothing was begun, and the same may be asked again after `retryAfterSeconds`. */
export class OverloadError extends Error {
  readonly code = "OVERLOADED";
  readonly retryAfterSeconds: number;

  constructor(message = "no connection to the database became free in time") {
    super(message);
    const { least, most } = retryAfterRange;
    this.retryAfterSeconds = least + Math.floor(Math.random() * (most - least + 1));
  }
}

/** The refusal that an error stands for, itself or as what caused it; undefined where it is none. */
export function findOverload(error: unknown): OverloadError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof OverloadError) return at;
  }
  return undefined;
}

/**
 * Runs work that may be refused: its first transaction throws `OverloadError` where none can begin soon. Once one has begun, the
 * later ones of the same work are never refused, so that nothing stays half done.
 */
export function runSheddable<T>(rank: Rank, work: () => T): T {
  return admissionContext.run({ rank, begun: false }, work);
}

/** Runs work that is never refused, also where what caused it might have been. */
export function runUnshed<T>(work: () => T): T {
  return admissionContext.run(undefined, work);
}

/** Says how many transactions may be open at once. */
export function setTurns(count: number): void {
  turnCount = count;
}

/** Waits for a turn; answers what gives it back, to be called once. Rejects with `OverloadError` where none came in time. */
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

/** Hands the turn on to the first who waits. */
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
