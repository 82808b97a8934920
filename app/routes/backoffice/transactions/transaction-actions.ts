import { decideHeldMoneySchema } from "#forms/escrow";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo, notFound, parseId, redirectToReauthentication } from "../../../server/pages/page-context.ts";
import { readForm, refusalToast } from "../../../server/pages/posted-forms.ts";
import type { VerbRefusal } from "../../../server/pages/refusal-responses.ts";

type TradeActionOutcome = { ok: true; changed: boolean } | VerbRefusal;

/** Steps of a trade without fields to fill in; those that end it require that no money is held. */
const tradeButtonActions: Record<string, (admin: Member, id: number) => Promise<TradeActionOutcome>> = {
  complete: (admin, id) => escrow.adminCloseUnpaid(admin, id),
  cancel: (admin, id) => escrow.adminCancelForSum(admin, id, { sum: 0 }),
  notify: escrow.notifyParties,
  delete: escrow.deleteTransaction,
};

/** Decisions about held money, with the typed amount. */
const heldMoneyDecisions: Record<
  string,
  (
    admin: Member,
    id: number,
    seen: { sum: number; vaultShown?: string | undefined },
  ) => Promise<TradeActionOutcome>
> = {
  "pay-seller": escrow.adminPaySeller,
  cancel: escrow.adminCancelForSum,
};

/** Handles every form of the back office's page of a transaction; the field `form` names which one. */
export async function handleTransactionForm(admin: Member, id: number, body: FormData) {
  const form = String(body.get("form"));
  const decide =
    body.has("sum") && Object.hasOwn(heldMoneyDecisions, form) ? heldMoneyDecisions[form] : undefined;
  if (decide !== undefined) {
    const read = readForm(form, body, decideHeldMoneySchema);
    if (!read.ok) return read.answer;
    const done = await decide(admin, id, read.value);
    const stays = !done.ok && (done.code === "SUM_DIFFERS" || done.code === "REAUTH_REQUIRED");
    return stays ? read.refuse(done) : redirectToTransaction(id, done, form);
  }
  const press = Object.hasOwn(tradeButtonActions, form) ? tradeButtonActions[form] : undefined;
  if (press === undefined) throw notFound("form");
  return redirectToTransaction(id, await press(admin, id), form);
}

/** Handles the form of the transaction list: deletes a transaction from it and returns to the same page of the list. */
export async function deleteFromList(admin: Member, body: FormData, list: string): Promise<Response> {
  if (body.get("form") !== "delete") throw notFound("form");
  const done = await escrow.deleteTransaction(admin, parseId(body.get("transaction")));
  return goTo(list, done.ok ? { kind: "success", key: "toast.admin.delete" } : refusalToast(done));
}

/** Redirects to the transaction with a toast; if nothing changed, because it was done already, the toast says so. */
function redirectToTransaction(id: number, done: TradeActionOutcome, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED")
    return redirectToReauthentication(paths.adminTransaction(id));
  if (!done.ok) return goTo(paths.adminTransaction(id), refusalToast(done));
  const toast = done.changed
    ? ({ kind: "success", key: `toast.admin.${form}` } as const)
    : ({ kind: "info", key: "toast.payout.already" } as const);
  return goTo(form === "delete" ? paths.admin : paths.adminTransaction(id), toast);
}
