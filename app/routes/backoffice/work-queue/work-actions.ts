import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo, notFound, parseId } from "../../../server/pages/page-context.ts";
import { refusalToast } from "../../../server/pages/posted-forms.ts";
import type { VerbRefusal } from "../../../server/pages/refusal-responses.ts";

/** Actions in the work queue itself, without fields to fill in. */
const workButtonActions: Record<
  string,
  (admin: Member, task: FormDataEntryValue | null) => Promise<{ ok: true } | VerbRefusal>
> = {
  "retry-job": (admin, task) => escrow.retryJob(admin, String(task)),
  "drop-job": (admin, task) => escrow.dropJob(admin, String(task)),
  "settle-mail": (admin, task) => escrow.settleMail(admin, parseId(task)),
};

/** Handles the forms of the work queue; the field `form` names which one. Redirects to the same list. */
export async function handleWorkForm(admin: Member, body: FormData, list: string) {
  const form = String(body.get("form"));
  const press = Object.hasOwn(workButtonActions, form) ? workButtonActions[form] : undefined;
  if (press === undefined) throw notFound("form");
  return redirectToWorkList(list, await press(admin, body.get("task")), form);
}

/** The list to return to; only addresses of the work queue are accepted. */
export function workListOf(request: Request): string {
  const show = new URL(request.url).searchParams.get("show");
  return show !== null && /^[a-zA-Z]{1,20}$/.test(show) ? paths.adminWork(show) : paths.admin;
}

function redirectToWorkList(list: string, done: { ok: true } | VerbRefusal, form: string): Response {
  return goTo(list, done.ok ? { kind: "success", key: `toast.work.${form}` } : refusalToast(done));
}
