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

/** What is done to an account with nothing to fill in. */
const userButtonActions: Record<string, (admin: Member, id: number) => Promise<UserActionOutcome>> = {
  "make-admin": (admin, id) => identity.setAdmin(admin, id, true),
  "remove-admin": (admin, id) => identity.setAdmin(admin, id, false),
  "factor-off": identity.removeSecondFactorOf,
  "passkeys-off": identity.removePasskeysOf,
  "sign-out": identity.signOutEverywhere,
};

/** Every form of an administrator's page of a person, told apart by its field `form`. */
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
    if (press === undefined) throw notFound();
    return redirectToUser(id, await press(admin, id), form);
  });
}

async function handleEditUserForm(admin: Member, id: number, body: FormData) {
  const found = await adminUser(admin, id);
  if (!found.ok) return redirectToUser(id, found, "edit");
  // A name that stays need not pass what new names must: Midman's own people may carry its name.
  const same = body.get("displayName") === found.user.displayName;
  const read = readForm("edit", body, same ? editUserInput.omit({ displayName: true }) : editUserInput);
  if (!read.ok) return read.answer;
  return redirectToUser(id, await identity.editUser(admin, id, read.value), "edit");
}

/** A form whose verb takes what was typed. It shows a refusal and keeps what was typed, also where a fresh login is asked for first. */
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
  const done = await identity.deleteUserAsAdmin(admin, id, read.value);
  if (done.ok) return goTo(paths.adminUsers, { kind: "success", key: "escrow.userDeleted" });
  // A double press: the other half was first, and the page now says that they are gone.
  if (done.code === "USER_NOT_FOUND" || done.code === "REAUTH_REQUIRED")
    return redirectToUser(id, done, "delete-user");
  return read.refuse(done);
}

function redirectToUser(id: number, done: UserActionOutcome, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED") return redirectToReauthentication(paths.adminUser(id));
  const toast = done.ok ? ({ kind: "success", key: `toast.user.${form}` } as const) : refusalToast(done);
  return goTo(paths.adminUser(id), toast);
}
