import type { Executor, Tx } from "#db/client";

/** What a guard answers: nothing against it, or the code that the verb then refuses with. */
type Verdict = { ok: true } | { ok: false; code: string; current?: unknown };

/**
 * What a higher module decides about rooms; it registers its answers before any job or request runs. Guards that get a `tx`
 * run under the room's row lock, before anything is changed.
 */
export type RoomGuards = {
  /** May the room be deleted? Refused until its trade has ended. */
  mayDelete(tx: Tx, roomId: number): Promise<Verdict>;
  /** May this member leave? Refused while money is held. */
  mayLeave(tx: Tx, roomId: number, userId: number): Promise<Verdict>;
  /** May the seats be swapped? Refused for good from the first invoice on. */
  mayChangeRoles(tx: Tx, roomId: number): Promise<Verdict>;
  /** May the room be erased, or has it a trade? With one its seats are fixed: leaving hides, deleting keeps. */
  mayErase(tx: Tx, roomId: number): Promise<boolean>;
  /** Told of swapped seats inside the transaction, to rewrite the trade's parties. */
  rolesChanged(
    tx: Tx,
    seats: { roomId: number; buyerId: number | null; sellerId: number | null },
  ): Promise<void>;
  /** Are the other side's phone and bank account still to be masked? */
  maskContacts(exec: Executor, roomId: number): Promise<boolean>;
};

/** Without anybody to ask nothing is ended, rewritten or shown: money may be in a room that looks quiet from here. */
function unasked(): never {
  throw new Error("rooms: no guards are registered");
}

const unregistered: RoomGuards = {
  mayDelete: async () => unasked(),
  mayLeave: async () => unasked(),
  mayChangeRoles: async () => unasked(),
  mayErase: async () => unasked(),
  rolesChanged: async () => unasked(),
  maskContacts: async () => true,
};

let registered = unregistered;

/** Registers the guards of a higher module over those in force. Returns what puts the former ones back. */
export function registerRoomGuards(given: Partial<RoomGuards>): () => void {
  const former = registered;
  registered = { ...former, ...given };
  return () => {
    registered = former;
  };
}

/** The guards in force; before any is registered each throws, but that contacts are masked. */
export function guards(): RoomGuards {
  return registered;
}
