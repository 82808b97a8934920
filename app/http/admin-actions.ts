import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../paths.ts";
import { refusedToast } from "./forms.ts";
import type { Refusal } from "./outcome.ts";
import { goTo, idIn, notFound, reauthenticate } from "./pages.ts";

type Done = { ok: true } | Refusal;

/** Steps of the trade with nothing to fill in. */
const presses: Record<string, (admin: Member, id: number) => Promise<Done>> = {
  complete: (admin, id) => escrow.adminComplete(admin, id),
  cancel: (admin, id) => escrow.adminCancel(admin, id),
  notify: escrow.notifyParties,
  delete: escrow.deleteTransaction,
};

/** Every form of an administrator's page of a transaction, told apart by its field `form`; each is one press. */
export async function actAsAdmin(admin: Member, id: number, body: FormData): Promise<Response> {
  const form = String(body.get("form"));
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

function back(id: number, done: Done, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED") return reauthenticate(paths.adminTransaction(id));
  const toast = done.ok ? ({ kind: "success", key: `toast.admin.${form}` } as const) : refusedToast(done);
  return goTo(form === "delete" && done.ok ? paths.admin : paths.adminTransaction(id), toast);
}
