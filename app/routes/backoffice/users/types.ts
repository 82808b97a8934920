import type { AdminUserView } from "#views/identity";

/** The query of the user list: search text, filter, order, and the id after which the page begins. */
export interface UserListQuery {
  q: string;
  show: string;
  sort: string;
  before: number | null;
}

/** A person in the user list. */
export type UserRow = Pick<
  AdminUserView,
  "id" | "username" | "displayName" | "email" | "isAdmin" | "restriction"
> & { deleted: boolean; transactionCount: number };

/** A person as administrators see them on their page. */
export type UserShown = UserRow & AdminUserView & { passkeys: number };
