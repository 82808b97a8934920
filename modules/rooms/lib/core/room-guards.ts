import type { Executor, Tx } from "#db/client";

/** A guard's refusal, with the current state of what it guards; `textKey` if the code's own text does not say enough. */
export type GuardRefusal<Code extends string> = {
  ok: false;
  code: Code;
  current?: string;
  textKey?: string;
};
/** Why a room may not be deleted: its trade is open, or money is held or still to be sent. */
export type DeletionCode = "TRADE_UNDER_WAY" | "MONEY_HELD";
/** The verdict of a guard: no objection, or its refusal. */
type GuardVerdict<Code extends string> = { ok: true } | GuardRefusal<Code>;

/**
 * Decisions about rooms that a higher module makes; it registers them before any job or request runs. Guards that receive a `tx` run under
 * the room's row lock, before anything is changed.
 */
export type RoomGuards = {
  /** May the room be deleted? Refused until its trade has ended. */
  mayDelete(tx: Tx, roomId: number): Promise<GuardVerdict<DeletionCode>>;
  /** May this member leave? Refused while money is held. */
  mayLeave(tx: Tx, roomId: number, userId: number): Promise<GuardVerdict<"MONEY_HELD">>;
  /** May the two members swap roles? Refused permanently from the first invoice on. */
  mayChangeRoles(tx: Tx, roomId: number): Promise<GuardVerdict<"ROLES_LOCKED">>;
  /** May the room be erased? Not if it has a trade: its members are then fixed, leaving hides the room, and deleting keeps its rows. */
  mayErase(tx: Tx, roomId: number): Promise<boolean>;
  /** Called inside the transaction that swaps roles, to update the trade's parties. */
  rolesChanged(
    tx: Tx,
    seats: { roomId: number; buyerId: number | null; sellerId: number | null },
  ): Promise<void>;
  /** Which of the other member's contacts must be masked? */
  maskContacts(exec: Executor, roomId: number): Promise<ContactMask>;
};

/** What is masked of a member's contacts: phone number, email and bank account, the bank account alone, or nothing. */
export type ContactMask = "all" | "account" | "none";

/** Without registered guards nothing may be ended, changed or shown: a room that looks inactive from here may hold money. */
function throwUnregistered(): never {
  throw new Error("rooms: no guards are registered");
}

const unregisteredGuards: RoomGuards = {
  mayDelete: async () => throwUnregistered(),
  mayLeave: async () => throwUnregistered(),
  mayChangeRoles: async () => throwUnregistered(),
  mayErase: async () => throwUnregistered(),
  rolesChanged: async () => throwUnregistered(),
  maskContacts: async () => "all",
};

let registeredGuards = unregisteredGuards;

/** Registers a higher module's guards over the current ones. Returns a function that restores the previous ones. */
export function registerRoomGuards(given: Partial<RoomGuards>): () => void {
  const former = registeredGuards;
  registeredGuards = { ...former, ...given };
  return () => {
    registeredGuards = former;
  };
}

/** The current guards; before any is registered, each throws, except that contacts are masked. */
export function currentRoomGuards(): RoomGuards {
  return registeredGuards;
}
