import { signedHead } from "#modules/audit";

/** Reads the newest signed head of the log. Refuses NOT_FOUND before the first one. */
export async function findSignedHead() {
  const head = await signedHead();
  return head === null ? ({ ok: false, code: "NOT_FOUND" } as const) : ({ ok: true, head } as const);
}
