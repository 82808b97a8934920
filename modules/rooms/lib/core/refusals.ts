import type { z } from "zod";

/** What an outsider learns of any room, as of one that does not exist. */
export const roomNotFound = { ok: false, code: "CHAT_ROOM_NOT_FOUND" } as const;

/** A refused form: messages by field, as keys of the catalogues. */
export type InvalidInput = { ok: false; code: "VALIDATION"; fields: Record<string, string[]> };

/** Input that a schema refused; what is wrong with the whole stands under `body`. */
export function refuseInvalidInput(error: z.ZodError): InvalidInput {
  const fields: Record<string, string[]> = {};
  for (const { path, message } of error.issues) {
    const name = path.length === 0 ? "body" : path.join(".");
    fields[name] = [...(fields[name] ?? []), message];
  }
  return { ok: false, code: "VALIDATION", fields };
}
