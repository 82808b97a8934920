/** The query of the user list: search text, filter, order, and the id after which the page begins. */
export interface UserListQuery {
  q: string;
  show: string;
  sort: string;
  before: number | null;
}

export interface UserRow {
  id: number;
  username: string;
  displayName: string;
  email: string;
  isAdmin: boolean;
  deleted: boolean;
  /** The current restriction; `until` is null if it is permanent. */
  restriction: { kind: "limit" | "suspend"; until: string | null } | null;
  transactionCount: number;
}

/** A person as administrators see them on their page. */
export interface UserShown extends UserRow {
  avatarInitials: string;
  phoneNumber: string | null;
  bankAccount: string | null;
  emailVerified: boolean;
  secondFactor: boolean;
  passkeys: number;
  /** ISO 8601. */
  createdAt: string;
  deletedAt: string | null;
}

/** One action of a person, in words. */
export interface ActivityEntry {
  id: number;
  at: string;
  action: string;
  roomId: number | null;
  ip: string | null;
  device: string | null;
}

/** One restriction of a person. Times are ISO 8601; names are null if the administrator's account was deleted. */
export interface RestrictionShown {
  id: number;
  kind: "limit" | "suspend";
  cause: "fraud" | "impersonation" | "abuse" | "terms";
  note: string | null;
  by: string | null;
  at: string;
  /** Null if it is permanent. */
  until: string | null;
  inForce: boolean;
  proposed: { obstacle: "FOUR_EYES_REQUIRED" | "FOUR_EYES_RELATED" | "PROPOSER_NOT_ADMIN" | null } | null;
  confirmed: { by: string | null; at: string } | null;
  ended: {
    by: string | null;
    at: string;
    how: "lifted" | "replaced" | "deleted";
    note: string | null;
  } | null;
}

/** A restricted account and what it shares with another one. */
export interface LinkedAccountShown {
  userId: number;
  username: string | null;
  kinds: Array<"phone" | "bank" | "email">;
}

type ChangedProfileFields = {
  displayName?: string;
  phoneNumber?: string | null;
  bankAccount?: string | null;
};

/** What an administrator changed in a profile; `by` is null once their account is deleted. */
export interface ProfileChangeShown {
  id: number;
  at: string;
  by: string | null;
  before: ChangedProfileFields;
  after: ChangedProfileFields;
}
