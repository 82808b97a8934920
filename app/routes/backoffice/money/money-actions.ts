import { haltOff, haltOn, reconcile, resolveDifference } from "#forms/payments";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import type { VerbRefusal } from "../../../server/pages/outcome-responses.ts";
import { goTo, idIn, notFound } from "../../../server/pages/page-context.ts";
import { readForm, refusedToast } from "../../../server/pages/posted-forms.ts";

/** The forms of the page of reconciliation, told apart by their field `form`; `day` is the one on the page. */
export async function actOnReconciliation(admin: Member, day: string, body: FormData) {
  const form = String(body.get("form"));
  if (form === "reconcile") {
    const read = readForm("reconcile", body, reconcile);
    if (!read.ok) return read.answer;
    const done = await escrow.runReconciliation(admin, read.value);
    return back(read.value.day, done, "escrow.reconciled");
  }
  if (form === "ask") {
    const done = await escrow.askAboutDifference(admin, idIn(body.get("difference")));
    return back(done.ok ? done.day : day, done, "escrow.differenceAsked");
  }
  if (form !== "resolve") throw notFound();
  const id = idIn(body.get("difference"));
  const read = readForm(`resolve-${id}`, body, resolveDifference);
  if (!read.ok) return read.answer;
  const done = await escrow.settleDifference(admin, id, read.value);
  return back(done.ok ? done.day : day, done, "escrow.differenceResolved");
}

function back(day: string, done: { ok: true } | VerbRefusal, key: string): Response {
  const toast = done.ok ? ({ kind: "success", key } as const) : refusedToast(done);
  return goTo(paths.adminReconciliationOf(day), toast);
}

/** The verification of the ledger, and the halt switch: a reason, a typed word and a fresh login, for which the form keeps what was typed. */
export async function actOnMoney(admin: Member, body: FormData) {
  const form = String(body.get("form"));
  if (form === "verify") return verifyLedger(admin);
  if (form !== "halt" && form !== "resume") throw notFound();
  const on = form === "halt";
  const read = readForm(form, body, on ? haltOn : haltOff);
  if (!read.ok) return read.answer;
  const done = await escrow.switchMoney(admin, { on, reason: read.value.reason });
  if (done.ok) {
    return goTo(paths.adminMoney, {
      kind: "success",
      key: on ? "escrow.moneyHalted" : done.halted ? "escrow.resumeProposed" : "escrow.moneyResumed",
    });
  }
  return read.refuse(done);
}

async function verifyLedger(admin: Member): Promise<Response> {
  const asked = await escrow.verifyLedgerSoon(admin);
  const toast = asked.ok ? ({ kind: "info", key: "admin.ledger.verifying" } as const) : refusedToast(asked);
  return goTo(paths.adminLedger, toast);
}
