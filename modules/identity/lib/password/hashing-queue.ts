/**
 * Queue for password hashing. A hash takes about 25 ms of a processor, on the threads that also compress responses and read files, so at
 * most `atOnce` run at a time. Waiting callers are served round-robin by place: a hundred requests from one place delay only that place.
 */

/** Known places go first; at least one of four turns goes to an unknown one, if any wait. */
export type HashingRank = "known" | "unknown";

/** The key of the round robin: one person or one neighbourhood. */
export type HashingPlace = { rank: HashingRank; name: string };

export type HashingQueueLimits = {
  /** Hashes that run at a time. */
  atOnce: number;
  /** How many may wait in each rank. */
  waiting: number;
  /** Waiters are refused after this many milliseconds. */
  longestWaitMs: number;
};

/** Why a waiter is refused: the queue is full, a place with fewer waiters displaced it, or its turn did not come in time. */
export type HashingRefusal = "full" | "displaced" | "late";

type Waiter = { begin(): void; refuse(reason: HashingRefusal): void };

const hashingRanks = ["known", "unknown"] as const;
/** Every fourth turn goes to an unknown place first. */
const unknownEvery = 4;

/** A hashing queue; the process has one (`passwords.ts`). */
export class HashingQueue {
  readonly #limits: HashingQueueLimits;
  readonly #waiting: Record<HashingRank, Map<string, Waiter[]>> = { known: new Map(), unknown: new Map() };
  readonly #refusalError: (rank: HashingRank, reason: HashingRefusal) => Error;
  #running = 0;
  #finished = 0;

  /** `refusalError` is called for each refusal, and returns the error to reject with. */
  constructor(
    limits: HashingQueueLimits,
    refusalError: (rank: HashingRank, reason: HashingRefusal) => Error,
  ) {
    this.#limits = limits;
    this.#refusalError = refusalError;
  }

  /** How many wait in a rank. */
  waiting(rank: HashingRank): number {
    let count = 0;
    for (const waiters of this.#waiting[rank].values()) count += waiters.length;
    return count;
  }

  /** Throws if a new waiter would be refused at once, so that no work is done for them first. */
  check(place: HashingPlace): void {
    if (this.#running >= this.#limits.atOnce && this.#isFullFor(place))
      throw this.#refusalError(place.rank, "full");
  }

  /** Waits for a turn and runs the work. Rejects, before the work starts, if no turn comes in time. */
  async run<T>(place: HashingPlace, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.atOnce) this.#running += 1;
    else await this.#wait(place);
    try {
      return await work();
    } finally {
      this.#releaseSlot();
    }
  }

  #wait(place: HashingPlace): Promise<void> {
    if (this.#isFullFor(place)) return Promise.reject(this.#refusalError(place.rank, "full"));
    if (this.waiting(place.rank) >= this.#limits.waiting)
      this.#heaviest(place.rank).at(-1)?.refuse("displaced");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const refuse = (reason: HashingRefusal) => {
      this.#leave(place, waiter);
      clearTimeout(timer);
      reject(this.#refusalError(place.rank, reason));
    };
    const timer = setTimeout(refuse, this.#limits.longestWaitMs, "late");
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    const waiter: Waiter = { begin, refuse };
    const queue = this.#waiting[place.rank];
    queue.set(place.name, [...(queue.get(place.name) ?? []), waiter]);
    return promise;
  }

  /** A full queue still accepts a place with fewer waiters than another place, which then loses its last one. */
  #isFullFor({ rank, name }: HashingPlace): boolean {
    if (this.waiting(rank) < this.#limits.waiting) return false;
    const own = this.#waiting[rank].get(name)?.length ?? 0;
    return this.#heaviest(rank).length <= own + 1;
  }

  #heaviest(rank: HashingRank): readonly Waiter[] {
    let most: readonly Waiter[] = [];
    for (const waiters of this.#waiting[rank].values()) if (waiters.length > most.length) most = waiters;
    return most;
  }

  #leave({ rank, name }: HashingPlace, waiter: Waiter): void {
    const rest = (this.#waiting[rank].get(name) ?? []).filter((one) => one !== waiter);
    if (rest.length > 0) this.#waiting[rank].set(name, rest);
    else this.#waiting[rank].delete(name);
  }

  #releaseSlot(): void {
    this.#finished += 1;
    const order = this.#finished % unknownEvery === 0 ? hashingRanks.toReversed() : hashingRanks;
    const rank = order.find((one) => this.#waiting[one].size > 0);
    if (rank === undefined) this.#running -= 1;
    else this.#next(rank).begin();
  }

  /** The first waiter of the place whose turn it is; the place's other waiters move behind all other places. */
  #next(rank: HashingRank): Waiter {
    const queue = this.#waiting[rank];
    for (const [name, [first, ...rest]] of queue) {
      queue.delete(name);
      if (rest.length > 0) queue.set(name, rest);
      if (first !== undefined) return first;
    }
    throw new Error("identity: nobody waits to have a password hashed");
  }
}
