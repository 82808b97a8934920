import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import type { Language } from "#locales";
import type { RestrictionKind } from "../../../forms.ts";
import { greetedName } from "../../names/greeted-name.ts";
import { shownNames } from "../../names/shown-names.ts";
import { choicesOf } from "../../notifications/notification-kinds.ts";
import { notificationPreferencesOf } from "../../notifications/quiet-hours.ts";
import type { NotificationChoices, NotificationPreferences } from "../responses.ts";
import { usersTable } from "../schema.ts";

/** A person as other modules need them. Those modules decide who may see which field. */
export type Person = {
  id: number;
  /** Names as others see them (`shownNames`). */
  username: string;
  displayName: string;
  avatarInitials: string;
  phoneNumber: string | null;
  bankAccount: string | null;
  email: string | null;
  /** The name with which mails greet them: "" until the email address is verified. */
  greetedAs: string;
  language: Language;
  isAdmin: boolean;
  /** Which optional mails they want (`wantsMail`). */
  notifications: NotificationChoices;
  /** How they are notified of unread messages, and their quiet hours. */
  notificationPreferences: NotificationPreferences;
  /** The restriction that an administrator placed (`restrictionOf`). */
  restriction: RestrictionKind | null;
  restrictedUntil: Date | null;
  /** Deleted: the name says so, and no personal data is left. */
  deleted: boolean;
};

/** The people with these ids, including deleted ones; unknown ids are absent. One query. */
export async function findPeople(exec: Executor, ids: readonly number[]): Promise<Map<number, Person>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await selectPeopleByIds(exec, { ids: `{${wanted}}` });
  return new Map(rows.map((row) => [row.id, personOf(row)]));
}

const selectPeopleByIds = prepareQuery<{ ids: string }>()("people_by_ids", (exec, value) =>
  exec
    .select()
    .from(usersTable)
    .where(sql`${usersTable.id} = ANY (${value("ids")}::bigint[])`),
);

/** Every administrator, in order of registration. */
export async function listAdministrators(exec: Executor): Promise<Person[]> {
  const living = and(eq(usersTable.isAdmin, true), isNull(usersTable.deletedAt));
  return (await exec.select().from(usersTable).where(living).orderBy(asc(usersTable.id))).map(personOf);
}

function personOf(row: typeof usersTable.$inferSelect): Person {
  return {
    id: row.id,
    ...shownNames(row),
    phoneNumber: row.phoneNumber,
    bankAccount: row.bankAccount,
    email: row.email,
    greetedAs: greetedName(row),
    language: row.language,
    isAdmin: row.isAdmin,
    notifications: choicesOf(row),
    notificationPreferences: notificationPreferencesOf(row),
    restriction: row.restriction,
    restrictedUntil: row.restrictedUntil,
    deleted: row.deletedAt !== null,
  };
}
