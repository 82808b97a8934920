import type { z } from "zod";
import {
  confirmRestrictionInput,
  deleteUserInput,
  editUserInput,
  liftRestrictionInput,
  restrictInput,
} from "#forms/identity";
import { adminUser } from "#modules/escrow";
import type { Member } from "#modules/identity";
import * as identity from "#modules/identity";
import { paths } from "../../../paths.ts";
import { runOrToastFailure } from "../../../server/pages/form-failure-toast.ts";
import { goTo, notFound, redirectToReauthentication } from "../../../server/pages/page-context.ts";
import { readForm, refusalToast } from "../../../server/pages/posted-forms.ts";
import type { VerbRefusal } from "../../../server/pages/refusal-responses.ts";

type UserActionOutcome = { ok: true } | VerbRefusal;

/** Actions on an account without fields to fill in. */
const userButtonActions: Record<string, (admin: Member, id: number) => Promise<UserActionOutcome>> = {
  "make-admin": (admin, id) => identity.setAdmin(admin, id, true),
  "remove-admin": (admin, id) => identity.setAdmin(admin, id, false),
  "factor-off": identity.removeSecondFactorOf,
  "passkeys-off": identity.removePasskeysOf,
  "sign-out": identity.signOutEverywhere,
};

/** Handles every form of the back office's page of a person; the field `form` names which one. */
export function handleUserForm(admin: Member, id: number, body: FormData) {
  const form = String(body.get("form"));
  return runOrToastFailure({ form, at: paths.adminUser(id), member: admin }, async () => {
    if (form === "edit") return handleEditUserForm(admin, id, body);
    if (form === "restrict")
      return handleUserInputForm(admin, id, body, form, restrictInput, identity.restrictPerson);
    if (form === "lift")
      return handleUserInputForm(admin, id, body, form, liftRestrictionInput, identity.liftRestriction);
    if (form === "confirm-restriction")
      return handleUserInputForm(admin, id, body, form, confirmRestrictionInput, identity.confirmRestriction);
    if (form === "delete-user") return handleDeleteUserForm(admin, id, body);
    const press = Object.hasOwn(userButtonActions, form) ? userButtonActions[form] : undefined;
    if (press === undefined) throw notFound("form");
    return redirectToUser(id, await press(admin, id), form);
  });
}

async function handleEditUserForm(admin: Member, id: number, body: FormData) {
  const found = await adminUser(admin, id);
  if (!found.ok) return redirectToUser(id, found, "edit");
  // An unchanged name need not pass the rules for new names: administrators of Midman may carry its name.
  const same = body.get("displayName") === found.user.displayName;
  const read = readForm("edit", body, same ? editUserInput.omit({ displayName: true }) : editUserInput);
  if (!read.ok) return read.answer;
  return redirectToUser(id, await identity.editUser(admin, id, read.value), "edit");
}

/**
 * Handles a form whose verb takes the input. A refusal is shown in the form with its input kept, also if a fresh login is required first.
 */
async function handleUserInputForm<Schema extends z.ZodType>(
  admin: Member,
  id: number,
  body: FormData,
  form: string,
  schema: Schema,
  run: (admin: Member, id: number, input: z.output<Schema>) => Promise<UserActionOutcome>,
) {
  const read = readForm(form, body, schema);
  if (!read.ok) return read.answer;
  const done = await run(admin, id, read.value);
  return done.ok ? redirectToUser(id, done, form) : read.refuse(done);
}

async function handleDeleteUserForm(admin: Member, id: number, body: FormData) {
  const read = readForm("delete-user", body, deleteUserInput);
  if (!read.ok) return read.answer;
  const done = await identity.deleteUserByTypedName(admin, id, read.value);
  if (done.ok) return goTo(paths.adminUsers, { kind: "success", key: "escrow.userDeleted" });
  // The first request of a double press has already deleted the account; the page now says so.
  if (done.code === "USER_NOT_FOUND" || done.code === "REAUTH_REQUIRED")
    return redirectToUser(id, done, "delete-user");
  return read.refuse(done);
}

function redirectToUser(id: number, done: UserActionOutcome, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED") return redirectToReauthentication(paths.adminUser(id));
  const toast = done.ok ? ({ kind: "success", key: `toast.user.${form}` } as const) : refusalToast(done);
  return goTo(paths.adminUser(id), toast);
}
