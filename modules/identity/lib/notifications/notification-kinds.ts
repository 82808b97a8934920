import { eq } from "drizzle-orm";
import { db, runInTransaction } from "#db/client";
import { currentTime } from "#db/clock";
import { recordAuditEntry } from "#modules/audit";
import type { TemplateName } from "#modules/mailer";
import type { NotificationGroup, NotificationsInput } from "../../forms.ts";
import { type Actor, auditAuthorOf } from "../core/actor.ts";
import { type NotSignedIn, requireUser } from "../core/require-actor.ts";
import type { NotificationChoices } from "../core/responses.ts";
import { usersTable } from "../core/schema.ts";
import { holdUser, type UserRow, userById } from "../core/users/find-users.ts";

type ChosenNotifications = { ok: true; notifications: NotificationChoices };

/** Optional mails. Templates not listed here (money, disputes, security) are always sent. */
const groupOf: Partial<Record<TemplateName, NotificationGroup>> = {
  deadlineReminder: "reminders",
  roomJoined: "roomActivity",
  paymentRequested: "requests",
  handedOver: "requests",
  confirmPlease: "requests",
};

/** Whether a person wants this mail; callers check it before sending. */
export function wantsMail({ notifications }: { notifications: NotificationChoices }, template: TemplateName) {
  const group = groupOf[template];
  return group === undefined || notifications[group];
}

/** Which optional mails the actor wants. */
export async function readNotificationChoices(actor: Actor): Promise<ChosenNotifications | NotSignedIn> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const user = await userById(db(), needed.member.userId);
  return user === undefined
    ? { ok: false, code: "AUTH_REQUIRED" }
    : { ok: true, notifications: choicesOf(user) };
}

/** Changes the given choices; the others stay. */
export async function chooseNotifications(
  actor: Actor,
  input: NotificationsInput,
): Promise<ChosenNotifications | NotSignedIn> {
  const needed = requireUser(actor);
  if (!needed.ok) return needed;
  const at = currentTime();
  return runInTransaction(async (tx) => {
    const user = await holdUser(tx, needed.member.userId);
    if (user === undefined) return { ok: false, code: "AUTH_REQUIRED" };
    const before = choicesOf(user);
    const wanted = {
      reminders: input.reminders ?? before.reminders,
      roomActivity: input.roomActivity ?? before.roomActivity,
      requests: input.requests ?? before.requests,
    };
    if (Object.entries(wanted).every(([group, on]) => before[group as NotificationGroup] === on)) {
      return { ok: true, notifications: before };
    }
    const { reminders: mailReminders, roomActivity: mailRoomActivity, requests: mailRequests } = wanted;
    await tx
      .update(usersTable)
      .set({ mailReminders, mailRoomActivity, mailRequests, updatedAt: at })
      .where(eq(usersTable.id, user.id));
    const subject = { kind: "user", id: user.id };
    await recordAuditEntry(tx, {
      by: auditAuthorOf(actor),
      action: "notifications_chosen",
      at,
      subject,
      data: wanted,
    });
    return { ok: true, notifications: wanted };
  });
}

/** The choices in a user's row. */
export function choicesOf(user: UserRow): NotificationChoices {
  const { mailReminders, mailRoomActivity, mailRequests } = user;
  return { reminders: mailReminders, roomActivity: mailRoomActivity, requests: mailRequests };
}
