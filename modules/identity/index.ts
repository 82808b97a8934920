import "./lib/administrators/sealed-administrators.ts";

export { registerDataCollector } from "./lib/account/data-collectors.ts";
export { deleteOwnAccount } from "./lib/account/delete-own-account.ts";
export { downloadPersonalData } from "./lib/account/personal-data.ts";
export { readOwnProfile, updateProfile } from "./lib/account/profile.ts";
export {
  type ActivityFilter,
  activityLogs,
  countActivityLogs,
} from "./lib/activity/activity-log.ts";
export { checkActivityLogs } from "./lib/activity/check-log.ts";
export { exportActivityLogs } from "./lib/activity/export-log.ts";
export {
  hasAdministratorLeftSince,
  isAdministrator,
  isAdministratorSince,
} from "./lib/administrators/administrator-grants.ts";
export {
  administratorLine,
  administratorsAtConsole,
  createAdminAtConsole,
  type ListedAdmin,
  resetPasswordAtConsole,
} from "./lib/administrators/console-commands.ts";
export { countPeople } from "./lib/administrators/count-people.ts";
export { deleteUserAsAdmin, deleteUserByTypedName } from "./lib/administrators/delete-user-as-admin.ts";
export { editUser } from "./lib/administrators/edit-user.ts";
export { registerFilterPage } from "./lib/administrators/filter-pages.ts";
export { relatedAdministratorIds } from "./lib/administrators/related-administrators.ts";
export {
  deleteSavedFilter,
  listSavedFilters,
  type SavedFilterList,
  saveFilter,
} from "./lib/administrators/saved-filters.ts";
export { type AdminUserView, type PeoplePage, searchPeople } from "./lib/administrators/search-people.ts";
export { setAdmin } from "./lib/administrators/set-admin.ts";
export { removeSecondFactorOf, signOutEverywhere } from "./lib/administrators/unlock-user.ts";
export {
  type AdminUserDetail,
  type ProfileChange,
  readUserAsAdmin,
} from "./lib/administrators/user-detail.ts";
export { agreeToDocuments, documentsToAgree } from "./lib/consents/agree.ts";
export { type Actor, auditAuthorOf, type Member } from "./lib/core/actor.ts";
export { type IdentityGuard, registerIdentityGuard } from "./lib/core/identity-guards.ts";
export { linkLifetimes, sessionLifetimes } from "./lib/core/lifetimes.ts";
export {
  type NotAdmin,
  type NotSignedIn,
  requireAdmin,
  requireFreshLogin,
  requireUser,
} from "./lib/core/require-actor.ts";
export { userViewSchema } from "./lib/core/responses.ts";
export { startIdentity } from "./lib/core/start-identity.ts";
export { findPeopleByIdOrName, findPeopleByName, type NamedPerson } from "./lib/core/users/named-people.ts";
export { findPeople, listAdministrators, type Person } from "./lib/core/users/people.ts";
export { actorOf, knownActorOf, withActor } from "./lib/core/with-actor.ts";
export {
  customizeEmail,
  emailConfig,
  emailTemplate,
  emailTemplates,
  previewEmail,
  sendTestEmail,
} from "./lib/email-settings/email-settings.ts";
export {
  addToErasureJournal,
  ERASURE_JOURNAL,
  erasedAccounts,
  readErasures,
  writeErasureJournal,
} from "./lib/erasures/erasure-journal.ts";
export { type Erasure, mergeErasures } from "./lib/erasures/parse-erasures.ts";
export { type ReplayedErasures, replayErasures } from "./lib/erasures/replay-erasures.ts";
export { finishLogin } from "./lib/login/finish-login.ts";
export {
  adminLogin,
  type LoginSuccess,
  type SecondFactorRequired,
  signInWithPassword,
} from "./lib/login/login.ts";
export {
  loginTicketOf,
  ticketClearCookie,
  ticketLifetimeMs,
  ticketSetCookie,
} from "./lib/login/login-tickets.ts";
export { registerUser } from "./lib/login/register.ts";
export { resendVerification, verifyEmail } from "./lib/login/verify-email.ts";
export { hasForeignLetters } from "./lib/names/alphabets.ts";
export { chooseName, ownNameRefusals } from "./lib/names/choose-name.ts";
export { looksLikeAddress, looksLikeLink } from "./lib/names/link-lookalikes.ts";
export { containsSeal, hidesLetters, posesAsMidman, soundsLikeNotice } from "./lib/names/reserved-names.ts";
export {
  chooseNotifications,
  readNotificationChoices,
  wantsMail,
} from "./lib/notifications/notification-kinds.ts";
export {
  chooseNotificationPreferences,
  readNotificationPreferences,
} from "./lib/notifications/notification-preferences.ts";
export {
  notifiedDevices,
  pushKey,
  sendTestNotification,
  turnPushOff,
} from "./lib/notifications/push-devices.ts";
export { quietUntil } from "./lib/notifications/quiet-hours.ts";
export { challengeLifetime, passkeyTicketOf } from "./lib/passkeys/challenges.ts";
export { confirmWithPasskey } from "./lib/passkeys/confirm-with-passkey.ts";
export {
  hasUsablePasskey,
  ownPasskeys,
  removePasskey,
  renamePasskey,
} from "./lib/passkeys/manage-passkeys.ts";
export { registerPasskey } from "./lib/passkeys/register-passkey.ts";
export { relyingParty } from "./lib/passkeys/relying-party.ts";
export { removePasskeysOf } from "./lib/passkeys/remove-passkeys-as-admin.ts";
export { signInWithPasskey } from "./lib/passkeys/sign-in-with-passkey.ts";
export { changePassword, confirmPassword } from "./lib/password/change-password.ts";
export { forgotPassword } from "./lib/password/forgot-password.ts";
export { HashingOverloadError } from "./lib/password/passwords.ts";
export { findResetOwner, resetPassword } from "./lib/password/reset-password.ts";
export { deviceName } from "./lib/request/device-name.ts";
export { isForeignOrigin } from "./lib/request/foreign-origin.ts";
export { networkPrefixOf } from "./lib/request/network-prefix.ts";
export { nextPage } from "./lib/request/next-page.ts";
export {
  askedLanguage,
  cookieGuard,
  cookieName,
  ipOf,
  isHttps,
  originOf,
  requestIdOf,
} from "./lib/request/request-facts.ts";
export { sessionSetCookie, signedOutHeaders } from "./lib/request/session-cookie.ts";
export { confirmRestriction } from "./lib/restrictions/confirm-restriction.ts";
export { liftRestriction } from "./lib/restrictions/lift-restriction.ts";
export { keepIdentifiersOfRestricted } from "./lib/restrictions/linked-accounts.ts";
export { restrictPerson } from "./lib/restrictions/restrict-person.ts";
export {
  limitedRefusal,
  ownLimitation,
  type RestrictionRefusal,
  restrictionOf,
} from "./lib/restrictions/restriction-in-force.ts";
export {
  type ProposedRestriction,
  proposedRestrictions,
  type RestrictionList,
  restrictionsOf,
} from "./lib/restrictions/restriction-views.ts";
export { notifyExpiredSuspensions } from "./lib/restrictions/suspensions/expiry-notices.ts";
export { suspensionOf } from "./lib/restrictions/suspensions/suspended-sessions.ts";
export {
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorOf,
} from "./lib/second-factor/manage-second-factor.ts";
export { resealFactors } from "./lib/second-factor/reseal-factors.ts";
export {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecondFactor,
} from "./lib/second-factor/set-up-second-factor.ts";
export { signOut } from "./lib/sessions/logout.ts";
export { type EndedSession, onSessionsEnded } from "./lib/sessions/session-revocation.ts";
export { endEverySession, findLiveSessions, isSessionLive } from "./lib/sessions/sessions.ts";
export {
  revokeOtherSessions,
  revokeSession,
  sessionsOf,
} from "./lib/sessions/signed-in-devices.ts";
