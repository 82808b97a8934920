import { decided } from "#forms/escrow";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../paths.ts";
import type { VerbRefusal } from "../../server/pages/outcome-responses.ts";
import { goTo, idIn, notFound, reauthenticate } from "../../server/pages/page-context.ts";
import { readForm, refusedToast } from "../../server/pages/posted-forms.ts";

type Done = { ok: true; changed: boolean } | VerbRefusal;

/** Steps of the trade with nothing to fill in; those that end it are for a trade with nothing held. */
const presses: Record<string, (admin: Member, id: number) => Promise<Done>> = {
  complete: (admin, id) => escrow.adminComplete(admin, id, { nothingHeld: true }),
  cancel: (admin, id) => escrow.adminCancel(admin, id, { sum: 0 }),
  notify: escrow.notifyParties,
  delete: escrow.deleteTransaction,
};

/** Decisions about held money, with the sum typed out. */
const typed: Record<string, (admin: Member, id: number, seen: { sum: number }) => Promise<Done>> = {
  "pay-seller": escrow.adminPaySeller,
  cancel: (admin, id, { sum }) => escrow.adminCancel(admin, id, { sum }),
};

/** Every form of an administrator's page of a transaction, told apart by its field `form`. */
export async function actAsAdmin(admin: Member, id: number, body: FormData) {
  const form = String(body.get("form"));
  const decide = body.has("sum") && Object.hasOwn(typed, form) ? typed[form] : undefined;
  if (decide !== undefined) {
    const read = readForm(form, body, decided);
    if (!read.ok) return read.answer;
    const done = await decide(admin, id, read.value);
    const stays = !done.ok && (done.code === "SUM_DIFFERS" || done.code === "REAUTH_REQUIRED");
    return stays ? read.refuse(done) : back(id, done, form);
  }
  const press = Object.hasOwn(presses, form) ? presses[form] : undefined;
  if (press === undefined) throw notFound();
  return back(id, await press(admin, id), form);
}

/** The one form of the list: a transaction is taken out of it, and the list stays where it was. */
export async function deleteFromList(admin: Member, body: FormData, list: string): Promise<Response> {
  if (body.get("form") !== "delete") throw notFound();
  const done = await escrow.deleteTransaction(admin, idIn(body.get("transaction")));
  if (!done.ok && done.code === "REAUTH_REQUIRED") return reauthenticate(list);
  return goTo(list, done.ok ? { kind: "success", key: "toast.admin.delete" } : refusedToast(done));
}

/** Who came second to what was done already is told so. */
function back(id: number, done: Done, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED") return reauthenticate(paths.adminTransaction(id));
  if (!done.ok) return goTo(paths.adminTransaction(id), refusedToast(done));
  const toast = done.changed
    ? ({ kind: "success", key: `toast.admin.${form}` } as const)
    : ({ kind: "info", key: "toast.payout.already" } as const);
  return goTo(form === "delete" ? paths.admin : paths.adminTransaction(id), toast);
}
