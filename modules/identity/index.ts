export type { Language } from "#locales";
export { type Actor, by, type Member, type Origin, type Visitor } from "./lib/actor.ts";
export { changePassword, confirmPassword } from "./lib/change-password.ts";
export { sessionClearCookie, sessionCookieName, sessionSetCookie } from "./lib/cookie.ts";
export { deleteUser } from "./lib/delete-user.ts";
export { revokeSession, type SignedInDevice, sessionsOf } from "./lib/devices.ts";
export { onSessionsEnded, type SessionsEnded } from "./lib/ended.ts";
export { forgotPassword } from "./lib/forgot-password.ts";
export { type IdentityGuard, registerIdentityGuard } from "./lib/guards.ts";
export { linkLifetimes, sessionLifetimes } from "./lib/lifetimes.ts";
export { adminLogin, login, type SignedIn } from "./lib/login.ts";
export { logout } from "./lib/logout.ts";
export { foreignOrigin } from "./lib/origin.ts";
export { countPeople, type Person, people } from "./lib/people.ts";
export { profile, updateProfile } from "./lib/profile.ts";
export { register } from "./lib/register.ts";
export { originOf, requestIdOf } from "./lib/request.ts";
export {
  type NotSignedIn,
  type Required,
  requireAdmin,
  requireFreshLogin,
  requireUser,
} from "./lib/require.ts";
export { resetLinkWorks, resetPassword } from "./lib/reset-password.ts";
export { type OpenedSession, sessionHolds, sessionsHolding } from "./lib/sessions.ts";
export { setAdmin } from "./lib/set-admin.ts";
export { startIdentity } from "./lib/start.ts";
export type { UserView } from "./lib/user-view.ts";
export { resendVerification, verifyEmail } from "./lib/verify-email.ts";
export { actorOf, withActor } from "./lib/with-actor.ts";
