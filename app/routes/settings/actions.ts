import { enter } from "#app/routes/auth/finish-sign-in";
import { signInInstead } from "#app/routes/auth/pressed-again";
import { actorOf, type Context, goTo, idIn, notFound } from "#app/server/pages/page-context";
import { type FormAnswer, readForm, refusedToast } from "#app/server/pages/posted-forms";
import { languageCookie, themeCookie } from "#app/server/pages/preferences";
import { orBusy } from "#app/server/pages/while-busy";
import { changePasswordForm, notificationsForm, renamePasskeyInput, tellingForm } from "#forms/identity";
import {
  changePassword,
  chooseNotifications,
  chooseTelling,
  logout,
  type Member,
  removePasskey,
  renamePasskey,
  resendVerification,
  revokeOtherSessions,
  revokeSession,
  signedOutHeaders,
  tryPush,
  turnPushOff,
  updateProfile,
} from "#modules/identity";
import { paths } from "../../paths.ts";
import { toConfirm } from "./fresh-login.ts";
import { languageForm, pressForm, type SettingsPart, themeForm } from "./sections/forms.ts";

/** One posted form of the page of settings. */
type Given = { member: Member; body: FormData; request: Request };

const actions: Record<string, (given: Given) => Promise<Response | FormAnswer>> = {
  language,
  theme,
  password,
  verification,
  "passkey-rename": passkeyRename,
  "passkey-remove": passkeyRemove,
  device,
  others,
  notifications,
  quiet,
  "push-off": pushOff,
  "push-test": pushTest,
};

/** Every form of the page of settings, told apart by its field `form`; one that is none of them is not found (404). */
export function actOnSettings(given: Given): Promise<Response | FormAnswer> {
  const name = String(given.body.get("form"));
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw notFound();
  return action(given);
}

/** Back to the part of the page where it was done, with a word of what was. */
function done(part: SettingsPart, key: string, cookie?: string): Response {
  const headers = new Headers(cookie === undefined ? {} : { "Set-Cookie": cookie });
  return goTo(`${paths.settings}#${part}`, { kind: "success", key }, headers);
}

async function language({ member, body }: Given) {
  const form = readForm("language", body, languageForm);
  if (!form.ok) return form.answer;
  const changed = await updateProfile(member, form.value);
  return changed.ok
    ? done("language", "settings.saved", languageCookie(form.value.language))
    : form.refuse(changed);
}

async function theme({ body }: Given) {
  const form = readForm("theme", body, themeForm);
  return form.ok ? done("theme", "settings.saved", themeCookie(form.value.theme)) : form.answer;
}

const passwordPart = `${paths.settings}#password`;

/** The second press of a change of password, whose first has just ended this browser's session. */
export function passwordAgain(context: Context, request: Request, body: FormData) {
  const actor = actorOf(context);
  return signInInstead({ actor, body, request, field: "newPassword", next: passwordPart });
}

async function password({ member, body, request }: Given) {
  const form = readForm("password", body, changePasswordForm);
  if (!form.ok) return form.answer;
  const { currentPassword, newPassword, code } = form.value;
  const changed = await orBusy(() => changePassword(member, { currentPassword, newPassword, code }));
  if (!changed.ok) return form.refuse(changed);
  return enter(changed, {
    request,
    next: passwordPart,
    said: { kind: "success", key: "settings.password.changed" },
  });
}

async function verification({ member, body }: Given) {
  const form = readForm("verification", body, pressForm);
  if (!form.ok) return form.answer;
  const sent = await resendVerification(member);
  return sent.ok ? done("email", "identity.verificationSent") : form.refuse(sent);
}

async function passkeyRename({ member, body }: Given) {
  const form = readForm("passkey-rename", body, renamePasskeyInput);
  if (!form.ok) return form.answer;
  const renamed = await renamePasskey(member, idIn(body.get("passkey")), form.value);
  return renamed.ok
    ? done("passkeys", "identity.passkeyRenamed")
    : goTo(`${paths.settings}#passkeys`, refusedToast(renamed));
}

async function passkeyRemove({ member, body }: Given) {
  const id = idIn(body.get("passkey"));
  const removed = await removePasskey(member, id);
  if (!removed.ok && removed.code === "REAUTH_REQUIRED") return toConfirm(`${paths.settings}?remove=${id}`);
  return removed.ok
    ? done("passkeys", "identity.passkeyRemoved")
    : goTo(`${paths.settings}#passkeys`, refusedToast(removed));
}

async function device({ member, body, request }: Given) {
  const session = idIn(body.get("session"));
  if (session === member.sessionId) {
    await logout(member);
    return goTo(paths.landing, { kind: "success", key: "toast.loggedOut" }, signedOutHeaders(request));
  }
  const ended = await revokeSession(member, session);
  if (!ended.ok && ended.code === "REAUTH_REQUIRED") return toConfirm(`${paths.settings}?device=${session}`);
  return ended.ok
    ? done("devices", "identity.sessionRevoked")
    : goTo(`${paths.settings}#devices`, refusedToast(ended));
}

async function others({ member }: Given) {
  const ended = await revokeOtherSessions(member);
  if (!ended.ok && ended.code === "REAUTH_REQUIRED") return toConfirm(`${paths.settings}?device=others`);
  return ended.ok
    ? done("devices", "identity.sessionsRevoked")
    : goTo(`${paths.settings}#devices`, refusedToast(ended));
}

async function notifications({ member, body }: Given) {
  const form = readForm("notifications", body, notificationsForm);
  if (!form.ok) return form.answer;
  const chosen = await chooseNotifications(member, form.value);
  return chosen.ok ? done("notifications", "identity.notificationsSaved") : form.refuse(chosen);
}

async function quiet({ member, body }: Given) {
  const form = readForm("quiet", body, tellingForm);
  if (!form.ok) return form.answer;
  const chosen = await chooseTelling(member, form.value);
  return chosen.ok ? done("quiet", "identity.notificationsSaved") : form.refuse(chosen);
}

async function pushOff({ member, body }: Given) {
  const off = await turnPushOff(member, idIn(body.get("device")));
  return off.ok ? done("push", "identity.pushOff") : goTo(`${paths.settings}#push`, refusedToast(off));
}

async function pushTest({ member }: Given) {
  const tried = await tryPush(member);
  return tried.ok ? done("push", "identity.pushTried") : goTo(`${paths.settings}#push`, refusedToast(tried));
}
