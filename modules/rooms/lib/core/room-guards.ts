import type { Executor, Tx } from "#db/client";

/** What a guard answers: nothing against it, or the code that the verb then refuses with. */
type GuardVerdict = { ok: true } | { ok: false; code: string; current?: unknown };

/**
 * What a higher module decides about rooms; it registers its answers before any job or request runs. Guards that get a `tx`
 * run under the room's row lock, before anything is changed.
 */
export type RoomGuards = {
  /** May the room be deleted? Refused until its trade has ended. */
  mayDelete(tx: Tx, roomId: number): Promise<GuardVerdict>;
  /** May this member leave? Refused while money is held. */
  mayLeave(tx: Tx, roomId: number, userId: number): Promise<GuardVerdict>;
  /** May the seats be swapped? Refused for good from the first invoice on. */
  mayChangeRoles(tx: Tx, roomId: number): Promise<GuardVerdict>;
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
function throwUnregistered(): never {
  throw new Error("rooms: no guards are registered");
}

const unregisteredGuards: RoomGuards = {
  mayDelete: async () => throwUnregistered(),
  mayLeave: async () => throwUnregistered(),
  mayChangeRoles: async () => throwUnregistered(),
  mayErase: async () => throwUnregistered(),
  rolesChanged: async () => throwUnregistered(),
  maskContacts: async () => true,
};

let registeredGuards = unregisteredGuards;

/** Registers the guards of a higher module over those in force. Returns what puts the former ones back. */
export function registerRoomGuards(given: Partial<RoomGuards>): () => void {
  const former = registeredGuards;
  registeredGuards = { ...former, ...given };
  return () => {
    registeredGuards = former;
  };
}

/** The guards in force; before any is registered each throws, but that contacts are masked. */
export function currentRoomGuards(): RoomGuards {
  return registeredGuards;
}
