import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Executor } from "#db/client";
import { prepareQuery } from "#db/client/prepared-query";
import type { Language } from "#locales";
import type { NotificationChoices, NotificationPreferences, RestrictionKind } from "../../../forms.ts";
import { greetedName } from "../../names/greeted-name.ts";
import { shownNames } from "../../names/shown-names.ts";
import { choicesOf } from "../../notifications/notification-kinds.ts";
import { notificationPreferencesOf } from "../../notifications/quiet-hours.ts";
import { usersTable } from "../schema.ts";

/** Somebody as other modules need them. Who may see which of it is theirs to decide. */
export type Person = {
  id: number;
  /** Names as others see them (`shownNames`). */
  username: string;
  displayName: string;
  avatarInitials: string;
  phoneNumber: string | null;
  bankAccount: string | null;
  email: string | null;
  /** By which name mails greet them: "" until the address is proved. */
  greetedAs: string;
  language: Language;
  isAdmin: boolean;
  /** Which of the optional mails they want (`wantsMail`). */
  notifications: NotificationChoices;
  /** How they are told of unread messages, and when quietly. */
  telling: NotificationPreferences;
  /** What an administrator stopped them from (`restrictionOf`). */
  restriction: RestrictionKind | null;
  restrictedUntil: Date | null;
  /** Anonymised: the name says so, and nothing personal is left. */
  deleted: boolean;
};

/** The people of these ids, deleted ones too; ids of nobody are absent. One query. */
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

/** Every administrator, the longest there first. */
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
    telling: notificationPreferencesOf(row),
    restriction: row.restriction,
    restrictedUntil: row.restrictedUntil,
    deleted: row.deletedAt !== null,
  };
}
