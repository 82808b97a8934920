export type { Language } from "#locales";
export { type Actor, by, type Member, type Origin, type Visitor } from "./lib/actor.ts";
export { sessionClearCookie, sessionCookieName, sessionSetCookie } from "./lib/cookie.ts";
export { onSessionsEnded, type SessionsEnded } from "./lib/ended.ts";
export { originOf, requestIdOf } from "./lib/request.ts";
export {
  type NotSignedIn,
  type Required,
  requireAdmin,
  requireFreshLogin,
  requireUser,
} from "./lib/require.ts";
export { actorOf, withActor } from "./lib/with-actor.ts";
