import { confirmByHand as byHandInput } from "#forms/escrow";
import { confirmByHand } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../paths.ts";
import { readForm } from "./forms.ts";
import { goTo, reauthenticate } from "./pages.ts";

/** A payment confirmed by hand: the first administrator proposes its sum and number, a second one who gives the same confirms it. */
export async function actByHand(admin: Member, id: number, body: FormData) {
  const read = readForm("by-hand", body, byHandInput);
  if (!read.ok) return read.answer;
  const done = await confirmByHand(admin, id, read.value);
  if (done.ok) {
    const key = done.state === "confirmed" ? "escrow.handConfirmed" : "escrow.handProposed";
    return goTo(paths.adminTransaction(id), { kind: "success", key });
  }
  return done.code === "REAUTH_REQUIRED" ? reauthenticate(paths.adminByHand(id)) : read.refuse(done);
}
