import type { ListedUser } from "#views/escrow";

/** The query of the user list: search text, filter, order, and the id after which the page begins. */
export interface UserListQuery {
  q: string;
  show: string;
  sort: string;
  before: number | null;
}

/** A person in the user list. */
export type UserRow = Pick<
  ListedUser,
  "id" | "username" | "displayName" | "email" | "isAdmin" | "restriction" | "transactionCount"
> & { deleted: boolean };

/** A person as administrators see them on their page. */
export type UserShown = ListedUser & { deleted: boolean; passkeys: number };
