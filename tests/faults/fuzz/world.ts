import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { setRight } from "../../support/people/administrator-rights.ts";
import {
  expectStatus,
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../../support/people/registered-people.ts";
import type { Client } from "../../support/server/http-client.ts";
import type { Server } from "../../support/server/midman-server.ts";
import {
  openDisputedTrade,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  requestPayment,
} from "../../support/trades/server-trades.ts";

/** Who asks, and about what: each role with a session, and the ids of what exists, their own and others'. */

export const roles = [
  "visitor",
  "user",
  "stranger",
  "buyer",
  "seller",
  "staleAdmin",
  "mediator",
  "admin",
] as const;
export type Role = (typeof roles)[number];

/** Those who have no part in the trades that are fuzzed: whatever they send, those must stay as they are. */
export const outsiders: ReadonlySet<Role> = new Set(["visitor", "user", "stranger"]);

export type Ids = Record<
  "transactions" | "rooms" | "payouts" | "users" | "invoices" | "others",
  readonly string[]
>;

export type World = {
  server: Server;
  ids: Ids;
  /** The trades and rooms that outsiders must not touch. */
  guarded: { trades: number[]; rooms: number[] };
  /** Somebody's client, with a session that holds. */
  as(role: Role): Promise<Client>;
};

/** Two people trade in every state there is; a third has a trade of their own, a fourth none; three administrators. */
export async function makeWorld(server: Server): Promise<World> {
  const [stranger, user, staleAdmin, mediator, victim] = await Promise.all(
    ["Stranger", "User", "Stale Desk", "Third Desk", "Victim"].map((name) => registerPerson(server, name)),
  );
  const own = await requestPayment(server);
  const pair = { seller: own.seller, buyer: own.buyer };
  const deals = [own, await openPaidTrade(server, pair), await openPaidTrade(server, pair)];
  const disputed = await openDisputedTrade(server);
  const settling = await openSettlingTrade(server);
  const another = await requestPayment(server);
  const empty = await makeRoomPair(server);
  await grant([staleAdmin, mediator] as Person[]);
  const admin = await signInAdministrator(server);
  // Made at the first look.
  expectStatus(await server.client().get("/api/evidence-key"), 200);
  expectStatus(await (mediator as Person).post(`/api/admin/transactions/${disputed.id}/dispute/take`), 200);
  const guardedDeals = [...deals, disputed, settling, another];
  const people: Record<Role, () => Person | Client> = {
    visitor: () => server.client(),
    user: () => user as Person,
    stranger: () => stranger as Person,
    buyer: () => own.buyer,
    seller: () => own.seller,
    staleAdmin: () => staleAdmin as Person,
    mediator: () => mediator as Person,
    admin: () => admin,
  };
  return {
    server,
    ids: {
      transactions: guardedDeals.map(({ id }) => String(id)),
      rooms: [...guardedDeals.map(({ roomId }) => String(roomId)), String(empty.roomId)],
      payouts: [String(await payoutOf(admin, settling))],
      users: [String((victim as Person).id), String(own.buyer.id), "999999"],
      invoices: guardedDeals.map(({ invoiceId }) => invoiceId),
      others: ["1", "2"],
    },
    guarded: { trades: guardedDeals.map(({ id }) => id), rooms: guardedDeals.map(({ roomId }) => roomId) },
    as: (role) => present(role, people[role]()),
  };
}

/** An administrator whom no administrator made. */
async function grant(people: readonly Person[]): Promise<void> {
  for (const { id } of people) await setRight(id, true);
}

/** Whoever signed out by what they sent signs in again; the stale administrator's password was given long ago. */
async function present(role: Role, client: Person | Client): Promise<Client> {
  if (role === "visitor") return client;
  if (expectStatus(await client.get("/api/auth/session"), 200).body.isAuthenticated !== true) {
    const { username, password } =
      "username" in client ? client : { username: "admin", password: "the one who pays out" };
    expectStatus(await client.post("/api/auth/login", { username, password }), 200);
  }
  const id = "id" in client ? client.id : 0;
  if (role === "staleAdmin") {
    await db().execute(
      sql`UPDATE identity.sessions SET authenticated_at = now() - interval '11 minutes' WHERE user_id = ${id}`,
    );
  }
  return client;
}
