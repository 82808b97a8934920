import type { Tx } from "#db/client";
import type { Language } from "#locales";
import { messageOf, type Quotes } from "./message.ts";
import type { NoticeNames } from "./notice-names.ts";
import { type RoomSignal, sendSignalAfterCommit } from "./room-signals.ts";
import type { MessageRow } from "./schema.ts";

/** A frame to everyone in a room. It is the same for every reader, so it never carries a phone number, bank account or email. */
export type Broadcast = {
  type:
    | "transaction_update"
    | "transaction_confirmation"
    | "info_exchange"
    | "payment"
    | "status_update"
    | "user_role_update"
    | "user_join"
    | "user_leave";
  data?: unknown;
  payload?: unknown;
};

/** Sends a frame to everyone in a room, on every instance, once `tx` has committed. */
export function broadcastFrame(tx: Tx, roomId: number, frame: Broadcast): void {
  sendSignalAfterCommit(tx, roomId, { kind: "frame", frame: JSON.stringify(frame) });
}

/** Sends a stored message to everyone in its room once `tx` has committed, each in their own language. */
export function broadcastMessage(
  tx: Tx,
  row: MessageRow,
  { names, quotes }: { names?: NoticeNames; quotes?: Quotes } = {},
): void {
  sendSignalAfterCommit(tx, row.roomId, messageSignal(row, names, quotes));
}

function messageSignal(
  row: MessageRow,
  names: NoticeNames | undefined,
  quotes: Quotes | undefined,
): RoomSignal {
  if (row.type === "text") return { kind: "frame", frame: frameOf(row, "en", undefined, quotes) };
  const wordsIn = (language: Language) => frameOf(row, language, names, quotes);
  return { kind: "frames", frames: { en: wordsIn("en"), mn: wordsIn("mn") } };
}

const frameTypes = {
  text: "chat",
  system: "chat",
  image: "image",
  payment: "payment",
  payment_qr: "payment",
};

function frameOf(row: MessageRow, language: Language, names?: NoticeNames, quotes?: Quotes): string {
  return JSON.stringify({
    type: frameTypes[row.type],
    seq: row.seq,
    payload: messageOf(row, language, names, quotes),
  });
}
