import {
  confirmHaltSchema,
  confirmResumeSchema,
  reconcileDaySchema,
  resolveDifferenceSchema,
} from "#forms/payments";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo, notFound, parseId } from "../../../server/pages/page-context.ts";
import { readForm, refusalToast } from "../../../server/pages/posted-forms.ts";
import type { VerbRefusal } from "../../../server/pages/refusal-responses.ts";

/** Handles the forms of the reconciliation page; the field `form` names which one. `day` is the day on the page. */
export async function handleReconciliationForm(admin: Member, day: string, body: FormData) {
  const form = String(body.get("form"));
  if (form === "reconcile") {
    const read = readForm("reconcile", body, reconcileDaySchema);
    if (!read.ok) return read.answer;
    const done = await escrow.runReconciliation(admin, read.value);
    return redirectToReconciliation(read.value.day, done, "escrow.reconciled");
  }
  if (form === "ask") {
    const done = await escrow.askAboutDifference(admin, parseId(body.get("difference")));
    return redirectToReconciliation(done.ok ? done.day : day, done, "escrow.differenceAsked");
  }
  if (form !== "resolve") throw notFound("form");
  const id = parseId(body.get("difference"));
  const read = readForm(`resolve-${id}`, body, resolveDifferenceSchema);
  if (!read.ok) return read.answer;
  const done = await escrow.settleDifference(admin, id, read.value);
  return redirectToReconciliation(done.ok ? done.day : day, done, "escrow.differenceResolved");
}

function redirectToReconciliation(day: string, done: { ok: true } | VerbRefusal, key: string): Response {
  const toast = done.ok ? ({ kind: "success", key } as const) : refusalToast(done);
  return goTo(paths.adminReconciliationOf(day), toast);
}

/**
 * Handles the verification of the ledger and the halt switch. The switch needs a reason, a typed word and a fresh login; a refused form
 * keeps its input.
 */
export async function handleMoneyForm(admin: Member, body: FormData) {
  const form = String(body.get("form"));
  if (form === "verify") return verifyLedger(admin);
  if (form !== "halt" && form !== "resume") throw notFound("form");
  const on = form === "halt";
  const read = readForm(form, body, on ? confirmHaltSchema : confirmResumeSchema);
  if (!read.ok) return read.answer;
  const done = await escrow.switchOutgoingMoney(admin, { on, reason: read.value.reason });
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
  const toast = asked.ok ? ({ kind: "info", key: "admin.ledger.verifying" } as const) : refusalToast(asked);
  return goTo(paths.adminLedger, toast);
}
