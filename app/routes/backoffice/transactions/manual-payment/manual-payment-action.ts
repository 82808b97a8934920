import { manualPaymentSchema as byHandInput, dismissManualPaymentSchema } from "#forms/escrow";
import { confirmManualPayment, discardManualPayment } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../../paths.ts";
import { goTo } from "../../../../server/pages/page-context.ts";
import { readForm, refusalToast } from "../../../../server/pages/posted-forms.ts";

/** A manual payment: the first administrator proposes its amount and reference, and a second one who enters the same confirms it. */
export async function handleManualPaymentForm(admin: Member, id: number, body: FormData) {
  if (body.get("form") === "lay-aside") return discardProposal(admin, id, body);
  const read = readForm("by-hand", body, byHandInput);
  if (!read.ok) return read.answer;
  const done = await confirmManualPayment(admin, id, read.value);
  if (done.ok) {
    const key = done.state === "confirmed" ? "escrow.handConfirmed" : "escrow.handProposed";
    return goTo(paths.adminTransaction(id), { kind: "success", key });
  }
  return read.refuse(done);
}

/** Discards a proposal that waits for confirmation. Refused or not, the page shows its current state. */
async function discardProposal(admin: Member, id: number, body: FormData) {
  const read = readForm("lay-aside", body, dismissManualPaymentSchema);
  if (!read.ok) return read.answer;
  const done = await discardManualPayment(admin, id, read.value);
  const told = done.ok ? ({ kind: "success", key: "escrow.handLaidAside" } as const) : refusalToast(done);
  return goTo(paths.adminByHand(id), told);
}
