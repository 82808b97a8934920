import { sql } from "drizzle-orm";
import type { Language } from "#locales";
import { db } from "../../../db/client.ts";
import { logRight, plantGrant, setRight } from "../people/administrator-rights.ts";

/** Somebody who is signed in, as verbs are given them. Fields of `Member` in modules/identity. */
export type PlantedMember = {
  kind: "user";
  userId: number;
  sessionId: number;
  username: string;
  displayName: string;
  email: string;
  avatarInitials: string;
  isAdmin: boolean;
  authenticatedAt: Date;
  mustChangePassword: boolean;
  mustSetUpFactor: boolean;
  mustChooseName: boolean;
  mustAgree: boolean;
  mustUsePasskey: boolean;
  restriction: null;
  ip: string;
  device: string;
  language: Language;
  requestId: string;
};

/** Takes an administrator's right and gives them a new one, by the word of somebody who is no administrator: nobody's other hand. */
export async function grantAnew(userId: number): Promise<void> {
  const giver = await plantUser();
  // What they did before and do after lies in another millisecond.
  await Bun.sleep(2);
  await setRight(userId, false);
  await setRight(userId, true);
  await plantGrant(userId, giver.userId);
  await Bun.sleep(2);
}

/** Puts a user into the database and answers them as signed in just now. */
export async function plantUser(parts: Partial<PlantedMember> = {}): Promise<PlantedMember> {
  const username = parts.username ?? `user${crypto.randomUUID().slice(0, 12)}`;
  const member: PlantedMember = {
    kind: "user",
    userId: 0,
    sessionId: 1,
    username,
    displayName: "Bat Erdene",
    email: `${username}@example.mn`,
    avatarInitials: "BE",
    isAdmin: false,
    authenticatedAt: new Date(),
    mustChangePassword: false,
    mustSetUpFactor: false,
    mustChooseName: false,
    mustAgree: false,
    mustUsePasskey: false,
    restriction: null,
    ip: "127.0.0.1",
    device: "test",
    language: "en",
    requestId: crypto.randomUUID(),
    ...parts,
  };
  const [row] = await db().execute<{ id: string }>(sql`
    INSERT INTO identity.users (username, username_key, email, display_name, avatar_initials, password_hash, is_admin,
      language, created_at, updated_at)
    VALUES (${username}, ${username.toLowerCase()}, ${member.email}, ${member.displayName}, ${member.avatarInitials},
      '$argon2id$planted', ${member.isAdmin}, ${member.language}, now(), now())
    RETURNING id`);
  const userId = Number(row?.id);
  if (member.isAdmin) await logRight(userId, "admin_created");
  return { ...member, userId };
}

/** Puts a room of two into the database. */
export async function plantRoom(sellerId: number, buyerId: number): Promise<number> {
  const [row] = await db().execute<{ id: string }>(sql`
    INSERT INTO rooms.rooms (name, created_by_id, created_at) VALUES ('A planted room', ${sellerId}, now())
    RETURNING id`);
  const roomId = Number(row?.id);
  await db().execute(sql`INSERT INTO rooms.counters (room_id) VALUES (${roomId})`);
  await db().execute(sql`
    INSERT INTO rooms.members (room_id, user_id, role, joined_at)
    VALUES (${roomId}, ${sellerId}, 'seller', now()), (${roomId}, ${buyerId}, 'buyer', now())`);
  await db().execute(sql`
    INSERT INTO rooms.activity (room_id, user_id, at) VALUES (${roomId}, ${sellerId}, now()), (${roomId}, ${buyerId}, now())`);
  return roomId;
}

const paidStatuses = [
  "payment_confirmed",
  "exchange_completed",
  "settlement_pending",
  "disputed",
  "completed",
];

/** Puts a trade of 100,000 ₮ (fee 10,000, paid by the buyer) into the database, in a status, with its people and room. */
export async function plantTrade(status = "payment_confirmed") {
  const [seller, buyer] = await Promise.all([plantUser(), plantUser()]);
  const roomId = await plantRoom(seller.userId, buyer.userId);
  const code = `MM-${crypto.randomUUID().replaceAll("-", "").slice(0, 8).toUpperCase()}`;
  const at = (when: boolean) => (when ? sql`now()` : sql`NULL`);
  const [row] = await db().execute<{ id: string }>(sql`
    INSERT INTO escrow.trades (code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net, status,
      roles_locked_at, confirmed_at, buyer_completed_at, seller_completed_at, disputed_from, end_reason, ended_at,
      created_at, updated_at)
    VALUES (${code}, ${roomId}, ${buyer.userId}, ${seller.userId}, 100000, 10000, 'buyer', 'standard', 110000, 100000,
      ${status}, ${at(status !== "initiated")}, ${at(paidStatuses.includes(status))},
      ${at(["exchange_completed", "settlement_pending", "completed"].includes(status))},
      ${at(["settlement_pending", "completed"].includes(status))},
      ${status === "disputed" ? "payment_confirmed" : null},
      ${status === "completed" ? "paid_out" : status === "cancelled" ? "agreed" : null},
      ${at(["completed", "cancelled"].includes(status))}, now(), now())
    RETURNING id`);
  return { id: Number(row?.id), code, roomId, seller, buyer };
}
