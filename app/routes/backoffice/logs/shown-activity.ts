import { hasText, type Language, translateText } from "#locales";
import type { ActivityLog } from "#views/identity";

/** The most characters of a device that are shown (specification §3). */
const deviceLength = 30;

/** A log entry as pages and files show it. */
export interface LogShown {
  id: number;
  userId: number | null;
  /** The display name, or a text that nobody has the id; null if nobody was signed in. */
  name: string | null;
  roomId: number | null;
  action: string;
  ip: string | null;
  device: string | null;
  /** ISO 8601. */
  at: string;
  /** JSON. */
  data: string | null;
}

/** A log entry in the words of a language; an action without a text is shown by its code. */
export function logShown(log: ActivityLog, language: Language): LogShown {
  return {
    id: log.id,
    userId: log.userId,
    name: log.userId === null ? null : nameOf(log.user, language),
    roomId: log.chatRoomId,
    action: actionName(log.action, language),
    ip: log.ipAddress,
    device: log.deviceFingerprint && [...log.deviceFingerprint].slice(0, deviceLength).join(""),
    at: log.createdAt,
    data: log.additionalData && JSON.stringify(log.additionalData),
  };
}

/** The name of an action in a language. */
export function actionName(action: string, language: Language): string {
  return hasText(`actions.${action}`) ? translateText(language, `actions.${action}`) : action;
}

function nameOf(user: ActivityLog["user"], language: Language): string {
  return user === null ? translateText(language, "admin.logs.unknown") : user.displayName || user.username;
}
