/** What the list of people looks for: whom, in which order, and after which id it goes on. */
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
  /** What they may not do now; `until` is null for good. */
  restriction: { kind: "limit" | "suspend"; until: string | null } | null;
  transactionCount: number;
}

/** A person as their page shows them to administrators. */
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

/** One thing that somebody did, in words. */
export interface ActivityEntry {
  id: number;
  at: string;
  action: string;
  roomId: number | null;
  ip: string | null;
  device: string | null;
}

/** One time that administrators limited or suspended somebody. Moments are ISO 8601, names null of who is gone. */
export interface RestrictionShown {
  id: number;
  kind: "limit" | "suspend";
  cause: "fraud" | "impersonation" | "abuse" | "terms";
  note: string | null;
  by: string | null;
  at: string;
  /** Null for good. */
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

/** A restricted account and what another has in common with it. */
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

/** What an administrator changed in a profile; `by` is null once they are gone. */
export interface ProfileChangeShown {
  id: number;
  at: string;
  by: string | null;
  before: ChangedProfileFields;
  after: ChangedProfileFields;
}
