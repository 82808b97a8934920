import "./lib/sealed-administrators.ts";

export { checkActivityLogs } from "./lib/activity.check.ts";
export { exportActivityLogs } from "./lib/activity.export.ts";
export { type ActivityFilter, type ActivityLog, activityLogs, countActivityLogs } from "./lib/activity.ts";
export { type Actor, by, type Member } from "./lib/actor.ts";
export { administratorLeftSince, administratorSince, isAdministrator } from "./lib/administrators.ts";
export { userView } from "./lib/answers.ts";
export { changePassword, confirmPassword } from "./lib/change-password.ts";
export { sessionSetCookie, signedOutHeaders } from "./lib/cookie.ts";
export { countPeople } from "./lib/count-people.ts";
export { registerDataCollector } from "./lib/data-collectors.ts";
export { dataOf } from "./lib/data-of.ts";
export { deleteOwnAccount } from "./lib/delete-own-account.ts";
export { deleteUserAsAdmin } from "./lib/delete-user-as-admin.ts";
export { deviceName } from "./lib/device-name.ts";
export { revokeOtherSessions, revokeSession, type SignedInDevice, sessionsOf } from "./lib/devices.ts";
export { editUser } from "./lib/edit-user.ts";
export { onSessionsEnded, type SessionsEnded } from "./lib/ended.ts";
export {
  addToErasureJournal,
  ERASURE_JOURNAL,
  erasedAccounts,
  readErasures,
  writeErasureJournal,
} from "./lib/erasures/journal.ts";
export { type Erasure, mergeErasures } from "./lib/erasures/parse.ts";
export { type ReplayedErasures, replayErasures } from "./lib/erasures/replay.ts";
export { finishLogin } from "./lib/finish-login.ts";
export { forgotPassword } from "./lib/forgot-password.ts";
export { type IdentityGuard, registerIdentityGuard } from "./lib/guards.ts";
export { linkLifetimes, sessionLifetimes } from "./lib/lifetimes.ts";
export { adminLogin, login, type SecondFactorRequired, type SignedIn } from "./lib/login.ts";
export { logout } from "./lib/logout.ts";
export {
  customizeEmail,
  emailConfig,
  emailTemplate,
  emailTemplates,
  previewEmail,
  sendTestEmail,
} from "./lib/mail-desk.ts";
export { hasForeignLetters } from "./lib/names/alphabets.ts";
export { chooseName, ownNameRefusals } from "./lib/names/choose.ts";
export { looksLikeAddress, looksLikeLink } from "./lib/names/links.ts";
export { containsSeal, hidesLetters, posesAsMidman, soundsLikeNotice } from "./lib/names/reserved.ts";
export { neighbourhood } from "./lib/neighbourhood.ts";
export { nextPage } from "./lib/next-page.ts";
export { chooseNotifications, notificationChoices, wantsMail } from "./lib/notifications.ts";
export {
  administratorLine,
  administratorsAtConsole,
  createAdminAtConsole,
  type ListedAdmin,
  resetPasswordAtConsole,
} from "./lib/operator.ts";
export { foreignOrigin } from "./lib/origin.ts";
export { type OverseenDetail, overseeUser, type ProfileChange } from "./lib/oversee-user.ts";
export { passkeyTicketOf } from "./lib/passkeys/challenges.ts";
export { confirmWithPasskey } from "./lib/passkeys/confirm.ts";
export {
  hasUsablePasskey,
  type OwnPasskey,
  ownPasskeys,
  removePasskey,
  renamePasskey,
} from "./lib/passkeys/manage.ts";
export { registerPasskey } from "./lib/passkeys/register.ts";
export { relyingParty } from "./lib/passkeys/relying-party.ts";
export { removePasskeysOf } from "./lib/passkeys/remove-as-admin.ts";
export { signInWithPasskey } from "./lib/passkeys/sign-in.ts";
export { HashingOverloadError } from "./lib/passwords.ts";
export { type Named, peopleMeant, peopleNamed } from "./lib/people.named.ts";
export { administrators, type Person, people } from "./lib/people.ts";
export { profile, updateProfile } from "./lib/profile.ts";
export {
  type NotifiedDevice,
  notifiedDevices,
  pushKey,
  tryPush,
  turnPushOff,
} from "./lib/push-devices.ts";
export { register } from "./lib/register.ts";
export {
  askedLanguage,
  cookieGuard,
  cookieName,
  ipOf,
  isHttps,
  originOf,
  requestIdOf,
} from "./lib/request.ts";
export {
  type NotAdmin,
  type NotSignedIn,
  requireAdmin,
  requireFreshLogin,
  requireUser,
} from "./lib/require.ts";
export { resealFactors } from "./lib/reseal.ts";
export { resetLinkWorks, resetPassword } from "./lib/reset-password.ts";
export { confirmRestriction } from "./lib/restrictions/confirm.ts";
export { notifyExpiredSuspensions } from "./lib/restrictions/expiry-notices.ts";
export { limitedRefusal, ownLimitation, restrictionOf } from "./lib/restrictions/in-force.ts";
export { liftRestriction } from "./lib/restrictions/lift.ts";
export { keepIdentifiersOfRestricted } from "./lib/restrictions/linked-accounts.ts";
export { restrictPerson } from "./lib/restrictions/restrict.ts";
export { suspensionOf } from "./lib/restrictions/suspended-sessions.ts";
export {
  type ProposedRestriction,
  proposedRestrictions,
  type RestrictionsShown,
  type RestrictionView,
  restrictionsOf,
} from "./lib/restrictions/view.ts";
export { sameHands } from "./lib/same-hands.ts";
export { registerFilterPage } from "./lib/saved-filters.pages.ts";
export { dropFilter, type FiltersKept, savedFilters, saveFilter } from "./lib/saved-filters.ts";
export { type OverseenUser, type PeoplePage, searchPeople } from "./lib/search-people.ts";
export { removeSecondFactor, renewRecoveryCodes, secondFactorOf } from "./lib/second-factor.ts";
export { beginSecondFactor, confirmSecondFactor, pendingSecondFactor } from "./lib/second-factor.turn-on.ts";
export { endEverySession, sessionHolds, sessionsHolding } from "./lib/sessions.ts";
export { setAdmin } from "./lib/set-admin.ts";
export { startIdentity } from "./lib/start.ts";
export { chooseTelling, telling } from "./lib/telling.choose.ts";
export { quietUntil } from "./lib/telling.ts";
export { loginTicketOf, ticketClearCookie, ticketSetCookie } from "./lib/tickets.ts";
export { removeSecondFactorOf, signOutEverywhere } from "./lib/unlock-user.ts";
export { resendVerification, verifyEmail } from "./lib/verify-email.ts";
export { actorOf, knownActorOf, withActor } from "./lib/with-actor.ts";
