import { confirmByHand as byHandInput, layAside } from "#forms/escrow";
import { confirmByHand, layProposalAside } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo } from "../../../server/pages/page-context.ts";
import { readForm, refusedToast } from "../../../server/pages/posted-forms.ts";

/** A payment confirmed by hand: the first administrator proposes its sum and number, a second one who gives the same confirms it. */
export async function actByHand(admin: Member, id: number, body: FormData) {
  if (body.get("form") === "lay-aside") return setAside(admin, id, body);
  const read = readForm("by-hand", body, byHandInput);
  if (!read.ok) return read.answer;
  const done = await confirmByHand(admin, id, read.value);
  if (done.ok) {
    const key = done.state === "confirmed" ? "escrow.handConfirmed" : "escrow.handProposed";
    return goTo(paths.adminTransaction(id), { kind: "success", key });
  }
  return read.refuse(done);
}

/** What was entered waits for nobody any more; refused or not, the page shows how it stands now. */
async function setAside(admin: Member, id: number, body: FormData) {
  const read = readForm("lay-aside", body, layAside);
  if (!read.ok) return read.answer;
  const done = await layProposalAside(admin, id, read.value);
  const told = done.ok ? ({ kind: "success", key: "escrow.handLaidAside" } as const) : refusedToast(done);
  return goTo(paths.adminByHand(id), told);
}
