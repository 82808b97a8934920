/** What the list of people looks for: whom, in which order, and after which id it goes on. */
export interface UsersAsked {
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

type Fields = { displayName?: string; phoneNumber?: string | null; bankAccount?: string | null };

/** What an administrator changed in a profile; `by` is null once they are gone. */
export interface ProfileChangeShown {
  id: number;
  at: string;
  by: string | null;
  before: Fields;
  after: Fields;
}
