import { finishSignIn } from "#app/routes/auth/finish-sign-in";
import { signInOnRepeat } from "#app/routes/auth/repeated-post";
import { runOrRefuseBusy } from "#app/server/pages/hashing-overload";
import { actorOf, goTo, notFound, type PageContext, parseId } from "#app/server/pages/page-context";
import { type FormAnswer, readForm, refusalToast } from "#app/server/pages/posted-forms";
import { languageCookie, themeCookie } from "#app/server/pages/preference-cookies";
import {
  changeAdminPasswordForm,
  changePasswordForm,
  notificationPreferencesForm,
  notificationsForm,
  renamePasskeyInput,
} from "#forms/identity";
import {
  changePassword,
  chooseNotificationPreferences,
  chooseNotifications,
  type Member,
  removePasskey,
  renamePasskey,
  resendVerification,
  revokeOtherSessions,
  revokeSession,
  sendTestNotification,
  signedOutHeaders,
  signOut,
  turnPushOff,
  updateProfile,
} from "#modules/identity";
import { paths } from "../../paths.ts";
import { redirectToConfirm } from "./fresh-login.ts";
import { languageForm, pressForm, type SettingsSection, themeForm } from "./sections/settings-forms.ts";

/** A posted form of the settings page. */
type SettingsPost = { member: Member; body: FormData; request: Request };

const settingsActions: Record<string, (given: SettingsPost) => Promise<Response | FormAnswer>> = {
  language: saveLanguage,
  theme: saveTheme,
  password: savePassword,
  verification: sendVerificationMail,
  "passkey-rename": savePasskeyName,
  "passkey-remove": removeOwnPasskey,
  device: revokeDevice,
  others: revokeOtherDevices,
  notifications: saveNotificationChoices,
  quiet: saveQuietHours,
  "push-off": unsubscribeDevice,
  "push-test": sendTestPush,
};

/** Handles every form of the settings page; the field `form` names which one. Throws 404 for an unknown form. */
export function handleSettingsForm(given: SettingsPost): Promise<Response | FormAnswer> {
  const name = String(given.body.get("form"));
  const action = Object.hasOwn(settingsActions, name) ? settingsActions[name] : undefined;
  if (action === undefined) throw notFound("form");
  return action(given);
}

/** Redirects to a section of the settings page, with a toast. */
function redirectToSection(part: SettingsSection, key: string, cookie?: string): Response {
  const headers = new Headers(cookie === undefined ? {} : { "Set-Cookie": cookie });
  return goTo(`${paths.settings}#${part}`, { kind: "success", key }, headers);
}

async function saveLanguage({ member, body }: SettingsPost) {
  const form = readForm("language", body, languageForm);
  if (!form.ok) return form.answer;
  const changed = await updateProfile(member, form.value);
  return changed.ok
    ? redirectToSection("language", "settings.saved", languageCookie(form.value.language))
    : form.refuse(changed);
}

async function saveTheme({ body }: SettingsPost) {
  const form = readForm("theme", body, themeForm);
  return form.ok ? redirectToSection("theme", "settings.saved", themeCookie(form.value.theme)) : form.answer;
}

const passwordSectionPath = `${paths.settings}#password`;

/** The second press of a password change whose first press has just ended this browser's session. */
export function repeatPasswordChange(context: PageContext, request: Request, body: FormData) {
  const actor = actorOf(context);
  return signInOnRepeat({ actor, body, request, field: "newPassword", next: passwordSectionPath });
}

async function savePassword({ member, body, request }: SettingsPost) {
  const form = readForm("password", body, member.isAdmin ? changeAdminPasswordForm : changePasswordForm);
  if (!form.ok) return form.answer;
  const { currentPassword, newPassword, code } = form.value;
  const changed = await runOrRefuseBusy(() => changePassword(member, { currentPassword, newPassword, code }));
  if (!changed.ok) return form.refuse(changed);
  return finishSignIn(changed, {
    request,
    next: passwordSectionPath,
    toast: { kind: "success", key: "settings.password.changed" },
  });
}

async function sendVerificationMail({ member, body }: SettingsPost) {
  const form = readForm("verification", body, pressForm);
  if (!form.ok) return form.answer;
  const sent = await resendVerification(member);
  return sent.ok ? redirectToSection("email", "identity.verificationSent") : form.refuse(sent);
}

async function savePasskeyName({ member, body }: SettingsPost) {
  const form = readForm("passkey-rename", body, renamePasskeyInput);
  if (!form.ok) return form.answer;
  const renamed = await renamePasskey(member, parseId(body.get("passkey")), form.value);
  return renamed.ok
    ? redirectToSection("passkeys", "identity.passkeyRenamed")
    : goTo(`${paths.settings}#passkeys`, refusalToast(renamed));
}

async function removeOwnPasskey({ member, body }: SettingsPost) {
  const id = parseId(body.get("passkey"));
  const removed = await removePasskey(member, id);
  if (!removed.ok && removed.code === "REAUTH_REQUIRED")
    return redirectToConfirm(`${paths.settings}?remove=${id}`);
  return removed.ok
    ? redirectToSection("passkeys", "identity.passkeyRemoved")
    : goTo(`${paths.settings}#passkeys`, refusalToast(removed));
}

async function revokeDevice({ member, body, request }: SettingsPost) {
  const session = parseId(body.get("session"));
  if (session === member.sessionId) {
    await signOut(member);
    return goTo(paths.landing, { kind: "success", key: "toast.loggedOut" }, signedOutHeaders(request));
  }
  const ended = await revokeSession(member, session);
  if (!ended.ok && ended.code === "REAUTH_REQUIRED")
    return redirectToConfirm(`${paths.settings}?device=${session}`);
  return ended.ok
    ? redirectToSection("devices", "identity.sessionRevoked")
    : goTo(`${paths.settings}#devices`, refusalToast(ended));
}

async function revokeOtherDevices({ member }: SettingsPost) {
  const ended = await revokeOtherSessions(member);
  if (!ended.ok && ended.code === "REAUTH_REQUIRED")
    return redirectToConfirm(`${paths.settings}?device=others`);
  return ended.ok
    ? redirectToSection("devices", "identity.sessionsRevoked")
    : goTo(`${paths.settings}#devices`, refusalToast(ended));
}

async function saveNotificationChoices({ member, body }: SettingsPost) {
  const form = readForm("notifications", body, notificationsForm);
  if (!form.ok) return form.answer;
  const chosen = await chooseNotifications(member, form.value);
  return chosen.ok ? redirectToSection("notifications", "identity.notificationsSaved") : form.refuse(chosen);
}

async function saveQuietHours({ member, body }: SettingsPost) {
  const form = readForm("quiet", body, notificationPreferencesForm);
  if (!form.ok) return form.answer;
  const chosen = await chooseNotificationPreferences(member, form.value);
  return chosen.ok ? redirectToSection("quiet", "identity.notificationsSaved") : form.refuse(chosen);
}

async function unsubscribeDevice({ member, body }: SettingsPost) {
  const off = await turnPushOff(member, parseId(body.get("device")));
  return off.ok
    ? redirectToSection("push", "identity.pushOff")
    : goTo(`${paths.settings}#push`, refusalToast(off));
}

async function sendTestPush({ member }: SettingsPost) {
  const tried = await sendTestNotification(member);
  return tried.ok
    ? redirectToSection("push", "identity.pushTried")
    : goTo(`${paths.settings}#push`, refusalToast(tried));
}
