import { settle as settleInput } from "#forms/escrow";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../paths.ts";
import { readForm, refusedToast } from "./forms.ts";
import type { Refusal } from "./outcome.ts";
import { goTo, idIn, notFound } from "./pages.ts";

type Done = { ok: true } | Refusal;

/** Steps of the trade with nothing to fill in. */
const presses: Record<string, (admin: Member, id: number) => Promise<Done>> = {
  complete: (admin, id) => escrow.adminComplete(admin, id),
  cancel: (admin, id) => escrow.adminCancel(admin, id),
  notify: escrow.notifyParties,
  delete: escrow.deleteTransaction,
};

/** Steps of one payout or refund with nothing to fill in. */
const payoutPresses: Record<string, (admin: Member, payout: number) => Promise<Done>> = {
  approve: escrow.approvePayout,
  done: escrow.payoutDone,
};

/** Every form of an administrator's page of a transaction, told apart by its field `form`. */
export async function actAsAdmin(admin: Member, id: number, body: FormData) {
  const form = String(body.get("form"));
  if (form === "settle" || form === "send") return sent(admin, id, form, body);
  const press = Object.hasOwn(presses, form) ? presses[form] : undefined;
  if (press !== undefined) return back(id, await press(admin, id), form);
  const payoutPress = Object.hasOwn(payoutPresses, form) ? payoutPresses[form] : undefined;
  if (payoutPress === undefined) throw notFound();
  return back(id, await payoutPress(admin, idIn(body.get("payout"))), form);
}

/** The one form of the list: a transaction is taken out of it, and the list stays where it was. */
export async function deleteFromList(admin: Member, body: FormData, list: string): Promise<Response> {
  if (body.get("form") !== "delete") throw notFound();
  const done = await escrow.deleteTransaction(admin, idIn(body.get("transaction")));
  if (!done.ok && done.code === "REAUTH_REQUIRED") return reauthenticate(list);
  return goTo(list, done.ok ? { kind: "success", key: "toast.admin.delete" } : refusedToast(done));
}

async function sent(admin: Member, id: number, form: "settle" | "send", body: FormData) {
  const payout = idIn(body.get("payout"));
  const read = readForm(`${form}-${payout}`, body, settleInput);
  if (!read.ok) return read.answer;
  const done =
    form === "settle"
      ? await settlePayout(admin, payout, read.value)
      : await escrow.sendPayout(admin, payout, read.value);
  return done.ok || done.code === "REAUTH_REQUIRED" ? back(id, done, "settle") : read.refuse(done);
}

/** Settle is approve and sent in one press; each step repeats harmlessly, so a cut in between is made good by a second. */
async function settlePayout(admin: Member, payout: number, input: { bankReference: string }) {
  const approved = await escrow.approvePayout(admin, payout);
  return approved.ok ? escrow.sendPayout(admin, payout, input) : approved;
}

function back(id: number, done: Done, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED") return reauthenticate(paths.adminTransaction(id));
  const toast = done.ok ? ({ kind: "success", key: `toast.admin.${form}` } as const) : refusedToast(done);
  return goTo(form === "delete" && done.ok ? paths.admin : paths.adminTransaction(id), toast);
}

/** Money moves only within ten minutes of a login: sign in again, and come back here. */
function reauthenticate(at: string): Response {
  return goTo(`${paths.adminLogin}?next=${encodeURIComponent(at)}`, {
    kind: "info",
    key: "errors.REAUTH_REQUIRED",
  });
}
