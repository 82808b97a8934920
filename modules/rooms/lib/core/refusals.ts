import type { z } from "zod";

/** The refusal for outsiders, the same as for a room that does not exist. */
export type RoomNotFound = { ok: false; code: "CHAT_ROOM_NOT_FOUND" };
export const roomNotFound: RoomNotFound = { ok: false, code: "CHAT_ROOM_NOT_FOUND" };

/** A refused form: translation keys of the messages, by field. */
export type InvalidInput = { ok: false; code: "VALIDATION"; fields: Record<string, string[]> };

/** The refusal of input that failed its schema; errors of the whole input are under `body`. */
export function refuseInvalidInput(error: z.ZodError): InvalidInput {
  const fields: Record<string, string[]> = {};
  for (const { path, message } of error.issues) {
    const name = path.length === 0 ? "body" : path.join(".");
    fields[name] = [...(fields[name] ?? []), message];
  }
  return { ok: false, code: "VALIDATION", fields };
}
